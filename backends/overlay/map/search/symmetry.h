/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * symmetry.h: when a placement is refuted, which other placements are refuted too (T 5.3 has a first case
 * of it).
 *
 * Note [refuted by symmetry]. One state is fixed in one clique without loss. Let P be decisions
 * "state s is in clique c" under which v in c has been proved impossible. Let g be an automorphism
 * of the overlay that leaves the fixed clique and the cliques of P where they are, and h one of the
 * NFA that leaves the fixed state and the states of P where they are. Then h and g turn every
 * mapping with h(v) in g(c) under P into one with v in c under P: h(v) in g(c) is impossible too.
 * Nothing is assumed about the order of decisions, and what was taken from domains under P before
 * does not matter, because it was impossible as well.
 *
 * Overlay: all automorphisms that leave the fixed clique, or some of them where they are many. NFA:
 * exchanges of two twins (the same neighbours, themselves aside) and of two equal components.
 */
#ifndef NFACC_MAP_SYMMETRY_H
#define NFACC_MAP_SYMMETRY_H

#include "backends/overlay/map/task.h"

struct symmetry {
	uint32_t ncliques, nautos;
	uint32_t *autos;      /* [nautos * K]; number 0 is the identity */
	uint32_t *moved_at;   /* [nautos]: depth of the first decision whose clique it moves */
	uint32_t *next_twin;  /* [n]: a ring of twins of the same kind */
	uint32_t *component;  /* [n] */
	uint32_t *role;       /* [n]: equal components have their states in the same roles */
	uint32_t *member;     /* [n]: the states of each component by role */
	uint32_t *begin;      /* [components + 1]: in member */
	uint32_t *next_equal; /* [components]: a ring of equal components */
	uint32_t *touched;    /* [components]: decided states in each */
	bool *decided;        /* [n] */
};

/* Fills a zeroed *s with arrays in `arena`. NFART_SYSTEM; NFART_INTERNAL. About linear but for what
 * bliss does. */
enum nfart_status symmetry_init(struct symmetry *s, const struct map_task *task, uint32_t state,
				uint32_t clique, struct arena *arena);

/* v is in c by the decision at `depth`; the last one, at `depth`, is taken back. */
void symmetry_decide(struct symmetry *s, uint32_t v, uint32_t c, uint32_t depth);
void symmetry_take_back(struct symmetry *s, uint32_t v, uint32_t depth);

/* Calls visit(context, h(v), g(c)) for all h and g that leave the decisions unchanged. Stops, and returns
 * false, when visit returns false. */
bool symmetry_images(const struct symmetry *s, uint32_t v, uint32_t c,
		     bool (*visit)(void *context, uint32_t v, uint32_t c), void *context);

#endif
