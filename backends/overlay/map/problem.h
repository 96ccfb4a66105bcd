/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * problem.h: one mapping problem, prepared for the exact tests and the search.
 *
 * The overlay is vertex transitive, so the state of highest degree can be fixed in clique 0
 * without loss. A state at distance d from it can then only be in cliques within d of clique
 * 0. States without edges take no part in the search: at the end they go wherever there is room.
 */
#ifndef NFACC_MAP_PROBLEM_H
#define NFACC_MAP_PROBLEM_H

#include "backends/overlay/map/map.h"
#include "support/clock.h"

struct map_problem {
	struct arena arena;
	const struct map_graph *graph;     /* borrowed */
	const struct map_overlay *overlay; /* borrowed */
	const struct map_options *options; /* borrowed */
	struct map_report *report;         /* borrowed */
	struct map_adj nfa, cliques;
	uint32_t fixed;        /* the state that is fixed in clique 0 */
	uint32_t *state_dist;  /* [n]: distance of each state from `fixed`, or MAP_FAR */
	uint32_t *clique_dist; /* [K]: distance of each clique from clique 0, or MAP_FAR */
	uint64_t *ball;        /* [reach + 1]: nodes of all kinds within 0, 1, … of a clique */
	uint32_t reach;        /* the largest distance in a connected part of the overlay */
	struct clock_limit time;
};

/* Fills a zeroed *p, which owns its arena and borrows everything else. NFART_USAGE: graph or
 * overlay are not as their headers say; report->wrong says why. NFART_SYSTEM: out of memory. Call
 * problem_free() in any case. */
enum nfart_status problem_init(struct map_problem *p, const struct map_graph *g,
			       const struct map_overlay *overlay,
			       const struct map_options *options, struct map_report *report);
void problem_free(struct map_problem *p);

/* Do the distances from `fixed` allow state v in clique c? */
static inline bool problem_allows(const struct map_problem *p, uint32_t v, uint32_t c)
{
	return p->state_dist[v] == MAP_FAR || p->clique_dist[c] <= p->state_dist[v];
}

/* The kind of node that state v needs; 0 is an STE. */
static inline uint32_t problem_kind(const struct map_problem *p, uint32_t v)
{
	return p->graph->kind != NULL ? p->graph->kind[v] : 0;
}

/* Milliseconds of processor time until the time limit: 0 if it is over, INT_MAX without one. */
int problem_time_left(const struct map_problem *p);

#endif
