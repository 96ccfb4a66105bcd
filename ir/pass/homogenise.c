/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Homogenisation (T eq. 11 and 12). State s becomes one copy s_p for each predicate p of a
 * transition into s. A transition s -p-> t becomes one from every copy of s to t_p. This
 * terminates, because one copy is made for each distinct (state, predicate).
 *
 * The equations lose a start state that no transition enters. Here such a state keeps one copy
 * without predicate, and so does a counter. If a start state has copies, one of them gets the start
 * bit. Any copy would do, because all have the same successors, and what they accept at the empty
 * prefix is never output. A copy that enters itself is preferred, because it stays active; if there
 * is none, the first copy gets the bit.
 */
#include <string.h>

#include "ir/pass/passes.h"

struct work {
	struct nfa *a;        /* the old automaton */
	struct nfa_adj in;
	uint32_t *first;      /* [n + 1]: the copies of s are first[s] … first[s + 1] - 1 */
	struct nfa made;      /* the new automaton; only its states and edges are used */
};

/* Does s enter itself with predicate p? */
static bool is_loop(const struct work *w, nfa_state_t s, pred_id_t p)
{
	for (uint32_t i = w->in.first[s]; i < w->in.first[s + 1]; i++) {
		const struct nfa_edge *e = &w->a->edges.at[w->in.edge[i]];
		if (e->from == s && e->pred == p)
			return true;
	}
	return false;
}

/* Returns the place in the source of the copy of s with predicate p: the place of the predicate. It
 * is the range of the first leaf state (nfa.h) from which a transition with p leads to s. If there
 * is no such state, returns the place of s. */
static struct diag_range homogenise_place(const struct work *w, nfa_state_t s, pred_id_t p)
{
	for (uint32_t i = w->in.first[s]; i < w->in.first[s + 1]; i++) {
		const struct nfa_edge *e = &w->a->edges.at[w->in.edge[i]];
		if (e->pred == p && w->a->states.at[e->from].leaf)
			return w->a->states.at[e->from].range;
	}
	return w->a->states.at[s].range;
}

static bool add_copy(struct work *w, nfa_state_t s, pred_id_t p)
{
	struct nfa_state q = w->a->states.at[s];

	q.range = homogenise_place(w, s, p);
	q.leaf = false;
	q.pred = p;
	q.start = false;
	return nfa_add_state(&w->made, q) != UINT32_MAX;
}

static int by_number(const void *x, const void *y)
{
	pred_id_t a = *(const pred_id_t *)x, b = *(const pred_id_t *)y;

	return (a > b) - (a < b);
}

/* Makes the copies of s, in the order of the ids of their predicates, which is the order of the
 * source. `preds` is scratch space. False: out of memory, or too many states. */
static bool homogenise_copies(struct work *w, nfa_state_t s, pred_id_t *preds)
{
	const struct nfa *a = w->a;
	uint32_t n = 0, from = w->in.first[s], to = w->in.first[s + 1], starts;

	for (uint32_t i = from; i < to; i++)
		preds[n++] = a->edges.at[w->in.edge[i]].pred;
	qsort(preds, n, sizeof *preds, by_number);
	w->first[s] = starts = (uint32_t)w->made.states.n;
	for (uint32_t i = 0; i < n; i++)
		if ((i == 0 || preds[i] != preds[i - 1]) && !add_copy(w, s, preds[i]))
			return false;
	if (a->states.at[s].kind == NFA_COUNTER)
		return add_copy(w, s, PRED_NONE);
	if (!a->states.at[s].start)
		return true;
	if (n == 0 && !add_copy(w, s, PRED_NONE))
		return false;
	for (uint32_t c = starts; c < w->made.states.n && n != 0; c++)
		if (is_loop(w, s, w->made.states.at[c].pred)) {
			starts = c;
			break;
		}
	w->made.states.at[starts].start = true;
	return true;
}

/* Returns the copy of t with predicate p, by bisection: copies are sorted by predicate. */
static nfa_state_t find_copy(const struct work *w, nfa_state_t t, pred_id_t p)
{
	uint32_t lo = w->first[t], hi = w->first[t + 1];

	while (hi - lo > 1) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (w->made.states.at[mid].pred <= p)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

static enum nfart_status homogenise_connect(struct work *w)
{
	for (size_t i = 0; i < w->a->edges.n; i++) {
		struct nfa_edge e = w->a->edges.at[i];
		nfa_state_t to = find_copy(w, e.to, e.pred);
		for (uint32_t from = w->first[e.from]; from < w->first[e.from + 1]; from++)
			if (!nfa_add_edge(&w->made, from, to, e.pred))
				return w->made.edges.n >= NFA_MAX_EDGES ? NFART_GAVEUP
									: NFART_SYSTEM;
	}
	return NFART_OK;
}

enum nfart_status pass_homogenise(struct nfa *a)
{
	struct work w = { .a = a };
	enum nfart_status status = NFART_SYSTEM;
	pred_id_t *preds = malloc((a->edges.n + 1) * sizeof *preds);

	w.first = malloc((a->states.n + 1) * sizeof *w.first);
	if (preds == NULL || w.first == NULL || !nfa_in(a, &w.in))
		goto out;
	for (nfa_state_t s = 0; s < a->states.n; s++)
		if (!homogenise_copies(&w, s, preds)) {
			status = w.made.states.n >= NFA_MAX_STATES ? NFART_GAVEUP : NFART_SYSTEM;
			goto out;
		}
	w.first[a->states.n] = (uint32_t)w.made.states.n;
	status = homogenise_connect(&w);
	if (status != NFART_OK)
		goto out;
	vec_free(&a->states);
	vec_free(&a->edges);
	memcpy(&a->states, &w.made.states, sizeof a->states);
	memcpy(&a->edges, &w.made.edges, sizeof a->edges);
	memset(&w.made, 0, sizeof w.made);
	a->homogeneous = true;
	if (!nfa_sort_edges(a))
		status = NFART_SYSTEM;
out:
	vec_free(&w.made.states);
	vec_free(&w.made.edges);
	nfa_adj_free(&w.in);
	free(w.first);
	free(preds);
	return status;
}
