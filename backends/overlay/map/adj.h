/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * adj.h: undirected graphs in compressed form, and distances in them.
 */
#ifndef NFACC_MAP_ADJ_H
#define NFACC_MAP_ADJ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/nfart_status.h"
#include "support/arena.h"

/* An undirected graph as the caller has it: u < v in every edge, no edge twice, no loops. */
struct map_graph {
	uint32_t n;                 /* nodes */
	size_t m;                   /* edges */
	const uint32_t (*edges)[2]; /* [m] */
	const uint32_t *kind;       /* [n]: below the overlay's kinds; NULL: all are of kind 0 */
};

/* The neighbours of node v are to[first[v]] … to[first[v + 1] - 1]. */
struct map_adj {
	uint32_t n;
	const size_t *first; /* [n + 1] */
	const uint32_t *to;
};

enum { MAP_FAR = UINT32_MAX }; /* a distance: not reached */

static inline uint32_t map_degree(const struct map_adj *g, uint32_t v)
{
	return (uint32_t)(g->first[v + 1] - g->first[v]);
}

/* Builds the compressed form in `arena`, in linear time. NFART_USAGE where the edges are not what
 * struct map_graph says; NFART_SYSTEM. */
enum nfart_status map_adj_build(const struct map_graph *in, struct arena *arena,
				struct map_adj *g);

/* Breadth first from `from`, no further than `radius`. dist [n] must be all MAP_FAR and receives
 * distances; queue [n] receives the nodes reached, nearest first. How many were reached. */
uint32_t map_bfs(const struct map_adj *g, uint32_t from, uint32_t radius, uint32_t *dist,
		 uint32_t *queue);

#endif
