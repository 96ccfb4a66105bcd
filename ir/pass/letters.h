/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * letters.h: a small automaton as a finite table, which decides exactly whether a changed automaton means
 * the same.
 *
 * A letter is everything that the predicates can see of a batch: which of them hold. Only combinations
 * that some batch produces are letters. The table has the sets of states that are active together, and
 * the set that follows each of them on each letter. Sets of states are 64-bit masks, so there are at most
 * 64 states; letters, sets and labels are bounded too.
 */
#ifndef NFACC_IR_LETTERS_H
#define NFACC_IR_LETTERS_H

#include "ir/dense/dense.h"

enum { LETTERS_STATES = 64, LETTERS_MOST = 256, LETTERS_SETS = 512, LETTERS_PAIRS = 2048 };

struct letters {
	uint32_t n;                /* letters */
	uint64_t (*holds)[LETTERS_MOST / 64]; /* [LETTERS_STATES]: the letters on which the predicate
					       * of a state of the first automaton holds */
	uint32_t nsets;
	uint64_t *set;             /* [LETTERS_SETS]: what is active; set 0: before the first batch */
	uint64_t *says;            /* [LETTERS_SETS]: what is output then; bit 63: log */
	uint32_t *next;            /* [LETTERS_SETS * LETTERS_MOST] */
	uint32_t npairs;           /* of the last letters_same() that said yes: pair i is the number
				    * seen[2 * i] of a set and the candidate's set seen[2 * i + 1] */
	uint64_t *seen;
	uint32_t *table;           /* scratch: hash of them */
};

/* The automaton to compare: what is not in `d` itself. */
struct candidate {
	struct dense d;            /* one word a row */
	uint64_t holds[LETTERS_STATES][LETTERS_MOST / 64];
};

/* NFART_OK; NFART_GAVEUP: too large (counters are too: what they do is not known here); NFART_SYSTEM.
 * letters_free() in any case. *work falls by the steps taken, here and below; NFART_GAVEUP at 0. */
enum nfart_status letters_make(struct letters *l, const struct dense *d, uint64_t *work);
void letters_free(struct letters *l);

/* Does the candidate output the same on every stream? False also if the bounds leave that undecided.
 * Nothing is allocated. */
bool letters_same(struct letters *l, const struct candidate *c, uint64_t *work);

/* The states that a batch could enter when `active` are. */
uint64_t letters_enabled(const struct dense *d, uint64_t active, bool begin);

/* What is output when `active` are: a bit for each label, bit 63 for the log mark. */
uint64_t letters_says(const struct dense *d, uint64_t active);

#endif
