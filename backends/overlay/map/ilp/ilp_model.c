/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/map/ilp/ilp_model.h"

enum {
	MAX_TERMS = 1 << 24,
	MEGABYTES = 2048 /* the most memory that GLPK may allocate */
};

static bool fail_model(struct model *m, enum nfart_status status, enum map_limit limit)
{
	m->status = status;
	m->p->report->limit = limit;
	return false;
}

bool model_can_have(struct model *m, uint64_t rows)
{
	m->p->report->rows = rows;
	return rows <= m->p->options->rows || fail_model(m, NFART_GAVEUP, MAP_LIMIT_ROWS);
}

bool model_row(struct model *m, int lo, int hi)
{
	struct glpk_row row = {m->glpk.terms.n, lo, hi};

	if (!vec_push(&m->glpk.rows, row))
		return fail_model(m, NFART_SYSTEM, MAP_NO_LIMIT);
	if (m->glpk.terms.n > MAX_TERMS)
		return fail_model(m, NFART_GAVEUP, MAP_LIMIT_SIZE);
	return model_can_have(m, m->glpk.rows.n);
}

bool model_term(struct model *m, int32_t column, int32_t value)
{
	struct glpk_term term = {column, value};

	return vec_push(&m->glpk.terms, term) || fail_model(m, NFART_SYSTEM, MAP_NO_LIMIT);
}

enum nfart_status model_solve(struct model *m, bool **values)
{
	static const enum map_limit limit_of[] = {
		[GLPK_NODES] = MAP_LIMIT_NODES,
		[GLPK_TIME] = MAP_LIMIT_TIME,
		[GLPK_NUMERIC] = MAP_LIMIT_NUMERIC,
	};
	struct map_report *said = m->p->report;
	struct glpk_limits limits = {m->p->options->nodes, problem_time_left(m->p), MEGABYTES};
	struct glpk_report report;
	enum nfart_status status;

	if (limits.milliseconds == 0) {
		said->limit = MAP_LIMIT_TIME;
		return NFART_GAVEUP;
	}
	*values = calloc((size_t)m->glpk.columns + 1, sizeof **values);
	if (*values == NULL)
		return NFART_SYSTEM;
	status = glpk_solve(&m->glpk, &limits, *values, &report);
	said->nodes = report.nodes;
	said->wrong = report.wrong;
	if (status == NFART_GAVEUP)
		said->limit = limit_of[report.stop];
	if (status != NFART_OK)
		free(*values);
	return status;
}

void model_free(struct model *m)
{
	vec_free(&m->glpk.terms);
	vec_free(&m->glpk.rows);
}
