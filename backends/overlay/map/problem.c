/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/map/problem.h"

static void fill_balls(struct map_problem *p, const uint32_t *queue, uint32_t reached)
{
	for (uint32_t i = 0; i < reached; i++)
		p->ball[p->clique_dist[queue[i]]] =
			((uint64_t)i + 1) * map_overlay_all_room(p->overlay);
	p->reach = p->clique_dist[queue[reached - 1]];
}

static uint32_t highest_degree(const struct map_adj *g)
{
	uint32_t best = 0;

	for (uint32_t v = 1; v < g->n; v++)
		if (map_degree(g, v) > map_degree(g, best))
			best = v;
	return best;
}

static uint32_t *new_dist(struct arena *a, uint32_t n)
{
	uint32_t *dist = arena_array(a, n, sizeof *dist);

	for (uint32_t v = 0; dist != NULL && v < n; v++)
		dist[v] = MAP_FAR;
	return dist;
}

enum nfart_status problem_init(struct map_problem *p, const struct map_graph *g,
			       const struct map_overlay *overlay,
			       const struct map_options *options, struct map_report *report)
{
	uint32_t *queue, *states;
	enum nfart_status status;

	p->graph = g;
	p->overlay = overlay;
	p->options = options;
	p->report = report;
	if (options->seconds != 0)
		p->time = clock_limit_in_ms((uint64_t)options->seconds * 1000);
	report->wrong = map_overlay_check(overlay);
	if (report->wrong != NULL)
		return NFART_USAGE;
	for (uint32_t v = 0; v < g->n && g->kind != NULL; v++) {
		if (g->kind[v] > overlay->more_kinds) {
			report->wrong = "a state of a kind that does not exist";
			return NFART_USAGE;
		}
	}
	status = map_adj_build(g, &p->arena, &p->nfa);
	if (status == NFART_USAGE)
		report->wrong = "the graph has loops, repeated edges or unknown states";
	if (status != NFART_OK)
		return status;
	queue = arena_array(&p->arena, overlay->ncliques, sizeof *queue);
	states = arena_array(&p->arena, g->n, sizeof *states);
	p->ball = arena_array(&p->arena, overlay->ncliques, sizeof *p->ball);
	p->state_dist = new_dist(&p->arena, g->n);
	p->clique_dist = new_dist(&p->arena, overlay->ncliques);
	if (queue == NULL || states == NULL || p->ball == NULL || p->state_dist == NULL ||
	    p->clique_dist == NULL || !map_overlay_adj(overlay, &p->arena, &p->cliques))
		return NFART_SYSTEM;
	fill_balls(p, queue, map_bfs(&p->cliques, 0, MAP_FAR, p->clique_dist, queue));
	if (g->n > 0) {
		p->fixed = highest_degree(&p->nfa);
		map_bfs(&p->nfa, p->fixed, MAP_FAR, p->state_dist, states);
	}
	return NFART_OK;
}

void problem_free(struct map_problem *p)
{
	arena_free(&p->arena);
}

int problem_time_left(const struct map_problem *p)
{
	return clock_limit_left_ms(&p->time);
}
