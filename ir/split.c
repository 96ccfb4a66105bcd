/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Note [splitting]. Two ways to replace a state by copies with its predicate, labels, log mark, start
 * and always bits, each copy with a loop if the state had one:
 *
 *   successors shared out: every copy has all predecessors. All copies are then active whenever the
 *             state was, so each successor may hear any one of them.
 *   predecessors shared out: every copy has all successors. The state was active when one of its
 *             predecessors was before, that is when a copy is; a copy stays active by its own loop
 *             exactly as long as the predicate holds, as the state did.
 *
 * In both cases a copy's own loop is enough: loops between copies would only add connections.
 * Start and always bits are equal in all copies, so the first batch sees them as it saw the state.
 * Labels are too, and with them the ports of counters: splitting lessens no link. Counters themselves
 * are not split.
 */
#include "ir/split.h"

#include <string.h>

/* ---- copies and degrees ---- */

bool nfa_copy(struct nfa *to, const struct nfa *from)
{
	bool ok;

	memset(to, 0, sizeof *to);
	to->spec = from->spec;
	to->preds = from->preds;
	to->homogeneous = from->homogeneous;
	ok = nfa_labelset(to, NULL, 0) == 0;
	for (size_t i = 1; ok && i < from->labelsets.n; i++) /* number 0 is there: the empty set */
		ok = nfa_labelset(to, from->labelsets.at[i].labels, from->labelsets.at[i].n) == i;
	for (size_t i = 0; ok && i < from->states.n; i++)
		ok = vec_push(&to->states, from->states.at[i]);
	for (size_t i = 0; ok && i < from->counters.n; i++)
		ok = vec_push(&to->counters, from->counters.at[i]);
	ok = ok && vec_reserve(&to->edges, from->edges.n + 1);
	for (size_t i = 0; ok && i < from->edges.n; i++)
		to->edges.at[to->edges.n++] = from->edges.at[i];
	if (!ok)
		nfa_free(to);
	return ok;
}

/* What the choice of a split looks at; arrays of all states. */
struct shape {
	uint32_t *in, *out; /* predecessors and successors, oneself not counted */
	uint32_t *degree;   /* both together, each once */
};

static void shape_free(struct shape *s)
{
	free(s->in);
	free(s->out);
	free(s->degree);
}

static bool shape_init(struct shape *s, const struct nfa *a)
{
	*s = (struct shape){ calloc(a->states.n + 1, sizeof *s->in),
			     calloc(a->states.n + 1, sizeof *s->out),
			     calloc(a->states.n + 1, sizeof *s->degree) };
	if (s->in == NULL || s->out == NULL || s->degree == NULL || !nfa_degrees(a, s->degree)) {
		shape_free(s);
		return false;
	}
	for (size_t i = 0; i < a->edges.n; i++) {
		const struct nfa_edge *e = &a->edges.at[i];
		s->out[e->from] += e->from != e->to;
		s->in[e->to] += e->from != e->to;
	}
	return true;
}

bool nfa_degrees(const struct nfa *a, uint32_t *degree)
{
	size_t n = 0;
	uint32_t(*e)[2] = nfa_connections(a, &n);

	memset(degree, 0, a->states.n * sizeof *degree);
	for (size_t i = 0; e != NULL && i < n; i++) {
		degree[e[i][0]]++;
		degree[e[i][1]]++;
	}
	free(e);
	return e != NULL;
}

/* ---- one split ---- */

static uint32_t find(uint32_t *root, uint32_t s)
{
	while (root[s] != s)
		s = root[s] = root[root[s]];
	return s;
}

/* Neighbour t, in the part of the NFA without the split state whose lowest state is `part`. */
struct share {
	uint32_t part;
	nfa_state_t t;
};

static int by_part(const void *x, const void *y)
{
	const struct share *p = x, *q = y;

	if (p->part != q->part)
		return p->part < q->part ? -1 : 1;
	return (p->t > q->t) - (p->t < q->t);
}

