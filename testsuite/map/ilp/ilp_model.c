/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "testsuite/map/ilp/ilp_model.h"

#include <stdlib.h>

enum { MAX_TERMS = 1 << 24 };

static bool fail_model(struct model *m, enum nfart_status status, enum ilp_limit limit)
{
	m->status = status;
	m->report->limit = limit;
	return false;
}

bool model_can_have(struct model *m, uint64_t rows)
{
	m->report->rows = rows;
	return rows <= m->limits->rows || fail_model(m, NFART_GAVEUP, ILP_LIMIT_ROWS);
}

bool model_row(struct model *m, int lo, int hi)
{
	struct glpk_row row = {m->glpk.terms.n, lo, hi};

	if (!vec_push(&m->glpk.rows, row))
		return fail_model(m, NFART_SYSTEM, ILP_NO_LIMIT);
	if (m->glpk.terms.n > MAX_TERMS)
		return fail_model(m, NFART_GAVEUP, ILP_LIMIT_SIZE);
	return model_can_have(m, m->glpk.rows.n);
}

bool model_term(struct model *m, int32_t column, int32_t value)
{
	struct glpk_term term = {column, value};

	return vec_push(&m->glpk.terms, term) || fail_model(m, NFART_SYSTEM, ILP_NO_LIMIT);
}

enum nfart_status model_solve(struct model *m, bool **values)
{
	struct glpk_report report;
	enum nfart_status status;

	*values = calloc((size_t)m->glpk.columns + 1, sizeof **values);
	if (*values == NULL)
		return NFART_SYSTEM;
	status = glpk_solve(&m->glpk, m->limits->nodes, *values, &report);
	m->report->nodes = report.nodes;
	m->report->wrong = report.wrong;
	if (status == NFART_GAVEUP)
		m->report->limit = report.numeric ? ILP_LIMIT_NUMERIC : ILP_LIMIT_NODES;
	if (status != NFART_OK)
		free(*values);
	return status;
}

void model_free(struct model *m)
{
	vec_free(&m->glpk.terms);
	vec_free(&m->glpk.rows);
}
