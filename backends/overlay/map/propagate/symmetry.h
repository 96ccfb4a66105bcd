/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * symmetry.h: finds which other placements are refuted by symmetry when one placement is refuted.
 * T 5.3 has a first case of this.
 *
 * Note [refuted by symmetry]. One state is fixed in one clique without loss. Let P be decisions
 * "state s is in clique c" under which v in c has been proved impossible. Let g be an automorphism
 * of the overlay that leaves the fixed clique and the cliques of P where they are, and h one of the
 * NFA that leaves the fixed state and the states of P where they are. Then h and g turn every
 * mapping with h(v) in g(c) under P into one with v in c under P: h(v) in g(c) is impossible too.
 * Nothing is assumed about the order of decisions. What was taken from domains under P before does
 * not matter, because it was impossible, too.
 *
 * Of the overlay, all automorphisms that leave the fixed clique are used, or only some of them if
 * there are many. Of the NFA, the exchanges of two twins (states with, apart from each other, the
 * same neighbours) and the exchanges of two equal components are used.
 */
#ifndef NFACC_MAP_SYMMETRY_H
#define NFACC_MAP_SYMMETRY_H

#include "backends/overlay/map/task.h"

struct symmetry {
	uint32_t ncliques, nautos;
	/* [nautos * K]: the image of each clique; automorphism 0 is the identity */
	uint32_t *autos;
	/* [nautos]: depth of the first decision whose clique the automorphism moves */
	uint32_t *moved_at;
	uint32_t *next_twin; /* [n]: the next state in a ring of twins (equal.h) */
	uint32_t *component; /* [n]: the component of each state */
	/* [n]: place of the state in its component; images in equal
	 * components have the same role */
	uint32_t *role;
	uint32_t *member;     /* [n]: the states, component by component, each by role */
	uint32_t *begin;      /* [components + 1]: where each component begins in `member` */
	uint32_t *next_equal; /* [components]: the next one in a ring of equal components */
	/* [components]: how many states of each component decisions have placed */
	uint32_t *touched;
	bool *decided; /* [n]: has a decision placed the state? */
};

/* Fills a zeroed *s for a search in which `state` is fixed in `clique`; its arrays are in
 * `arena`. NFART_SYSTEM: out of memory. NFART_INTERNAL: igraph failed. About linear, apart
 * from what igraph does. */
enum nfart_status symmetry_init(struct symmetry *s, const struct map_task *task, uint32_t state,
				uint32_t clique, struct arena *arena);

/* symmetry_decide() notes that the decision at `depth` placed v in c. symmetry_take_back() forgets
 * the last decision, which is the one at `depth` and placed v. */
void symmetry_decide(struct symmetry *s, uint32_t v, uint32_t c, uint32_t depth);
void symmetry_take_back(struct symmetry *s, uint32_t v, uint32_t depth);

/* Calls visit(context, h(v), g(c)) for all known h and g that leave the decisions
 * unchanged (Note [refuted by symmetry]); v in c is one of them. False: a visit returned
 * false, which ends the calls. */
bool symmetry_images(const struct symmetry *s, uint32_t v, uint32_t c,
		     bool (*visit)(void *context, uint32_t v, uint32_t c), void *context);

#endif