/* The states to share out, in an order in which those of one part stand together. */
static bool find_shares(const struct nfa *a, nfa_state_t s, bool successors, struct share *share,
			uint32_t *n)
{
	uint32_t *root = malloc((a->states.n + 1) * sizeof *root);

	for (uint32_t i = 0; root != NULL && i < a->states.n; i++)
		root[i] = i;
	*n = 0;
	for (size_t i = 0; root != NULL && i < a->edges.n; i++) {
		nfa_state_t from = a->edges.at[i].from, to = a->edges.at[i].to;
		if (from != s && to != s) {
			uint32_t x = find(root, from), y = find(root, to);
			root[x < y ? y : x] = x < y ? x : y;
		} else if (from != to && (successors ? from : to) == s) {
			share[(*n)++].t = successors ? to : from;
		}
	}
	for (uint32_t i = 0; root != NULL && i < *n; i++)
		share[i].part = find(root, share[i].t);
	if (root != NULL)
		qsort(share, *n, sizeof *share, by_part);
	free(root);
	return root != NULL;
}

/* Copy k of s is s for 0 and state `first` + k - 1 for others; copy_of [n] says whose share a state
 * is. Rewrites the edges of s. */
static bool rewrite(struct nfa *a, nfa_state_t s, uint32_t copies, bool successors,
		    const uint32_t *copy_of)
{
	nfa_state_t first = (nfa_state_t)a->states.n;
	size_t m = a->edges.n;
	bool ok = true;

	for (uint32_t k = 1; ok && k < copies; k++)
		ok = nfa_add_state(a, a->states.at[s]) != UINT32_MAX;
	for (size_t i = 0; ok && i < m; i++) {
		struct nfa_edge e = a->edges.at[i];
		bool leaves = e.from == s, enters = e.to == s;
		if (leaves == enters) {
			for (uint32_t k = 1; ok && leaves && k < copies; k++)
				ok = nfa_add_edge(a, first + k - 1, first + k - 1, e.pred);
		} else if (leaves == successors) {
			uint32_t k = copy_of[leaves ? e.to : e.from];
			if (k != 0 && leaves)
				a->edges.at[i].from = first + k - 1;
			else if (k != 0)
				a->edges.at[i].to = first + k - 1;
		} else {
			for (uint32_t k = 1; ok && k < copies; k++)
				ok = nfa_add_edge(a, leaves ? first + k - 1 : e.from,
						  leaves ? e.to : first + k - 1, e.pred);
		}
	}
	return ok && nfa_sort_edges(a);
}

enum nfart_status split_state(struct nfa *a, nfa_state_t s, uint32_t copies, bool successors,
			      struct split_log *log)
{
	struct share *share = malloc((a->edges.n + 1) * sizeof *share);
	uint32_t *copy_of = calloc(a->states.n + 1, sizeof *copy_of), n = 0;
	struct split split = { a->states.at[s].range, copies, successors };
	enum nfart_status status = NFART_SYSTEM;

	if (share == NULL || copy_of == NULL || !find_shares(a, s, successors, share, &n))
		goto out;
	status = NFART_NOFIT;
	if (n < copies)
		goto out;
	for (uint32_t i = 0; i < n; i++)
		copy_of[share[i].t] = (uint32_t)((uint64_t)i * copies / n);
	status = rewrite(a, s, copies, successors, copy_of) && vec_push(&log->splits, split)
			 ? NFART_OK
			 : NFART_SYSTEM;
out:
	free(share);
	free(copy_of);
	return status;
}

/* ---- which states ---- */

/* Splits s, of a degree above `most`: into as few copies as bring that one down to it, or else in
 * two. */
static enum nfart_status split_down(struct nfa *a, nfa_state_t s, uint32_t most,
				    uint32_t max_states, const struct shape *shape,
				    struct split_log *log)
{
	uint32_t in = shape->in[s], out = shape->out[s], copies = UINT32_MAX;
	bool successors = out >= in;

	if (in < most && out > 1) {
		copies = (out + most - in - 1) / (most - in);
		successors = true;
	}
	if (out < most && in > 1 && (in + most - out - 1) / (most - out) < copies) {
		copies = (in + most - out - 1) / (most - out);
		successors = false;
	}
	if (copies == UINT32_MAX || copies < 2)
		copies = 2;
	if (a->states.n + copies - 1 > max_states)
		return NFART_NOFIT;
	return split_state(a, s, copies, successors, log);
}

