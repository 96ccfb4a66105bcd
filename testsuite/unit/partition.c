/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Tests partition refinement against the obvious algorithm, on random relations.
 */
#include <string.h>

#include "ir/partition.h"
#include "testsuite/unit/unit.h"

enum { MOST = 24, ROUNDS = 20000 };

struct random_relation {
	uint32_t n, first[MOST + 1], to[MOST * MOST];
};

static void partition_make(struct random_relation *r, uint64_t *seed)
{
	uint32_t m = 0, most = 1 + unit_below(seed, 30);

	r->n = unit_below(seed, MOST + 1);
	for (uint32_t x = 0; x < r->n; x++) {
		r->first[x] = m;
		for (uint32_t y = 0; y < r->n; y++)
			if (unit_below(seed, 30) < most && unit_below(seed, 3) == 0)
				r->to[m++] = y;
		/* The pairs are shuffled, since the relation may come in any order. */
		for (uint32_t i = r->first[x]; i + 1 < m; i++) {
			uint32_t k = i + unit_below(seed, m - i), t = r->to[i];
			r->to[i] = r->to[k];
			r->to[k] = t;
		}
	}
	r->first[r->n] = m;
}

/* Numbers the classes in the order of their first elements. Returns how many there are. */
static uint32_t renumber(uint32_t *cls, uint32_t n)
{
	uint32_t name[MOST], count = 0;

	for (uint32_t x = 0; x < n; x++) {
		uint32_t c = 0;
		while (c < count && name[c] != cls[x])
			c++;
		if (c == count)
			name[count++] = cls[x];
		cls[x] = c;
	}
	return count;
}

/* The obvious algorithm: splits classes by the classes that their elements are related to, until
 * nothing changes. */
static uint32_t naive(const struct random_relation *r, uint32_t *cls)
{
	uint32_t count = renumber(cls, r->n), before;

	do {
		uint32_t set[MOST], next[MOST];
		before = count;
		for (uint32_t x = 0; x < r->n; x++) {
			set[x] = 0;
			for (uint32_t i = r->first[x]; i < r->first[x + 1]; i++)
				set[x] |= 1u << cls[r->to[i]];
		}
		for (uint32_t x = 0; x < r->n; x++)
			for (uint32_t y = 0; y <= x; y++)
				if (cls[x] == cls[y] && set[x] == set[y]) {
					next[x] = y;
					break;
				}
		memcpy(cls, next, r->n * sizeof *cls);
		count = renumber(cls, r->n);
	} while (count != before);
	return count;
}

START_TEST(random_relations)
{
	uint64_t seed = 1;

	for (int round = 0; round < ROUNDS; round++) {
		struct random_relation r;
		uint32_t cls[MOST], want[MOST], classes, got;
		partition_make(&r, &seed);
		struct relation relation = { r.n, r.first, r.to };
		classes = 1 + unit_below(&seed, r.n == 0 ? 1 : r.n < 4 ? r.n : 4);
		for (uint32_t x = 0; x < r.n; x++)
			cls[x] = want[x] = unit_below(&seed, classes);
		got = partition_refine(&relation, cls);
		if (got != naive(&r, want) || memcmp(cls, want, r.n * sizeof *cls) != 0)
			unit_fail("round %d differs", round);
	}
}
END_TEST

/* A relation that is a path. Every element ends in a class of its own, and this takes as many
 * rounds as possible. */
START_TEST(path)
{
	enum { N = 20000 };
	static uint32_t first[N + 1], to[N], cls[N];
	struct relation r = { N, first, to };

	for (uint32_t x = 0; x < N; x++) {
		first[x] = x;
		to[x] = x + 1;
	}
	first[N] = N - 1;
	unit_eq(partition_refine(&r, cls), N);
	for (uint32_t x = 0; x < N; x++)
		unit_eq(cls[x], x);
}
END_TEST

Suite *suite_partition(void)
{
	const TTest *const tests[] = { random_relations, path, NULL };

	return unit_suite("partition", tests);
}
