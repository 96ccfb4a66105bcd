/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Trimming. A state whose predicate never holds is only ever active before the first batch: nothing
 * enters it, and as a start state it loses its predicate and, since the empty prefix is never output,
 * its labels. Then a state stays if a start or always state reaches it and it reaches a label or a
 * log mark. Two searches, each of which visits a state once.
 */
#include <string.h>

#include "ir/passes.h"

static void clear_outputs(struct nfa_state *q)
{
	q->labels = 0;
	q->log = false;
}

/* Predicates in their simplest form; transitions into states that can't be entered go. */
static bool simplify(struct nfa *a)
{
	pred_id_t yes = pred_true(a->preds);
	size_t m = 0;

	if (yes == PRED_NONE)
		return false;
	for (size_t s = 0; s < a->states.n; s++) {
		struct nfa_state *q = &a->states.at[s];
		if (q->pred != PRED_NONE && pred_always(a->preds, q->pred))
			q->pred = yes;
		else if (q->pred != PRED_NONE && pred_never(a->preds, q->pred))
			q->pred = PRED_NONE;
		if (q->pred == PRED_NONE) {
			clear_outputs(q);
			q->always = false;
		}
	}
	for (size_t i = 0; i < a->edges.n; i++) {
		struct nfa_edge e = a->edges.at[i];
		e.pred = a->states.at[e.to].pred;
		if (e.pred != PRED_NONE)
			a->edges.at[m++] = e;
	}
	a->edges.n = m;
	return true;
}

/* Marks in `seen` what is reached from what is marked. */
static void reach(const struct nfa *a, const struct nfa_adj *adj, bool forward, bool *seen,
		  nfa_state_t *todo)
{
	size_t n = 0;

	for (nfa_state_t s = 0; s < a->states.n; s++)
		if (seen[s])
			todo[n++] = s;
	while (n != 0) {
		nfa_state_t s = todo[--n];
		for (uint32_t i = adj->first[s]; i < adj->first[s + 1]; i++) {
			const struct nfa_edge *e = &a->edges.at[adj->edge[i]];
			nfa_state_t t = forward ? e->to : e->from;
			if (!seen[t]) {
				seen[t] = true;
				todo[n++] = t;
			}
		}
	}
}

enum nfart_status pass_trim(struct nfa *a)
{
	size_t n = a->states.n;
	bool *live = calloc(n + 1, 1), *useful = calloc(n + 1, 1);
	nfa_state_t *todo = malloc((n + 1) * sizeof *todo);
	struct nfa_adj out = { 0 }, in = { 0 };
	bool ok = live != NULL && useful != NULL && todo != NULL && simplify(a) &&
		  nfa_out(a, &out) && nfa_in(a, &in);

	if (ok) {
		for (size_t s = 0; s < n; s++) {
			const struct nfa_state *q = &a->states.at[s];
			live[s] = q->start || q->always;
			useful[s] = q->labels != 0 || q->log;
		}
		reach(a, &out, true, live, todo);
		reach(a, &in, false, useful, todo);
		for (size_t s = 0; s < n; s++)
			live[s] = live[s] && useful[s];
		ok = nfa_keep(a, live, NULL);
	}
	nfa_adj_free(&out);
	nfa_adj_free(&in);
	free(live);
	free(useful);
	free(todo);
	return ok ? NFART_OK : NFART_SYSTEM;
}
