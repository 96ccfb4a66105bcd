/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Tests can have masks and exclude values, so together they can say any formula over the bits of a
 * header: the search goes by cases, a bit at a time. Whether one test can still hold is known
 * exactly, which settles most bits without a case.
 */
#include "contract/image/kept.h"

struct search {
	const struct kept_guard *tests;
	uint32_t n, cases;
	uint64_t like, header;
};

static uint64_t highest_bit(uint64_t x)
{
	return UINT64_C(1) << (63 - __builtin_clzll(x));
}

/* Returns the bits of a header that a test is of. */
static uint64_t bits_of(const struct kept_guard *t)
{
	return (t->mask & UINT64_MAX >> (64 - t->bits)) << t->lsb;
}

/* Can a test hold if these bits of a header are known? */
static bool can_hold(const struct kept_guard *t, uint64_t known, uint64_t header)
{
	uint64_t free = (bits_of(t) & ~known) >> t->lsb;
	uint64_t least = (header & bits_of(t) & known) >> t->lsb;

	if (t->other)
		return least < t->first || (least | free) > t->last;
	/* The least value that is not below the first. */
	while (free != 0) {
		uint64_t bit = highest_bit(free);

		free ^= bit;
		if ((least | free) < t->first)
			least |= bit;
	}
	return least >= t->first && least <= t->last;
}

/* Adds the bits that a test leaves only one value. False: a test can't hold. */
static bool settle(const struct search *s, uint64_t *known, uint64_t *header)
{
	for (bool more = true; more;) {
		more = false;
		for (uint32_t i = 0; i < s->n; i++) {
			const struct kept_guard *t = &s->tests[i];
			uint64_t open = bits_of(t) & ~*known;

			if (!can_hold(t, *known, *header))
				return false;
			for (; open != 0; open &= open - 1) {
				uint64_t bit = open & -open;
				bool one = can_hold(t, *known | bit, *header | bit);

				if (one && can_hold(t, *known | bit, *header & ~bit))
					continue;
				*known |= bit;
				*header = one ? *header | bit : *header & ~bit;
				more = true;
			}
		}
	}
	return true;
}

/* Returns the bit of the next case: the highest one of the test with the fewest open bits. 0: all
 * bits of tests are known. */
static uint64_t next_case(const struct search *s, uint64_t known)
{
	uint64_t best = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		uint64_t open = bits_of(&s->tests[i]) & ~known;

		if (open != 0 && (best == 0 ||
				  __builtin_popcountll(open) < __builtin_popcountll(best)))
			best = open;
	}
	return best != 0 ? highest_bit(best) : 0;
}

/* The depth is at most the 64 bits of a header. */
static bool search_from(struct search *s, uint64_t known, uint64_t header)
{
	uint64_t bit;

	if (!settle(s, &known, &header))
		return false;
	bit = next_case(s, known);
	if (bit == 0) {
		s->header = header;
		return true;
	}
	if (s->cases == KEPT_CASES)
		return false;
	s->cases++;
	header = (header & ~bit) | (s->like & bit);
	return search_from(s, known | bit, header) || search_from(s, known | bit, header ^ bit);
}

bool kept_header(const struct kept *k, const struct kept_messages *m, uint64_t fixed, uint64_t like,
		 uint64_t *header)
{
	struct search s = { .tests = k->guards.at + m->first, .n = m->n, .like = like };

	if (m->n == 0)
		return true;
	if (!search_from(&s, fixed, *header))
		return false;
	*header = s.header;
	return true;
}
