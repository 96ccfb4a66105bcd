/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * overlay_graph.h: the rings-of-cliques overlay (T 3.3.2) as a graph of cliques.
 *
 * All STEs of a clique have the same neighbours, so a state is mapped to a clique, and any STE of
 * that clique will do (T 3.4). Which cliques are adjacent is not computed here: only the contract
 * does that (contract_neighbours()), and the caller passes the resulting table.
 */
#ifndef NFACC_MAP_OVERLAY_GRAPH_H
#define NFACC_MAP_OVERLAY_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/overlay/map/adj.h"

enum { MAP_MOST_KINDS = 16 };

/* An overlay (C, L, R, N). Clique l of ring r has the number r * L + l. The graph of cliques is
 * symmetric and vertex transitive: every clique looks like every other one. So the mapper may
 * choose the place of one state freely. */
struct map_overlay {
	uint32_t clique_size; /* C: how many nodes of kind 0 (STEs) are in a clique */
	uint32_t more_kinds;  /* how many kinds of nodes there are besides STEs, such as counters */
	/* [more_kinds]: how many nodes of kinds 1, 2, … are in a clique */
	const uint32_t *more_room;
	uint32_t ncliques;          /* K, the number of cliques: L * R */
	uint32_t length;            /* L, how many cliques a ring has; 0: not known */
	uint32_t nneighbours;       /* |N[c]|: cliques adjacent to c, and c; the same for all c */
	const uint32_t *neighbours; /* [ncliques * nneighbours]: N[c] for each c, in rising order */
};

/* How many nodes of `kind` (at most more_kinds) are in a clique. */
static inline uint32_t map_overlay_room(const struct map_overlay *o, uint32_t kind)
{
	return kind == 0 ? o->clique_size : o->more_room[kind - 1];
}
/* How many nodes of all kinds together are in a clique. */
uint64_t map_overlay_all_room(const struct map_overlay *o);

/* Returns NULL, or a static text that says what is wrong with the table: its sizes, the order or
 * range of numbers, a c that is missing in N[c], or asymmetry. It does not check that the graph is
 * vertex transitive. Takes K * |N[c]| * log |N[c]| steps. */
const char *map_overlay_check(const struct map_overlay *o);

/* Is clique b in N[a]? Both must be below ncliques. Takes log |N[a]| steps. */
bool map_overlay_adjacent(const struct map_overlay *o, uint32_t a, uint32_t b);

/* Makes the graph of o's cliques in compressed form. g->to is borrowed from o, the rest is in
 * `arena`. False: out of memory. */
bool map_overlay_adj(const struct map_overlay *o, struct arena *arena, struct map_adj *g);

#endif
