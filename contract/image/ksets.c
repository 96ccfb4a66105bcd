/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "contract/image/ksets_int.h"

#include <stdlib.h>
#include <string.h>

/* ---- nodes ---- */

static uint64_t node_hash(uint32_t part, const struct kept_edge *e, size_t n)
{
	uint64_t h = part;

	for (size_t i = 0; i < n; i++)
		h = hash_add(hash_add(h, e[i].value), e[i].to);
	return h;
}

static uint64_t hash_of_node(const void *sets, uint32_t id)
{
	const struct ksets *x = sets;
	const struct kept_node *n = &x->nodes.at[id];

	return node_hash(n->part, x->edges.at + n->first, n->n);
}

/* A node that is looked for. */
struct wanted_node {
	uint32_t part, n;
	const struct kept_edge *e;
};

static bool same_node(const void *sets, uint32_t id, const void *key)
{
	const struct ksets *x = sets;
	const struct kept_node *a = &x->nodes.at[id];
	const struct wanted_node *w = key;

	if (a->part != w->part || a->n != w->n)
		return false;
	for (uint32_t i = 0; i < a->n; i++)
		if (x->edges.at[a->first + i].value != w->e[i].value ||
		    x->edges.at[a->first + i].to != w->e[i].to)
			return false;
	return true;
}

static uint32_t ksets_give_up(struct ksets *x, bool full)
{
	x->full = x->full || full;
	x->failed = x->failed || !full;
	return KSETS_NONE;
}

/* Makes room to remember more results. */
static bool made_grow(struct ksets *x)
{
	struct ksets_made *before = x->made;
	size_t n = x->nmade;

	x->made = calloc(4 * n, sizeof *x->made);
	if (x->made == NULL) {
		x->made = before;
		return false;
	}
	x->nmade = 4 * n;
	for (size_t i = 0; i < n; i++)
		if (before[i].a != 0)
			*place_of(x, before[i].op, before[i].a, before[i].b) = before[i];
	free(before);
	return true;
}

uint32_t ksets_node(struct ksets *x, uint32_t part, size_t base)
{
	struct wanted_node w = { part, (uint32_t)(x->stack.n - base), x->stack.at + base };
	struct kept_node node = { part, (uint32_t)x->edges.n, w.n };
	size_t place;
	uint64_t h;

	x->stack.n = base;
	if (w.n == 0 || x->full || x->failed)
		return KSETS_NONE;
	if (w.n == 1 && w.e[0].value == 0)
		return w.e[0].to;
	h = node_hash(part, w.e, w.n);
	if (!hash_room(&x->hash, hash_of_node, x))
		return ksets_give_up(x, false);
	place = hash_find(&x->hash, h, same_node, x, &w);
	if (hash_id(&x->hash, place) != HASH_NONE)
		return hash_id(&x->hash, place);
	if (x->nodes.n + x->edges.n >= KSETS_MOST)
		return ksets_give_up(x, true);
	if (!vec_reserve(&x->edges, w.n) || !vec_push(&x->nodes, node) ||
	    (x->nodes.n > x->nmade / 8 && x->nmade < MADE_MOST && !made_grow(x)))
		return ksets_give_up(x, false);
	memcpy(x->edges.at + x->edges.n, w.e, w.n * sizeof *w.e);
	x->edges.n += w.n;
	hash_put(&x->hash, place, (uint32_t)x->nodes.n - 1);
	return (uint32_t)x->nodes.n - 1;
}

void ksets_push(struct ksets *x, uint64_t value, uint32_t to)
{
	if (to != KSETS_NONE && !vec_push(&x->stack, ((struct kept_edge){ value, to })))
		x->failed = true;
	ksets_spend(x, 1);
}

/* Takes the set of all states that c has. */
static void take_all(struct ksets *x, const struct kept_composed *c)
{
	uint32_t *id = calloc((size_t)c->nodes.n + KEPT_ZERO + 1, sizeof *id);

	x->failed = id == NULL;
	if (id == NULL)
		return;
	id[KEPT_ZERO] = KSETS_ZERO;
	for (uint32_t i = 0; i < c->nodes.n; i++) {
		const struct kept_node *node = &c->nodes.at[i];

		for (uint32_t k = node->first; k < node->first + node->n; k++)
			ksets_push(x, c->edges.at[k].value, id[c->edges.at[k].to]);
		id[i + KEPT_ZERO + 1] = ksets_node(x, node->part, 0);
	}
	x->all = id[c->nodes.n + KEPT_ZERO];
	free(id);
}

bool ksets_init(struct ksets *x, const struct kept_composed *c, uint64_t seen)
{
	*x = (struct ksets){ .c = c, .most_steps = KSETS_MOST_STEPS };
	x->nmade = MADE_FIRST;
	x->made = calloc(x->nmade, sizeof *x->made);
	/* The two sets that have no edges. Their part is behind all others. */
	if (x->made == NULL || !ksets_sort(x, KSETS_SILENT, seen) || !ksets_sort(x, KSETS_ALL, 0) ||
	    !vec_push(&x->nodes, ((struct kept_node){ c->parts.n, 0, 0 })) ||
	    !vec_push(&x->nodes, ((struct kept_node){ c->parts.n, 0, 0 })))
		return false;
	take_all(x, c);
	return !ksets_stop(x);
}

