/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * matching.h: do domains leave room for all states at once, edges aside?
 *
 * Keeps an assignment of states to cliques of their domains, at most C to each: a witness. When
 * domains have shrunk it is repaired along augmenting paths; where that fails there is no such
 * assignment. When domains grow again it is still one, so that nothing has to be undone.
 */
#ifndef NFACC_MAP_MATCHING_H
#define NFACC_MAP_MATCHING_H

#include "compiler/map/domain.h"

struct matching {
	const struct domains *d;
	uint32_t capacity;      /* of a clique; no more than there are states */
	uint32_t *clique;       /* [n], or MATCHING_NONE */
	uint32_t *place;        /* [n]: index in members */
	uint32_t *load;         /* [K] */
	uint32_t *members;      /* [K * capacity]: the states in each clique */
	uint64_t *seen;         /* scratch set of cliques */
	uint32_t *queue, *from; /* [K]: cliques in turn; the state that would move to each */
};

enum { MATCHING_NONE = UINT32_MAX };

/* Empty, over d; arrays are in `arena`. False: out of memory. */
bool matching_init(struct matching *m, const struct domains *d, struct arena *arena);

/* Gives all `n` states a clique. MATCHING_NONE, or a state for which there is none. Linear where
 * nothing changed; K * C * words more for every state to be repaired. */
uint32_t matching_repair(struct matching *m, const uint32_t *states, uint32_t n);

#endif
