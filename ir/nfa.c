/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "ir/nfa.h"

#include <string.h>

bool nfa_init(struct nfa *a, struct spec *s)
{
	memset(a, 0, sizeof *a);
	a->spec = s;
	a->preds = &s->preds;
	return nfa_labelset(a, NULL, 0) == 0;
}

void nfa_free(struct nfa *a)
{
	arena_free(&a->arena);
	vec_free(&a->states);
	vec_free(&a->edges);
	vec_free(&a->counters);
	vec_free(&a->labelsets);
	hash_free(&a->hash);
	memset(a, 0, sizeof *a);
}

nfa_state_t nfa_add_state(struct nfa *a, struct nfa_state s)
{
	if (a->states.n >= NFA_MAX_STATES || !vec_push(&a->states, s))
		return UINT32_MAX;
	return (nfa_state_t)(a->states.n - 1);
}

bool nfa_add_edge(struct nfa *a, nfa_state_t from, nfa_state_t to, pred_id_t pred)
{
	struct nfa_edge e = { from, to, pred };

	return a->edges.n < NFA_MAX_EDGES && vec_push(&a->edges, e);
}

/* ---- label sets ---- */

static uint64_t hash_set(const struct labelset *s)
{
	return hash_numbers(s->n, s->labels, s->n);
}

static uint64_t hash_of(const void *automaton, uint32_t id)
{
	const struct nfa *a = automaton;

	return hash_set(&a->labelsets.at[id]);
}

static bool labelset_same(const void *automaton, uint32_t id, const void *key)
{
	const struct nfa *a = automaton;
	const struct labelset *s = &a->labelsets.at[id], *t = key;

	return s->n == t->n &&
	       (s->n == 0 || memcmp(s->labels, t->labels, s->n * sizeof *s->labels) == 0);
}

static int by_number(const void *x, const void *y)
{
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	return (a > b) - (a < b);
}

/* Returns the interned set of the labels t[0 … n). They must be rising and distinct, and live in
 * the arena. UINT32_MAX: out of memory. */
static labelset_t labelset_intern(struct nfa *a, const uint32_t *t, uint32_t n)
{
	struct labelset s = { n, t };
	size_t i;

	if (!hash_room(&a->hash, hash_of, a))
		return UINT32_MAX;
	i = hash_find(&a->hash, hash_set(&s), labelset_same, a, &s);
	if (hash_id(&a->hash, i) != HASH_NONE)
		return hash_id(&a->hash, i);
	if (!vec_push(&a->labelsets, s))
		return UINT32_MAX;
	hash_put(&a->hash, i, (uint32_t)a->labelsets.n - 1);
	return (labelset_t)(a->labelsets.n - 1);
}

labelset_t nfa_labelset(struct nfa *a, const uint32_t *labels, uint32_t n)
{
	uint32_t *t = arena_array(&a->arena, n, sizeof *t), m = 0;

	if (t == NULL)
		return UINT32_MAX;
	if (n != 0) {
		memcpy(t, labels, n * sizeof *t);
		qsort(t, n, sizeof *t, by_number);
	}
	for (uint32_t i = 0; i < n; i++)
		if (m == 0 || t[m - 1] != t[i])
			t[m++] = t[i];
	return labelset_intern(a, t, m);
}

labelset_t nfa_labelset_union(struct nfa *a, labelset_t x, labelset_t y)
{
	struct labelset s = a->labelsets.at[x], t = a->labelsets.at[y];
	uint32_t *u;

	if (x == y || t.n == 0)
		return x;
	if (s.n == 0)
		return y;
	u = arena_array(&a->arena, (size_t)s.n + t.n, sizeof *u);
	if (u == NULL)
		return UINT32_MAX;
	memcpy(u, s.labels, s.n * sizeof *u);
	memcpy(u + s.n, t.labels, t.n * sizeof *u);
	return nfa_labelset(a, u, s.n + t.n);
}

/* ---- adjacency ---- */

