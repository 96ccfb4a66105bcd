/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/map/ilp.h"

#include "compiler/map/glpk_solve.h"

enum {
	NO_COLUMN = -1,
	MAX_PAIRS = 1 << 24, /* of states and cliques */
	MAX_TERMS = 1 << 24,
	MEGABYTES = 2048     /* for GLPK */
};

struct ilp {
	const struct map_problem *p;
	uint32_t n, ncliques;
	int32_t *column; /* [n * K]: of x[v,c], or NO_COLUMN */
	struct glpk_model model;
	enum nfart_status status;
};

static int32_t column_of(const struct ilp *m, uint32_t v, uint32_t c)
{
	return m->column[(size_t)v * m->ncliques + c];
}

static bool fail(struct ilp *m, enum nfart_status status, enum map_limit limit)
{
	m->status = status;
	m->p->report->limit = limit;
	return false;
}

static bool add_row(struct ilp *m, int lo, int hi)
{
	struct glpk_row row = {m->model.terms.n, lo, hi};

	if (!vec_push(&m->model.rows, row))
		return fail(m, NFART_SYSTEM, MAP_NO_LIMIT);
	m->p->report->rows = m->model.rows.n;
	if (m->model.rows.n > m->p->options->rows || m->model.terms.n > MAX_TERMS)
		return fail(m, NFART_GAVEUP, MAP_LIMIT_ROWS);
	return true;
}

/* Adds x[v,c] to the last row, if there is such a variable. */
static bool add_term(struct ilp *m, uint32_t v, uint32_t c, int32_t value)
{
	struct glpk_term term = {column_of(m, v, c), value};

	if (term.column == NO_COLUMN || vec_push(&m->model.terms, term))
		return true;
	return fail(m, NFART_SYSTEM, MAP_NO_LIMIT);
}

static void add_columns(struct ilp *m)
{
	for (uint32_t v = 0; v < m->n; v++) {
		bool has_edges = map_degree(&m->p->nfa, v) > 0;
		for (uint32_t c = 0; c < m->ncliques; c++)
			m->column[(size_t)v * m->ncliques + c] =
				has_edges && problem_allows(m->p, v, c) ? m->model.columns++
									: NO_COLUMN;
	}
}

static bool add_assignments(struct ilp *m)
{
	for (uint32_t v = 0; v < m->n; v++) {
		if (map_degree(&m->p->nfa, v) == 0)
			continue;
		if (!add_row(m, 1, 1))
			return false;
		for (uint32_t c = 0; c < m->ncliques; c++)
			if (!add_term(m, v, c, 1))
				return false;
	}
	return true;
}

static bool add_capacities(struct ilp *m)
{
	uint32_t capacity = m->p->overlay->clique_size;

	if (capacity > m->n)
		capacity = m->n;
	for (uint32_t c = 0; c < m->ncliques; c++) {
		if (!add_row(m, GLPK_FREE, (int)capacity))
			return false;
		for (uint32_t v = 0; v < m->n; v++)
			if (!add_term(m, v, c, 1))
				return false;
	}
	return true;
}

/* For edge (u,v): wherever v is, u is near. The same with u and v exchanged would say nothing new,
 * and was measured to be slower. */
static bool add_nearness(struct ilp *m, uint32_t u, uint32_t v)
{
	const struct map_adj *g = &m->p->cliques;

	for (uint32_t c = 0; c < m->ncliques; c++) {
		if (column_of(m, v, c) == NO_COLUMN)
			continue;
		if (!add_row(m, GLPK_FREE, 0) || !add_term(m, v, c, 1))
			return false;
		for (size_t i = g->first[c]; i < g->first[c + 1]; i++)
			if (!add_term(m, u, g->to[i], -1))
				return false;
	}
	return true;
}

static bool build(struct ilp *m)
{
	const struct map_graph *g = m->p->graph;

	add_columns(m);
	if (!add_assignments(m) || !add_capacities(m))
		return false;
	for (size_t i = 0; i < g->m; i++)
		if (!add_nearness(m, g->edges[i][0], g->edges[i][1]))
			return false;
	return true;
}

static void read_values(const struct ilp *m, const bool *values, uint32_t *clique)
{
	for (uint32_t v = 0; v < m->n; v++)
		for (uint32_t c = 0; c < m->ncliques; c++)
			if (column_of(m, v, c) != NO_COLUMN && values[column_of(m, v, c)])
				clique[v] = c;
}

static enum nfart_status solve(struct ilp *m, uint32_t *clique)
{
	static const enum map_limit limit_of[] = {
		[GLPK_NODES] = MAP_LIMIT_NODES,
		[GLPK_TIME] = MAP_LIMIT_TIME,
		[GLPK_NUMERIC] = MAP_LIMIT_NUMERIC,
	};
	struct glpk_limits limits = {m->p->options->nodes, problem_time_left(m->p), MEGABYTES};
	bool *values = calloc((size_t)m->model.columns, sizeof *values);
	struct glpk_report report;
	enum nfart_status status;

	if (values == NULL)
		return NFART_SYSTEM;
	if (limits.milliseconds == 0) {
		free(values);
		m->p->report->limit = MAP_LIMIT_TIME;
		return NFART_GAVEUP;
	}
	status = glpk_solve(&m->model, &limits, values, &report);
	m->p->report->nodes = report.nodes;
	m->p->report->wrong = report.wrong;
	if (status == NFART_GAVEUP)
		m->p->report->limit = limit_of[report.stop];
	if (status == NFART_OK)
		read_values(m, values, clique);
	free(values);
	return status;
}

enum nfart_status ilp_place(const struct map_problem *p, uint32_t *clique)
{
	struct ilp m = {.p = p, .n = p->nfa.n, .ncliques = p->overlay->ncliques};
	enum nfart_status status;

	if ((uint64_t)m.n * m.ncliques > MAX_PAIRS) {
		p->report->limit = MAP_LIMIT_SIZE;
		return NFART_GAVEUP;
	}
	m.column = calloc((size_t)m.n * m.ncliques, sizeof *m.column);
	if (m.column == NULL)
		return NFART_SYSTEM;
	status = build(&m) ? solve(&m, clique) : m.status;
	vec_free(&m.model.terms);
	vec_free(&m.model.rows);
	free(m.column);
	return status;
}
