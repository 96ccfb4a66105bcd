/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "ir/header_tests.h"

#include <stdlib.h>
#include <string.h>

enum { UNKNOWN = UINT32_MAX };

struct maker {
	struct header_tests *t; /* tests in the order in which they were made: children first */
	const struct diagrams *d;
	uint32_t *made;         /* [nodes]: what stands for the node: a test or a class; UNKNOWN */
	bool failed;
};

/* Returns the value whose bits, from the lowest on, are those of `dense` in the places of `mask`.
 * */
static uint64_t tests_spread(uint64_t dense, uint64_t mask)
{
	uint64_t v = 0;

	for (; mask != 0; mask &= mask - 1, dense >>= 1)
		if ((dense & 1) != 0)
			v |= mask & -mask;
	return v;
}

static uint32_t tests_add(struct maker *m, struct image_test t)
{
	if (m->failed || !vec_push(m->t, t)) {
		m->failed = true;
		return 0;
	}
	return (uint32_t)m->t->n - 1;
}

/* Makes tests that choose among the intervals [lo, hi) by bisection. */
static uint32_t bisect(struct maker *m, const struct diagram_intervals *v, size_t lo, size_t hi,
		       uint32_t word, uint64_t mask)
{
	size_t mid = lo + (hi - lo) / 2 - 1;
	struct image_test t = { .mask = mask, .at_most = true, .word = word };

	if (hi - lo == 1)
		return m->made[v->at[lo].node];
	if (hi - lo == 3 && v->at[lo].node == v->at[lo + 2].node &&
	    v->at[lo + 1].last == v->at[lo].last + 1) {
		t.at_most = false;
		t.value = tests_spread(v->at[lo + 1].last, mask);
		t.yes = m->made[v->at[lo + 1].node];
		t.no = m->made[v->at[lo].node];
		return tests_add(m, t);
	}
	t.value = tests_spread(v->at[mid].last, mask);
	t.yes = bisect(m, v, lo, mid + 1, word, mask);
	t.no = bisect(m, v, mid + 1, hi, word, mask);
	return tests_add(m, t);
}

/* Makes the tests of a node, unless they are made. Recursion goes down the bits of a header. */
static void tests_make(struct maker *m, diagram_t x)
{
	struct diagram_intervals v = { NULL, 0, 0 };
	uint32_t bit = m->d->nodes.at[x].bit, word = bit / 64, low;
	uint64_t mask;

	if (m->failed || m->made[x] != UNKNOWN)
		return;
	if (!diagram_intervals(m->d, x, 64 * word, &v, &low))
		m->failed = true;
	mask = ((uint64_t)2 << bit % 64) - ((uint64_t)1 << low % 64);
	if (word == 0)
		mask &= ~m->d->fixed;
	for (size_t i = 0; i < v.n && !m->failed; i++)
		tests_make(m, v.at[i].node);
	if (!m->failed)
		m->made[x] = bisect(m, &v, 0, v.n, word, mask);
	vec_free(&v);
}

/* Turns the tests round, so that a test stands before those that follow it. */
static void tests_turn(struct header_tests *t)
{
	size_t n = t->n;

	for (size_t i = 0; i < n; i++) {
		struct image_test *x = &t->at[i];
		if ((x->no & (uint32_t)IMAGE_LETTER) == 0)
			x->no = (uint32_t)(n - 1) - x->no;
		if ((x->yes & (uint32_t)IMAGE_LETTER) == 0)
			x->yes = (uint32_t)(n - 1) - x->yes;
	}
	for (size_t i = 0; i < n / 2; i++) {
		struct image_test x = t->at[i];
		t->at[i] = t->at[n - 1 - i];
		t->at[n - 1 - i] = x;
	}
}

bool header_tests_make(struct header_tests *t, const struct diagrams *d, diagram_t x,
		       const struct diagram_classes *classes)
{
	struct maker m = { .t = t, .d = d };

	if (d->nodes.at[x].bit == DIAGRAM_LEAF)
		return true;
	m.made = malloc(((size_t)x + 1) * sizeof *m.made);
	if (m.made == NULL)
		return false;
	memset(m.made, 0xff, ((size_t)x + 1) * sizeof *m.made);
	for (uint32_t i = 0; i < classes->n; i++) {
		diagram_t leaf = diagram_at(d, x, &classes->at[i].sample);
		m.made[leaf] = (uint32_t)IMAGE_LETTER | i;
	}
	tests_make(&m, x);
	free(m.made);
	if (!m.failed)
		tests_turn(t);
	return !m.failed;
}

uint32_t header_tests_moved(uint32_t follows, uint32_t at, uint32_t code, uint32_t first)
{
	uint32_t class = follows & ~(uint32_t)IMAGE_LETTER;

	if (class == follows)
		return follows + at;
	return (uint32_t)IMAGE_LETTER | (class == 0 ? code : first + class - 1);
}

static diagram_t following(struct diagrams *d, const diagram_t *of, uint32_t follows,
			   const uint64_t *set)
{
	uint32_t letter = follows & ~(uint32_t)IMAGE_LETTER;

	if (letter == follows)
		return of[follows];
	return diagram_leaf(d, set != NULL ? bits_get(set, letter) : letter);
}

/* Marks the tests that are reached from the first one. */
static void tests_mark(const struct image_test *tests, uint32_t n, uint32_t first, bool *reached)
{
	reached[first] = true;
	for (uint32_t i = first; i < n; i++) {
		if (!reached[i])
			continue;
		if ((tests[i].no & (uint32_t)IMAGE_LETTER) == 0)
			reached[tests[i].no] = true;
		if ((tests[i].yes & (uint32_t)IMAGE_LETTER) == 0)
			reached[tests[i].yes] = true;
	}
}

/* A test leads to later tests only, so the diagrams are made from the last test to the first. */
diagram_t header_tests_diagram(struct diagrams *d, const struct image_test *tests, uint32_t n,
			       uint32_t first, const uint64_t *set)
{
	diagram_t *of = malloc(n * sizeof *of), root = DIAGRAM_NONE;
	bool *reached = calloc(n, sizeof *reached);

	if (of == NULL || reached == NULL)
		d->failed = true;
	else
		tests_mark(tests, n, first, reached);
	for (uint32_t i = n; i-- > first && !d->failed;) {
		const struct image_test *t = &tests[i];
		if (reached[i])
			root = of[i] = diagram_choose(
				d, diagram_test(d, t->word, t->mask, t->value, t->at_most),
				following(d, of, t->no, set), following(d, of, t->yes, set));
	}
	free(of);
	free(reached);
	return d->failed ? DIAGRAM_NONE : root;
}
