/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * know.h: what the tap knows of a system whose rules an image keeps (contract/image/kept.h). A
 * *belief* is the set of the states in which the system can be, after the messages of a line. It is
 * never empty. Beliefs are found when they are first asked for, and remembered. If there are more
 * than KNOW_MOST, or they take more than KNOW_BYTES, a further one is replaced by belief 0, of all
 * states: so a message that can't be explained may go unnoticed, but nothing is held to be one that
 * is none.
 *
 * The states are those that the image lists; or the system is composed of parts (kept.h, Note
 * [composed systems]), and a belief is a set of ksets.h.
 */
#ifndef NFART_KNOW_H
#define NFART_KNOW_H

#include "contract/image/ksets.h"
#include "support/hash.h"
#include "support/vec.h"

enum { KNOW_MOST = 1 << 16, KNOW_BYTES = 1 << 26, KNOW_ALL = 0 };

/* A set of states: `n` numbers of states, rising, in `data`; or KNOW_DENSE, the halves of the words
 * of a bit set, where that is shorter. */
struct know_set {
	uint64_t hash;
	size_t at;
	uint32_t n;
};

#define KNOW_DENSE UINT32_MAX

struct know {
	const struct kept *kept; /* borrowed */
	uint64_t seen;           /* bit set: the events that are seen */
	uint32_t without;        /* the rule by which no node moves; KEPT_NONE: there is none */
	uint32_t n;              /* beliefs */
	size_t words;            /* of a set of states */
	VEC(struct know_set) sets; /* [n] */
	VEC(uint32_t) data;      /* what `sets` have */
	VEC(uint32_t) next;      /* [n][events]: KNOW_UNKNOWN until it is asked for */
	struct hash_ids hash;    /* finds beliefs */
	uint64_t *after;         /* [words]: the set that is being made */
	uint64_t *shown;         /* [words]: for know_states() */
	uint32_t *stack;         /* [states] */
	uint64_t *sum;           /* [words]: for know_sum() */
	/* Of a composed system, in place of `sets`, `data` and what follows `hash`. */
	struct ksets *composed;  /* that of the first, if several share it */
	struct know *family, *sibling; /* those that share it: the first, and the one after this */
	uint32_t silent;         /* the moves that are not seen, as for ksets_close() */
	VEC(uint32_t) roots;     /* [n]: the set of each belief, and that of know_sum() */
	bool full;               /* a set was replaced by that of all states */
	bool failed;             /* out of memory */
};

/* Makes an empty one. False: out of memory. Call know_free() in either case. */
bool know_init(struct know *k, const struct kept *kept, uint64_t seen, uint32_t without);
void know_free(struct know *k);

/* Makes one for the same description and events, which has its sets in *first if they are composed.
 * `first` was made by know_init(), is freed later, and stays where it is, as does k. */
bool know_share(struct know *k, struct know *first, uint32_t without);

/* Returns the states of a belief as a bit set of k->words words, which is valid until the next call
 * with the same k. The system is not composed; neither is it for know_find(). */
const uint64_t *know_states(const struct know *k, uint32_t belief);

/* Returns the belief at the start of the system. */
uint32_t know_start(struct know *k);

/* Returns the belief after an event, which is seen; KEPT_NONE: no state of the belief allows it.
 * The cost is linear in the moves of the system the first time, then constant. */
uint32_t know_after(struct know *k, uint32_t belief, uint32_t event);

/* Returns the belief of `k` after an event that came in a belief of `other`, which is of the same
 * description, and shares the sets: the event may come by all rules of `other`, the silent moves
 * after it by those of `k`. */
uint32_t know_after_other(struct know *k, const struct know *other, uint32_t belief,
			  uint32_t event);

/* Returns the belief of `k` in which the states are those of a belief of `other`, and what silent
 * moves of `k` lead to. `other` is as for know_after_other(). */
uint32_t know_like(struct know *k, const struct know *other, uint32_t belief);

/* Add up beliefs: begin without states, add those of a belief, and return the belief of what is
 * there, or KEPT_NONE if that is nothing. */
void know_sum_begin(struct know *k);
void know_sum_add(struct know *k, uint32_t belief);
uint32_t know_sum(struct know *k);

/* Returns the belief of all states in a set, and those that silent moves lead to. */
uint32_t know_find(struct know *k, const uint64_t *states);

/* Forgets the sets of a composed system that are no beliefs. */
void know_collect(struct know *k);

/* What is asked of a belief (know_ask.c). The cost is linear in the set, times the moves. If the
 * system is composed, a question can reach a limit of ksets.h: the answer is then yes, and
 * know_stopped() tells until the next question. */

/* May an event come in any of its states? If so *rule is the first rule by which it does, or
 * KEPT_NONE. */
bool know_allows(struct know *k, uint32_t belief, uint32_t event, uint32_t *rule);

/* Returns the values that a variable has in its states, as a bit set. */
uint32_t know_values(struct know *k, uint32_t belief, uint32_t var);

/* Do n tests hold together in any of its states? */
bool know_possible(struct know *k, uint32_t belief, const struct kept_test *tests, uint32_t n);

/* Did the last question, or step, reach a limit? */
static inline bool know_stopped(const struct know *k)
{
	return k->composed != NULL && ksets_stop(k->composed);
}

#endif
