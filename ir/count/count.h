/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * count.h: repetitions with large bounds become counters where that is proved exact.
 *
 * A spec is rewritten before its NFA is built. The expressions as written stay. Their rewritten
 * forms stand beside them, in `counted` and `log_counted`, and use counters that the compiler makes
 * after the written ones. Note [counting repetitions] in count.c says which repetitions are
 * rewritten, and why that is right.
 */
#ifndef NFACC_IR_COUNT_H
#define NFACC_IR_COUNT_H

#include "ir/spec.h"
#include "support/buf.h"

enum { COUNT_THRESHOLD = 16 }; /* the default of count_options.threshold */

struct count_options {
	/* A repetition is large if its upper bound is at least `threshold`. If it has no upper
	 * bound, the lower bound decides. The threshold is at least 2, or 0: then no repetition is
	 * large. */
	uint32_t threshold;
	/* The highest count of a counter; 0: the target has no counters. */
	uint32_t max_k;
};

/* What became of a large repetition X{n,m} that stands after A. */
enum count_how {
	/* It is rewritten to this form with a counter c, which counts the copies of X after A up to
	 * n. `pulse` and `latch` are the mode of c. */
	COUNT_LATCH, /* form @c, where c is a latch at n */
	COUNT_PULSE, /* form @c, where c is a pulse at n */
	COUNT_STAR,  /* form @c X*, where c is a pulse at n */
	COUNT_TAIL,  /* form @c X{0,m-n}, where c is a pulse at n */
	COUNT_RANGE, /* form @c, where c is a latch at n that a second counter, up to m, resets */
	/* It is rewritten without a counter. */
	COUNT_LOWER, /* form X{n}: more copies make no difference here */

	/* It stays as written, for this reason. */
	COUNT_INSIDE,      /* the repetition is under another repetition */
	COUNT_IN_COUNTER,  /* the repetition is in the expression of a counter */
	COUNT_BODY,        /* X is no sequence of predicates */
	COUNT_LONG,        /* X has more than COUNT_MOST_BODY predicates */
	/* one batch may satisfy two predicates of X, at count_record.other[0] and other[1] */
	COUNT_OVERLAP,
	/* A may end with a batch with which X may end, too: the predicate of A is at
	 * count_record.other[0] */
	COUNT_AMBIGUOUS,
	COUNT_EMPTY,       /* the repetition may be empty: n is 0 */
	COUNT_LITTLE,      /* a counter would save next to nothing */
	COUNT_NO_COUNTERS, /* the target has no counters */
	COUNT_TOO_HIGH,    /* the target's counters don't count that far */
	COUNT_GAVE_UP      /* the expression is too large to look at */
};

enum { COUNT_MOST_BODY = 64 };

struct count_record {
	enum count_how how;
	uint32_t lo, hi;             /* bounds of the repetition; hi may be RX_INF */
	uint32_t length;             /* how many predicates of X were looked at */
	struct diag_range range;     /* place of the repetition */
	struct diag_range other[2];  /* places of the predicates that are the reason, if any */
	uint32_t counter[2];         /* counter c, and the second counter; UINT32_MAX: none */
};

struct count_log {
	VEC(struct count_record) records; /* a record for each large repetition */
};

/* Rewrites the expressions of s, and records in *log, which must be zeroed, what became of every
 * large repetition. The counted form of an expression, its counters included, has at most 64 more
 * than twice the predicates of the written one. Nothing is expanded: the cost is linear in the
 * written expressions, plus a bounded number of steps. NFART_SYSTEM: out of memory. */
enum nfart_status spec_count(struct spec *s, const struct count_options *o, struct count_log *log);

/* Undoes spec_count() and frees *log. Nodes that nothing uses any more stay in the spec. */
void spec_uncount(struct spec *s, struct count_log *log);

void count_log_free(struct count_log *log);

/* Appends a line that says where a repetition stands and what became of it. `d` turns places into
 * lines and columns. */
void count_print(const struct spec *s, const struct count_record *r, const struct diags *d,
		 struct buf *b);

#endif
