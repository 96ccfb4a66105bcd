/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * count.h: repetitions with large bounds become counters where that is proved exact.
 *
 * A rewriting of a spec before its NFA is built. Expressions stay as written; what changes is said
 * beside them, in `counted` and `log_counted`, by counters of the compiler's own after the written
 * ones. Which repetitions, and why it is right, is in Note [counting repetitions] in count.c.
 */
#ifndef NFACC_IR_COUNT_H
#define NFACC_IR_COUNT_H

#include "ir/spec.h"
#include "support/buf.h"

enum { COUNT_THRESHOLD = 16 }; /* the default */

struct count_options {
	uint32_t threshold; /* a repetition is large if its upper bound (or the lower one, if it has
			     * no upper one) is at least this, which is 2 or more; 0: none is large */
	uint32_t max_k;     /* the highest count of a counter; 0: the target has none */
};

/* What became of a large repetition X{n,m} after A. */
enum count_how {
	/* With counters that count the X after A; c is active where the count reaches n (pulse) or
	 * is n (latch). */
	COUNT_LATCH, /* @c, latch */
	COUNT_PULSE, /* @c, pulse */
	COUNT_STAR,  /* @c X*, pulse */
	COUNT_TAIL,  /* @c X{0,m-n}, pulse */
	COUNT_RANGE, /* @c, latch, reset by a second one that counts to m */
	/* Without. */
	COUNT_LOWER, /* X{n}: more make no difference there */

	/* It stays as written. */
	COUNT_INSIDE,      /* it is under a repetition */
	COUNT_IN_COUNTER,  /* it is in the expression of a counter */
	COUNT_BODY,        /* X is no sequence of predicates, */
	COUNT_LONG,        /* … or one of more than COUNT_MOST_BODY */
	COUNT_OVERLAP,     /* one batch may satisfy two predicates of X: other[0] and other[1] */
	COUNT_AMBIGUOUS,   /* A may end where an X does: other[0] is how */
	COUNT_EMPTY,       /* n is 0 */
	COUNT_LITTLE,      /* a counter would save next to nothing */
	COUNT_NO_COUNTERS, /* the target has none, */
	COUNT_TOO_HIGH,    /* … or none that count as far */
	COUNT_GAVE_UP      /* the expression is too large to look at */
};

enum { COUNT_MOST_BODY = 64 };

struct count_record {
	enum count_how how;
	uint32_t lo, hi;             /* as written; RX_INF */
	uint32_t length;             /* predicates of X, as far as they were looked at */
	struct diag_range range;     /* of the repetition */
	struct diag_range other[2];  /* of predicates that are why, or without source */
	uint32_t counter[2];         /* c, and a second one; UINT32_MAX: none */
};

struct count_log {
	VEC(struct count_record) records; /* in the order of the expressions */
};

/* Rewrites s and says in *log (zeroed before) what became of every large repetition. NFART_SYSTEM: out
 * of memory. The counted form of an expression, its counters included, has at most twice as many
 * predicates as the written one, and 64. Linear in the written expressions but for a bounded number of
 * steps; nothing is expanded. */
enum nfart_status spec_count(struct spec *s, const struct count_options *o, struct count_log *log);

/* Undoes spec_count(), except that nodes which nothing uses any more stay. */
void spec_uncount(struct spec *s, struct count_log *log);

void count_log_free(struct count_log *log);

/* Appends the place of a repetition and a sentence that says what became of it. `d` gives lines and
 * columns. */
void count_print(const struct spec *s, const struct count_record *r, const struct diags *d,
		 struct buf *b);

#endif
