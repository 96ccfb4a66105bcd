/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ilp_model.h: what the integer programs of the mapper share. It builds rows within the limits,
 * runs GLPK, and puts GLPK's answer into the mapper's report.
 */
#ifndef NFACC_MAP_MODEL_H
#define NFACC_MAP_MODEL_H

#include "backends/overlay/map/ilp/glpk_solve.h"
#include "backends/overlay/map/problem.h"

/* Set p, zero the rest, and free it with model_free(). */
struct model {
	/* The problem. Its report receives the number of rows and the limit that was reached. */
	const struct map_problem *p;
	struct glpk_model glpk;
	enum nfart_status status; /* why one of the calls below returned false */
};

/* model_row() begins a row that is to be from lo to hi. model_term() adds value * column to the
 * current row. False: a limit was reached, or memory is short. */
bool model_row(struct model *m, int lo, int hi);
bool model_term(struct model *m, int32_t column, int32_t value);

/* Puts `rows` into the report. False: a program with so many rows may not be built. */
bool model_can_have(struct model *m, uint64_t rows);

/* Solves the program within the limits of p's options. The answers are those of glpk_solve(). After
 * NFART_OK the caller frees *values [columns]. */
enum nfart_status model_solve(struct model *m, bool **values);

void model_free(struct model *m);

#endif
