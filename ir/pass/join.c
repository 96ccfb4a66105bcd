/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Joins parallel transitions. Let the transitions into a state t with predicate p come from the
 * same states as those with predicate q. Then one transition from each of these states, with a
 * predicate that says "p or q", means the same. Homogenisation would make a copy of t for each of p
 * and q. Transitions that come from other states stay: joining some of them would only make one
 * more copy.
 */
#include <string.h>

#include "ir/pass/passes.h"
#include "ir/pred_logic.h"
#include "support/order.h"

/* The transitions into one state with one predicate. */
struct group {
	uint32_t first, n; /* the group is work.edge[first] … work.edge[first + n - 1] */
};

struct work {
	struct nfa *a;
	struct nfa_edge *edge; /* all transitions, sorted by (to, pred, from) */
	VEC(struct group) groups; /* the groups of the current state */
};

static int by_entry(const void *x, const void *y)
{
	const struct nfa_edge *a = x, *b = y;

	return order_3(a->to, b->to, a->pred, b->pred, a->from, b->from);
}

static bool same_sources(const struct work *w, const struct group *x, const struct group *y)
{
	if (x->n != y->n)
		return false;
	for (uint32_t i = 0; i < x->n; i++)
		if (w->edge[x->first + i].from != w->edge[y->first + i].from)
			return false;
	return true;
}

/* Joins the groups of one state as far as possible. A group that was joined to another one has no
 * transitions left. False: out of memory. */
static bool join_states(struct work *w)
{
	for (size_t i = 0; i < w->groups.n; i++) {
		struct group *x = &w->groups.at[i];
		for (size_t k = i + 1; k < w->groups.n && x->n != 0; k++) {
			struct group *y = &w->groups.at[k];
			pred_id_t p;
			if (!same_sources(w, x, y))
				continue;
			if (!pred_or(w->a->preds, w->edge[x->first].pred, w->edge[y->first].pred,
				     &p))
				return false;
			if (p == PRED_NONE)
				continue;
			for (uint32_t e = 0; e < x->n; e++)
				w->edge[x->first + e].pred = p;
			y->n = 0;
		}
	}
	return true;
}

static bool join_all(struct work *w)
{
	size_t m = w->a->edges.n, kept = 0;

	for (size_t i = 0; i < m;) {
		nfa_state_t to = w->edge[i].to;
		w->groups.n = 0;
		for (size_t k = i; i < m && w->edge[i].to == to; i++)
			if (i + 1 == m || w->edge[i + 1].to != to ||
			    w->edge[i + 1].pred != w->edge[i].pred) {
				struct group g = { (uint32_t)k, (uint32_t)(i + 1 - k) };
				if (!vec_push(&w->groups, g))
					return false;
				k = i + 1;
			}
		if (w->groups.n > 1 && w->groups.n <= PASS_PAIRS_MOST && !join_states(w))
			return false;
		for (size_t g = 0; g < w->groups.n; g++)
			for (uint32_t e = 0; e < w->groups.at[g].n; e++)
				w->a->edges.at[kept++] = w->edge[w->groups.at[g].first + e];
	}
	w->a->edges.n = kept;
	return nfa_sort_edges(w->a);
}

enum nfart_status pass_join(struct nfa *a)
{
	struct work w = { .a = a, .edge = malloc((a->edges.n + 1) * sizeof *w.edge) };
	bool ok = w.edge != NULL;

	if (ok && a->edges.n != 0) {
		memcpy(w.edge, a->edges.at, a->edges.n * sizeof *w.edge);
		qsort(w.edge, a->edges.n, sizeof *w.edge, by_entry);
		ok = join_all(&w);
	}
	vec_free(&w.groups);
	free(w.edge);
	return ok ? NFART_OK : NFART_SYSTEM;
}
