/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Trimming. A state whose predicate never holds is only ever active before the first batch: nothing
 * enters it, and as a start state it loses its predicate and, since the empty prefix is never output,
 * its labels. Then a state stays if a start or always state reaches it and it reaches a label or a
 * log mark. Two searches, each of which visits a state once. Both follow ports: a counter is live
 * where a live state makes it count, and what makes a useful counter count or reset is useful.
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
		if (q->pred == PRED_NONE && q->kind == NFA_STE) {
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

struct search {
	const struct nfa *a;
	const struct nfa_link *links;
	size_t nlinks;
	bool *seen;
	nfa_state_t *todo;
	size_t n;
};

static void see(struct search *x, nfa_state_t s)
{
	if (x->seen[s])
		return;
	x->seen[s] = true;
	x->todo[x->n++] = s;
}

/* Marks in `seen` what is reached from what is marked. */
static void reach(struct search *x, const struct nfa_adj *adj, bool forward)
{
	x->n = 0;
	for (nfa_state_t s = 0; s < x->a->states.n; s++)
		if (x->seen[s])
			x->todo[x->n++] = s;
	while (x->n != 0) {
		while (x->n != 0) {
			nfa_state_t s = x->todo[--x->n];
			for (uint32_t i = adj->first[s]; i < adj->first[s + 1]; i++) {
				const struct nfa_edge *e = &x->a->edges.at[adj->edge[i]];
				see(x, forward ? e->to : e->from);
			}
		}
		for (size_t i = 0; i < x->nlinks; i++) {
			const struct nfa_link *l = &x->links[i];
			if (forward && l->count && x->seen[l->from])
				see(x, l->to);
			if (!forward && x->seen[l->to])
				see(x, l->from);
		}
	}
}

enum nfart_status pass_trim(struct nfa *a)
{
	size_t n = a->states.n;
	bool *live = calloc(n + 1, 1), *useful = calloc(n + 1, 1);
	nfa_state_t *todo = malloc((n + 1) * sizeof *todo);
	struct nfa_adj out = { 0 }, in = { 0 };
	struct search x = { .a = a, .todo = todo };
	struct nfa_link *links = NULL;
	bool ok = live != NULL && useful != NULL && todo != NULL && simplify(a) &&
		  nfa_out(a, &out) && nfa_in(a, &in) &&
		  (links = nfa_links(a, &x.nlinks)) != NULL;

	if (ok) {
		x.links = links;
		for (size_t s = 0; s < n; s++) {
			const struct nfa_state *q = &a->states.at[s];
			live[s] = q->start || q->always;
			useful[s] = nfa_nlabels(a, q->labels) != 0 || q->log;
		}
		x.seen = live;
		reach(&x, &out, true);
		x.seen = useful;
		reach(&x, &in, false);
		for (size_t s = 0; s < n; s++)
			live[s] = live[s] && useful[s];
		ok = nfa_keep(a, live, NULL) && nfa_drop_ports(a);
	}
	free(links);
	nfa_adj_free(&out);
	nfa_adj_free(&in);
	free(live);
	free(useful);
	free(todo);
	return ok ? NFART_OK : NFART_SYSTEM;
}
