/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "testsuite/map/ilp/ilp.h"

#include <stdlib.h>

enum {
	NO_COLUMN = -1,
	MAX_PAIRS = 1 << 24 /* states times cliques: no larger program is built */
};

static int32_t column_of(const struct ilp *m, uint32_t v, uint32_t c)
{
	return m->column[(size_t)v * m->ncliques + c];
}

/* Adds value * x[v,c] to the current row, if there is such a variable. False: out of memory. */
static bool add_term(struct ilp *m, uint32_t v, uint32_t c, int32_t value)
{
	int32_t column = column_of(m, v, c);

	return column == NO_COLUMN || model_term(&m->model, column, value);
}

static void add_columns(struct ilp *m)
{
	for (uint32_t v = 0; v < m->n; v++) {
		for (uint32_t c = 0; c < m->ncliques; c++)
			m->column[(size_t)v * m->ncliques + c] =
				problem_allows(m->model.p, v, c) ? m->model.glpk.columns++
								 : NO_COLUMN;
	}
}

static bool add_assignments(struct ilp *m)
{
	for (uint32_t v = 0; v < m->n; v++) {
		if (!model_row(&m->model, 1, 1))
			return false;
		for (uint32_t c = 0; c < m->ncliques; c++)
			if (!add_term(m, v, c, 1))
				return false;
	}
	return true;
}

static bool add_capacities(struct ilp *m)
{
	uint32_t capacity = m->model.p->overlay->clique_size;

	if (capacity > m->n)
		capacity = m->n;
	for (uint32_t c = 0; c < m->ncliques; c++) {
		if (!model_row(&m->model, GLPK_FREE, (int)capacity))
			return false;
		for (uint32_t v = 0; v < m->n; v++)
			if (!add_term(m, v, c, 1))
				return false;
	}
	return true;
}

/* Adds the rows of edge (u,v): wherever v is, u is near. Rows with u and v exchanged would say
 * nothing new, and were measured to be slower. */
static bool add_nearness(struct ilp *m, uint32_t u, uint32_t v)
{
	const struct map_adj *g = &m->model.p->cliques;

	for (uint32_t c = 0; c < m->ncliques; c++) {
		if (column_of(m, v, c) == NO_COLUMN)
			continue;
		if (!model_row(&m->model, GLPK_FREE, 0) || !add_term(m, v, c, 1))
			return false;
		for (size_t i = g->first[c]; i < g->first[c + 1]; i++)
			if (!add_term(m, u, g->to[i], -1))
				return false;
	}
	return true;
}

static bool build_rows(struct ilp *m)
{
	const struct map_graph *g = m->model.p->graph;

	add_columns(m);
	if (!add_assignments(m) || !add_capacities(m))
		return false;
	for (size_t i = 0; i < g->m; i++)
		if (!add_nearness(m, g->edges[i][0], g->edges[i][1]))
			return false;
	return true;
}

bool ilp_build(struct ilp *m, const struct map_problem *p, const struct ilp_limits *limits,
	       struct ilp_report *report)
{
	*m = (struct ilp){.model = {.p = p, .limits = limits, .report = report},
			  .n = p->nfa.n,
			  .ncliques = p->overlay->ncliques};
	if ((uint64_t)m->n * m->ncliques > MAX_PAIRS) {
		report->limit = ILP_LIMIT_SIZE;
		m->model.status = NFART_GAVEUP;
		return false;
	}
	m->column = calloc((size_t)m->n * m->ncliques + 1, sizeof *m->column);
	m->model.status = NFART_SYSTEM;
	return m->column != NULL && build_rows(m);
}

void ilp_free(struct ilp *m)
{
	model_free(&m->model);
	free(m->column);
}

static void read_values(const struct ilp *m, const bool *values, uint32_t *clique)
{
	for (uint32_t v = 0; v < m->n; v++)
		for (uint32_t c = 0; c < m->ncliques; c++)
			if (column_of(m, v, c) != NO_COLUMN && values[column_of(m, v, c)])
				clique[v] = c;
}

enum nfart_status ilp_place(const struct map_problem *p, const struct ilp_limits *limits,
			    struct ilp_report *report, uint32_t *clique)
{
	enum nfart_status status;
	struct ilp m;
	bool *values;

	status = ilp_build(&m, p, limits, report) ? model_solve(&m.model, &values) : m.model.status;
	if (status == NFART_OK) {
		read_values(&m, values, clique);
		free(values);
	}
	ilp_free(&m);
	return status;
}
