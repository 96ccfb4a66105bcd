/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Note [merging]. Two equivalences, each the coarsest there is (bisimulation, by partition.h):
 *
 *   backward: equal predicate, start and always bits, and equivalent predecessors. Such states are
 *             active at the same times, so they merge whatever their labels, with the union of them.
 *   forward:  equal predicate, labels and log mark, and equivalent successors. What follows from one
 *             follows from the other, so they merge whatever leads to them; start and always bits
 *             are joined.
 *
 * And a start state without predicate, which is active before the first batch only: where everything
 * that follows state q follows it too, q takes a start bit and the common transitions go (what q
 * accepts at the empty prefix is never output). With no transition left the state goes.
 *
 * Rounds of the three are repeated while a state goes.
 */
#include <string.h>

#include "ir/partition.h"
#include "ir/passes.h"

/* What states of one initial class agree on, and the state. */
struct key {
	uint64_t a, b;
	nfa_state_t s;
};

static int by_key(const void *x, const void *y)
{
	const struct key *p = x, *q = y;

	if (p->a != q->a)
		return p->a < q->a ? -1 : 1;
	if (p->b != q->b)
		return p->b < q->b ? -1 : 1;
	return (p->s > q->s) - (p->s < q->s);
}

static bool initial_classes(const struct nfa *a, bool backward, uint32_t *cls)
{
	struct key *keys = malloc((a->states.n + 1) * sizeof *keys);
	uint32_t c = 0;

	if (keys == NULL)
		return false;
	for (nfa_state_t s = 0; s < a->states.n; s++) {
		const struct nfa_state *q = &a->states.at[s];
		keys[s].a = (uint64_t)q->pred << 8 | (uint64_t)q->kind;
		keys[s].b = backward ? (uint64_t)q->start << 1 | q->always : (uint64_t)q->labels << 1 | q->log;
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

/* State s joins representative t. */
static bool join(struct nfa *a, nfa_state_t t, nfa_state_t s)
{
	struct nfa_state *q = &a->states.at[t], *p = &a->states.at[s];
	labelset_t l = nfa_labelset_union(a, q->labels, p->labels);

	q->labels = l;
	q->log |= p->log;
	q->start |= p->start;
	q->always |= p->always;
	return l != UINT32_MAX;
}

/* Merges the states of each class; transitions into an always state are not needed. */
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
			ok = join(a, rep[cls[s]], s);
	}
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

static bool merge(struct nfa *a, bool backward)
{
	uint32_t n = (uint32_t)a->states.n, ncls;
	uint32_t *cls = malloc((n + 1) * sizeof *cls);
	struct nfa_adj adj = { 0 };
	bool ok = cls != NULL && initial_classes(a, backward, cls) &&
		  (backward ? nfa_in(a, &adj) : nfa_out(a, &adj));

	if (ok) {
		/* Edge numbers become the states at their other ends. */
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

/* The start state without predicate (backward merging leaves at most one); UINT32_MAX: none. */
static nfa_state_t bare_start(const struct nfa *a)
{
	for (nfa_state_t s = 0; s < a->states.n; s++)
		if (a->states.at[s].pred == PRED_NONE && a->states.at[s].start)
			return s;
	return UINT32_MAX;
}

/* Hands the transitions of the bare start state to states that have the same. */
static bool absorb_start(struct nfa *a)
{
	nfa_state_t bare = bare_start(a);
	bool *after = calloc(a->states.n + 1, 1), *covered = calloc(a->states.n + 1, 1);
	bool *keep = malloc(a->states.n + 1);
	bool ok = after != NULL && covered != NULL && keep != NULL, left = false;
	struct nfa_adj out = { 0 };
	size_t m = 0;

	if (bare == UINT32_MAX || !ok || !(ok = nfa_out(a, &out)))
		goto out;
	for (uint32_t i = out.first[bare]; i < out.first[bare + 1]; i++)
		after[a->edges.at[out.edge[i]].to] = true;
	for (nfa_state_t q = 0; q < a->states.n; q++) {
		bool within = q != bare, news = false;
		for (uint32_t i = out.first[q]; i < out.first[q + 1] && within; i++) {
			nfa_state_t t = a->edges.at[out.edge[i]].to;
			within = after[t];
			news |= !covered[t];
		}
		if (!within || !news)
			continue;
		a->states.at[q].start = true;
		for (uint32_t i = out.first[q]; i < out.first[q + 1]; i++)
			covered[a->edges.at[out.edge[i]].to] = true;
	}
	for (size_t i = 0; i < a->edges.n; i++) {
		struct nfa_edge e = a->edges.at[i];
		if (e.from == bare && covered[e.to])
			continue;
		left |= e.from == bare;
		a->edges.at[m++] = e;
	}
	a->edges.n = m;
	memset(keep, 1, a->states.n);
	keep[bare] = left;
	ok = nfa_keep(a, keep, NULL);
out:
	nfa_adj_free(&out);
	free(after);
	free(covered);
	free(keep);
	return ok;
}

enum nfart_status pass_merge(struct nfa *a)
{
	size_t before;

	do {
		before = a->states.n;
		if (!merge(a, true) || !absorb_start(a) || !merge(a, false))
			return NFART_SYSTEM;
	} while (a->states.n < before);
	return NFART_OK;
}
