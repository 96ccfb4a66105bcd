/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/map/propagate/equal.h"

#include <stdlib.h>

#include "backends/overlay/map/igraph_wrap.h"
#include "support/order.h"

enum { MAX_COMPARED = 256, ROUNDS = 4 };

struct keyed {
	uint64_t key;
	uint32_t id;
};

static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 31) * 0x9e3779b97f4a7c15u;
	return (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
}

static int by_key(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;

	return order_2(x->key, y->key, x->id, y->id);
}

/* Are u and v twins: do they have the same kind and, apart from each other, the same neighbours?
 * `seen` is all false, and is so again afterwards. */
static bool are_twins(const struct map_task *t, uint32_t u, uint32_t v, bool *seen)
{
	const struct map_adj *g = &t->nfa;
	uint32_t common = 0, inside = 0;

	if (t->kind[u] != t->kind[v] || map_degree(g, u) != map_degree(g, v))
		return false;
	for (size_t i = g->first[u]; i < g->first[u + 1]; i++)
		seen[g->to[i]] = true;
	for (size_t i = g->first[v]; i < g->first[v + 1]; i++) {
		common += seen[g->to[i]];
		inside += g->to[i] == u;
	}
	for (size_t i = g->first[u]; i < g->first[u + 1]; i++)
		seen[g->to[i]] = false;
	return common + inside == map_degree(g, u);
}

/* Links twins into the rings of `next`. States with the same neighbours get the same key; if
 * `closed`, a state itself counts among its neighbours, which finds twins that are connected. */
static void link_twins(const struct map_task *t, uint32_t *next, bool closed, struct keyed *keys,
		       bool *seen)
{
	for (uint32_t v = 0; v < t->nfa.n; v++) {
		uint64_t key = closed ? mix(v + (uint64_t)1) : 0;

		for (size_t i = t->nfa.first[v]; i < t->nfa.first[v + 1]; i++)
			key += mix(t->nfa.to[i] + (uint64_t)1);
		keys[v] = (struct keyed){key, v};
	}
	qsort(keys, t->nfa.n, sizeof *keys, by_key);
	for (uint32_t i = 1; i < t->nfa.n; i++) {
		uint32_t u = keys[i - 1].id, v = keys[i].id;

		if (keys[i].key == keys[i - 1].key && next[v] == v &&
		    are_twins(t, u, v, seen)) {
			next[v] = next[u];
			next[u] = v;
		}
	}
}

enum nfart_status equal_twins(const struct map_task *task, uint32_t *next)
{
	uint32_t n = task->nfa.n;
	struct keyed *keys = calloc((size_t)n + 1, sizeof *keys);
	bool *seen = calloc((size_t)n + 1, sizeof *seen);
	enum nfart_status status = NFART_SYSTEM;

	if (keys != NULL && seen != NULL) {
		for (uint32_t v = 0; v < n; v++)
			next[v] = v;
		link_twins(task, next, false, keys, seen);
		link_twins(task, next, true, keys, seen);
		status = NFART_OK;
	}
	free(keys);
	free(seen);
	return status;
}

/* Numbers the components, and lists the states of each in s->member in the order in which they are
 * found. dist [n] is scratch. Returns the number of components. */
static uint32_t find_components(const struct map_task *t, struct symmetry *s, uint32_t *dist)
{
	uint32_t count = 0, reached = 0;

	for (uint32_t v = 0; v < t->nfa.n; v++)
		dist[v] = MAP_FAR;
	for (uint32_t v = 0; v < t->nfa.n; v++) {
		uint32_t begin = reached;

		if (dist[v] != MAP_FAR)
			continue;
		reached += map_bfs(&t->nfa, v, MAP_FAR, dist, s->member + begin);
		for (uint32_t i = begin; i < reached; i++) {
			s->component[s->member[i]] = count;
			s->role[s->member[i]] = i - begin;
		}
		s->begin[count] = begin;
		s->next_equal[count] = count;
		count++;
	}
	s->begin[count] = reached;
	return count;
}

/* Computes a key for each component, which is the same for equal components: it sums up colours of
 * states, which depend on kinds and on neighbours up to ROUNDS steps away. */
static void fill_keys(const struct map_task *t, const struct symmetry *s, uint32_t count,
		      struct keyed *keys, uint64_t *color, uint64_t *before)
{
	for (uint32_t v = 0; v < t->nfa.n; v++)
		color[v] = mix(t->kind[v] + (uint64_t)1);
	for (int round = 0; round < ROUNDS; round++) {
		for (uint32_t v = 0; v < t->nfa.n; v++)
			before[v] = color[v];
		for (uint32_t v = 0; v < t->nfa.n; v++)
			for (size_t i = t->nfa.first[v]; i < t->nfa.first[v + 1]; i++)
				color[v] += mix(before[t->nfa.to[i]] + 1);
	}
	for (uint32_t k = 0; k < count; k++) {
		keys[k] = (struct keyed){s->begin[k + 1] - s->begin[k], k};
		for (uint32_t i = s->begin[k]; i < s->begin[k + 1]; i++)
			keys[k].key += mix(color[s->member[i]]);
	}
}

/* If components a and b are equal, gives each state of b the role of its image in a, and links b
 * into the ring of a. image [n] is scratch. */
static enum nfart_status compare_components(const struct map_task *t, struct symmetry *s,
					    uint32_t a, uint32_t b, uint32_t *image, bool *equal)
{
	const uint32_t *in_a = s->member + s->begin[a];
	uint32_t *in_b = s->member + s->begin[b], n = s->begin[a + 1] - s->begin[a];
	enum nfart_status status;

	*equal = false;
	if (s->begin[b + 1] - s->begin[b] != n)
		return NFART_OK;
	status = map_igraph_isomorphic(&t->nfa, in_a, in_b, n, s->role, t->kind, image, equal);
	if (status != NFART_OK || !*equal)
		return status;
	for (uint32_t i = 0; i < n; i++)
		image[i] = in_b[image[i]];
	for (uint32_t i = 0; i < n; i++) {
		in_b[i] = image[i];
		s->role[in_b[i]] = i;
	}
	s->next_equal[b] = s->next_equal[a];
	s->next_equal[a] = b;
	return NFART_OK;
}

enum nfart_status equal_components(const struct map_task *task, struct symmetry *s,
				   struct arena *arena)
{
	size_t n = task->nfa.n;
	uint32_t *dist = arena_array(arena, n, sizeof *dist), count, compared = 0, first = 0;
	struct keyed *keys = arena_array(arena, n, sizeof *keys);
	uint64_t *color = arena_array(arena, n, sizeof *color);
	uint64_t *before = arena_array(arena, n, sizeof *before);
	enum nfart_status status = NFART_OK;
	bool equal;

	if (dist == NULL || keys == NULL || color == NULL || before == NULL)
		return NFART_SYSTEM;
	count = find_components(task, s, dist);
	if (count == 1)
		return NFART_OK;
	fill_keys(task, s, count, keys, color, before);
	qsort(keys, count, sizeof *keys, by_key);
	for (uint32_t i = 1; i < count && status == NFART_OK && compared < MAX_COMPARED; i++) {
		if (keys[i].key != keys[first].key) {
			first = i;
			continue;
		}
		status = compare_components(task, s, keys[first].id, keys[i].id, dist, &equal);
		compared++;
	}
	return status;
}
