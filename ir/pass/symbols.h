/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * symbols.h: a small automaton as a finite table, which decides exactly whether a changed automaton
 * means the same.
 *
 * A symbol is everything that the predicates can see of a batch: which of them hold. Only
 * combinations that some batch produces are symbols. The table has the sets of states that are
 * active together, and the set that follows each of them on each symbol. Sets of states are 64-bit
 * masks, so there are at most 64 states; symbols, sets and labels are bounded too.
 */
#ifndef NFACC_IR_SYMBOLS_H
#define NFACC_IR_SYMBOLS_H

#include "ir/dense/dense.h"

enum { SYMBOLS_STATES = 64, SYMBOLS_MOST = 256, SYMBOLS_SETS = 512, SYMBOLS_PAIRS = 2048 };

struct symbols {
	uint32_t n;                /* how many symbols there are */
	/* [SYMBOLS_STATES]: by state of the first automaton, the symbols on which its predicate
	 * holds */
	uint64_t (*holds)[SYMBOLS_MOST / 64];
	uint32_t nsets;
	/* [SYMBOLS_SETS]: the sets of states that can be active together; set 0 is empty and stands
	 * for the time before the first batch */
	uint64_t *set;
	uint64_t *says;            /* [SYMBOLS_SETS]: symbols_says() of each set */
	/* [SYMBOLS_SETS * SYMBOLS_MOST]: the set that follows a set on a symbol */
	uint32_t *next;
	/* The pairs that the last symbols_same() saw, if it said yes: set number seen[2 * i] of the
	 * first automaton was active together with the candidate's states seen[2 * i + 1]. */
	uint32_t npairs;
	uint64_t *seen;
	uint32_t *table;           /* scratch space: hash table of the pairs */
};

/* A changed automaton that is to be compared: its matrices, and by state the symbols on which its
 * predicate holds. */
struct candidate {
	struct dense d;            /* the matrices; each row is one word */
	uint64_t holds[SYMBOLS_STATES][SYMBOLS_MOST / 64];
};

/* Makes the table of d, the first automaton. NFART_GAVEUP: d is too large, or has counters, which
 * the table can't express. NFART_SYSTEM: out of memory. symbols_free() must be called in any case.
 * Here and below *work falls by the steps taken; at 0 the function gives up. */
enum nfart_status symbols_make(struct symbols *l, const struct dense *d, uint64_t *work);
void symbols_free(struct symbols *l);

/* Does the candidate output the same as the first automaton on every stream? False also if the
 * bounds leave that undecided. Allocates nothing. */
bool symbols_same(struct symbols *l, const struct candidate *c, uint64_t *work);

/* The states that a batch could enter if the states `active` are active before it. `begin`: it is
 * the first batch. */
uint64_t symbols_enabled(const struct dense *d, uint64_t active, bool begin);

/* What is output while the states `active` are: a bit for each label, bit 63 for the log mark. */
uint64_t symbols_says(const struct dense *d, uint64_t active);

#endif