static bool adjacency(const struct nfa *a, struct nfa_adj *adj, bool out)
{
	size_t n = a->states.n, m = a->edges.n;

	adj->first = calloc(n + 2, sizeof *adj->first);
	adj->edge = calloc(m + 1, sizeof *adj->edge);
	if (adj->first == NULL || adj->edge == NULL) {
		nfa_adj_free(adj);
		return false;
	}
	for (size_t i = 0; i < m; i++)
		adj->first[(out ? a->edges.at[i].from : a->edges.at[i].to) + 2]++;
	for (size_t s = 0; s < n; s++)
		adj->first[s + 2] += adj->first[s + 1];
	for (size_t i = 0; i < m; i++)
		adj->edge[adj->first[(out ? a->edges.at[i].from : a->edges.at[i].to) + 1]++] =
			(uint32_t)i;
	return true;
}

bool nfa_out(const struct nfa *a, struct nfa_adj *adj)
{
	return adjacency(a, adj, true);
}

bool nfa_in(const struct nfa *a, struct nfa_adj *adj)
{
	return adjacency(a, adj, false);
}

void nfa_adj_free(struct nfa_adj *adj)
{
	free(adj->first);
	free(adj->edge);
	adj->first = adj->edge = NULL;
}

/* ---- edges ---- */

enum key { KEY_PRED, KEY_TO, KEY_FROM };

static size_t key_of(const struct nfa *a, const struct nfa_edge *e, enum key k)
{
	if (k == KEY_PRED)
		return e->pred == PRED_EPS ? a->preds->preds.n : e->pred;
	return k == KEY_TO ? e->to : e->from;
}

/* Sorts the transitions `from` by key k into `to`, by a stable counting sort. `count` is scratch
 * space for nkeys + 1 numbers. */
static void sort_by(const struct nfa *a, enum key k, size_t nkeys, size_t *count,
		    const struct nfa_edge *from, struct nfa_edge *to)
{
	memset(count, 0, (nkeys + 1) * sizeof *count);
	for (size_t i = 0; i < a->edges.n; i++)
		count[key_of(a, &from[i], k) + 1]++;
	for (size_t i = 0; i < nkeys; i++)
		count[i + 1] += count[i];
	for (size_t i = 0; i < a->edges.n; i++)
		to[count[key_of(a, &from[i], k)]++] = from[i];
}

bool nfa_sort_edges(struct nfa *a)
{
	size_t n = a->states.n, np = a->preds->preds.n + 1, m = a->edges.n, k = 0;
	struct nfa_edge *t = malloc((m + 1) * sizeof *t);
	size_t *count = malloc(((n > np ? n : np) + 1) * sizeof *count);
	bool ok = t != NULL && count != NULL;

	if (ok && m > 1) {
		sort_by(a, KEY_PRED, np, count, a->edges.at, t);
		sort_by(a, KEY_TO, n, count, t, a->edges.at);
		sort_by(a, KEY_FROM, n, count, a->edges.at, t);
		for (size_t i = 0; i < m; i++)
			if (k == 0 || memcmp(&a->edges.at[k - 1], &t[i], sizeof *t) != 0)
				a->edges.at[k++] = t[i];
		a->edges.n = k;
	}
	free(t);
	free(count);
	return ok;
}

bool nfa_keep(struct nfa *a, const bool *keep, uint32_t *map)
{
	uint32_t *own = map == NULL ? malloc((a->states.n + 1) * sizeof *own) : map, n = 0;
	size_t m = 0;

	if (own == NULL)
		return false;
	for (size_t s = 0; s < a->states.n; s++) {
		own[s] = keep[s] ? n : UINT32_MAX;
		if (keep[s])
			a->states.at[n++] = a->states.at[s];
	}
	a->states.n = n;
	for (size_t i = 0; i < a->edges.n; i++) {
		struct nfa_edge e = a->edges.at[i];
		if (own[e.from] == UINT32_MAX || own[e.to] == UINT32_MAX)
			continue;
		e.from = own[e.from];
		e.to = own[e.to];
		a->edges.at[m++] = e;
	}
	a->edges.n = m;
	if (map == NULL)
		free(own);
	return true;
}

