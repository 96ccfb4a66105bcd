/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/map/adj.h"

/* Does no node stand twice among the neighbours of another one? seen [n] must be zeroed. */
static bool is_simple(const struct map_adj *g, uint32_t *seen)
{
	for (uint32_t v = 0; v < g->n; v++) {
		for (size_t i = g->first[v]; i < g->first[v + 1]; i++) {
			if (seen[g->to[i]] == v + 1)
				return false;
			seen[g->to[i]] = v + 1;
		}
	}
	return true;
}

enum nfart_status map_adj_build(const struct map_graph *in, struct arena *arena,
				struct map_adj *g)
{
	size_t n = in->n, *first;
	uint32_t *to, *seen;

	if (in->n == UINT32_MAX || in->m > SIZE_MAX / 2)
		return NFART_USAGE;
	first = arena_array(arena, n + 2, sizeof *first);
	to = arena_array(arena, 2 * in->m, sizeof *to);
	seen = arena_array(arena, n, sizeof *seen);
	if (first == NULL || to == NULL || seen == NULL)
		return NFART_SYSTEM;

	/* Counts the neighbours of v in first[v + 2]. When the counts are summed up, first[v + 1]
	 * is where the next neighbour of v goes, and at the end where those of v + 1 begin. */
	for (size_t i = 0; i < in->m; i++) {
		const uint32_t *e = in->edges[i];
		if (e[0] >= e[1] || e[1] >= in->n)
			return NFART_USAGE;
		first[e[0] + 2]++;
		first[e[1] + 2]++;
	}
	for (size_t v = 1; v <= n; v++)
		first[v + 1] += first[v];
	for (size_t i = 0; i < in->m; i++) {
		const uint32_t *e = in->edges[i];
		to[first[e[0] + 1]++] = e[1];
		to[first[e[1] + 1]++] = e[0];
	}
	*g = (struct map_adj){.n = in->n, .first = first, .to = to};
	return is_simple(g, seen) ? NFART_OK : NFART_USAGE;
}

uint32_t map_bfs(const struct map_adj *g, uint32_t from, uint32_t radius, uint32_t *dist,
		 uint32_t *queue)
{
	uint32_t head = 0, tail = 0;

	dist[from] = 0;
	queue[tail++] = from;
	while (head < tail) {
		uint32_t v = queue[head++];
		if (dist[v] == radius)
			break;
		for (size_t i = g->first[v]; i < g->first[v + 1]; i++) {
			uint32_t u = g->to[i];
			if (dist[u] == MAP_FAR) {
				dist[u] = dist[v] + 1;
				queue[tail++] = u;
			}
		}
	}
	return tail;
}
