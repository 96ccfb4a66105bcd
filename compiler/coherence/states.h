/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * states.h: the states of a system as a checker that finds beliefs (beliefs.h) only when they come
 * up needs them.
 *
 * Note [states instead of beliefs]. A machine with `orders` keeps a set of its states, and accepts
 * when none is left (nfacc-filter(5), Machines). So if its states are those of the system, the set
 * is a belief. It is found while the machine runs: no two of the many beliefs are compared, and
 * none is listed.
 *
 * Two things make the machine small. Silent moves are left out: a state has the events that can
 * come after any silent moves, and only what an event leads to is a state. And states that can do
 * the same are one (bisimulation; Kanellakis and Smolka 1990): which sets are empty does not
 * depend on it.
 */
#ifndef NFACC_COMPILER_STATES_H
#define NFACC_COMPILER_STATES_H

#include "compiler/coherence/system.h"
#include "support/buf.h"

/* A move: an event, and the class that it leads to. They are ordered by event, then class. */
struct states_move {
	uint32_t event, to;
};

/* Classes of states. */
struct coh_states {
	uint32_t n;
	VEC(uint32_t) first;            /* [n + 1]: the first move of each class */
	VEC(struct states_move) moves;
	VEC(struct states_move) begin;  /* the moves if nothing is known */
	bool too_long;                  /* states_find() reached the limit of work */
};

/* How classes are found. */
struct states_options {
	uint32_t most; /* the most moves before states that do the same become one */
	/* The states and moves of the system that are looked at, and what is sorted; UINT64_MAX:
	 * any number. It bounds the time by a count, as in beliefs.h. */
	uint64_t work;
};

enum { COH_MOST_WEAK_MOVES = 1 << 22 };
#define COH_MOST_STEPS (UINT64_C(1) << 26)

/* Finds the classes, for a tap that sees these events. They are numbered in the order of their
 * first states. Returns NFART_OK, NFART_GAVEUP if a limit is reached, or NFART_SYSTEM. The cost is
 * the number of states that events lead to, times the silent moves of the system, and that of
 * sorting the moves, once for each step that it takes to tell two states apart. Free *x with
 * states_free() in any case. */
enum nfart_status states_find(const struct coh_system *s, uint64_t seen,
			      const struct states_options *how, struct coh_states *x);
void states_free(struct coh_states *x);

#endif
