/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Note [counting entries]
 * What a counter does hangs on its count, which no set of states has. But most batches touch none: no
 * state is active that makes one count or resets it. Then counts stay, pulse and roll counters are not
 * active, and a latch counter is active if it was before, for as long as its count is its bound. So an
 * entry leads to the set of the states that are entered, with the latch counters that were active. Where
 * that set touches a counter the entry has FAST_COUNT, and each time it is taken the counters of its
 * state count: the set that this leaves, mostly the same, is where the walk goes on.
 *
 * What each state's set touches is found when the state is made. Where a counter's state is among what
 * another counts or is reset by, what it touches hangs on counts too: there the engine counts.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/engine/fast/dfa_cache.h"

/* Does the set touch a list? */
static bool touches(const uint64_t *set, const struct image_list *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		if (bits_get(set, l->at[i]))
			return true;
	return false;
}

static bool has_counter(const struct nfart_image *im, const struct image_list *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		if ((im->states[l->at[i]].flags & STATE_COUNTER) != 0)
			return true;
	return false;
}

void fast_count_prepare(struct fast *f)
{
	const struct nfart_image *im = f->en->im;

	for (uint32_t i = 0; i < im->ncounters; i++) {
		const struct image_counter *c = &im->counters[i];
		if (c->mode == COUNTER_LATCH)
			bits_set(f->latches, c->state);
		f->nested |= has_counter(im, &c->count) || has_counter(im, &c->reset);
	}
}

struct fast_touch fast_touches(const struct fast *f, const uint64_t *set)
{
	const struct nfart_image *im = f->en->im;
	struct fast_touch t = { .row = 0 };

	for (uint32_t i = 0; i < im->ncounters; i++) {
		const struct image_counter *c = &im->counters[i];
		uint64_t bit = (uint64_t)1 << i;
		t.reset |= touches(set, &c->reset) ? bit : 0;
		t.count |= touches(set, &c->count) ? bit : 0;
		t.active |= bits_get(set, c->state) ? bit : 0;
	}
	return t;
}

void fast_count_keep(struct fast *f, uint32_t row)
{
	const uint64_t *set = fast_set(f, row);

	for (size_t w = 0; w < f->en->words; w++)
		f->scratch[w] |= set[w] & f->latches[w];
}

/* Counts, and answers which counters are active then. */
static uint64_t count(const struct fast *f, const struct fast_touch *t, uint32_t *counts)
{
	uint64_t active = t->active & ~t->reset;

	for (uint64_t m = t->reset; m != 0; m &= m - 1)
		counts[__builtin_ctzll(m)] = 0;
	for (uint64_t m = t->count & ~t->reset; m != 0; m &= m - 1) {
		uint32_t i = (uint32_t)__builtin_ctzll(m);
		const struct image_counter *c = &f->en->im->counters[i];
		if (counts[i] == c->k || ++counts[i] != c->k)
			continue;
		active |= (uint64_t)1 << i;
		if (c->mode == COUNTER_ROLL)
			counts[i] = 0;
	}
	return active;
}

uint32_t fast_count(struct fast *f, uint32_t entry, uint32_t *counts)
{
	const struct nfart_image *im = f->en->im;
	uint32_t s = (entry & FAST_ROW) / f->stride, row;
	uint64_t active = 0;

	if (!f->nested) {
		active = count(f, &f->touch[s], counts);
		if (active == f->touch[s].active)
			return entry & ~FAST_COUNT;
		if (active == f->touch[s].last && f->touch[s].row != 0)
			return f->touch[s].row;
	}
	memcpy(f->scratch, fast_set(f, entry), f->en->words * 8);
	for (size_t w = 0; w < f->en->words; w++)
		f->scratch[w] &= ~f->latches[w];
	if (f->nested)
		engine_count(f->en, f->scratch, counts);
	for (uint64_t m = active; m != 0; m &= m - 1)
		bits_set(f->scratch, im->counters[__builtin_ctzll(m)].state);
	row = fast_state(f, f->scratch);
	if (row == 0)
		return 0;
	f->touch[s].last = active;
	f->touch[s].row = row | (f->flags[row / f->stride] & ~FAST_COUNT);
	return f->touch[s].row;
}
