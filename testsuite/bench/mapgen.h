/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * mapgen.h: random instances of the mapping problem, for benchmarks. The families are those of the
 * prototype's generator; the random numbers are others, so an instance is not the same one.
 */
#ifndef NFACC_TESTSUITE_MAPGEN_H
#define NFACC_TESTSUITE_MAPGEN_H

#include "backends/overlay/map/map_view.h"
#include "support/vec.h"

struct instance {
	struct overlay o; /* C, L, R, N */
	uint32_t n;
	VEC(struct { uint32_t at[2]; }) edges;
	uint32_t *home; /* [n]: the cliques of mapgen_overlay(), until it is finished; or NULL */
	uint64_t random;
};

enum mapgen_extra {
	MAPGEN_PLAIN,
	MAPGEN_NEAR, /* an edge between states two cliques apart */
	MAPGEN_LONG, /* an edge between states as far apart as can be */
	MAPGEN_HUB,  /* a state with |N[c]| * C others next to it: one too many */
	MAPGEN_FULL  /* states without edges, up to K * C + 1: one too many */
};

/* A zeroed *in gets overlay (C, L, R, N) and a state of random numbers. */
void mapgen_begin(struct instance *in, uint32_t c, uint32_t l, uint32_t r, uint32_t n,
		  uint64_t seed);
/* The graph of overlay (CN, L, R, N), without the share `drop` (of 100) of its edges: it fits,
 * where CN <= C. Figure 34 of the thesis is C = 10, L = n / 10, CN = 7, drop = 30. Where `keep` is
 * not 0, so many of its states remain, chosen at random. */
void mapgen_overlay(struct instance *in, uint32_t cn, uint32_t drop, uint32_t keep);
/* Adds `count` hubs of `leaves` leaves each. */
void mapgen_hubs(struct instance *in, uint32_t count, uint32_t leaves);
/* Adds random trees of `least` … `most` states until there are n states. */
void mapgen_trees(struct instance *in, uint32_t least, uint32_t most, uint32_t n);
/* Adds `count` chains of `length` states, with skips of at most `reach`: like automata of regexes. */
void mapgen_chains(struct instance *in, uint32_t length, uint32_t count, uint32_t reach);
/* Adds the extra, shuffles the states and sorts the edges. */
void mapgen_finish(struct instance *in, enum mapgen_extra extra);
void mapgen_free(struct instance *in);

static inline struct map_graph mapgen_graph(const struct instance *in)
{
	return (struct map_graph){ .n = in->n, .m = in->edges.n,
				   .edges = (const uint32_t (*)[2])(const void *)in->edges.at };
}

#endif
