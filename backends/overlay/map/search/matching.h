/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * matching.h: do domains leave room for all states at once, edges aside?
 *
 * It keeps one assignment of states to cliques of their domains in which no clique has more states of a
 * kind than it has room for. When domains shrink, the assignment is repaired along augmenting paths; if
 * that fails, there is no such assignment. When domains grow again the assignment remains valid, so that
 * there is nothing to undo.
 */
#ifndef NFACC_MAP_MATCHING_H
#define NFACC_MAP_MATCHING_H

#include "backends/overlay/map/search/domain.h"

struct matching {
	struct domains *d;
	uint32_t *room;         /* [kinds]: of a clique; no more than there are states */
	size_t *base;           /* [kinds]: where the kind's part of members begins */
	uint32_t *clique;       /* [n], or MATCHING_NONE */
	uint32_t *place;        /* [n]: index in members */
	uint32_t *load;         /* [kinds * K] */
	uint32_t *members;      /* the states of each kind in each clique */
	uint64_t *seen;         /* scratch set of cliques */
	uint32_t *queue, *from; /* [K]: cliques in turn; the state that would move to each */
};

enum { MATCHING_NONE = UINT32_MAX };

/* Empty, over d; arrays are in `arena`. False: out of memory. */
bool matching_init(struct matching *m, struct domains *d, struct arena *arena);

/* Gives every state a clique. Returns MATCHING_NONE, or a state for which there is no clique. Linear in
 * the states whose domains shrank, plus K * C * words for every state that has to move. */
uint32_t matching_repair(struct matching *m);

/* Has the clique room for one more of the kind? */
bool matching_has_room(const struct matching *m, uint32_t kind, uint32_t c);

/* Takes all but a set of cliques, c included, from the domains of the kind's states in c. False: no
 * memory. */
bool matching_keep(struct matching *m, uint32_t kind, uint32_t c, const uint64_t *set);

#endif
