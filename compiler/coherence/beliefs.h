/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * beliefs.h: what the tap can know of a system. A belief is the set of the states in which the
 * system can be, after the events that the tap has seen. It is never empty: an event that no state
 * of a belief allows leads to the error.
 */
#ifndef NFACC_COMPILER_BELIEFS_H
#define NFACC_COMPILER_BELIEFS_H

#include "compiler/coherence/system.h"

struct beliefs {
	uint32_t n, nevents;
	size_t words;          /* how many words a set of states takes */
	VEC(uint64_t) sets;    /* [n][words]: the states of each belief; belief 0 is the first */
	VEC(uint32_t) next;    /* [n][nevents]: the belief after an event; COH_NONE: the error */
	/* [nevents]: the belief after an event that was an error: any state that the rules allow
	 * after it, or any at all if they never allow it. Empty if a checker does not begin
	 * anew. */
	VEC(uint32_t) restart;
	uint64_t seen;         /* bit set: the events that the tap sees; others are silent moves */
};

/* How beliefs are found. */
struct beliefs_options {
	bool anew;     /* after an error a checker begins anew: `restart` is filled in */
	uint32_t most; /* the most beliefs */
	/* The words of sets and edges of the system that are looked at, where an edge counts as
	 * eight words; UINT64_MAX: any number. It bounds the time: a count, so that every machine
	 * gives up at the same place. */
	uint64_t work;
};

enum { COH_MOST_BELIEFS = 1 << 16 };
#define COH_MOST_WORK (UINT64_C(3) << 27)
#define COH_MOST_WORDS (UINT64_C(1) << 27) /* of all sets: 1 GiB, whatever the options say */

static const struct beliefs_options beliefs_usual = { true, COH_MOST_BELIEFS, COH_MOST_WORK };

/* Finds all beliefs of a system (T eq. 21 to 23). The first one holds all states, unless `known`,
 * in which case it holds those that the system can be in before the first event. Beliefs are
 * numbered breadth first, events in order, so the same description gives the same numbers. Returns
 * NFART_OK, NFART_GAVEUP if a limit is reached (b->n says with how many), or NFART_SYSTEM. The cost
 * is the number of beliefs, times the number of events, times the edges of the system. Free *b with
 * beliefs_free() in any case. */
enum nfart_status beliefs_find(const struct coh_system *s, uint32_t nevents, uint64_t seen,
			       bool known, const struct beliefs_options *how,
			       struct beliefs *b);
void beliefs_free(struct beliefs *b);

static inline const uint64_t *belief_states(const struct beliefs *b, uint32_t belief)
{
	return b->sets.at + belief * b->words;
}

static inline uint32_t belief_after(const struct beliefs *b, uint32_t belief, uint32_t event)
{
	return b->next.at[(size_t)belief * b->nevents + event];
}

/* Does belief x contain all states of belief y? */
bool belief_contains(const struct beliefs *b, uint32_t x, uint32_t y);

#endif
