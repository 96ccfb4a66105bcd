/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * glpk_solve.h: solves 0/1 integer programs with GLPK. It prints nothing. Where GLPK runs out of
 * memory, or one of its assertions fails, GLPK ends the process; a test then fails.
 */
#ifndef NFACC_TESTSUITE_GLPK_SOLVE_H
#define NFACC_TESTSUITE_GLPK_SOLVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/nfart_status.h"
#include "support/vec.h"

/* One row of a program: lo <= the sum of value * column over its terms <= hi. Its terms begin at
 * `first` and end where those of the next row begin. */
struct glpk_row {
	size_t first;
	int lo, hi; /* GLPK_FREE: no lower bound */
};

struct glpk_term {
	int32_t column; /* 0 … columns - 1; no column stands twice in a row */
	int32_t value;
};

enum { GLPK_FREE = INT32_MIN };

struct glpk_model {
	int32_t columns; /* the number of variables, each of which is 0 or 1 */
	/* 0: any solution will do. Otherwise the number of ones is maximised. It can't be more than
	 * `target`, and only `target` ones count as a solution. */
	int32_t target;
	VEC(struct glpk_row) rows;
	VEC(struct glpk_term) terms;
};

struct glpk_report {
	uint64_t nodes;    /* nodes of branch and bound that were used */
	bool numeric;      /* after NFART_GAVEUP: floating point was too coarse, not a limit */
	const char *wrong; /* what went wrong, after NFART_INTERNAL: a static text */
};

/* Looks for values [columns] that satisfy all rows of m, in at most so many nodes of branch and
 * bound. NFART_OK: found. NFART_NOFIT: there are none, as far as floating point proves that.
 * NFART_GAVEUP: the limit, or report->numeric. NFART_SYSTEM: out of memory. NFART_INTERNAL: GLPK
 * failed. The time is exponential. */
enum nfart_status glpk_solve(const struct glpk_model *m, uint64_t nodes, bool *values,
			     struct glpk_report *report);

#endif
