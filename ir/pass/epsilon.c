/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Epsilon removal (T eq. 9). For every transition s -a-> t and every state u that epsilon
 * transitions reach from t, there will be a transition s -a-> u. Every state that epsilon
 * transitions reach from a start state becomes a start state. Then the epsilon transitions are
 * dropped. Because a reached state becomes active itself, acceptance and logging need no rule of
 * their own. Cycles need none either: a closure visits each state once. Counters are an exception,
 * because a counter has epsilon transitions but no transition enters it. A counter takes over what
 * the states of its closure do: their transitions, labels and log mark.
 */
#include <string.h>

#include "ir/pass/passes.h"

struct work {
	const struct nfa *a;
	struct nfa_adj out;
	bool *useful;       /* [n]: does the state do something by itself? */
	nfa_state_t *ahead; /* [n]: the state that stands for this one in closures (find_ahead()) */
	uint32_t *stamp,    /* [n]: the number of the last closure that visited the state */
		now;        /* the number of the current closure */
	VEC(nfa_state_t)
		todo,  /* visited states whose epsilon transitions were not followed yet */
		found; /* the useful states of the current closure */
};

static bool epsilon_visit(struct work *w, nfa_state_t s)
{
	s = w->ahead[s];
	if (w->stamp[s] == w->now)
		return true;
	w->stamp[s] = w->now;
	return vec_push(&w->todo, s) && (!w->useful[s] || vec_push(&w->found, s));
}

/* Completes the current closure: follows epsilon transitions from the visited states. False: out of
 * memory. */
static bool closure(struct work *w)
{
	while (w->todo.n != 0) {
		nfa_state_t u = w->todo.at[--w->todo.n];
		for (uint32_t i = w->out.first[u]; i < w->out.first[u + 1]; i++) {
			const struct nfa_edge *e = &w->a->edges.at[w->out.edge[i]];
			if (e->pred == PRED_EPS && !epsilon_visit(w, e->to))
				return false;
		}
	}
	return true;
}

static void next_closure(struct work *w)
{
	w->now++;
	w->found.n = 0;
}

static void mark_useful(struct work *w, bool prune)
{
	const struct nfa *a = w->a;

	for (size_t s = 0; s < a->states.n; s++)
		w->useful[s] = !prune || a->states.at[s].labels != 0 || a->states.at[s].log;
	for (size_t i = 0; i < a->edges.n; i++)
		if (a->edges.at[i].pred != PRED_EPS)
			w->useful[a->edges.at[i].from] = true;
}

/* Finds the states that closures can skip. A state can be skipped if it does nothing by itself and
 * one epsilon transition is all that leaves it. Alternatives of alternatives make long chains of
 * such states, and many closures would walk along the same chain. So ahead[s] becomes the end of
 * the chain that begins at s. Each chain is followed only once: after that, ahead[] leads from each
 * of its states straight to its end. If states form a cycle, its end is the state that is met
 * twice. */
static void find_ahead(struct work *w)
{
	for (nfa_state_t s = 0; s < w->a->states.n; s++) {
		uint32_t i = w->out.first[s];
		bool alone = !w->useful[s] && w->out.first[s + 1] - i == 1;
		/* The one transition of a state that is not useful is epsilon. */
		w->ahead[s] = alone ? w->a->edges.at[w->out.edge[i]].to : s;
	}
	for (nfa_state_t s = 0; s < w->a->states.n; s++) {
		nfa_state_t end = s, next;
		w->now++;
		for (; w->ahead[end] != end && w->stamp[end] != w->now; end = w->ahead[end])
			w->stamp[end] = w->now;
		w->ahead[end] = end;
		for (nfa_state_t q = s; q != end; q = next) {
			next = w->ahead[q];
			w->ahead[q] = end;
		}
	}
}

static bool epsilon_init(struct work *w, bool prune)
{
	w->useful = calloc(w->a->states.n + 1, sizeof *w->useful);
	w->stamp = calloc(w->a->states.n + 1, sizeof *w->stamp);
	w->ahead = calloc(w->a->states.n + 1, sizeof *w->ahead);
	if (w->useful == NULL || w->stamp == NULL || w->ahead == NULL || !nfa_out(w->a, &w->out))
		return false;
	mark_useful(w, prune);
	find_ahead(w);
	return true;
}

static void epsilon_finish(struct work *w)
{
	nfa_adj_free(&w->out);
	free(w->useful);
	free(w->stamp);
	free(w->ahead);
	vec_free(&w->todo);
	vec_free(&w->found);
}

