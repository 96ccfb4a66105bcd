/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * count_prove.h: tests the conditions of Note [counting repetitions] (count.c). Internal to
 * count*.c. Each test errs on one side only: true means that the condition is proved, and false
 * that it does not hold or that no proof was found.
 */
#ifndef NFACC_IR_COUNT_PROVE_H
#define NFACC_IR_COUNT_PROVE_H

#include "ir/count/count.h"

/* A prefix is what stands before a place in an expression: a list of factors, from the last one to
 * the first. NULL is the empty prefix. */
struct count_prefix {
	const struct count_prefix *before;
	/* the last factor as written, or another factor that means the same after `before` */
	rx_id_t factor;
	/* the rewritten form of the whole prefix; RX_NONE: this form is that of `before`, and then
	 * `factor` */
	rx_id_t rx;
	bool nullable;    /* the factor can be empty */
	uint32_t changes; /* how many repetitions in the prefix are rewritten */
};

/* The body X of a repetition, as a sequence of predicates with their places in the source. */
struct count_body {
	uint32_t n;
	pred_id_t pred[COUNT_MOST_BODY];
	struct diag_range range[COUNT_MOST_BODY];
};

struct count_prover {
	struct spec *s;
	const bool *nullable;   /* [written nodes]: can the node be empty? */
	VEC(rx_id_t) todo;
	uint64_t steps;         /* steps left; at 0 nothing more is proved */
	bool failed;            /* out of memory */
};

/* Puts node x into *out as a sequence of predicates and returns -1. If that is not possible, it
 * returns the reason: COUNT_BODY, also for a body without predicates, or COUNT_LONG. */
int count_flatten(struct count_prover *c, rx_id_t x, struct count_body *out);

/* Proves that no batch satisfies two of the predicates. If it cannot, out[0] and out[1] are the
 * places of two that overlap. */
bool count_disjoint(struct count_prover *c, const struct count_body *x, struct diag_range *out);

/* Proves that L(A X) is a subset of L(A). */
bool count_closed(struct count_prover *c, const struct count_prefix *a, const struct count_body *x);

/* Proves that no prefix in L(A) ends with a batch that satisfies the last predicate of X. If it
 * cannot, *out is the place of a predicate of A that such a batch may satisfy. */
bool count_unambiguous(struct count_prover *c, const struct count_prefix *a,
		       const struct count_body *x, struct diag_range *out);

#endif
