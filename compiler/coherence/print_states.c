/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Prints a checker whose states are those of the system: states.h, Note [states instead of
 * beliefs]; and one that an engine follows: print.h, Note [following].
 */
#include <inttypes.h>
#include <stdlib.h>

#include "compiler/coherence/print_int.h"

/* A class, or one of the two states beside the classes. */
enum { STATE_ERROR = COH_NONE, STATE_UNKNOWN = COH_NONE - 1 };

static void print_class(const struct checker *c, uint32_t class, struct buf *b)
{
	char name[16];

	if (class == STATE_ERROR)
		snprintf(name, sizeof name, "error");
	else if (class == STATE_UNKNOWN)
		snprintf(name, sizeof name, "unknown");
	else
		snprintf(name, sizeof name, "q%" PRIu32, class);
	checker_print_name(c->coh->proto, name, b);
}

static void print_move(const struct checker *c, uint32_t from, uint32_t to, uint64_t events,
		       struct buf *b)
{
	buf_addf(b, "\t");
	print_class(c, from, b);
	buf_addf(b, " -> ");
	print_class(c, to, b);
	buf_addf(b, " : Any(");
	checker_print_events(c, events, ", ", b);
	buf_addf(b, ");\n");
}

static int compare_targets(const void *a, const void *b)
{
	const struct states_move *x = a, *y = b;

	return x->to != y->to ? (x->to > y->to) - (x->to < y->to)
			      : (x->event > y->event) - (x->event < y->event);
}

/* Prints n moves of a state, those to one class as one. Sorts them. */
static void print_moves(const struct checker *c, uint32_t from, struct states_move *at, size_t n,
			struct buf *b)
{
	if (n == 0)
		return;
	qsort(at, n, sizeof *at, compare_targets);
	for (size_t i = 0, end; i < n; i = end) {
		uint64_t events = 0;

		for (end = i; end < n && at[end].to == at[i].to; end++)
			events |= (uint64_t)1 << at[end].event;
		print_move(c, from, at[i].to, events, b);
	}
}

void checker_print_states(const struct checker *c, struct coh_states *x, uint64_t seen, bool anew,
			  struct buf *b)
{
	uint64_t never = seen;

	buf_addf(b, "machine %s orders %d {\n\tstate ", c->name, CHECKER_ORDERS);
	print_class(c, STATE_UNKNOWN, b);
	buf_addf(b, " start;\n");
	for (uint32_t i = 0; i < x->n; i++) {
		buf_addf(b, "\tstate ");
		print_class(c, i, b);
		buf_addf(b, ";\n");
	}
	buf_addf(b, "\tstate ");
	print_class(c, STATE_ERROR, b);
	buf_addf(b, " accept(%s);\n", c->name);
	for (size_t i = 0; i < x->begin.n; i++)
		never &= ~((uint64_t)1 << x->begin.at[i].event);
	print_moves(c, STATE_UNKNOWN, x->begin.at, x->begin.n, b);
	/* A message that no transition names would not be seen. */
	if (never != 0)
		print_move(c, STATE_UNKNOWN, STATE_ERROR, never, b);
	for (uint32_t i = 0; i < x->n; i++)
		print_moves(c, i, x->moves.at + x->first.at[i], x->first.at[i + 1] - x->first.at[i],
			    b);
	if (!anew) {
		buf_addf(b, "\t");
		print_class(c, STATE_ERROR, b);
		buf_addf(b, " -> ");
		print_class(c, STATE_ERROR, b);
		buf_addf(b, " : true;\n");
	}
	buf_addf(b, "}\n");
}

void checker_print_follow(const struct checker *c, struct buf *b)
{
	buf_addf(b, "machine %s {\n\tstate ", c->name);
	print_class(c, STATE_UNKNOWN, b);
	buf_addf(b, " start;\n\tstate ");
	print_class(c, STATE_ERROR, b);
	buf_addf(b, " accept(%s);\n\t", c->name);
	print_class(c, STATE_UNKNOWN, b);
	buf_addf(b, " -> ");
	print_class(c, STATE_ERROR, b);
	buf_addf(b, " : true;\n}\n");
}