static bool close_starts(struct work *w, struct nfa *a)
{
	next_closure(w);
	for (nfa_state_t s = 0; s < a->states.n; s++)
		if (a->states.at[s].start && !epsilon_visit(w, s))
			return false;
	if (!closure(w))
		return false;
	for (size_t s = 0; s < a->states.n; s++)
		a->states.at[s].start = false;
	for (size_t i = 0; i < w->found.n; i++)
		a->states.at[w->found.at[i]].start = true;
	return true;
}

/* For each transition into state t that is not epsilon, adds to `to` transitions from the same
 * source, with the same predicate, into all useful states of t's closure. */
static enum nfart_status redirect(struct work *w, const struct nfa_adj *in, nfa_state_t t,
				  struct nfa *to)
{
	bool consumed = false;

	for (uint32_t i = in->first[t]; i < in->first[t + 1]; i++)
		consumed |= w->a->edges.at[in->edge[i]].pred != PRED_EPS;
	if (!consumed)
		return NFART_OK;
	next_closure(w);
	if (!epsilon_visit(w, t) || !closure(w))
		return NFART_SYSTEM;
	for (uint32_t i = in->first[t]; i < in->first[t + 1]; i++) {
		const struct nfa_edge *e = &w->a->edges.at[in->edge[i]];
		if (e->pred == PRED_EPS)
			continue;
		for (size_t k = 0; k < w->found.n; k++)
			if (!nfa_add_edge(to, e->from, w->found.at[k], e->pred))
				return to->edges.n >= NFA_MAX_EDGES ? NFART_GAVEUP : NFART_SYSTEM;
	}
	return NFART_OK;
}

/* Makes counter c do what the states of its closure do. False: out of memory, or too many
 * transitions. */
static bool close_counter(struct work *w, struct nfa *a, nfa_state_t c)
{
	next_closure(w);
	if (!epsilon_visit(w, c) || !closure(w))
		return false;
	for (size_t k = 0; k < w->found.n; k++) {
		nfa_state_t u = w->found.at[k];
		labelset_t l =
			nfa_labelset_union(a, a->states.at[c].labels, a->states.at[u].labels);
		if (l == UINT32_MAX)
			return false;
		a->states.at[c].labels = l;
		a->states.at[c].log |= a->states.at[u].log;
		for (uint32_t i = w->out.first[u]; u != c && i < w->out.first[u + 1]; i++) {
			struct nfa_edge e = a->edges.at[w->out.edge[i]];
			if (e.pred != PRED_EPS && !nfa_add_edge(a, c, e.to, e.pred))
				return false;
		}
	}
	return true;
}

/* Closes all counters and drops their epsilon transitions. Adjacency lists made before are void
 * then. */
static enum nfart_status close_counters(struct nfa *a, bool prune)
{
	struct work w = { .a = a };
	bool ok = epsilon_init(&w, prune);
	size_t m = 0;

	for (nfa_state_t s = 0; ok && s < a->states.n; s++)
		if (a->states.at[s].kind == NFA_COUNTER)
			ok = close_counter(&w, a, s);
	for (size_t i = 0; ok && i < a->edges.n; i++) {
		struct nfa_edge e = a->edges.at[i];
		if (e.pred != PRED_EPS || a->states.at[e.from].kind != NFA_COUNTER)
			a->edges.at[m++] = e;
	}
	if (ok)
		a->edges.n = m;
	ok = ok && nfa_sort_edges(a);
	epsilon_finish(&w);
	if (!ok)
		return a->edges.n >= NFA_MAX_EDGES ? NFART_GAVEUP : NFART_SYSTEM;
	return NFART_OK;
}

enum nfart_status pass_epsilon(struct nfa *a, bool prune)
{
	struct work w = { .a = a };
	struct nfa_adj in = { 0 };
	struct nfa made = { 0 }; /* only its edges are used */
	enum nfart_status status = NFART_OK;

	if (a->counters.n != 0)
		status = close_counters(a, prune);
	if (status != NFART_OK)
		return status;
	status = NFART_SYSTEM;
	if (!epsilon_init(&w, prune) || !nfa_in(a, &in) || !close_starts(&w, a))
		goto out;
	status = NFART_OK;
	for (nfa_state_t t = 0; t < a->states.n && status == NFART_OK; t++)
		status = redirect(&w, &in, t, &made);
	if (status == NFART_OK) {
		vec_free(&a->edges);
		memcpy(&a->edges, &made.edges, sizeof a->edges);
		memset(&made.edges, 0, sizeof made.edges);
		if (!nfa_sort_edges(a))
			status = NFART_SYSTEM;
	}
out:
	vec_free(&made.edges);
	nfa_adj_free(&in);
	epsilon_finish(&w);
	return status;
}
