/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * count_prove.h: the conditions of Note [counting repetitions] (count.c), tested. Internal to
 * count*.c. Each test errs on one side only: true means proved.
 */
#ifndef NFACC_IR_COUNT_PROVE_H
#define NFACC_IR_COUNT_PROVE_H

#include "ir/count/count.h"

/* What stands before a place, as a list from its last factor to its first; NULL is nothing. */
struct count_prefix {
	const struct count_prefix *before;
	rx_id_t factor;   /* as written, or with the same language after `before` */
	rx_id_t rx;       /* what to build for the whole prefix, or RX_NONE: not made yet */
	bool nullable;    /* the factor can be empty */
	uint32_t changes; /* rewritings in the prefix */
};

/* X as predicates one after the other. */
struct count_body {
	uint32_t n;
	pred_id_t pred[COUNT_MOST_BODY];
	struct diag_range range[COUNT_MOST_BODY];
};

struct count_prover {
	struct spec *s;
	const bool *nullable;   /* by node as written */
	VEC(rx_id_t) todo;
	uint64_t steps;         /* left; at 0 nothing is proved any more */
	bool failed;            /* out of memory */
};

/* X as a sequence: -1, or why it is none (COUNT_BODY, COUNT_LONG). One of no predicate is none. */
int count_flatten(struct count_prover *c, rx_id_t x, struct count_body *out);

/* No batch satisfies two of the predicates; else out[0] and out[1] are the places of two. */
bool count_disjoint(struct count_prover *c, const struct count_body *x, struct diag_range *out);

/* L(A X) is in L(A). */
bool count_closed(struct count_prover *c, const struct count_prefix *a, const struct count_body *x);

/* No prefix in L(A) ends with a batch that satisfies the last predicate of X; else *out is the place
 * of a predicate of A that may end with such a one. */
bool count_unambiguous(struct count_prover *c, const struct count_prefix *a,
		       const struct count_body *x, struct diag_range *out);

#endif
