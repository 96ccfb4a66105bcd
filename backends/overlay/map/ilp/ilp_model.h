/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ilp_model.h: what integer programs for the mapping share: rows within limits, and what an answer of
 * GLPK means for the mapper.
 */
#ifndef NFACC_MAP_MODEL_H
#define NFACC_MAP_MODEL_H

#include "backends/overlay/map/ilp/glpk_solve.h"
#include "backends/overlay/map/problem.h"

/* Zeroed but for p, and freed by model_free(). */
struct model {
	const struct map_problem *p; /* whose report says how many rows there are, and which limit
					was reached */
	struct glpk_model glpk;
	enum nfart_status status;    /* where one of the calls below was false */
};

/* Begins a row; adds a term to the current row. False: a limit was reached, or memory is short. */
bool model_row(struct model *m, int lo, int hi);
bool model_term(struct model *m, int32_t column, int32_t value);

/* False: `rows` more rows are more than may be built. The report then says so. */
bool model_can_have(struct model *m, uint64_t rows);

/* Solves it, within the limits of p's options. *values [columns] is to be freed where the answer is
 * NFART_OK. As glpk_solve(). */
enum nfart_status model_solve(struct model *m, bool **values);

void model_free(struct model *m);

#endif
