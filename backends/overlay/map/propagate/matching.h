/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * matching.h: do the domains leave room for all states at once, if edges are ignored?
 *
 * It keeps one assignment of states to cliques of their domains in which no clique has more states
 * of a kind than it has room for. When domains shrink, the assignment is repaired along augmenting
 * paths; if that fails, there is no such assignment. When domains grow again, the assignment
 * remains valid, so there is nothing to undo.
 */
#ifndef NFACC_MAP_MATCHING_H
#define NFACC_MAP_MATCHING_H

#include "backends/overlay/map/propagate/domain.h"

struct matching {
	struct domains *d;
	uint32_t *room;    /* [kinds]: room in a clique, or the number of states if that is less */
	size_t *base;      /* [kinds]: where the part of each kind begins in `members` */
	uint32_t *clique;  /* [n]: the clique of each state, or MATCHING_NONE */
	uint32_t *place;   /* [n]: the place of each state among those of its clique */
	uint32_t *load;    /* [kinds * K]: how many states of each kind are in each clique */
	uint32_t *members; /* the states of each kind in each clique */
	uint64_t *seen;    /* cliques that the current search has seen */
	/* [K]: cliques to search, in turn; the state that would move to each */
	uint32_t *queue, *from;
};

enum { MATCHING_NONE = UINT32_MAX };

/* Makes *m an empty assignment for the domains d; its arrays are in
 * `arena`. False: out of memory. */
bool matching_init(struct matching *m, struct domains *d, struct arena *arena);

/* Completes the assignment: gives every state a clique of its domain. Returns MATCHING_NONE, or a
 * state for which there is no clique. Linear in the states whose domains shrank, plus K * C * words
 * for every state that has to move. */
uint32_t matching_repair(struct matching *m);

/* Has clique c room for one more state of the kind? */
bool matching_has_room(const struct matching *m, uint32_t kind, uint32_t c);

/* Takes from the domains of the states of one kind in clique c every clique that is not in `set`.
 * The set must have c. False: out of memory. */
bool matching_keep(struct matching *m, uint32_t kind, uint32_t c, const uint64_t *set);

#endif
