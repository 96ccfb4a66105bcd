/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * letters.h: a small automaton as a finite table, which decides exactly whether a changed automaton
 * means the same.
 *
 * A letter is everything that the predicates can see of a batch: which of them hold. Only
 * combinations that some batch produces are letters. The table has the sets of states that are
 * active together, and the set that follows each of them on each letter. Sets of states are 64-bit
 * masks, so there are at most 64 states; letters, sets and labels are bounded too.
 */
#ifndef NFACC_IR_LETTERS_H
#define NFACC_IR_LETTERS_H

#include "ir/dense/dense.h"

enum { LETTERS_STATES = 64, LETTERS_MOST = 256, LETTERS_SETS = 512, LETTERS_PAIRS = 2048 };

struct letters {
	uint32_t n;                /* how many letters there are */
	/* [LETTERS_STATES]: by state of the first automaton, the letters on which its predicate
	 * holds */
	uint64_t (*holds)[LETTERS_MOST / 64];
	uint32_t nsets;
	/* [LETTERS_SETS]: the sets of states that can be active together; set 0 is empty and stands
	 * for the time before the first batch */
	uint64_t *set;
	uint64_t *says;            /* [LETTERS_SETS]: letters_says() of each set */
	/* [LETTERS_SETS * LETTERS_MOST]: the set that follows a set on a letter */
	uint32_t *next;
	/* The pairs that the last letters_same() saw, if it said yes: set number seen[2 * i] of the
	 * first automaton was active together with the candidate's states seen[2 * i + 1]. */
	uint32_t npairs;
	uint64_t *seen;
	uint32_t *table;           /* scratch space: hash table of the pairs */
};

/* A changed automaton that is to be compared: its matrices, and by state the letters on which its
 * predicate holds. */
struct candidate {
	struct dense d;            /* the matrices; each row is one word */
	uint64_t holds[LETTERS_STATES][LETTERS_MOST / 64];
};

/* Makes the table of d, the first automaton. NFART_GAVEUP: d is too large, or has counters, which
 * the table can't express. NFART_SYSTEM: out of memory. letters_free() must be called in any case.
 * Here and below *work falls by the steps taken; at 0 the function gives up. */
enum nfart_status letters_make(struct letters *l, const struct dense *d, uint64_t *work);
void letters_free(struct letters *l);

/* Does the candidate output the same as the first automaton on every stream? False also if the
 * bounds leave that undecided. Allocates nothing. */
bool letters_same(struct letters *l, const struct candidate *c, uint64_t *work);

/* The states that a batch could enter if the states `active` are active before it. `begin`: it is
 * the first batch. */
uint64_t letters_enabled(const struct dense *d, uint64_t active, bool begin);

/* What is output while the states `active` are: a bit for each label, bit 63 for the log mark. */
uint64_t letters_says(const struct dense *d, uint64_t active);

#endif
