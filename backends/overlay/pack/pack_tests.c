/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/pack/pack_tests.h"

/* Returns the table of a mask test for the five header bits from `lsb` on. */
static uint32_t mask_table(const struct recode_test *t, uint32_t lsb)
{
	uint32_t m = t->mask >> lsb & 31, v = t->lo >> lsb & 31, table = 0;

	for (uint32_t i = 0; i < 32; i++)
		table |= (uint32_t)((i & m) == v) << i;
	return table;
}

/* Returns a table of a range test for the four bits from `lsb` on: whether they are those of
 * the bound, and whether they are above it, or if not `above`, below it. */
static uint32_t range_table(const struct recode_test *t, uint32_t lsb, bool above)
{
	uint32_t m = t->mask >> lsb & 15, v = (above ? t->hi : t->lo) >> lsb & 15, table = 0;

	for (uint32_t i = 0; i < 16; i++) {
		table |= (uint32_t)((i & m) == v) << i;
		table |= (uint32_t)(above ? (i & m) > v : (i & m) < v) << (16 + i);
	}
	return table;
}

void pack_tests(const struct recode *r, const struct overlay *o, const struct element *el,
		uint32_t *words)
{
	uint32_t per = el->width(o) / 32, tests = o->guards, first = 0;

	if (el->id == EL_range) {
		first = o->guards;
		tests = o->ranges;
	} else if (el->id == EL_payload_test) {
		first = o->guards + o->ranges;
		tests = o->payload_tests;
	}
	for (uint32_t i = 0; i < element_count(el, o); i++) {
		const struct recode_test *t =
			&r->test[i / tests * overlay_ntest(o) + first + i % tests];
		/* A word of payload has 32 tables; those of words that are not tested are 0. */
		uint32_t base = t->word == 0 ? 0 : 32 * (t->word - 1);
		uint32_t n = t->word == 0 ? per : 32;
		for (uint32_t k = 0; t->mask != 0 && k < n; k++) {
			uint32_t table = el->id == EL_guard ? mask_table(t, 5 * k) :
					 range_table(t, k / 2 * 4, k % 2 == 0);
			for (uint32_t in = 0; in < 32; in++)
				words_set(words, element_place(el, o, i, 32 * (base + k) + in), 1,
					  table >> in & 1);
		}
	}
}
