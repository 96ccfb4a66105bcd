/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * draw.h: draws random overlays, and graphs to be mapped onto them. The same seed draws the same
 * overlays and graphs on every machine.
 */
#ifndef NFACC_TESTSUITE_MAP_DRAW_H
#define NFACC_TESTSUITE_MAP_DRAW_H

#include "backends/overlay/map/map.h"

/* DRAW_SMALL is the most STEs of an overlay that draw_any() draws. On larger overlays, the SAT
 * solver could not refute graphs that have one state too many. */
enum { DRAW_SMALL = 12, DRAW_STATES = 4200, DRAW_EDGES = 200000, DRAW_TABLE = 65536 };

struct drawn {
	uint64_t seed; /* the state of the random numbers; must not be 0 */
	uint32_t shape[4]; /* the overlay's C, L, R and N */
	struct map_overlay overlay;
	struct map_graph graph;
	uint32_t edges[DRAW_EDGES][2], kind[DRAW_STATES], table[DRAW_TABLE], more_room[1];
	const char *family;
};

uint32_t draw_below(struct drawn *d, uint32_t n);

/* Sets d to the overlay (C, L, R, N) and an empty graph, whose states will all be of one kind. */
void draw_overlay(struct drawn *d, uint32_t c, uint32_t l, uint32_t r, uint32_t n);

/* Adds n states to the graph. */
void draw_states(struct drawn *d, uint32_t n);

/* Adds an edge between the states u and v, unless there is one already or u is v. */
void draw_edge(struct drawn *d, uint32_t u, uint32_t v);

/* Adds `count` hubs of `leaves` leaves each. */
void draw_hubs(struct drawn *d, uint32_t count, uint32_t leaves);

/* Adds the overlay's own graph, with `full` states in each clique and without `percent` per cent of
 * its edges. The graph fits the overlay if full <= C. */
void draw_part_of_overlay(struct drawn *d, uint32_t full, uint32_t percent);

/* Adds a tree of n states. `reach` limits the fan-out: with 1 the tree is a chain. */
void draw_tree(struct drawn *d, uint32_t n, uint32_t reach);

/* Gives the states new numbers at random. */
void draw_shuffle(struct drawn *d);

/* Draws a small overlay, and a graph of a random family. */
void draw_any(struct drawn *d);

#endif
