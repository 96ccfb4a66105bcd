/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "ir/shape.h"

#include <stdlib.h>
#include <string.h>

static int by_number(const void *x, const void *y)
{
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	return (a > b) - (a < b);
}

/* Counts edges and loops, and finds the greatest fan-out. Transitions between the same two states
 * are neighbours, because the edges are sorted. */
static void measure_out(const struct nfa *a, struct nfa_shape *s)
{
	uint32_t fan_out = 0;

	for (size_t i = 0; i < a->edges.n; i++) {
		const struct nfa_edge *e = &a->edges.at[i];
		if (i == 0 || e[-1].from != e->from)
			fan_out = 0;
		else if (e[-1].to == e->to)
			continue;
		if (e->from == e->to) {
			s->loops++;
			continue;
		}
		s->edges++;
		fan_out++;
		s->fan_out = fan_out > s->fan_out ? fan_out : s->fan_out;
	}
}

/* Raises s->fan_in and s->decoders to those of one state `to`. Its n incoming transitions have the
 * indices edge[]. Their predicates are collected in pred[], which has room for n. */
static void measure_in(const struct nfa *a, nfa_state_t to, const uint32_t *edge, size_t n,
		       uint32_t *pred, struct nfa_shape *s)
{
	uint32_t fan_in = 0, decoders = 0;
	size_t npreds = 0;

	for (size_t i = 0; i < n; i++) {
		const struct nfa_edge *e = &a->edges.at[edge[i]];
		bool again = i > 0 && a->edges.at[edge[i - 1]].from == e->from;
		fan_in += !again && e->from != to;
		if (e->pred != PRED_EPS)
			pred[npreds++] = e->pred;
	}
	qsort(pred, npreds, sizeof *pred, by_number);
	for (size_t i = 0; i < npreds; i++)
		decoders += i == 0 || pred[i] != pred[i - 1];
	s->fan_in = fan_in > s->fan_in ? fan_in : s->fan_in;
	s->decoders = decoders > s->decoders ? decoders : s->decoders;
}

bool nfa_shape(const struct nfa *a, struct nfa_shape *s)
{
	uint32_t *pred = calloc(a->edges.n + 1, sizeof *pred);
	struct nfa_adj in;

	if (pred == NULL || !nfa_in(a, &in)) {
		free(pred);
		return false;
	}
	*s = (struct nfa_shape){ .states = a->states.n, .decoders = 1 };
	measure_out(a, s);
	for (nfa_state_t to = 0; to < a->states.n; to++)
		measure_in(a, to, in.edge + in.first[to], in.first[to + 1] - in.first[to], pred, s);
	nfa_adj_free(&in);
	free(pred);
	return true;
}
