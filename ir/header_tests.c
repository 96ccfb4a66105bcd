/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "ir/header_tests.h"

#include <stdlib.h>
#include <string.h>

enum { UNKNOWN = UINT32_MAX };

/* An interval of the values of a run of bits: up to `last`, from the one before it on. All headers
 * with such values go on at the same node. */
struct interval {
	uint64_t last;
	diagram_t node;
};

struct intervals {
	struct interval *at;
	size_t n, cap;
};

struct maker {
	struct header_tests *t; /* tests in the order in which they were made: children first */
	const struct diagrams *d;
	uint32_t *made;         /* [nodes]: what stands for the node: a test or a class; UNKNOWN */
	bool failed;
};

static void push(struct maker *m, struct intervals *v, uint64_t last, diagram_t node)
{
	if (v->n != 0 && v->at[v->n - 1].node == node)
		v->at[v->n - 1].last = last;
	else if (!vec_push(v, ((struct interval){ last, node })))
		m->failed = true;
}

/* Makes the values of a run one bit longer: `bit` becomes their lowest bit. False: an interval of
 * several values goes on at a node that decides on the bit, so it would fall apart into single
 * values. */
static bool extend(struct maker *m, const struct intervals *v, uint32_t bit, struct intervals *out)
{
	uint64_t first = 0;

	out->n = 0;
	for (size_t i = 0; i < v->n && !m->failed; i++) {
		const struct diagram_node *x = &m->d->nodes.at[v->at[i].node];
		uint64_t last = v->at[i].last;
		if (x->bit == bit && first != last)
			return false;
		if (x->bit == bit)
			push(m, out, 2 * last, x->no);
		push(m, out, 2 * last + 1, x->bit == bit ? x->yes : v->at[i].node);
		first = last + 1;
	}
	return true;
}

/* Returns the value whose bits, from the lowest on, are those of `dense` in the places of `mask`. */
static uint64_t spread(uint64_t dense, uint64_t mask)
{
	uint64_t v = 0;

	for (; mask != 0; mask &= mask - 1, dense >>= 1)
		if ((dense & 1) != 0)
			v |= mask & -mask;
	return v;
}

static bool is_leaf(const struct maker *m, diagram_t x)
{
	return m->d->nodes.at[x].bit == DIAGRAM_LEAF;
}

static bool all_leaves(const struct maker *m, const struct intervals *v)
{
	for (size_t i = 0; i < v->n; i++)
		if (!is_leaf(m, v->at[i].node))
			return false;
	return true;
}

/* Finds the intervals at the longest run of bits from the node's bit down that leaves them whole.
 * Returns the run as a mask. */
static uint64_t run_of(struct maker *m, diagram_t x, struct intervals *v)
{
	struct intervals longer = { NULL, 0, 0 }, swap;
	uint32_t bit = m->d->nodes.at[x].bit;
	uint64_t mask = (uint64_t)1 << bit;

	push(m, v, 0, m->d->nodes.at[x].no);
	push(m, v, 1, m->d->nodes.at[x].yes);
	while (bit-- > 0 && !m->failed && !all_leaves(m, v)) {
		if ((m->d->fixed >> bit & 1) != 0)
			continue;
		if (!extend(m, v, bit, &longer))
			break;
		swap = *v;
		*v = longer;
		longer = swap;
		mask |= (uint64_t)1 << bit;
	}
	vec_free(&longer);
	return mask;
}

static uint32_t add(struct maker *m, struct image_test t)
{
	if (m->failed || !vec_push(m->t, t)) {
		m->failed = true;
		return 0;
	}
	return (uint32_t)m->t->n - 1;
}

/* Makes tests that choose among the intervals [lo, hi) by bisection. */
static uint32_t bisect(struct maker *m, const struct intervals *v, size_t lo, size_t hi,
		       uint64_t mask)
{
	size_t mid = lo + (hi - lo) / 2 - 1;
	struct image_test t = { .mask = mask, .at_most = true };

	if (hi - lo == 1)
		return m->made[v->at[lo].node];
	if (hi - lo == 3 && v->at[lo].node == v->at[lo + 2].node &&
	    v->at[lo + 1].last == v->at[lo].last + 1) {
		t.at_most = false;
		t.value = spread(v->at[lo + 1].last, mask);
		t.yes = m->made[v->at[lo + 1].node];
		t.no = m->made[v->at[lo].node];
		return add(m, t);
	}
	t.value = spread(v->at[mid].last, mask);
	t.yes = bisect(m, v, lo, mid + 1, mask);
	t.no = bisect(m, v, mid + 1, hi, mask);
	return add(m, t);
}

/* Makes the tests of a node, unless they are made. Recursion goes down the bits of a header. */
static void make(struct maker *m, diagram_t x)
{
	struct intervals v = { NULL, 0, 0 };
	uint64_t mask;

	if (m->failed || m->made[x] != UNKNOWN)
		return;
	mask = run_of(m, x, &v);
	for (size_t i = 0; i < v.n && !m->failed; i++)
		make(m, v.at[i].node);
	if (!m->failed)
		m->made[x] = bisect(m, &v, 0, v.n, mask);
	vec_free(&v);
}

/* Turns the tests round, so that a test stands before those that follow it. */
static void turn(struct header_tests *t)
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
		diagram_t leaf = diagram_at(d, x, classes->at[i].sample);
		m.made[leaf] = (uint32_t)IMAGE_LETTER | i;
	}
	make(&m, x);
	free(m.made);
	if (!m.failed)
		turn(t);
	return !m.failed;
}

uint32_t header_tests_moved(uint32_t follows, uint32_t at, uint32_t code, uint32_t first)
{
	uint32_t class = follows & ~(uint32_t)IMAGE_LETTER;

	if (class == follows)
		return follows + at;
	return (uint32_t)IMAGE_LETTER | (class == 0 ? code : first + class - 1);
}
