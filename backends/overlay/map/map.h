/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * map.h: maps an NFA onto a rings-of-cliques overlay (T 3.4, 5.3).
 *
 * A mapping gives every state a clique. No clique gets more than C states that need an STE, or more
 * states that need another kind of node than it has such nodes. The two states of every edge are in
 * equal or adjacent cliques. Loops and directions of edges do not matter. Exact tests come first,
 * then a bounded search. Each of these finds a mapping, proves that there is none, or reaches its
 * limit. The same input gives the same answer, unless a time limit is set.
 */
#ifndef NFACC_MAP_MAP_H
#define NFACC_MAP_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/overlay/map/overlay_graph.h"
#include "include/nfart_status.h"
#include "support/progress.h"

/* Which methods look for a mapping (doc/develop/mapping.md). */
enum map_model {
	MAP_AUTO,         /* exact tests and search: row, propagate, anneal and sat together */
	MAP_SEARCH_ALONE, /* the same, by its older name */
	MAP_ROW,          /* this and the next three: exact tests and one solver alone */
	MAP_PROPAGATE,
	MAP_ANNEAL,
	MAP_SAT
};

enum { MAP_NMODELS = MAP_SAT + 1 };

/* [model]: its name in --map=NAME. The last entry is NULL. */
extern const char *const map_model_names[];

/* What map_place() may do. map_options_init() sets a generous limit of steps. */
struct map_options {
	enum map_model model;
	uint64_t steps;   /* most placements that the search tries; 0: no search */
	/* Most contradictions that propagate meets, before the whole search ends; 0: no limit. A step
	 * that leads to one takes long where states are many. */
	uint64_t failures;
	uint32_t seconds; /* most processor time of all methods together; 0: no limit */
	const struct progress *progress; /* NULL: nobody wants to see progress */
};

/* What gave the answer: tests and the packing of parts, or a solver. If several parts of the
 * overlay were mapped, it is the solver of the last one. */
enum map_method {
	MAP_BY_TESTS,
	MAP_BY_ROW,
	MAP_BY_PROPAGATE,
	MAP_BY_ANNEAL,
	MAP_BY_SAT
};

/* [method]: its name in --stats. */
extern const char *const map_method_names[];

/* Why there is no mapping: the NFA needs more of something than the overlay has. The comments say
 * what `need` and `have` of the report count, and whether it names a state. */
enum map_reason {
	MAP_FITS,      /* no such reason is known */
	MAP_STATES,    /* states of one kind of node; nodes of that kind */
	MAP_DEGREE,    /* neighbours of `state`; STEs next to an STE */
	MAP_BALL,      /* states within `radius` of `state`; STEs within `radius` of an STE */
	MAP_COMPONENT, /* states connected with `state`; STEs connected with an STE */
	/* Components that fill more than half of a connected part of the overlay, each of which
	 * needs a part of its own; connected parts. Messages call these parts rings. */
	MAP_COMPONENTS,
	MAP_HUBS,  /* states with no common neighbours and as many as `state`; states of which there
		    * may be room for so many neighbours each */
	MAP_SEARCH /* propagate or sat tried everything; no numbers */
};

/* Which limit ended the work without an answer. */
enum map_limit {
	MAP_NO_LIMIT,
	MAP_LIMIT_STEPS,
	MAP_LIMIT_FAILURES,
	MAP_LIMIT_METHODS, /* each solver of portfolio.h reached its own */
	MAP_LIMIT_SOLVER,  /* the solver that was asked for does not decide such problems */
	MAP_LIMIT_TIME,
	MAP_LIMIT_SIZE /* states times cliques are more than the search takes */
};

enum { MAP_NO_STATE = UINT32_MAX };

/* [limit]: what it is called in a sentence, such as "the time limit". */
extern const char *const map_limit_texts[];

struct map_report {
	enum map_method method;
	enum map_reason reason; /* why there is no mapping, after NFART_NOFIT */
	enum map_limit limit;   /* which limit was reached, after NFART_GAVEUP */
	uint32_t state;         /* the state of the reason, or MAP_NO_STATE */
	uint32_t radius;        /* radius of the ball in edges, with MAP_BALL */
	uint64_t need, have;
	uint64_t steps;    /* spent */
	uint64_t failures; /* contradictions that propagate met */
	const char *wrong; /* why NFART_USAGE or NFART_INTERNAL: static text or NULL */
};

static inline void map_options_init(struct map_options *o)
{
	*o = (struct map_options){ .steps = 1000000 };
}

/* Looks for a mapping of g. Fills *report, and clique [g->n] if the answer is NFART_OK; map_check()
 * has then checked the placement.
 *
 *   NFART_OK        clique[v] is the clique of state v
 *   NFART_NOFIT     proved that there is no mapping; the report has the reason
 *   NFART_GAVEUP    a limit was reached
 *   NFART_SYSTEM    out of memory
 *   NFART_USAGE     graph or overlay are not as their headers say
 *   NFART_INTERNAL  the solver broke, or the checker refused its placement */
enum nfart_status map_place(const struct map_graph *g, const struct map_overlay *overlay,
			    const struct map_options *options, uint32_t *clique,
			    struct map_report *report);

/* The independent checker. Returns NULL if the placement is right, map_check_no_memory if memory
 * was too short to check it, otherwise a static text that says what is wrong. It trusts neither
 * graph nor placement, and accepts an edge only if each of the two cliques names the other as its
 * neighbour. Linear, with a factor of log |N[c]| for each edge. */
extern const char map_check_no_memory[];
const char *map_check(const struct map_graph *g, const struct map_overlay *overlay,
		      const uint32_t *clique);

#endif