void ksets_free(struct ksets *x)
{
	vec_free(&x->nodes);
	vec_free(&x->edges);
	vec_free(&x->stack);
	hash_free(&x->hash);
	free(x->made);
	for (int i = 0; i < 2; i++) {
		free(x->by_part[i].moves);
		free(x->by_part[i].first);
	}
}

/* ---- union and difference ---- */

static uint32_t first_part(const struct ksets *x, uint32_t a, uint32_t b)
{
	return x->nodes.at[a].part < x->nodes.at[b].part ? x->nodes.at[a].part
							 : x->nodes.at[b].part;
}

uint32_t ksets_union(struct ksets *x, uint32_t a, uint32_t b)
{
	uint32_t part, na, nb, i = 0, k = 0, result;
	size_t base = x->stack.n;

	if (a == b || b == KSETS_NONE)
		return a;
	if (a == KSETS_NONE)
		return b;
	if (a > b) {
		uint32_t c = a;

		a = b;
		b = c;
	}
	if (ksets_stop(x))
		return KSETS_NONE;
	if (is_made(x, OP_UNION, a, b, &result))
		return result;
	part = first_part(x, a, b);
	na = edges_at(x, a, part);
	nb = edges_at(x, b, part);
	while (i < na || k < nb) {
		struct kept_edge e = i < na ? edge_at(x, a, part, i) : (struct kept_edge){ 0, 0 };
		struct kept_edge f = k < nb ? edge_at(x, b, part, k) : (struct kept_edge){ 0, 0 };

		if (k == nb || (i < na && e.value < f.value)) {
			ksets_push(x, e.value, e.to);
			i++;
		} else if (i == na || f.value < e.value) {
			ksets_push(x, f.value, f.to);
			k++;
		} else {
			ksets_push(x, e.value, ksets_union(x, e.to, f.to));
			i++;
			k++;
		}
	}
	return remember(x, OP_UNION, a, b, ksets_node(x, part, base));
}

uint32_t ksets_minus(struct ksets *x, uint32_t a, uint32_t b)
{
	uint32_t part, na, nb, result;
	size_t base = x->stack.n;

	if (a == b || a == KSETS_NONE || b == KSETS_NONE || ksets_stop(x))
		return a == b ? KSETS_NONE : a;
	if (is_made(x, OP_MINUS, a, b, &result))
		return result;
	part = first_part(x, a, b);
	na = edges_at(x, a, part);
	nb = edges_at(x, b, part);
	for (uint32_t i = 0, k = 0; i < na; i++) {
		struct kept_edge e = edge_at(x, a, part, i);

		while (k < nb && edge_at(x, b, part, k).value < e.value)
			k++;
		ksets_push(x, e.value, k < nb && edge_at(x, b, part, k).value == e.value
					      ? ksets_minus(x, e.to, edge_at(x, b, part, k).to)
					      : e.to);
	}
	return remember(x, OP_MINUS, a, b, ksets_node(x, part, base));
}

/* ---- forgetting ---- */

void ksets_keep(struct ksets *x, uint32_t *roots, size_t n)
{
	uint32_t *to = calloc(x->nodes.n, sizeof *to);
	uint32_t kept = KSETS_ZERO + 1, edges = 0;

	if (to == NULL) {
		x->failed = true;
		return;
	}
	for (size_t i = 0; i < n; i++)
		to[roots[i]] = 1;
	for (size_t i = x->nodes.n; i-- > KSETS_ZERO + 1;)
		for (uint32_t k = 0; k < x->nodes.at[i].n && to[i] != 0; k++)
			to[x->edges.at[x->nodes.at[i].first + k].to] = 1;
	to[KSETS_NONE] = KSETS_NONE;
	to[KSETS_ZERO] = KSETS_ZERO;
	hash_clear(&x->hash);
	for (size_t i = KSETS_ZERO + 1; i < x->nodes.n; i++) {
		struct kept_node node = x->nodes.at[i];
		struct wanted_node w = { node.part, node.n, x->edges.at + edges };

		if (to[i] == 0)
			continue;
		for (uint32_t k = 0; k < node.n; k++) {
			struct kept_edge e = x->edges.at[node.first + k];

			x->edges.at[edges + k] = (struct kept_edge){ e.value, to[e.to] };
		}
		x->nodes.at[kept] = (struct kept_node){ node.part, edges, node.n };
		hash_put(&x->hash, hash_find(&x->hash, node_hash(w.part, w.e, w.n), same_node, x,
					     &w), kept);
		to[i] = kept++;
		edges += node.n;
	}
	x->nodes.n = kept;
	x->edges.n = edges;
	memset(x->made, 0, x->nmade * sizeof *x->made);
	x->full = false;
	for (size_t i = 0; i < n; i++)
		roots[i] = to[roots[i]];
	free(to);
}
