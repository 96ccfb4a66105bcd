/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * problem.h: one mapping problem, prepared: what tests, search and integer program share.
 *
 * The overlay is vertex transitive, so the state of highest degree goes to clique 0 without loss,
 * and a state at distance d of it can only be within d of clique 0. States without edges are not
 * part of search and integer program: they go wherever there is room at the end.
 */
#ifndef NFACC_MAP_PROBLEM_H
#define NFACC_MAP_PROBLEM_H

#include <time.h>

#include "backends/overlay/map/map.h"

struct map_problem {
	struct arena arena;
	const struct map_graph *graph;     /* borrowed */
	const struct map_overlay *overlay; /* borrowed */
	const struct map_options *options; /* borrowed */
	struct map_report *report;         /* borrowed */
	struct map_adj nfa, cliques;
	uint32_t fixed;        /* the state that is in clique 0 */
	uint32_t *state_dist;  /* [n]: from `fixed`, or MAP_FAR */
	uint32_t *clique_dist; /* [K]: from clique 0, or MAP_FAR */
	uint64_t *ball;        /* [reach + 1]: STEs within 0, 1, … of an STE */
	uint32_t reach;        /* the largest distance in a connected part of the overlay */
	struct timespec start;
};

/* Fills a zeroed *p; owns its arena only. NFART_USAGE, NFART_SYSTEM. */
enum nfart_status problem_init(struct map_problem *p, const struct map_graph *g,
			       const struct map_overlay *overlay,
			       const struct map_options *options, struct map_report *report);
void problem_free(struct map_problem *p);

/* May state v be in clique c, for all that distances say? */
static inline bool problem_allows(const struct map_problem *p, uint32_t v, uint32_t c)
{
	return p->state_dist[v] == MAP_FAR || p->clique_dist[c] <= p->state_dist[v];
}

/* 0 for STEs. */
static inline uint32_t problem_kind(const struct map_problem *p, uint32_t v)
{
	return p->graph->kind != NULL ? p->graph->kind[v] : 0;
}

/* Milliseconds until the time limit: INT32_MAX where there is none, 0 where it is over. */
int problem_time_left(const struct map_problem *p);

#endif
