/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "testsuite/bench/mapgen.h"

#include <stdio.h>

#include "support/order.h"

static void *need(void *p)
{
	if (p == NULL) {
		fputs("mapgen: out of memory\n", stderr);
		exit(NFART_SYSTEM);
	}
	return p;
}

/* Returns a random number below n. xorshift64* gives the same numbers on every machine. */
static uint32_t mapgen_below(struct instance *in, uint32_t n)
{
	in->random ^= in->random >> 12;
	in->random ^= in->random << 25;
	in->random ^= in->random >> 27;
	return (uint32_t)((in->random * 0x2545f4914f6cdd1du >> 32) % n);
}

static void add_edge(struct instance *in, uint32_t u, uint32_t v)
{
	if (!vec_reserve(&in->edges, 1))
		need(NULL);
	in->edges.at[in->edges.n].at[0] = u < v ? u : v;
	in->edges.at[in->edges.n++].at[1] = u < v ? v : u;
}

void mapgen_begin(struct instance *in, uint32_t c, uint32_t l, uint32_t r, uint32_t n,
		  uint64_t seed)
{
	in->o = (struct overlay){ .clique = c, .length = l, .rings = r, .reach = n };
	in->random = (seed + 1) * 0x9e3779b97f4a7c15u;
}

void mapgen_overlay(struct instance *in, uint32_t cn, uint32_t drop, uint32_t keep)
{
	uint32_t k = overlay_ncliques(&in->o), degree = contract_degree(&in->o), all = k * cn, left;
	uint32_t *near = need(malloc(degree * sizeof *near));
	uint32_t *name = need(malloc(all * sizeof *name)), n = 0;

	in->home = need(malloc(all * sizeof *in->home));
	left = keep != 0 ? keep : all;
	for (uint32_t u = 0; u < all; u++) {
		bool stays = mapgen_below(in, all - u) < left;
		left -= stays;
		name[u] = stays ? n : UINT32_MAX;
		if (stays)
			in->home[n++] = u / cn;
	}
	for (uint32_t u = 0; u < all; u++) {
		contract_neighbours(&in->o, u / cn, near);
		for (uint32_t i = 0; i < degree; i++)
			for (uint32_t v = near[i] * cn; v < (near[i] + 1) * cn; v++)
				if (u < v && mapgen_below(in, 100) >= drop &&
				    name[u] != UINT32_MAX && name[v] != UINT32_MAX)
					add_edge(in, name[u], name[v]);
	}
	in->n = n;
	free(name);
	free(near);
}

void mapgen_hubs(struct instance *in, uint32_t count, uint32_t leaves)
{
	for (uint32_t i = 0; i < count; i++, in->n += leaves + 1)
		for (uint32_t j = 1; j <= leaves; j++)
			add_edge(in, in->n, in->n + j);
}

uint32_t mapgen_between(struct instance *in, uint32_t least, uint32_t most)
{
	return least + mapgen_below(in, most + 1 - least);
}

static bool has_edge(const struct instance *in, size_t n, uint32_t u, uint32_t v)
{
	for (size_t i = 0; i < n; i++) {
		const uint32_t *e = in->edges.at[i].at;
		if ((e[0] == u && e[1] == v) || (e[0] == v && e[1] == u))
			return true;
	}
	return false;
}

/* Pairs the ends of edges at random. Where a pair is a loop or stands twice, all is drawn again. */
void mapgen_regular(struct instance *in, uint32_t n, uint32_t degree)
{
	uint32_t nends = n * degree, *ends = need(malloc(nends * sizeof *ends));
	bool simple;

	in->n = n;
	do {
		simple = true;
		in->edges.n = 0;
		for (uint32_t i = 0; i < nends; i++) {
			uint32_t j = mapgen_below(in, i + 1);
			ends[i] = ends[j];
			ends[j] = i / degree;
		}
		for (uint32_t i = 0; i < nends && simple; i += 2) {
			uint32_t u = ends[i], v = ends[i + 1];
			simple = u != v && !has_edge(in, in->edges.n, u, v);
			add_edge(in, u, v);
		}
	} while (!simple);
	free(ends);
}

void mapgen_trees(struct instance *in, uint32_t least, uint32_t most, uint32_t n)
{
	while (in->n < n) {
		uint32_t size = least + mapgen_below(in, most - least + 1);

		size = size < n - in->n ? size : n - in->n;
		for (uint32_t i = 1; i < size; i++) {
			uint32_t back = i < 6 ? i : 6;
			add_edge(in, in->n + i - 1 - mapgen_below(in, back), in->n + i);
		}
		in->n += size;
	}
}

