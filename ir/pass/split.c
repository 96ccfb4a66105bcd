/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Note [splitting]. There are two ways to replace a state by copies. Each copy has the predicate,
 * labels, log mark, start and always bits of the state, and a loop if the state had one.
 *
 *   Successors shared out: every copy has all predecessors. All copies are then active whenever the
 *     state was, so each successor may follow any one of them.
 *   Predecessors shared out: every copy has all successors. When the state was active because one
 *     of its predecessors was, the copy with this predecessor is active. A copy stays active by its
 *     own loop exactly as long as the predicate holds, as the state did.
 *
 * Either way a copy's own loop is enough: loops between copies would only add connections. Start
 * and always bits are equal in all copies, so the first batch enters what it entered before. If
 * successors are shared out, the counters that a state makes count or reset are shared out as well:
 * the copies are active together, so each counter may follow any one of them. Counters themselves
 * are not split.
 */
#include "ir/pass/split.h"

#include <string.h>

#include "support/order.h"

/* ---- copies and degrees ---- */

bool nfa_copy(struct nfa *to, const struct nfa *from)
{
	bool ok;

	memset(to, 0, sizeof *to);
	to->spec = from->spec;
	to->preds = from->preds;
	to->homogeneous = from->homogeneous;
	ok = nfa_labelset(to, NULL, 0) == 0;
	for (size_t i = 1; ok && i < from->labelsets.n; i++) /* set 0, the empty set, is there */
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

/* What the choice of a split depends on, as arrays with an entry for each state. */
struct shape {
	uint32_t *in, /* the number of predecessors; a loop does not count */
		*out; /* the number of successors and links to counters; a loop does not count */
	uint32_t *degree; /* the number of other states that the state is connected with */
};

static void shape_free(struct shape *s)
{
	free(s->in);
	free(s->out);
	free(s->degree);
}

static bool shape_init(struct shape *s, const struct nfa *a)
{
	struct nfa_link *l;
	size_t n = 0;

	*s = (struct shape){ calloc(a->states.n + 1, sizeof *s->in),
			     calloc(a->states.n + 1, sizeof *s->out),
			     calloc(a->states.n + 1, sizeof *s->degree) };
	l = nfa_links(a, &n);
	if (s->in == NULL || s->out == NULL || s->degree == NULL || l == NULL ||
	    !nfa_degrees(a, s->degree)) {
		free(l);
		shape_free(s);
		return false;
	}
	for (size_t i = 0; i < a->edges.n; i++) {
		const struct nfa_edge *e = &a->edges.at[i];
		s->out[e->from] += e->from != e->to;
		s->in[e->to] += e->from != e->to;
	}
	for (size_t i = 0; i < n; i++)
		s->out[l[i].from]++;
	free(l);
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

static uint32_t root_find(uint32_t *root, uint32_t s)
{
	while (root[s] != s)
		s = root[s] = root[root[s]];
	return s;
}

static void root_join(uint32_t *root, uint32_t s, uint32_t t)
{
	uint32_t x = root_find(root, s), y = root_find(root, t);

	root[x < y ? y : x] = x < y ? x : y;
}

/* A neighbour t of the state that is to be split. Without that state the NFA falls into connected
 * parts; `part` is the lowest state of the part that t is in. */
struct share {
	uint32_t part;
	nfa_state_t t;
};

static int by_part(const void *x, const void *y)
{
	const struct share *p = x, *q = y;

	return order_2(p->part, q->part, p->t, q->t);
}

/* Fills `share` with the *n neighbours of s that are to be shared out. Neighbours in one part stand
 * next to each other. False: out of memory. */
static bool find_shares(const struct nfa *a, const struct nfa_link *links, size_t nlinks,
			nfa_state_t s, bool successors, struct share *share, uint32_t *n)
{
	uint32_t *root = malloc((a->states.n + 1) * sizeof *root);

	for (uint32_t i = 0; root != NULL && i < a->states.n; i++)
		root[i] = i;
	*n = 0;
	for (size_t i = 0; root != NULL && i < a->edges.n; i++) {
		nfa_state_t from = a->edges.at[i].from, to = a->edges.at[i].to;
		if (from != s && to != s)
			root_join(root, from, to);
		else if (from != to && (successors ? from : to) == s)
			share[(*n)++].t = successors ? to : from;
	}
	for (size_t i = 0; root != NULL && i < nlinks; i++) {
		if (links[i].from != s)
			root_join(root, links[i].from, links[i].to);
		else if (successors)
			share[(*n)++].t = links[i].to;
	}
	for (uint32_t i = 0; root != NULL && i < *n; i++)
		share[i].part = root_find(root, share[i].t);
	if (root != NULL)
		qsort(share, *n, sizeof *share, by_part);
	free(root);
	return root != NULL;
}

/* Makes the copies of s and rewrites its edges. Copy 0 is s, and copy k is the k-th new state.
 * copy_of[t] is the copy that neighbour t goes to. False: out of memory, or too many states or
 * edges. */
static bool split_rewrite(struct nfa *a, nfa_state_t s, uint32_t copies, bool successors,
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

/* Removes from each copy the ports of counters that are not in its share. Each copy has all ports
 * of s before that. False: out of memory. */
static bool share_ports(struct nfa *a, nfa_state_t s, nfa_state_t first, uint32_t copies,
			const struct nfa_link *l, size_t nlinks, const uint32_t *copy_of)
{
	labelset_t all = a->states.at[s].labels, set;
	struct labelset from = a->labelsets.at[all];
	uint32_t *labels = malloc((from.n + 1) * sizeof *labels), plain = nfa_nlabels(a, all), n;
	bool ok = labels != NULL;

	for (uint32_t k = 0; ok && k < copies; k++) {
		memcpy(labels, from.labels, plain * sizeof *labels);
		n = plain;
		for (size_t i = 0; i < nlinks; i++) {
			uint32_t counter = a->states.at[l[i].to].counter;
			if (l[i].from != s || copy_of[l[i].to] != k)
				continue;
			if (l[i].count)
				labels[n++] = nfa_port(a, counter, false);
			if (l[i].reset)
				labels[n++] = nfa_port(a, counter, true);
		}
		set = nfa_labelset(a, labels, n);
		ok = set != UINT32_MAX;
		if (ok)
			a->states.at[k == 0 ? s : first + k - 1].labels = set;
	}
	free(labels);
	return ok;
}

enum nfart_status split_state(struct nfa *a, nfa_state_t s, uint32_t copies, bool successors,
			      struct split_log *log)
{
	size_t nlinks = 0;
	struct nfa_link *l = nfa_links(a, &nlinks);
	nfa_state_t first = (nfa_state_t)a->states.n;
	struct share *share = malloc((a->edges.n + nlinks + 1) * sizeof *share);
	uint32_t *copy_of = calloc(a->states.n + 1, sizeof *copy_of), n = 0;
	struct split split = { a->states.at[s].range, copies, successors };
	enum nfart_status status = NFART_SYSTEM;

	if (l == NULL || share == NULL || copy_of == NULL ||
	    !find_shares(a, l, nlinks, s, successors, share, &n))
		goto out;
	status = NFART_NOFIT;
	if (n < copies)
		goto out;
	for (uint32_t i = 0; i < n; i++)
		copy_of[share[i].t] = (uint32_t)((uint64_t)i * copies / n);
	status = split_rewrite(a, s, copies, successors, copy_of) &&
				 (!successors || nlinks == 0 ||
				  share_ports(a, s, first, copies, l, nlinks, copy_of)) &&
				 vec_push(&log->splits, split)
			 ? NFART_OK
			 : NFART_SYSTEM;
out:
	free(l);
	free(share);
	free(copy_of);
	return status;
}

/* ---- which states ---- */

/* Splits s, whose degree is above `most`. It makes as few copies as bring the degree down to
 * `most`, or two if no number of copies does. */
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
		if (sum > (uint64_t)most * max_states) { /* no split lowers the sum */
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

/* Sets dist[t] to the number of connections on the shortest way from s to t, or to UINT32_MAX if
 * that is more than `radius`. False: out of memory. */
static bool find_near(const struct nfa *a, nfa_state_t s, uint32_t radius, uint32_t *dist)
{
	size_t m = 0, n = a->states.n;
	uint32_t(*e)[2] = nfa_connections(a, &m);
	size_t *first = calloc(n + 2, sizeof *first);
	uint32_t *to = malloc((2 * m + 1) * sizeof *to), *queue = malloc((n + 1) * sizeof *queue);
	bool ok = e != NULL && first != NULL && to != NULL && queue != NULL;
	size_t end = 0;

	for (size_t i = 0; ok && i < m; i++)
		for (int k = 0; k < 2; k++)
			first[e[i][k] + 2]++;
	for (size_t i = 0; ok && i < n; i++)
		first[i + 2] += first[i + 1];
	for (size_t i = 0; ok && i < m; i++)
		for (int k = 0; k < 2; k++)
			to[first[e[i][k] + 1]++] = e[i][1 - k];
	for (size_t t = 0; t < n; t++)
		dist[t] = UINT32_MAX;
	if (ok) {
		dist[s] = 0;
		queue[end++] = s;
	}
	for (size_t q = 0; q < end && dist[queue[q]] < radius; q++)
		for (size_t i = first[queue[q]]; i < first[queue[q] + 1]; i++)
			if (dist[to[i]] == UINT32_MAX) {
				dist[to[i]] = dist[queue[q]] + 1;
				queue[end++] = to[i];
			}
	free(e);
	free(first);
	free(to);
	free(queue);
	return ok;
}

/* Returns what is gained if s is split in two: twice the number of neighbours that are shared out,
 * minus the number of those with which both copies are connected. */
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
