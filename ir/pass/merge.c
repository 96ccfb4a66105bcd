/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Note [merging]. States are merged by two equivalences. Each is the coarsest one of its kind (a
 * bisimulation, by partition.h).
 *
 *   backward: two states are equivalent if they have equal predicates, start and always bits, and
 *     equivalent predecessors. Such states are active at the same times, so they are merged
 *     whatever their labels are. The merged state has the labels of both.
 *   forward: two states are equivalent if they have equal predicates, labels and log marks, and
 *     equivalent successors. What follows from one follows from the other, so they are merged
 *     whatever leads to them. The merged state has the start and always bits of both.
 *
 * Start bits can stand in the way of this. What a state accepts at the empty prefix is never
 * output, so its start bit only matters for what follows it. If every successor is an always state
 * or has a start state among its predecessors already, a start bit makes no difference. Such states
 * get one, which makes more of them equal. After that a start state without predicate, which is
 * active before the first batch only, can hand its transitions to others, and it is dropped when it
 * has none left.
 *
 * Rounds of this are repeated while a round removes a state. A counter is merged with nothing.
 */
#include <string.h>

#include "ir/partition.h"
#include "ir/pass/passes.h"
#include "support/order.h"

/* A state, and what it has in common with all states of its initial class. */
struct key {
	uint64_t a, b;
	nfa_state_t s;
};

static int by_key(const void *x, const void *y)
{
	const struct key *p = x, *q = y;

	return order_3(p->a, q->a, p->b, q->b, p->s, q->s);
}

static bool initial_classes(const struct nfa *a, bool backward, uint32_t *cls)
{
	struct key *keys = malloc((a->states.n + 1) * sizeof *keys);
	uint32_t c = 0;

	if (keys == NULL)
		return false;
	for (nfa_state_t s = 0; s < a->states.n; s++) {
		const struct nfa_state *q = &a->states.at[s];
		keys[s].a = (uint64_t)(q->kind == NFA_COUNTER ? q->counter : q->pred) << 8 |
			    (uint64_t)q->kind;
		keys[s].b = backward ? (uint64_t)q->start << 1 | q->always
				     : (uint64_t)q->labels << 1 | q->log;
		keys[s].s = s;
	}
	qsort(keys, a->states.n, sizeof *keys, by_key);
	for (size_t i = 0; i < a->states.n; i++) {
		if (i > 0 && (keys[i].a != keys[i - 1].a || keys[i].b != keys[i - 1].b))
			c++;
		cls[keys[i].s] = c;
	}
	free(keys);
	return true;
}

/* Joins the bits of state s to those of representative t; join_labels() joins the labels. */
static void merge_two(struct nfa *a, nfa_state_t t, nfa_state_t s)
{
	struct nfa_state *q = &a->states.at[t], *p = &a->states.at[s];

	q->log |= p->log;
	q->start |= p->start;
	q->always |= p->always;
}

/* Gives each representative the labels of its class. They are collected for a whole class, because
 * joining two sets at a time would cost the square of the size of a class. False: out of memory. */
static bool join_labels(struct nfa *a, const uint32_t *cls, const nfa_state_t *rep, uint32_t ncls)
{
	uint32_t *first = calloc(ncls + 2, sizeof *first),
		 *member = malloc((a->states.n + 1) * sizeof *member);
	VEC(uint32_t) labels = { 0 };
	bool ok = first != NULL && member != NULL;

	for (size_t s = 0; ok && s < a->states.n; s++)
		first[cls[s] + 2]++;
	for (uint32_t c = 0; ok && c < ncls; c++)
		first[c + 2] += first[c + 1];
	for (uint32_t s = 0; ok && s < a->states.n; s++)
		member[first[cls[s] + 1]++] = s;
	for (uint32_t c = 0; ok && c < ncls; c++) {
		labels.n = 0;
		if (first[c + 1] - first[c] < 2)
			continue;
		for (uint32_t i = first[c]; ok && i < first[c + 1]; i++) {
			const struct labelset *l = &a->labelsets.at[a->states.at[member[i]].labels];
			for (uint32_t k = 0; ok && k < l->n; k++)
				ok = vec_push(&labels, l->labels[k]);
		}
		labelset_t set = ok ? nfa_labelset(a, labels.at, (uint32_t)labels.n) : UINT32_MAX;
		ok = set != UINT32_MAX;
		if (ok)
			a->states.at[rep[c]].labels = set;
	}
	vec_free(&labels);
	free(first);
	free(member);
	return ok;
}

/* Merges the states of each class into one. Transitions into an always state are dropped, because
 * they are not needed. False: out of memory. */
