/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * sat.c: the mapping problem as clauses. The variable x[v,c] means that state v is in clique c.
 * Each state is in exactly one clique. For an edge (u,v), if v is in c then u is in a neighbour of
 * c or in c. Variables that count states ensure that no clique has more states of a kind than room.
 */
#include "testsuite/map/sat.h"

#include <glpk.h>

enum { MAX_LITERALS = 256 };

struct clause {
	int n, negative;
	int at[MAX_LITERALS + 1];
	double sign[MAX_LITERALS + 1];
};

static void sat_add(struct clause *c, int column, int negative)
{
	c->n++;
	c->at[c->n] = column;
	c->sign[c->n] = negative ? -1 : 1;
	c->negative += negative;
}

/* Adds the clause *c to the problem: at least one of its literals is true. Empties *c. */
static void sat_put(glp_prob *p, struct clause *c)
{
	int row = glp_add_rows(p, 1);

	glp_set_mat_row(p, row, c->n, c->at, c->sign);
	glp_set_row_bnds(p, row, GLP_LO, 1.0 - c->negative, 0);
	*c = (struct clause){0};
}

/* Adds the clause "a and b imply c". If b is 0 it is "a implies c". If c is 0 it is "a and b are
 * not both true". */
static void imply(glp_prob *p, int a, int b, int c)
{
	struct clause clause = {0};

	sat_add(&clause, a, 1);
	if (b != 0)
		sat_add(&clause, b, 1);
	if (c != 0)
		sat_add(&clause, c, 0);
	sat_put(p, &clause);
}

static int new_columns(glp_prob *p, int n)
{
	int first = glp_add_cols(p, n);

	for (int i = 0; i < n; i++)
		glp_set_col_kind(p, first + i, GLP_BV);
	return first;
}

static int x(const struct map_overlay *o, uint32_t v, uint32_t c)
{
	return (int)(v * o->ncliques + c + 1);
}

static void add_states(glp_prob *p, const struct map_graph *g, const struct map_overlay *o)
{
	for (uint32_t v = 0; v < g->n; v++) {
		struct clause some = {0};

		for (uint32_t c = 0; c < o->ncliques; c++) {
			sat_add(&some, x(o, v, c), 0);
			for (uint32_t d = 0; d < c; d++)
				imply(p, x(o, v, c), x(o, v, d), 0);
		}
		sat_put(p, &some);
	}
}

static void add_edges(glp_prob *p, const struct map_graph *g, const struct map_overlay *o)
{
	for (size_t i = 0; i < 2 * g->m; i++) {
		uint32_t v = g->edges[i / 2][i % 2], u = g->edges[i / 2][1 - i % 2];

		for (uint32_t c = 0; c < o->ncliques; c++) {
			struct clause some = {0};

			sat_add(&some, x(o, v, c), 1);
			for (uint32_t j = 0; j < o->nneighbours; j++)
				sat_add(&some, x(o, u, o->neighbours[c * o->nneighbours + j]), 0);
			sat_put(p, &some);
		}
	}
}

/* Adds clauses so that clique c has no more states of this kind than room. Each state v of the kind
 * gets as many columns. Column s + j is true if, of the states up to v, more than j are in c. */
static void add_room(glp_prob *p, const struct map_graph *g, const struct map_overlay *o,
		     uint32_t kind, uint32_t c)
{
	int room = (int)map_overlay_room(o, kind), before = 0;

	for (uint32_t v = 0; v < g->n; v++) {
		int s;

		if ((g->kind != NULL ? g->kind[v] : 0) != kind)
			continue;
		s = new_columns(p, room);
		imply(p, x(o, v, c), 0, s);
		for (int j = 0; before != 0 && j < room; j++) {
			imply(p, before + j, 0, s + j);
			imply(p, x(o, v, c), before + j, j + 1 < room ? s + j + 1 : 0);
		}
		before = s;
	}
}

int sat_fits(const struct map_graph *g, const struct map_overlay *o)
{
	glp_prob *p = glp_create_prob();
	int fits = -1;

	if (g->n == 0) {
		glp_delete_prob(p);
		return 1;
	}
	glp_term_out(GLP_OFF);
	new_columns(p, (int)(g->n * o->ncliques));
	add_states(p, g, o);
	add_edges(p, g, o);
	for (uint32_t kind = 0; kind <= o->more_kinds; kind++)
		for (uint32_t c = 0; c < o->ncliques; c++)
			add_room(p, g, o, kind, c);
	if (glp_minisat1(p) == 0)
		fits = glp_mip_status(p) == GLP_OPT;
	glp_delete_prob(p);
	return fits;
}