/* ---- checks and counts ---- */

/* Checks the ports of state q and, if q is a counter, its place in the order of counters. *next is
 * the lowest counter that may follow. Returns NULL, or what is wrong. */
static const char *verify_counter(const struct nfa *a, const struct nfa_state *q, uint32_t *next)
{
	const struct labelset *l = &a->labelsets.at[q->labels];

	if (l->n != 0 && l->labels[l->n - 1] >= a->spec->labels.n + 2 * a->counters.n)
		return "a state has a label that does not exist";
	if (q->kind != NFA_COUNTER)
		return NULL;
	if (q->counter >= a->counters.n || q->counter < *next)
		return "counters are out of order";
	*next = q->counter + 1;
	if (q->pred != PRED_NONE || q->start || q->always)
		return "a counter has a predicate or is a start state";
	for (uint32_t i = nfa_nlabels(a, q->labels); i < l->n; i++)
		if (l->labels[i] < nfa_port(a, *next, false))
			return "a counter depends on itself or on one after it";
	return NULL;
}

static const char *verify_states(const struct nfa *a)
{
	uint32_t counters = 0;

	for (size_t s = 0; s < a->states.n; s++) {
		const struct nfa_state *q = &a->states.at[s];
		const char *wrong = q->labels >= a->labelsets.n
					    ? "a state has a label set that does not exist"
					    : verify_counter(a, q, &counters);
		if (wrong != NULL)
			return wrong;
		if (q->pred != PRED_NONE && q->pred >= a->preds->preds.n)
			return "a state has a predicate that does not exist";
		if (!a->homogeneous && (q->pred != PRED_NONE || q->always))
			return "a state has a predicate before the NFA is homogeneous";
		if (a->homogeneous && q->pred == PRED_NONE && q->always)
			return "a state without a predicate is always";
	}
	return NULL;
}

const char *nfa_verify(const struct nfa *a)
{
	const char *wrong = verify_states(a);

	for (size_t i = 0; i < a->edges.n && wrong == NULL; i++) {
		const struct nfa_edge *e = &a->edges.at[i];
		if (e->from >= a->states.n || e->to >= a->states.n)
			return "a transition leads out of the NFA";
		if (e->pred != PRED_EPS && e->pred >= a->preds->preds.n)
			return "a transition has a predicate that does not exist";
		if (a->states.at[e->to].kind == NFA_COUNTER)
			return "a transition enters a counter";
		if (a->homogeneous && e->pred != a->states.at[e->to].pred)
			return "a transition is not homogeneous";
		if (i > 0 && memcmp(e - 1, e, sizeof *e) == 0)
			return "a transition stands twice";
	}
	return wrong;
}

/* Returns how many distinct pairs of a state and a counter are connected by ports. */
static size_t count_links(const struct nfa *a)
{
	size_t count = 0;

	for (size_t s = 0; s < a->states.n; s++) {
		const struct labelset *l = &a->labelsets.at[a->states.at[s].labels];
		uint32_t n = nfa_nlabels(a, a->states.at[s].labels);
		for (uint32_t i = n; i < l->n; i++)
			count += i == n || nfa_port_counter(a, l->labels[i]) !=
						   nfa_port_counter(a, l->labels[i - 1]);
	}
	return count;
}

size_t nfa_count_edges(const struct nfa *a, bool with_loops)
{
	size_t count = count_links(a);

	/* Edges with equal (from, to) are neighbours, because every pass leaves the edges
	 * sorted. */
	for (size_t i = 0; i < a->edges.n; i++) {
		const struct nfa_edge *e = &a->edges.at[i];
		bool again = i > 0 && e[-1].from == e->from && e[-1].to == e->to;
		count += !again && (with_loops || e->from != e->to);
	}
	return count;
}
