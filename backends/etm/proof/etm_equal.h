/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * etm_equal.h: do two machines with counters (etm_side.h) have the same outputs in all cycles,
 * whatever arrives?
 *
 * There are two ways to an answer, and each can only give one of the answers. etm_prove() looks for
 * an invariant, without regard to how large counters are (etm_prove.c, Note [invariants]).
 * etm_search() looks for a shortest stream that shows a difference, cycle by cycle (etm_search.c,
 * Note [layers]); its answer is checked by executing both machines with values.
 */
#ifndef NFACC_BACKENDS_ETM_ETM_EQUAL_H
#define NFACC_BACKENDS_ETM_ETM_EQUAL_H

#include "backends/etm/proof/etm_side.h"
#include "support/vec.h"

enum etm_verdict {
	ETM_EQUAL,
	ETM_DIFFERENT,
	ETM_GAVEUP,    /* no difference in the first `cycles` cycles, and no invariant was found */
	ETM_NO_MEMORY,
	ETM_BROKEN     /* a bug: execution does not confirm the witness */
};

/* Counter `left` of the left side and `right` of the right side that must have equal values. */
struct etm_pair {
	unsigned left, right;
};

struct etm_question {
	const struct etm_side *left, *right;
	const uint32_t *letters; /* [nletters]: all that can arrive in a cycle */
	size_t nletters;
	const struct etm_pair *pairs; /* [npairs]; for machines whose outputs are their counters */
	unsigned npairs;
	uint64_t steps;               /* most elementary steps; the limit of the search */
};

/* Letters of cycles that follow each other; the run-length of one. */
struct etm_run {
	uint32_t letter;
	uint64_t cycles;
};

struct etm_answer {
	enum etm_verdict verdict;
	/* of ETM_DIFFERENT: the length of a shortest stream after which outputs, or counters of a
	 * pair, differ; of ETM_GAVEUP: how many cycles were covered */
	uint64_t cycles;
	VEC(struct etm_run) witness;
	uint32_t left, right; /* of ETM_DIFFERENT: the outputs that are on after the witness */
	unsigned pair;     /* the first pair of counters that differs; npairs: outputs differ */
	int64_t values[2]; /* the values of these counters */
	uint64_t work;  /* how many steps the answer took */
};

void etm_answer_free(struct etm_answer *a);

/* Answers the question: tries etm_prove() first, then etm_search(). */
void etm_equal(const struct etm_question *q, struct etm_answer *a);

/* Are both sides equal? true: proved. false: no invariant was found, and nothing is said. Adds the
 * steps to *work. A lack of memory is told as false. */
bool etm_prove(const struct etm_question *q, uint64_t *work);

/* Fills *a, which is zeroed. The verdict is never ETM_EQUAL. */
void etm_search(const struct etm_question *q, struct etm_answer *a);

/* Makes an array of the letters that differ for the sides of q, those with fewer atoms first; *n
 * receives its length. The caller frees it. NULL: out of memory. Quadratic in the letters. */
uint32_t *etm_letters(const struct etm_question *q, size_t *n);

#endif
