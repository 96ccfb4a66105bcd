/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/map/sat/sat.h"

#include "backends/overlay/map/columns.h"

enum {
	MOST_STATES = 1024,
	MOST_VARIABLES = 1 << 18,
	SLICE = 2000000 /* work between two looks at the clock */
};

/* Fills in->dist and in->diameter. *radius becomes the smallest eccentricity, or MAP_FAR if the NFA
 * is not connected. False: out of memory. */
static bool measure_graph(struct line_input *in, struct arena *a, uint32_t *radius)
{
	const struct map_adj *g = &in->task->nfa;
	uint32_t n = g->n, *queue = arena_array(a, n, sizeof *queue);

	*radius = MAP_FAR;
	for (size_t i = 0; i < (size_t)n * n; i++)
		in->dist[i] = MAP_FAR;
	for (uint32_t v = 0; v < n && queue != NULL; v++) {
		uint32_t *dist = in->dist + (size_t)v * n, farthest;

		if (map_bfs(g, v, MAP_FAR, dist, queue) < n)
			return true;
		farthest = dist[queue[n - 1]];
		if (farthest < *radius)
			*radius = farthest;
		if (farthest > in->diameter)
			in->diameter = farthest;
	}
	return queue != NULL;
}

/* Fills in->apart: how far the cliques of a column are from that of ring 0. */
static bool measure_rings(struct line_input *in, struct arena *a)
{
	const struct map_adj *g = &in->task->cliques;
	uint32_t *dist = arena_array(a, g->n, sizeof *dist);
	uint32_t *queue = arena_array(a, g->n, sizeof *queue);

	if (dist == NULL || queue == NULL)
		return false;
	for (uint32_t c = 0; c < g->n; c++)
		dist[c] = MAP_FAR;
	map_bfs(g, 0, MAP_FAR, dist, queue);
	for (uint32_t r = 0; r < in->rings; r++)
		in->apart[r] = dist[(size_t)r * in->task->length];
	return true;
}

/* Solves with the assumption, in slices between which the time limit is looked at. */
static enum nfart_status solve_leftmost(const struct line_input *in, struct clauses *s,
					literal_t assumption, uint64_t *work)
{
	enum nfart_status status = NFART_GAVEUP;

	while (status == NFART_GAVEUP && *work > 0) {
		uint64_t slice = *work < SLICE ? *work : SLICE, left = slice;

		if (problem_time_left(in->task->p) == 0) {
			in->task->p->report->limit = MAP_LIMIT_TIME;
			return NFART_GAVEUP;
		}
		status = clauses_solve(s, assumption, &left);
		*work -= slice - left;
	}
	return status;
}

/* Decides whether there is a mapping onto exactly `columns` columns. */
static enum nfart_status try_columns(const struct line_input *in, uint32_t columns,
				     uint32_t *clique, uint64_t *work)
{
	struct line_model m = {.in = in, .columns = columns};
	enum nfart_status status = line_model_build(&m) ? NFART_NOFIT : NFART_SYSTEM;

	for (uint32_t v = 0; v < in->task->nfa.n && status == NFART_NOFIT; v++) {
		if (m.first[v] > 0)
			continue;
		status = solve_leftmost(in, m.clauses, line_model_leftmost(&m, v), work);
		if (status == NFART_NOFIT)
			line_model_exclude(&m, v);
	}
	if (status == NFART_OK)
		line_model_read(&m, clique);
	line_model_free(&m);
	return status;
}

enum nfart_status sat_measure(const struct map_task *task, struct arena *arena,
			       struct line_input *in)
{
	uint64_t n = task->nfa.n, columns;
	uint32_t radius;

	if (task->kinds > 1 || n > MOST_STATES || !columns_known(&task->cliques, task->length))
		return NFART_GAVEUP;
	*in = (struct line_input){.task = task, .rings = task->cliques.n / task->length};
	in->dist = arena_array(arena, n * n, sizeof *in->dist);
	in->apart = arena_array(arena, in->rings, sizeof *in->apart);
	if (in->dist == NULL || in->apart == NULL || !measure_graph(in, arena, &radius) ||
	    !measure_rings(in, arena))
		return NFART_SYSTEM;
	columns = (uint64_t)in->diameter + 1;
	/* The first is the same as 2 * radius + 1 >= length, without overflow. */
	if (radius >= task->length / 2 ||
	    n * columns * (columns + in->rings) > MOST_VARIABLES)
		return NFART_GAVEUP;
	return NFART_OK;
}

enum nfart_status sat_run(const struct line_input *in, uint32_t *clique, uint64_t *work)
{
	uint64_t n = in->task->nfa.n, columns = (uint64_t)in->diameter + 1;
	uint64_t column = (uint64_t)in->task->room[0] * in->rings;
	enum nfart_status status = NFART_NOFIT;

	for (; status == NFART_NOFIT && columns > 0 && columns * column >= n; columns--)
		status = try_columns(in, (uint32_t)columns, clique, work);
	return status;
}
