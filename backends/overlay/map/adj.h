/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * adj.h: makes the compressed form of undirected graphs, and finds distances in them.
 */
#ifndef NFACC_MAP_ADJ_H
#define NFACC_MAP_ADJ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/nfart_status.h"
#include "support/arena.h"

/* An undirected graph as a list of edges. Every edge has u < v, and none stands twice,
 * so there are no loops. */
struct map_graph {
	uint32_t n;                 /* nodes, numbered from 0 */
	size_t m;                   /* how many edges */
	const uint32_t (*edges)[2]; /* [m]: the two nodes of each edge */
	/* [n]: the kind of node that each needs (overlay_graph.h); NULL: all need kind 0 */
	const uint32_t *kind;
};

/* An undirected graph in compressed form. The neighbours of node v are to[first[v]] …
 * to[first[v + 1] - 1]. */
struct map_adj {
	uint32_t n;
	const size_t *first; /* [n + 1]: where the neighbours of each node begin in `to` */
	const uint32_t *to;
};

enum { MAP_FAR = UINT32_MAX }; /* the distance of a node that was not reached */

static inline uint32_t map_degree(const struct map_adj *g, uint32_t v)
{
	return (uint32_t)(g->first[v + 1] - g->first[v]);
}

/* Builds the compressed form *g of a graph in `arena`, in linear time. NFART_USAGE: the edges are
 * not as struct map_graph says. NFART_SYSTEM: out of memory. */
enum nfart_status map_adj_build(const struct map_graph *in, struct arena *arena,
				struct map_adj *g);

/* Searches breadth first from node `from`, up to distance `radius`. dist [n] must be MAP_FAR
 * everywhere and receives the distances. queue [n] receives the nodes that were reached, nearest
 * first. Returns how many were reached. */
uint32_t map_bfs(const struct map_adj *g, uint32_t from, uint32_t radius, uint32_t *dist,
		 uint32_t *queue);

#endif
