/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * dense.h: a homogeneous NFA as bit matrices, for passes that compare all pairs of its states.
 *
 * Start bits become a set, `first`: the states that the first batch can enter. Start bits that give the
 * same set mean the same, because what a state accepts at the empty prefix is never output. dense_store()
 * chooses start bits again: a state may have one if all its successors are in the set. If some states of
 * the set are entered by no such state, they get one start state without predicate. That state does not
 * exist in this form.
 *
 * An always state can be entered by every batch: in this form every state is its predecessor, as is
 * the beginning; these transitions are not in the matrices.
 */
#ifndef NFACC_IR_DENSE_H
#define NFACC_IR_DENSE_H

#include "ir/nfa.h"

struct dense {
	struct nfa *a;         /* borrowed: predicates and label sets */
	uint32_t n;            /* states, dead ones included */
	size_t words;          /* of a row */
	struct nfa_state *q;   /* [n]; start and always bits are void */
	uint64_t *out, *in;    /* [n * words]: successors and predecessors; none into always states */
	uint64_t *first;       /* [words]: entered by the first batch; no always states */
	uint64_t *always;      /* [words] */
	uint64_t *alive;       /* [words]: the others have no bit in any row or set */
	uint64_t *implies;     /* [n * words]: row s, the states whose predicate holds where that of s
				* does; a counter has itself alone */
};

static inline uint64_t *dense_row(const struct dense *d, uint64_t *matrix, size_t s)
{
	return matrix + s * d->words;
}

/* From a homogeneous NFA, which is left as it is and must live on. False: out of memory; free in any
 * case. n^2 bits, and as many comparisons as there are pairs of distinct predicates. */
bool dense_make(struct dense *d, struct nfa *a);
bool dense_copy(struct dense *to, const struct dense *from);
void dense_free(struct dense *d);

/* Replaces the states and transitions of d->a. False: out of memory. */
bool dense_store(const struct dense *d);

/* Works out d->implies for one state whose predicate was changed. */
void dense_new_pred(struct dense *d, uint32_t s);

void dense_connect(struct dense *d, uint32_t from, uint32_t to);
void dense_cut(struct dense *d, uint32_t from, uint32_t to);

/* Folds `from` into s, and kills `from`. Successors, predecessors, first and always bits of the two are
 * united; labels, log and predicate remain those of s. */
void dense_fold(struct dense *d, uint32_t s, uint32_t from);

/* Makes s an always state. */
void dense_set_always(struct dense *d, uint32_t s);

/* Kills every state that is never entered, or that leads to no label, port or log. Counters live. */
bool dense_trim(struct dense *d);

/* Are the labels (or the log mark) of x all there in y? */
bool dense_says_less(const struct dense *d, uint32_t x, uint32_t y);

/* How many states dense_store() would make, and transitions. */
uint32_t dense_states(const struct dense *d);
uint32_t dense_edges(const struct dense *d);

#endif
