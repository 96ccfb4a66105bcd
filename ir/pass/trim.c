/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Trimming. A state whose predicate never holds is never entered, so it can be active before the
 * first batch only. It loses its predicate, and also its labels, because the empty prefix is never
 * output. After that, a state stays if a start or always state reaches it and it reaches a label or
 * a log mark. Two searches find these states; each visits a state once. Both follow ports: a
 * counter is live if a live state makes it count, and a state is useful if it makes a useful
 * counter count or reset.
 */
#include <string.h>

#include "ir/pass/passes.h"

static void clear_outputs(struct nfa_state *q)
{
	q->labels = 0;
	q->log = false;
}

/* Brings predicates into their simplest form, and drops transitions into states that can't be
 * entered. False: out of memory. */
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

/* Groups the links by the state that a search comes from, by a counting sort. The links of s are
 * link[first[s]] … link[first[s + 1] - 1]. */
static void index_links(const struct search *x, bool forward, uint32_t *first, uint32_t *link)
{
	size_t n = x->a->states.n;

	memset(first, 0, (n + 2) * sizeof *first);
	for (size_t i = 0; i < x->nlinks; i++)
		first[(forward ? x->links[i].from : x->links[i].to) + 2]++;
	for (size_t s = 2; s < n + 2; s++)
		first[s] += first[s - 1];
	for (size_t i = 0; i < x->nlinks; i++)
		link[first[(forward ? x->links[i].from : x->links[i].to) + 1]++] = (uint32_t)i;
}

/* Marks in `seen` all states that the marked states reach (`forward`), or that reach them. False:
 * out of memory. */
static bool trim_reach(struct search *x, const struct nfa_adj *adj, bool forward)
{
	uint32_t *first = malloc((x->a->states.n + 2) * sizeof *first);
	uint32_t *link = malloc((x->nlinks + 1) * sizeof *link);
	bool ok = first != NULL && link != NULL;

	if (ok)
		index_links(x, forward, first, link);
	x->n = 0;
	for (nfa_state_t s = 0; ok && s < x->a->states.n; s++)
		if (x->seen[s])
			x->todo[x->n++] = s;
	while (x->n != 0) {
		nfa_state_t s = x->todo[--x->n];
		for (uint32_t i = adj->first[s]; i < adj->first[s + 1]; i++) {
			const struct nfa_edge *e = &x->a->edges.at[adj->edge[i]];
			see(x, forward ? e->to : e->from);
		}
		for (uint32_t i = first[s]; i < first[s + 1]; i++) {
			const struct nfa_link *l = &x->links[link[i]];
			if (!forward || l->count)
				see(x, forward ? l->to : l->from);
		}
	}
	free(first);
	free(link);
	return ok;
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
		ok = trim_reach(&x, &out, true);
		x.seen = useful;
		ok = ok && trim_reach(&x, &in, false);
		for (size_t s = 0; s < n; s++)
			live[s] = live[s] && useful[s];
		ok = ok && nfa_keep(a, live, NULL) && nfa_drop_ports(a);
	}
	free(links);
	nfa_adj_free(&out);
	nfa_adj_free(&in);
	free(live);
	free(useful);
	free(todo);
	return ok ? NFART_OK : NFART_SYSTEM;
}