static bool quotient(struct nfa *a, const uint32_t *cls, uint32_t ncls)
{
	nfa_state_t *rep = malloc((ncls + 1) * sizeof *rep);
	bool *keep = calloc(a->states.n + 1, 1), ok = rep != NULL && keep != NULL;
	size_t m = 0;

	for (uint32_t c = 0; ok && c < ncls; c++)
		rep[c] = UINT32_MAX;
	for (nfa_state_t s = 0; ok && s < a->states.n; s++) {
		keep[s] = rep[cls[s]] == UINT32_MAX;
		if (keep[s])
			rep[cls[s]] = s;
		else
			merge_two(a, rep[cls[s]], s);
	}
	ok = ok && join_labels(a, cls, rep, ncls);
	for (size_t i = 0; ok && i < a->edges.n; i++) {
		struct nfa_edge e = a->edges.at[i];
		e.from = rep[cls[e.from]];
		e.to = rep[cls[e.to]];
		if (!a->states.at[e.to].always)
			a->edges.at[m++] = e;
	}
	if (ok)
		a->edges.n = m;
	ok = ok && nfa_keep(a, keep, NULL) && nfa_sort_edges(a);
	free(rep);
	free(keep);
	return ok;
}

static bool merge_once(struct nfa *a, bool backward)
{
	uint32_t n = (uint32_t)a->states.n, ncls;
	uint32_t *cls = malloc((n + 1) * sizeof *cls);
	struct nfa_adj adj = { 0 };
	bool ok = cls != NULL && initial_classes(a, backward, cls) &&
		  (backward ? nfa_in(a, &adj) : nfa_out(a, &adj));

	if (ok) {
		/* replace edge numbers by the states at the other ends */
		for (size_t i = 0; i < a->edges.n; i++) {
			const struct nfa_edge *e = &a->edges.at[adj.edge[i]];
			adj.edge[i] = backward ? e->from : e->to;
		}
		struct relation r = { n, adj.first, adj.edge };
		ncls = partition_refine(&r, cls);
		ok = ncls != UINT32_MAX && (ncls == n || quotient(a, cls, ncls));
	}
	nfa_adj_free(&adj);
	free(cls);
	return ok;
}

/* Returns entered[n]: how many start states enter each state. An always state counts as entered by
 * one more. The array is to be freed. NULL: out of memory. */
static uint32_t *count_entries(const struct nfa *a)
{
	uint32_t *entered = calloc(a->states.n + 1, sizeof *entered);

	for (size_t s = 0; entered != NULL && s < a->states.n; s++)
		entered[s] = a->states.at[s].always;
	for (size_t i = 0; entered != NULL && i < a->edges.n; i++)
		entered[a->edges.at[i].to] += a->states.at[a->edges.at[i].from].start;
	return entered;
}

/* Gives a start bit to every state on which it makes no difference. False: out of memory. */
static bool spread_starts(struct nfa *a)
{
	uint32_t *entered = count_entries(a);
	bool *differs = calloc(a->states.n + 1, 1), ok = entered != NULL && differs != NULL;

	for (size_t i = 0; ok && i < a->edges.n; i++)
		differs[a->edges.at[i].from] |= entered[a->edges.at[i].to] == 0;
	for (size_t s = 0; ok && s < a->states.n; s++)
		a->states.at[s].start |= !differs[s] && a->states.at[s].kind == NFA_STE;
	free(entered);
	free(differs);
	return ok;
}

/* Looks at the start states without predicate. Drops their transitions into states that another
 * start state enters, too, and drops such a state when it has no transitions left. False: out of
 * memory. */
static bool absorb_starts(struct nfa *a)
{
	uint32_t *entered = count_entries(a);
	bool *keep = calloc(a->states.n + 1, 1), ok = entered != NULL && keep != NULL;
	size_t m = 0;

	for (size_t s = 0; ok && s < a->states.n; s++)
		keep[s] = a->states.at[s].pred != PRED_NONE || a->states.at[s].kind == NFA_COUNTER;
	for (size_t i = 0; ok && i < a->edges.n; i++) {
		struct nfa_edge e = a->edges.at[i];
		if (a->states.at[e.from].pred == PRED_NONE &&
		    a->states.at[e.from].kind == NFA_STE) {
			if (entered[e.to] > 1) {
				entered[e.to]--;
				continue;
			}
			keep[e.from] = true;
		}
		a->edges.at[m++] = e;
	}
	if (ok)
		a->edges.n = m;
	ok = ok && nfa_keep(a, keep, NULL);
	free(entered);
	free(keep);
	return ok;
}

/* Clears the start bits of states that no transition leaves, because they have no effect. False:
 * out of memory. */
static bool drop_idle_starts(struct nfa *a)
{
	bool *leads = calloc(a->states.n + 1, 1);

	for (size_t i = 0; leads != NULL && i < a->edges.n; i++)
		leads[a->edges.at[i].from] = true;
	for (size_t s = 0; leads != NULL && s < a->states.n; s++)
		a->states.at[s].start &= leads[s];
	free(leads);
	return leads != NULL;
}

enum nfart_status pass_merge(struct nfa *a)
{
	size_t before;

	do {
		before = a->states.n;
		if (!merge_once(a, true) || !merge_once(a, false) || !spread_starts(a) ||
		    !absorb_starts(a) || !merge_once(a, true))
			return NFART_SYSTEM;
	} while (a->states.n < before);
	return drop_idle_starts(a) ? NFART_OK : NFART_SYSTEM;
}
