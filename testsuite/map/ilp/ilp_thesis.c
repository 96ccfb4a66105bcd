/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "testsuite/map/ilp/ilp_thesis.h"

#include <stdlib.h>

enum { MAX_COLUMNS = 1 << 22 };

struct thesis {
	struct model model;
	uint32_t n, nslots, slot_size; /* slot_size: how many states a slot holds */
	uint32_t clique_slots;         /* how many slots a clique has */
	bool symmetry;
};

static uint32_t clique_of(const struct thesis *m, uint32_t slot)
{
	return slot / m->clique_slots;
}

/* Adds x[v,slot] to the current row. */
static bool add_term(struct thesis *m, uint32_t v, uint32_t slot)
{
	return model_term(&m->model, (int32_t)((uint64_t)v * m->nslots + slot), 1);
}

/* Adds the rows for states (T eq. 47; 15 in the clique form), then those
 * for slots (T eq. 48; 16). */
static bool add_sums(struct thesis *m)
{
	for (uint32_t v = 0; v < m->n; v++) {
		if (!model_row(&m->model, GLPK_FREE, 1))
			return false;
		for (uint32_t s = 0; s < m->nslots; s++)
			if (!add_term(m, v, s))
				return false;
	}
	for (uint32_t s = 0; s < m->nslots; s++) {
		if (!model_row(&m->model, GLPK_FREE, (int)m->slot_size))
			return false;
		for (uint32_t v = 0; v < m->n; v++)
			if (!add_term(m, v, s))
				return false;
	}
	return true;
}

/* Adds the rows of one edge (T eq. 49; 17 in the clique form). */
static bool add_pairs(struct thesis *m, uint32_t v, uint32_t w)
{
	const struct map_overlay *o = m->model.p->overlay;

	for (uint32_t s = 0; s < m->nslots; s++)
		for (uint32_t t = 0; t < m->nslots; t++)
			if (!map_overlay_adjacent(o, clique_of(m, s), clique_of(m, t)) &&
			    (!model_row(&m->model, GLPK_FREE, 1) || !add_term(m, v, s) ||
			     !add_term(m, w, t)))
				return false;
	return true;
}

/* How many rows add_pairs() adds for each edge; below 2^63. */
static uint64_t count_pairs(const struct thesis *m)
{
	const struct map_overlay *o = m->model.p->overlay;
	uint64_t far = o->ncliques - o->nneighbours;

	return (uint64_t)m->nslots * m->clique_slots * far;
}

static bool build_thesis(struct thesis *m)
{
	const struct map_graph *g = m->model.p->graph;
	uint64_t sums = (uint64_t)m->n + m->nslots + m->symmetry, pairs = count_pairs(m), all;

	if (__builtin_mul_overflow(pairs, g->m, &all) || __builtin_add_overflow(all, sums, &all))
		all = UINT64_MAX;
	if (!model_can_have(&m->model, all))
		return false;
	if ((uint64_t)m->n * m->nslots > MAX_COLUMNS) {
		m->model.report->limit = ILP_LIMIT_SIZE;
		m->model.status = NFART_GAVEUP;
		return false;
	}
	m->model.glpk.columns = (int32_t)(m->n * m->nslots);
	m->model.glpk.target = (int32_t)m->n;
	if (!add_sums(m))
		return false;
	if (m->symmetry && (!model_row(&m->model, 1, 1) || !add_term(m, m->model.p->fixed, 0)))
		return false;
	for (size_t i = 0; i < g->m && pairs > 0; i++)
		if (!add_pairs(m, g->edges[i][0], g->edges[i][1]))
			return false;
	return true;
}

enum nfart_status thesis_place(const struct map_problem *p, struct thesis_form form,
			       const struct ilp_limits *limits, struct ilp_report *report,
			       uint32_t *clique)
{
	const struct map_overlay *o = p->overlay;
	struct thesis m = {
		.model = { .p = p, .limits = limits, .report = report },
		.n = p->nfa.n,
		.nslots = form.by_clique ? o->ncliques : o->ncliques * o->clique_size,
		.slot_size = !form.by_clique             ? 1
			     : o->clique_size < p->nfa.n ? o->clique_size
							 : p->nfa.n,
		.clique_slots = form.by_clique ? 1 : o->clique_size,
		.symmetry = form.symmetry,
	};
	enum nfart_status status;
	bool *values;

	status = build_thesis(&m) ? model_solve(&m.model, &values) : m.model.status;
	if (status == NFART_OK) {
		for (int32_t i = 0; i < m.model.glpk.columns; i++)
			if (values[i])
				clique[(uint32_t)i / m.nslots] =
					clique_of(&m, (uint32_t)i % m.nslots);
		free(values);
	}
	model_free(&m.model);
	return status;
}
