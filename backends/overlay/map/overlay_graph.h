/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * overlay_graph.h: the rings-of-cliques overlay (T 3.3.2) as a graph of cliques.
 *
 * All STEs of a clique have the same neighbours, so a state is mapped to a clique and its place in
 * there is free (T 3.4). Which cliques are adjacent is not computed here: the contract has the one
 * evaluator of that, and the caller hands its table over.
 */
#ifndef NFACC_MAP_OVERLAY_GRAPH_H
#define NFACC_MAP_OVERLAY_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/overlay/map/adj.h"

enum { MAP_MOST_KINDS = 16 };

/* Clique c of (C, L, R, N) is number r * L + l. The graph is symmetric and vertex transitive: every
 * clique looks like every other one. That allows the mapper to choose the place of one state freely. */
struct map_overlay {
	uint32_t clique_size;       /* C: room for nodes of kind 0 in a clique */
	uint32_t more_kinds;        /* of nodes besides, such as counters; usually 0 */
	const uint32_t *more_room;  /* [more_kinds]: room for kinds 1, 2, … in a clique */
	uint32_t ncliques;          /* K = L * R */
	uint32_t nneighbours;       /* |N[c]|, the same for all c, c itself included */
	const uint32_t *neighbours; /* [ncliques * nneighbours]: N[c], rising */
};

/* Room for nodes of one kind, below more_kinds + 1, in a clique; and of all kinds together. */
static inline uint32_t map_overlay_room(const struct map_overlay *o, uint32_t kind)
{
	return kind == 0 ? o->clique_size : o->more_room[kind - 1];
}
uint64_t map_overlay_all_room(const struct map_overlay *o);

/* NULL, or what is wrong with the table: sizes, order, range, c missing in N[c], asymmetry. That it
 * is vertex transitive is believed. K * |N[c]| * log |N[c]| steps. */
const char *map_overlay_check(const struct map_overlay *o);

/* Is b in N[a]? Both must be below ncliques. Logarithmic in |N[a]|. */
bool map_overlay_adjacent(const struct map_overlay *o, uint32_t a, uint32_t b);

/* The same graph in compressed form, `to` borrowed from o. False: out of memory. */
bool map_overlay_adj(const struct map_overlay *o, struct arena *arena, struct map_adj *g);

#endif
