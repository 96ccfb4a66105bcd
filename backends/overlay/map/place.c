/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/map/map.h"

#include <stdlib.h>

#include "backends/overlay/map/exact.h"
#include "backends/overlay/map/parts.h"
#include "backends/overlay/map/problem.h"

const char *const map_model_names[] = {
	[MAP_AUTO] = "auto",
	[MAP_SEARCH_ALONE] = "search",
	[MAP_ROW] = "row",
	[MAP_PROPAGATE] = "propagate",
	[MAP_ANNEAL] = "anneal",
	[MAP_SAT] = "sat",
	[MAP_NMODELS] = NULL,
};

const char *const map_method_names[] = {
	[MAP_BY_TESTS] = "tests",
	[MAP_BY_ROW] = "row",
	[MAP_BY_PROPAGATE] = "propagate",
	[MAP_BY_ANNEAL] = "anneal",
	[MAP_BY_SAT] = "sat",
};

const char *const map_limit_texts[] = {
	[MAP_NO_LIMIT] = "a limit",
	[MAP_LIMIT_STEPS] = "the limit of search steps",
	[MAP_LIMIT_FAILURES] = "the limit of contradictions",
	[MAP_LIMIT_METHODS] = "the limit of steps of each search method",
	[MAP_LIMIT_SOLVER] = "a problem that this solver of --map does not decide",
	[MAP_LIMIT_TIME] = "the time limit",
	[MAP_LIMIT_SIZE] = "the limit of the problem's size",
};

/* Places all states that have edges. */
static enum nfart_status place_connected(struct map_problem *p, uint32_t *clique)
{
	enum nfart_status status = exact_tests(p);

	if (status != NFART_OK || p->graph->m == 0)
		return status;
	progress_at(p->options->progress, "mapping", 0, "search");
	status = parts_place(p, clique);
	if (status == NFART_NOFIT)
		p->report->reason = MAP_SEARCH;
	return status;
}

/* Gives every state without edges a clique that has room. The test of states has proved that there
 * is enough. False: out of memory. */
static bool place_isolated(const struct map_problem *p, uint32_t *clique)
{
	const struct map_overlay *o = p->overlay;
	uint32_t next[MAP_MOST_KINDS] = {0};
	size_t kinds = (size_t)o->more_kinds + 1;
	uint32_t *used = calloc(o->ncliques * kinds, sizeof *used);

	if (used == NULL)
		return false;
	for (uint32_t v = 0; v < p->nfa.n; v++)
		if (map_degree(&p->nfa, v) > 0)
			used[clique[v] * kinds + problem_kind(p, v)]++;
	for (uint32_t v = 0; v < p->nfa.n; v++) {
		uint32_t kind = problem_kind(p, v);

		if (map_degree(&p->nfa, v) > 0)
			continue;
		while (used[next[kind] * kinds + kind] >= map_overlay_room(o, kind))
			next[kind]++;
		clique[v] = next[kind];
		used[next[kind] * kinds + kind]++;
	}
	free(used);
	return true;
}

enum nfart_status map_place(const struct map_graph *g, const struct map_overlay *overlay,
			    const struct map_options *options, uint32_t *clique,
			    struct map_report *report)
{
	struct map_problem p = {0};
	enum nfart_status status;

	progress_at(options->progress, "mapping", 0, "tests");
	*report = (struct map_report){.state = MAP_NO_STATE};
	status = problem_init(&p, g, overlay, options, report);
	if (status == NFART_OK)
		status = place_connected(&p, clique);
	if (status == NFART_OK && !place_isolated(&p, clique))
		status = NFART_SYSTEM;
	if (status == NFART_OK) {
		report->wrong = map_check(g, overlay, clique);
		if (report->wrong != NULL)
			status = report->wrong == map_check_no_memory ? NFART_SYSTEM
								      : NFART_INTERNAL;
	}
	problem_free(&p);
	return status;
}
