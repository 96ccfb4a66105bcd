/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * draw.h: draws overlays and graphs to be mapped onto them, reproducibly.
 */
#ifndef NFACC_TESTSUITE_MAP_DRAW_H
#define NFACC_TESTSUITE_MAP_DRAW_H

#include "backends/overlay/map/map.h"

/* DRAW_SMALL: STEs of the overlays of draw_any(), so that SAT solvers refute pigeonholes too. */
enum { DRAW_SMALL = 12, DRAW_STATES = 4200, DRAW_EDGES = 200000, DRAW_TABLE = 65536 };

struct drawn {
	uint64_t seed; /* not 0 */
	uint32_t shape[4]; /* C, L, R, N */
	struct map_overlay overlay;
	struct map_graph graph;
	uint32_t edges[DRAW_EDGES][2], kind[DRAW_STATES], table[DRAW_TABLE], more_room[1];
	const char *family;
};

uint32_t draw_below(struct drawn *d, uint32_t n);

/* The overlay (C, L, R, N), one kind, and a graph without states. */
void draw_overlay(struct drawn *d, uint32_t c, uint32_t l, uint32_t r, uint32_t n);

/* States, then edges between them; loops and repetitions are left out. */
void draw_states(struct drawn *d, uint32_t n);
void draw_edge(struct drawn *d, uint32_t u, uint32_t v);

/* The graph of the overlay with `full` states in each clique, `percent` of its edges left out:
 * fits where full <= C. */
void draw_part_of_overlay(struct drawn *d, uint32_t full, uint32_t percent);

/* A tree of n more states; fan-out limited by `reach`: 1 is a chain. */
void draw_tree(struct drawn *d, uint32_t n, uint32_t reach);

/* Numbers states at random. */
void draw_shuffle(struct drawn *d);

/* A small overlay and graph of any family. */
void draw_any(struct drawn *d);

#endif