enum nfart_status split_to_degree(struct nfa *a, uint32_t most, uint32_t max_states,
				  struct split_log *log)
{
	for (int i = 0; i < SPLIT_MOST; i++) {
		enum nfart_status status;
		nfa_state_t highest = 0;
		uint64_t sum = 0;
		struct shape shape;

		if (!shape_init(&shape, a))
			return NFART_SYSTEM;
		for (nfa_state_t s = 0; s < a->states.n; s++) {
			sum += shape.degree[s];
			if (shape.degree[s] > shape.degree[highest])
				highest = s;
		}
		if (sum > (uint64_t)most * max_states) { /* splits never lessen it */
			shape_free(&shape);
			return NFART_NOFIT;
		}
		if (a->states.n == 0 || shape.degree[highest] <= most) {
			shape_free(&shape);
			return NFART_OK;
		}
		if (a->states.at[highest].kind == NFA_COUNTER) {
			shape_free(&shape);
			return NFART_NOFIT;
		}
		status = split_down(a, highest, most, max_states, &shape, log);
		shape_free(&shape);
		if (status != NFART_OK)
			return status;
	}
	return NFART_NOFIT;
}

/* Steps from s by edges of both directions, up to `radius`: dist [n], UINT32_MAX beyond. */
static bool find_near(const struct nfa *a, nfa_state_t s, uint32_t radius, uint32_t *dist)
{
	struct nfa_adj out = { 0 }, in = { 0 };
	nfa_state_t *queue = malloc((a->states.n + 1) * sizeof *queue);
	bool ok = queue != NULL && nfa_out(a, &out) && nfa_in(a, &in);
	uint32_t n = 0;

	for (nfa_state_t t = 0; t < a->states.n; t++)
		dist[t] = UINT32_MAX;
	if (ok) {
		dist[s] = 0;
		queue[n++] = s;
	}
	for (uint32_t q = 0; q < n && dist[queue[q]] < radius; q++) {
		nfa_state_t u = queue[q];
		for (uint32_t i = out.first[u]; i < out.first[u + 1]; i++) {
			nfa_state_t t = a->edges.at[out.edge[i]].to;
			if (dist[t] == UINT32_MAX) {
				dist[t] = dist[u] + 1;
				queue[n++] = t;
			}
		}
		for (uint32_t i = in.first[u]; i < in.first[u + 1]; i++) {
			nfa_state_t t = a->edges.at[in.edge[i]].from;
			if (dist[t] == UINT32_MAX) {
				dist[t] = dist[u] + 1;
				queue[n++] = t;
			}
		}
	}
	nfa_adj_free(&out);
	nfa_adj_free(&in);
	free(queue);
	return ok;
}

/* What a split in two of s gains: twice what is shared out, less what is repeated. */
static int64_t gain(const struct shape *shape, nfa_state_t s)
{
	int64_t in = shape->in[s], out = shape->out[s];

	return in > out ? 2 * in - out : 2 * out - in;
}

enum nfart_status split_near(struct nfa *a, nfa_state_t s, uint32_t radius, struct split_log *log)
{
	uint32_t *dist = malloc((a->states.n + 1) * sizeof *dist);
	enum nfart_status status = NFART_SYSTEM;
	nfa_state_t best = UINT32_MAX;
	struct shape shape;

	if (dist == NULL || !find_near(a, s, radius, dist) || !shape_init(&shape, a))
		goto out;
	for (nfa_state_t t = 0; t < a->states.n; t++)
		if (dist[t] < radius && shape.degree[t] > 2 && a->states.at[t].kind == NFA_STE &&
		    (shape.in[t] > 1 || shape.out[t] > 1) &&
		    (best == UINT32_MAX || gain(&shape, t) > gain(&shape, best)))
			best = t;
	status = best == UINT32_MAX
			 ? NFART_NOFIT
			 : split_state(a, best, 2, shape.out[best] >= shape.in[best], log);
	shape_free(&shape);
out:
	free(dist);
	return status;
}
