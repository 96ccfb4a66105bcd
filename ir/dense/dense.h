/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * dense.h: a homogeneous NFA as bit matrices, for passes that compare all pairs of its states.
 *
 * Start bits become a set, `first`: the states that the first batch can enter. Start bits that give
 * the same set mean the same, because what a state accepts at the empty prefix is never output.
 * dense_store() chooses start bits again: a state may have one if all its successors are in the
 * set. If some states of the set are entered by no such state, they get one start state without
 * predicate. That state does not exist in this form.
 *
 * An always state can be entered by every batch. In this form every state is its predecessor, and
 * so is the beginning. The matrices don't contain these transitions.
 */
#ifndef NFACC_IR_DENSE_H
#define NFACC_IR_DENSE_H

#include "ir/nfa.h"

struct dense {
	struct nfa *a;         /* borrowed; has the predicates and label sets */
	uint32_t n;            /* how many states there are, dead ones included */
	size_t words;          /* how many 64-bit words a row has */
	struct nfa_state *q;   /* [n]: the states; their start and always bits are not used */
	/* [n * words]: row s of `out` has the successors of s, and row s of `in` its predecessors.
	 * Transitions into always states are left out. */
	uint64_t *out, *in;
	uint64_t *first;       /* [words]: states that the first batch enters; no always states */
	uint64_t *always;      /* [words]: the always states */
	uint64_t *alive;       /* [words]: the live states; a dead state has no bit in any set */
	/* [n * words]: row s has the states whose predicate holds wherever the predicate of s
	 * holds. The row of a counter has only the counter itself. */
	uint64_t *implies;
};

static inline uint64_t *dense_row(const struct dense *d, uint64_t *matrix, size_t s)
{
	return matrix + s * d->words;
}

/* Makes *d from a homogeneous NFA, which is left as it is and must outlive *d. dense_free() must be
 * called in any case. False: out of memory. Takes n^2 bits, and n comparisons for each distinct
 * predicate. */
bool dense_make(struct dense *d, struct nfa *a);
bool dense_copy(struct dense *to, const struct dense *from);
void dense_free(struct dense *d);

/* Replaces the states and transitions of d->a by those of d. False: out of memory. */
bool dense_store(const struct dense *d);

/* Computes d->implies again for state s, whose predicate was changed. */
void dense_new_pred(struct dense *d, uint32_t s);

void dense_connect(struct dense *d, uint32_t from, uint32_t to);
void dense_cut(struct dense *d, uint32_t from, uint32_t to);

/* Folds `from` into s, and kills `from`. s gets the successors, predecessors, first and always bits
 * of both, and keeps its own labels, log mark and predicate. */
void dense_fold(struct dense *d, uint32_t s, uint32_t from);

/* Makes s an always state, and drops the transitions into it. */
void dense_set_always(struct dense *d, uint32_t s);

/* Kills every state that is never entered, or that leads to no label, port or log mark. Counters
 * are never killed. False: out of memory. */
bool dense_trim(struct dense *d);

/* Does y have all labels of x, and the log mark if x has it? */
bool dense_says_less(const struct dense *d, uint32_t x, uint32_t y);

/* How many states dense_store() would make, and how many transitions. The transitions of a start
 * state without predicate are not counted. */
uint32_t dense_states(const struct dense *d);
uint32_t dense_edges(const struct dense *d);

#endif
