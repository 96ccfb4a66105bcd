/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * glpk_solve.h: the one place that calls GLPK: 0/1 programs.
 *
 * GLPK aborts the process when it runs out of memory or fails an assertion. Here its error hook
 * jumps back instead; the problem and GLPK's environment are then abandoned as they are, because
 * nothing says that they can still be freed, and later calls in that thread answer NFART_INTERNAL.
 * Nothing is printed.
 */
#ifndef NFACC_MAP_GLPK_SOLVE_H
#define NFACC_MAP_GLPK_SOLVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/nfart_status.h"
#include "support/vec.h"

/* One row: lo <= sum of value * column over terms [first, first of the next row) <= hi. */
struct glpk_row {
	size_t first;
	int lo, hi; /* GLPK_FREE: no lower bound */
};

struct glpk_term {
	int32_t column; /* 0 … columns - 1; once in a row */
	int32_t value;
};

enum { GLPK_FREE = INT32_MIN };

struct glpk_model {
	int32_t columns; /* all of them 0 or 1 */
	int32_t target;  /* 0: any solution will do; else the number of ones is maximised, which is
			  * at most `target`, and only `target` ones are a solution */
	VEC(struct glpk_row) rows;
	VEC(struct glpk_term) terms;
};

struct glpk_limits {
	uint64_t nodes;   /* of branch and bound */
	int milliseconds; /* of wall time, at least 1; INT_MAX: no limit */
	int megabytes;    /* that GLPK may allocate */
};

/* Which limit NFART_GAVEUP means. */
enum glpk_stop { GLPK_NODES, GLPK_TIME, GLPK_NUMERIC };

struct glpk_report {
	uint64_t nodes;
	enum glpk_stop stop;
	const char *wrong; /* with NFART_INTERNAL: a static text */
};

/* Looks for values [columns] that satisfy all rows. NFART_OK; NFART_NOFIT: there are none, as far
 * as floating point proves that; NFART_GAVEUP; NFART_SYSTEM; NFART_INTERNAL. Exponential. */
enum nfart_status glpk_solve(const struct glpk_model *m, const struct glpk_limits *limits,
			     bool *values, struct glpk_report *report);

#endif
