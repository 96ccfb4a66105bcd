/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ilp_model.h: what the integer programs share. It builds rows within the limits, runs GLPK, and
 * puts what GLPK says into the report.
 */
#ifndef NFACC_TESTSUITE_ILP_MODEL_H
#define NFACC_TESTSUITE_ILP_MODEL_H

#include "backends/overlay/map/problem.h"
#include "testsuite/map/ilp/glpk_solve.h"

/* What limits an integer program. */
struct ilp_limits {
	uint64_t rows;  /* a program with more rows is not built */
	uint64_t nodes; /* most nodes of branch and bound */
};

enum ilp_limit {
	ILP_NO_LIMIT,
	ILP_LIMIT_ROWS,
	ILP_LIMIT_NODES,
	ILP_LIMIT_SIZE,   /* states times cliques or STEs are too many, or the terms */
	ILP_LIMIT_NUMERIC /* GLPK could not go on in floating point */
};

struct ilp_report {
	enum ilp_limit limit; /* which limit was reached, after NFART_GAVEUP */
	uint64_t rows;        /* of the program, even if it was not built */
	uint64_t nodes;       /* of branch and bound */
	const char *wrong;    /* why NFART_USAGE or NFART_INTERNAL: a static text or NULL */
};

/* Set p, limits and report, zero the rest, and free it with model_free(). */
struct model {
	const struct map_problem *p;
	const struct ilp_limits *limits;
	struct ilp_report *report;
	struct glpk_model glpk;
	enum nfart_status status; /* why one of the calls below returned false */
};

/* model_row() begins a row that is to be from lo to hi. model_term() adds value * column to the
 * current row. False: a limit was reached, or memory is short. */
bool model_row(struct model *m, int lo, int hi);
bool model_term(struct model *m, int32_t column, int32_t value);

/* Puts `rows` into the report. False: a program with so many rows may not be built. */
bool model_can_have(struct model *m, uint64_t rows);

/* Solves the program within the limits. The answers are those of glpk_solve(). After
 * NFART_OK the caller frees *values [columns]. */
enum nfart_status model_solve(struct model *m, bool **values);

void model_free(struct model *m);

#endif
