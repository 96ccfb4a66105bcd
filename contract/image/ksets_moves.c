/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "contract/image/ksets_int.h"

#include <stdlib.h>

bool ksets_step(const struct kept_composed *c, const struct kept_step *s, uint64_t *value)
{
	const struct kept_part *p = &c->parts.at[s->part];
	uint64_t x = *value, end = 1;
	uint32_t n = 0;

	switch (s->op) {
	case KEPT_TEST:
		if (x >= KEPT_VALUES || (s->a >> x & 1) == 0)
			return false;
		*value = s->set != KEPT_NONE ? s->set : x;
		return true;
	case KEPT_PUT:
		for (; x >= end; end *= p->base)
			n++;
		*value = x + (s->a + 1) * end;
		return n < p->most;
	case KEPT_TAKE:
		*value = x / p->base;
		return x % p->base == (uint64_t)s->a + 1;
	case KEPT_ADD:
		*value = x + s->a;
		return *value < p->base;
	case KEPT_SUBTRACT:
		*value = x - s->a;
		return x >= s->a;
	}
	return false;
}

/* Is a move not seen, and does it have steps? Without, it leads nowhere else. */
static bool is_of(const struct kept_moves *m, uint64_t seen)
{
	return m->n != 0 && (m->event == KEPT_NONE || (seen >> m->event & 1) == 0);
}

bool ksets_sort(struct ksets *x, uint32_t which, uint64_t seen)
{
	const struct kept_composed *c = x->c;
	struct ksets_by_part *b = &x->by_part[which];

	b->moves = calloc((size_t)c->moves.n + 1, sizeof *b->moves);
	b->first = calloc((size_t)c->parts.n + 2, sizeof *b->first);
	if (b->moves == NULL || b->first == NULL)
		return false;
	/* Count those of each part, two places further on; then first[part + 1] is where the next
	 * one of the part goes. */
	for (uint32_t i = 0; i < c->moves.n; i++)
		if (is_of(&c->moves.at[i], seen))
			b->first[c->steps.at[c->moves.at[i].first].part + 2]++;
	for (uint32_t i = 0; i < c->parts.n; i++)
		b->first[i + 2] += b->first[i + 1];
	for (uint32_t i = 0; i < c->moves.n; i++)
		if (is_of(&c->moves.at[i], seen))
			b->moves[b->first[c->steps.at[c->moves.at[i].first].part + 1]++] = i;
	return true;
}

/* ---- moves of sets ---- */

static int compare_edges(const void *a, const void *b)
{
	uint64_t x = ((const struct kept_edge *)a)->value, y = ((const struct kept_edge *)b)->value;

	return (x > y) - (x < y);
}

/* Makes the edges from `base` on of the stack rise: a move can lead from several values to one. */
static void sort_edges(struct ksets *x, size_t base)
{
	struct kept_edge *e = x->stack.at + base;
	size_t n = x->stack.n - base, kept = 0;

	if (n > 1)
		qsort(e, n, sizeof *e, compare_edges);
	for (size_t i = 0; i < n; i++) {
		struct kept_edge next = x->stack.at[base + i];

		if (kept != 0 && x->stack.at[base + kept - 1].value == next.value) {
			uint32_t both = ksets_union(x, x->stack.at[base + kept - 1].to, next.to);

			x->stack.at[base + kept - 1].to = both;
		} else {
			x->stack.at[base + kept++] = next;
		}
	}
	x->stack.n = base + kept;
}

static uint32_t close_from(struct ksets *x, uint32_t set, uint32_t part, uint32_t which);

static uint32_t move_from(struct ksets *x, uint32_t set, uint32_t step, uint32_t end,
			  uint32_t which);

/* Pushes an edge of part `part` to what steps [step, end) of a move make of a set. Unless `which`
 * is KSETS_NO_MOVES, the set is closed under such moves of the parts behind this one; then what the
 * edge leads to is, too. */
static void push_moved(struct ksets *x, uint32_t part, struct kept_edge e, uint32_t step,
		       uint32_t end, uint32_t which)
{
	uint32_t to = move_from(x, e.to, step, end, which);

	if (which != KSETS_NO_MOVES)
		to = close_from(x, to, part + 1, which);
	ksets_push(x, e.value, to);
}