void mapgen_chains(struct instance *in, uint32_t length, uint32_t count, uint32_t reach)
{
	for (uint32_t k = 0; k < count; k++, in->n += length)
		for (uint32_t i = 1; i < length; i++) {
			uint32_t most = i < reach ? i : reach;

			add_edge(in, in->n + i - 1, in->n + i);
			if (most >= 2 && mapgen_below(in, 4) == 0)
				add_edge(in, in->n + i - 2 - mapgen_below(in, most - 1), in->n + i);
		}
}

static int by_ends(const void *x, const void *y)
{
	const uint32_t *a = x, *b = y;

	return order_2(a[0], b[0], a[1], b[1]);
}

/* Sorts the edges and drops repeated ones. */
static void tidy(struct instance *in)
{
	size_t kept = 0;

	qsort(in->edges.at, in->edges.n, sizeof *in->edges.at, by_ends);
	for (size_t i = 0; i < in->edges.n; i++)
		if (kept == 0 || by_ends(&in->edges.at[i], &in->edges.at[kept - 1]) != 0)
			in->edges.at[kept++] = in->edges.at[i];
	in->edges.n = kept;
}

/* Returns the distance of each state from the state `from`. If the graph was made from an overlay,
 * it is the distance of the two states' cliques on the overlay, otherwise that in the graph. */
static uint32_t *distances(const struct instance *in, uint32_t from, struct arena *a)
{
	uint32_t k = overlay_ncliques(&in->o), most = k > in->n ? k : in->n, *neighbours = NULL;
	uint32_t *dist = need(arena_array(a, most, sizeof *dist));
	uint32_t *queue = need(arena_array(a, most, sizeof *queue));
	uint32_t *out = need(arena_array(a, in->n, sizeof *out));
	struct map_graph g = mapgen_graph(in);
	struct map_overlay view;
	struct map_adj adj;

	for (uint32_t v = 0; v < most; v++)
		dist[v] = MAP_FAR;
	if (in->home != NULL) {
		if (!map_view(&in->o, &view, &neighbours) || !map_overlay_adj(&view, a, &adj))
			need(NULL);
	} else if (map_adj_build(&g, a, &adj) != NFART_OK) {
		need(NULL);
	}
	map_bfs(&adj, in->home != NULL ? in->home[from] : from, MAP_FAR, dist, queue);
	for (uint32_t v = 0; v < in->n; v++)
		out[v] = dist[in->home != NULL ? in->home[v] : v];
	free(neighbours);
	return out;
}

/* Adds an edge from a random state to a state at distance 2 or, with `largest`, to a state that is
 * as far away as possible. */
static void add_far(struct instance *in, bool largest)
{
	for (int tries = 0; tries < 100; tries++) {
		struct arena arena = { 0 };
		uint32_t from = mapgen_below(in, in->n), want = 2, n = 0, to = from;
		uint32_t *dist = distances(in, from, &arena);

		for (uint32_t v = 0; v < in->n && largest; v++)
			if (dist[v] != MAP_FAR && dist[v] > want)
				want = dist[v];
		for (uint32_t v = 0; v < in->n; v++)
			if (dist[v] == want && mapgen_below(in, ++n) == 0)
				to = v;
		arena_free(&arena);
		if (to != from) {
			add_edge(in, from, to);
			return;
		}
	}
}

static void add_hub(struct instance *in)
{
	uint32_t degree = contract_degree(&in->o) * in->o.clique, hub = mapgen_below(in, in->n);

	for (uint32_t v = 0, left = degree < in->n ? degree : in->n - 1; v < in->n; v++)
		if (v != hub && left > 0) {
			add_edge(in, hub, v);
			left--;
		}
}

static void shuffle(struct instance *in)
{
	uint32_t *name = need(malloc((in->n + (size_t)1) * sizeof *name));

	for (uint32_t i = 0; i < in->n; i++) {
		uint32_t j = mapgen_below(in, i + 1);
		name[i] = name[j];
		name[j] = i;
	}
	for (size_t i = 0; i < in->edges.n; i++) {
		uint32_t *e = in->edges.at[i].at, u = name[e[0]], v = name[e[1]];
		e[0] = u < v ? u : v;
		e[1] = u < v ? v : u;
	}
	free(name);
}

void mapgen_finish(struct instance *in, enum mapgen_extra extra)
{
	uint32_t stes = overlay_ncliques(&in->o) * in->o.clique;

	if (extra == MAPGEN_NEAR)
		add_far(in, false);
	if (extra == MAPGEN_LONG)
		add_far(in, true);
	if (extra == MAPGEN_HUB)
		add_hub(in);
	if (extra == MAPGEN_FULL)
		in->n = stes + 1;
	shuffle(in);
	tidy(in);
}

void mapgen_free(struct instance *in)
{
	vec_free(&in->edges);
	free(in->home);
}
