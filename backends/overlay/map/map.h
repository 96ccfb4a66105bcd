/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * map.h: maps an NFA onto a rings-of-cliques overlay (T 3.4, 5.3).
 *
 * A mapping gives every state a clique. No clique has more than C states (or, of another kind of node,
 * more than the overlay has room for), and the two states of every edge are in equal or adjacent cliques.
 * Loops and directions do not matter. Exact tests come first, then a bounded search, then an integer
 * program. Each of them finds a mapping, proves that there is none, or reaches its limit. The same input
 * gives the same answer, unless a time limit is set.
 */
#ifndef NFACC_MAP_MAP_H
#define NFACC_MAP_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/overlay/map/overlay_graph.h"
#include "include/nfart_status.h"
#include "support/progress.h"

/* Who is to answer (doc/mapping.md). */
enum map_model {
	MAP_AUTO,           /* exact tests, search, and MAP_ILP where the search gives up */
	MAP_SEARCH_ALONE,   /* exact tests and search */
	MAP_ILP,            /* exact tests and our integer program */
	MAP_BASELINE,       /* one of the thesis's integer programs, and nothing else */
	MAP_SYMMETRY,
	MAP_CLIQUE,
	MAP_CLIQUE_SYMMETRY
};

enum { MAP_NMODELS = MAP_CLIQUE_SYMMETRY + 1 };

/* As in --map=NAME; ended by NULL. */
extern const char *const map_model_names[];

/* The model's own limits of rows and nodes: 20,000 and 1,000 for MAP_AUTO, because GLPK does not finish
 * larger programs; 200,000 and 1,000,000 for a program that was asked for. */
#define MAP_BY_MODEL UINT64_MAX

/* Limits. map_options_init() sets generous ones. */
struct map_options {
	enum map_model model;
	uint64_t steps;   /* of the search, placements tried; 0: no search */
	uint64_t rows;    /* an integer program with more is not built; 0: none is; MAP_BY_MODEL */
	uint64_t nodes;   /* of branch and bound; MAP_BY_MODEL */
	uint32_t seconds; /* for search and integer program together; 0: no limit */
	const struct progress *progress; /* or NULL */
};

/* What answered. */
enum map_method { MAP_BY_TESTS, MAP_BY_SEARCH, MAP_BY_ILP };

/* Why it can't fit: more is needed of something than there is. */
enum map_reason {
	MAP_FITS,       /* no such proof */
	MAP_STATES,     /* need: states of a kind, have: STEs, or what that kind takes */
	MAP_DEGREE,     /* `state`: need: neighbours, have: STEs next to an STE */
	MAP_BALL,       /* `state`: need: states within `radius`, have: STEs within it */
	MAP_COMPONENT,  /* `state`: need: states connected with it, have: STEs connected */
	MAP_COMPONENTS, /* need: rings that components over half a ring take, have: rings; a ring
			 * is here a connected part of the overlay */
	MAP_SEARCH      /* search or integer program found none; no numbers */
};

/* Which limit was reached. */
enum map_limit {
	MAP_NO_LIMIT,
	MAP_LIMIT_STEPS,
	MAP_LIMIT_ROWS,
	MAP_LIMIT_NODES,
	MAP_LIMIT_TIME,
	MAP_LIMIT_SIZE,   /* of the problem: more states times cliques than the search takes */
	MAP_LIMIT_NUMERIC /* GLPK could not go on in floating point */
};

enum { MAP_NO_STATE = UINT32_MAX };

/* What a limit is called in a sentence: "at the time limit". */
extern const char *const map_limit_texts[];

struct map_report {
	enum map_method method;
	enum map_reason reason;      /* with NFART_NOFIT */
	enum map_limit limit;        /* with NFART_GAVEUP */
	uint32_t state;              /* or MAP_NO_STATE */
	uint32_t radius;             /* in edges, with MAP_BALL */
	uint64_t need, have;
	uint64_t steps, rows, nodes; /* spent; rows: of the integer program, even if it was too large */
	const char *wrong;           /* static text or NULL: why NFART_USAGE or NFART_INTERNAL */
};

void map_options_init(struct map_options *o);

/* Fills clique [g->n] and *report. NFART_OK; NFART_NOFIT (proved, with its reason); NFART_GAVEUP (a
 * limit); NFART_SYSTEM (memory); NFART_USAGE (graph or overlay are not what their headers say, or have
 * kinds of nodes that an integer program does not know);
 * NFART_INTERNAL (the solver broke, or the checker refused its placement). `clique` is meaningful
 * with NFART_OK only. The placement was checked by map_check(). */
enum nfart_status map_place(const struct map_graph *g, const struct map_overlay *overlay,
			    const struct map_options *options, uint32_t *clique,
			    struct map_report *report);

/* The independent checker. NULL, or a static text that says what is wrong with the placement;
 * map_check_no_memory if memory was too short to check. It trusts neither graph nor placement, and accepts
 * an edge only if each of the two cliques names the other. Linear, with a factor of log |N[c]| per
 * edge. */
extern const char map_check_no_memory[];
const char *map_check(const struct map_graph *g, const struct map_overlay *overlay,
		      const uint32_t *clique);

#endif