static uint32_t move_from(struct ksets *x, uint32_t set, uint32_t step, uint32_t end,
			  uint32_t which)
{
	const struct kept_step *s = &x->c->steps.at[step];
	uint32_t op = which == KSETS_NO_MOVES ? OP_MOVE : OP_FIRE + 2 * which, part, n, result;
	size_t base = x->stack.n;

	if (step == end || set == KSETS_NONE)
		return set;
	if (ksets_stop(x))
		return KSETS_NONE;
	/* A step belongs to one move. */
	if (is_made(x, op, set, step, &result))
		return result;
	part = x->nodes.at[set].part < s->part ? x->nodes.at[set].part : s->part;
	n = edges_at(x, set, part);
	/* Most of the time goes into waiting for the table of results. */
	for (uint32_t i = 0; i < n; i++)
		__builtin_prefetch(place_of(x, op, edge_at(x, set, part, i).to,
					    part != s->part ? step : step + 1));
	for (uint32_t i = 0; i < n; i++) {
		struct kept_edge e = edge_at(x, set, part, i);

		if (part != s->part)
			push_moved(x, part, e, step, end, which);
		else if (ksets_step(x->c, s, &e.value))
			push_moved(x, part, e, step + 1, end, which);
		else
			ksets_spend(x, 1);
	}
	sort_edges(x, base);
	return remember(x, op, set, step, ksets_node(x, part, base));
}

uint32_t ksets_move(struct ksets *x, uint32_t set, uint32_t move)
{
	const struct kept_moves *m = &x->c->moves.at[move];

	return move_from(x, set, m->first, m->first + m->n, KSETS_NO_MOVES);
}

/* Makes a move whose first step is on part `part`, on a set that is closed from the next part on.
 * So is the result. */
static uint32_t fire(struct ksets *x, uint32_t set, uint32_t part, uint32_t move,
		     uint32_t which)
{
	const struct kept_moves *m = &x->c->moves.at[move];
	uint32_t n = edges_at(x, set, part);
	size_t base = x->stack.n;

	for (uint32_t i = 0; i < n; i++) {
		struct kept_edge e = edge_at(x, set, part, i);

		if (ksets_step(x->c, &x->c->steps.at[m->first], &e.value))
			push_moved(x, part, e, m->first + 1, m->first + m->n, which);
		else
			ksets_spend(x, 1);
	}
	sort_edges(x, base);
	return ksets_node(x, part, base);
}

/* Closes a set, of parts from `part` on, under the moves that touch none before it. */
static uint32_t close_from(struct ksets *x, uint32_t set, uint32_t part, uint32_t which)
{
	const struct ksets_by_part *b = &x->by_part[which == KSETS_ALL ? KSETS_ALL : KSETS_SILENT];
	uint32_t op = OP_CLOSE + 2 * which, result, before, n;
	size_t base = x->stack.n;

	while (part < x->nodes.at[set].part && b->first[part] == b->first[part + 1])
		part++;
	if (set == KSETS_NONE || part == x->c->parts.n || ksets_stop(x))
		return set;
	if (is_made(x, op, set, part, &result))
		return result;
	n = edges_at(x, set, part);
	for (uint32_t i = 0; i < n; i++) {
		struct kept_edge e = edge_at(x, set, part, i);

		ksets_push(x, e.value, close_from(x, e.to, part + 1, which));
	}
	result = ksets_node(x, part, base);
	do {
		before = result;
		for (uint32_t i = b->first[part]; i < b->first[part + 1]; i++)
			if (which < KSETS_WITHOUT ||
			    x->c->moves.at[b->moves[i]].rule != which - KSETS_WITHOUT)
				result = ksets_union(x, result, fire(x, result, part, b->moves[i],
								     which));
	} while (result != before && !ksets_stop(x));
	remember(x, op, result, part, result);
	return remember(x, op, set, part, result);
}

uint32_t ksets_close(struct ksets *x, uint32_t set, uint32_t moves)
{
	return close_from(x, set, 0, moves);
}

static uint32_t leaving_from(struct ksets *x, uint32_t set, uint32_t step, uint32_t end)
{
	const struct kept_step *s = &x->c->steps.at[step];
	uint32_t part, n, result;
	size_t base = x->stack.n;

	if (step == end || set == KSETS_NONE || ksets_stop(x))
		return set;
	if (is_made(x, OP_LEAVING, set, step, &result))
		return result;
	part = x->nodes.at[set].part < s->part ? x->nodes.at[set].part : s->part;
	n = edges_at(x, set, part);
	for (uint32_t i = 0; i < n; i++) {
		struct kept_edge e = edge_at(x, set, part, i);
		uint64_t value = e.value;

		if (part != s->part)
			ksets_push(x, value, leaving_from(x, e.to, step, end));
		else if (ksets_step(x->c, s, &value))
			ksets_push(x, e.value, leaving_from(x, e.to, step + 1, end));
		else
			ksets_spend(x, 1);
	}
	return remember(x, OP_LEAVING, set, step, ksets_node(x, part, base));
}

uint32_t ksets_leaving(struct ksets *x, uint32_t set, uint32_t move)
{
	const struct kept_moves *m = &x->c->moves.at[move];

	return leaving_from(x, set, m->first, m->first + m->n);
}
