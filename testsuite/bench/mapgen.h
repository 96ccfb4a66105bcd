/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * mapgen.h: makes random instances of the mapping problem, for benchmarks. The families of
 * graphs are parts of an overlay, hubs, regular graphs, trees and chains.
 */
#ifndef NFACC_TESTSUITE_MAPGEN_H
#define NFACC_TESTSUITE_MAPGEN_H

#include "backends/overlay/map/map_view.h"
#include "support/vec.h"

struct instance {
	struct overlay o; /* the overlay's C, L, R, N */
	uint32_t n;
	VEC(struct { uint32_t at[2]; }) edges;
	/* [n]: the clique from which mapgen_overlay() made each state. Valid until mapgen_finish().
	 * NULL: the graph was made otherwise. */
	uint32_t *home;
	uint64_t random;
};

enum mapgen_extra {
	MAPGEN_PLAIN,
	MAPGEN_NEAR, /* one more edge, between two states whose cliques are two apart */
	MAPGEN_LONG, /* one more edge, between two states that are as far apart as possible */
	MAPGEN_HUB,  /* more edges of one state, until it has one neighbour more than fit */
	MAPGEN_FULL  /* more states without edges, until there is one more state than STEs */
};

/* Gives a zeroed *in the overlay (C, L, R, N) and the seed of its random numbers. */
void mapgen_begin(struct instance *in, uint32_t c, uint32_t l, uint32_t r, uint32_t n,
		  uint64_t seed);
/* Makes the graph of the overlay (CN, L, R, N), without `drop` per cent of its edges. The graph
 * fits the overlay (C, L, R, N) if CN <= C. In figure 34 of the thesis C = 10, L = n / 10, CN = 7,
 * and drop = 30. If `keep` is not 0, only `keep` states remain, chosen at random. */
void mapgen_overlay(struct instance *in, uint32_t cn, uint32_t drop, uint32_t keep);
/* Adds `count` hubs of `leaves` leaves each. */
void mapgen_hubs(struct instance *in, uint32_t count, uint32_t leaves);
/* Makes a random graph of n states in which each has `degree` neighbours; n * degree is even and
 * degree much smaller than n. */
void mapgen_regular(struct instance *in, uint32_t n, uint32_t degree);
/* Returns a random number from `least` to `most`. */
uint32_t mapgen_between(struct instance *in, uint32_t least, uint32_t most);
/* Adds random trees of `least` … `most` states until there are n states. */
void mapgen_trees(struct instance *in, uint32_t least, uint32_t most, uint32_t n);
/* Adds `count` chains of `length` states. A chain may skip up to `reach` states, as automata of
 * regular expressions do. */
void mapgen_chains(struct instance *in, uint32_t length, uint32_t count, uint32_t reach);
/* Adds the edge or the states of `extra`, shuffles the states and sorts the edges. */
void mapgen_finish(struct instance *in, enum mapgen_extra extra);
void mapgen_free(struct instance *in);

static inline struct map_graph mapgen_graph(const struct instance *in)
{
	return (struct map_graph){ .n = in->n, .m = in->edges.n,
				   .edges = (const uint32_t (*)[2])(const void *)in->edges.at };
}

#endif
