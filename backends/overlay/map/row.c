/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/map/row.h"

#include <string.h>

struct row {
	const struct map_task *task;
	uint32_t *path;  /* [K]: all cliques, each adjacent to the one before */
	uint32_t *order; /* [n]: the states, in the order in which they fill cliques */
	uint32_t *dist;  /* [n]: distances in a breadth-first search; MAP_FAR: not in the row yet */
	uint32_t *queue; /* [n]: the queue of a breadth-first search */
	bool *on_path;   /* [K]: is the clique on the path? */
};

static uint32_t ways_on(const struct row *r, uint32_t c)
{
	const struct map_adj *g = &r->task->cliques;
	uint32_t ways = 0;

	for (size_t i = g->first[c]; i < g->first[c + 1]; i++)
		ways += !r->on_path[g->to[i]];
	return ways;
}

/* Looks for a path through all cliques by Warnsdorff's rule: from each clique it goes on to the
 * neighbour with the fewest neighbours that are not on the path. Where rings are side by side, such
 * a path goes around one ring after the other. False: no clique is left to go on to. */
static bool find_path(struct row *r)
{
	const struct map_adj *g = &r->task->cliques;
	uint32_t at = 0;

	for (uint32_t length = 0;;) {
		uint32_t best = 0, fewest = UINT32_MAX;

		r->path[length++] = at;
		r->on_path[at] = true;
		if (length == g->n)
			return true;
		for (size_t i = g->first[at]; i < g->first[at + 1]; i++) {
			uint32_t ways = ways_on(r, g->to[i]);
			if (!r->on_path[g->to[i]] && ways < fewest) {
				fewest = ways;
				best = g->to[i];
			}
		}
		if (fewest == UINT32_MAX)
			return false;
		at = best;
	}
}

/* Appends the component of state `from` to `order`, breadth first, with neighbours of low degree
 * first. Returns how many states it has. */
static uint32_t append_ordered(struct row *r, uint32_t from, uint32_t *order)
{
	const struct map_adj *g = &r->task->nfa;
	uint32_t head = 0, tail = 0;

	r->dist[from] = 0;
	order[tail++] = from;
	while (head < tail) {
		uint32_t v = order[head++], begin = tail;

		for (size_t i = g->first[v]; i < g->first[v + 1]; i++) {
			uint32_t u = g->to[i], at = tail;

			if (r->dist[u] != MAP_FAR)
				continue;
			r->dist[u] = r->dist[v] + 1;
			for (; at > begin && map_degree(g, order[at - 1]) > map_degree(g, u); at--)
				order[at] = order[at - 1];
			order[at] = u;
			tail++;
		}
	}
	return tail;
}

/* Returns a state at one end of v's component. A breadth-first search from v finds the state
 * farthest from v; another search, from that state, finds the result. */
static uint32_t find_end(struct row *r, uint32_t v)
{
	for (int i = 0; i < 2; i++) {
		uint32_t n = map_bfs(&r->task->nfa, v, MAP_FAR, r->dist, r->queue);

		v = r->queue[n - 1];
		for (uint32_t j = 0; j < n; j++)
			r->dist[r->queue[j]] = MAP_FAR;
	}
	return v;
}

static void fill_order(struct row *r)
{
	uint32_t n = r->task->nfa.n, reached = 0;

	for (uint32_t v = 0; v < n; v++)
		r->dist[v] = MAP_FAR;
	for (uint32_t v = 0; v < n; v++)
		if (r->dist[v] == MAP_FAR)
			reached += append_ordered(r, find_end(r, v), r->order + reached);
}

/* Fills the cliques of the path with the states in their order. If a clique has no more room for
 * the kind of the next state, goes on to the next clique. False: there are too few cliques. */
static bool fill_cliques(const struct row *r, uint32_t *clique)
{
	const struct map_task *t = r->task;
	uint32_t used[MAP_MOST_KINDS] = {0}, at = 0;

	for (uint32_t i = 0; i < t->nfa.n; i++) {
		uint32_t v = r->order[i], kind = t->kind[v];

		if (used[kind] == t->room[kind]) {
			memset(used, 0, sizeof used);
			at++;
		}
		if (at == t->cliques.n || t->room[kind] == 0)
			return false;
		used[kind]++;
		clique[v] = r->path[at];
	}
	return true;
}

static bool is_mapping(const struct map_task *t, const uint32_t *clique)
{
	for (uint32_t v = 0; v < t->nfa.n; v++) {
		for (size_t i = t->nfa.first[v]; i < t->nfa.first[v + 1]; i++) {
			const struct map_adj *g = &t->cliques;
			size_t j = g->first[clique[v]], end = g->first[clique[v] + 1];

			while (j < end && g->to[j] != clique[t->nfa.to[i]])
				j++;
			if (j == end)
				return false;
		}
	}
	return true;
}

enum nfart_status row_place(const struct map_task *task, uint32_t *clique)
{
	size_t n = task->nfa.n, k = task->cliques.n;
	enum nfart_status status = NFART_SYSTEM;
	struct arena arena = {0};
	struct row r = {.task = task};

	r.path = arena_array(&arena, k, sizeof *r.path);
	r.on_path = arena_array(&arena, k, sizeof *r.on_path);
	r.order = arena_array(&arena, n, sizeof *r.order);
	r.dist = arena_array(&arena, n, sizeof *r.dist);
	r.queue = arena_array(&arena, n, sizeof *r.queue);
	if (r.path != NULL && r.on_path != NULL && r.order != NULL && r.dist != NULL &&
	    r.queue != NULL) {
		status = NFART_NOFIT;
		if (find_path(&r)) {
			fill_order(&r);
			if (fill_cliques(&r, clique) && is_mapping(task, clique))
				status = NFART_OK;
		}
	}
	arena_free(&arena);
	return status;
}
