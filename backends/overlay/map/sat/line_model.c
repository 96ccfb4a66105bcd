/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/map/sat/line_model.h"

#include <stdlib.h>

/* The variables, one group after the other. With one column there are no variables of the first
 * group. */
static uint32_t at_most_var(const struct line_model *m, uint32_t v, uint32_t column)
{
	return v * (m->columns - 1) + column;
}

static uint32_t ring_var(const struct line_model *m, uint32_t v, uint32_t ring)
{
	return m->in->task->nfa.n * (m->columns - 1) + v * m->in->rings + ring;
}

static uint32_t clique_var(const struct line_model *m, uint32_t v, uint32_t column, uint32_t ring)
{
	return ring_var(m, m->in->task->nfa.n, 0) + (v * m->columns + column) * m->in->rings + ring;
}

static uint32_t between_var(const struct line_model *m, uint32_t v, uint32_t from, uint32_t to)
{
	return clique_var(m, m->in->task->nfa.n, 0, 0) + (v * m->columns + from) * m->columns + to;
}

static uint32_t leftmost_var(const struct line_model *m, uint32_t v)
{
	return between_var(m, m->in->task->nfa.n, 0, 0) + v;
}

/* State v is in a column up to `column`, which is not the last one. */
static literal_t at_most(const struct line_model *m, uint32_t v, uint32_t column)
{
	return 2 * at_most_var(m, v, column);
}

/* State v is in a column after `column`, which is not the last one. */
static literal_t after(const struct line_model *m, uint32_t v, uint32_t column)
{
	return literal_not(at_most(m, v, column));
}

static literal_t on_ring(const struct line_model *m, uint32_t v, uint32_t ring)
{
	return 2 * ring_var(m, v, ring);
}

static literal_t in_clique(const struct line_model *m, uint32_t v, uint32_t column, uint32_t ring)
{
	return 2 * clique_var(m, v, column, ring);
}

/* State v is in one of the columns `from` to `to`, which are not all columns. */
static literal_t between(const struct line_model *m, uint32_t v, uint32_t from, uint32_t to)
{
	if (from == 0)
		return at_most(m, v, to);
	if (to + 1 == m->columns)
		return after(m, v, from - 1);
	return 2 * between_var(m, v, from, to);
}

literal_t line_model_leftmost(const struct line_model *m, uint32_t v)
{
	return 2 * leftmost_var(m, v);
}

static void add2(const struct line_model *m, literal_t a, literal_t b)
{
	clauses_add(m->clauses, (literal_t[]){a, b}, 2);
}

static void add3(const struct line_model *m, literal_t a, literal_t b, literal_t c)
{
	clauses_add(m->clauses, (literal_t[]){a, b, c}, 3);
}

/* Returns how many STEs of the line are within `radius` of a clique in `column`. */
static uint64_t room_near(const struct line_model *m, uint32_t column, uint32_t radius)
{
	uint64_t cliques = 0;

	for (uint32_t ring = 0; ring < m->in->rings; ring++)
		for (uint32_t c = 0; c < m->columns; c++) {
			uint32_t d = c < column ? column - c : c - column;
			cliques += m->in->apart[ring] <= radius &&
				   d <= radius - m->in->apart[ring];
		}
	return cliques * m->in->task->room[0];
}

/* Is there room in the line for all states near v, if v is in the column? */
static bool has_room(const struct line_model *m, uint32_t v, uint32_t column)
{
	uint32_t n = m->in->task->nfa.n;
	const uint32_t *dist = m->in->dist + (size_t)v * n;

	for (uint32_t radius = 0; radius <= m->in->diameter; radius++) {
		uint64_t near = 0;
		for (uint32_t u = 0; u < n; u++)
			near += dist[u] <= radius;
		if (near > room_near(m, column, radius))
			return false;
	}
	return true;
}

/* Keeps states off the ends of the line where has_room() says so. */
static void add_ends(struct line_model *m)
{
	uint32_t columns = m->columns;

	for (uint32_t v = 0; v < m->in->task->nfa.n; v++) {
		uint32_t first = 0;

		while (2 * first < columns && !has_room(m, v, first))
			first++;
		m->first[v] = first;
		if (2 * first >= columns) {
			clauses_add(m->clauses, NULL, 0);
		} else if (first > 0) {
			clauses_add(m->clauses, (literal_t[]){after(m, v, first - 1)}, 1);
			clauses_add(m->clauses, (literal_t[]){at_most(m, v, columns - 1 - first)},
				    1);
		}
	}
}

/* Says that "at most j" rises with j, and what an interval means. */
static void add_columns(const struct line_model *m, uint32_t v)
{
	uint32_t columns = m->columns;

	for (uint32_t c = 0; c + 2 < columns; c++)
		add2(m, after(m, v, c), at_most(m, v, c + 1));
	for (uint32_t from = 1; from + 1 < columns; from++)
		for (uint32_t to = from; to + 1 < columns; to++) {
			literal_t inside = between(m, v, from, to);

			add3(m, after(m, v, to), at_most(m, v, from - 1), inside);
			add2(m, literal_not(inside), at_most(m, v, to));
			add2(m, literal_not(inside), after(m, v, from - 1));
		}
}

/* Says that the state is on one ring, and what a clique means. */
static void add_cliques(const struct line_model *m, uint32_t v, literal_t *list)
{
	for (uint32_t r = 0; r < m->in->rings; r++) {
		list[r] = on_ring(m, v, r);
		for (uint32_t q = 0; q < r; q++)
			add2(m, literal_not(list[q]), literal_not(list[r]));
		for (uint32_t c = 0; c < m->columns; c++) {
			literal_t here = in_clique(m, v, c, r);

			add2(m, literal_not(here), list[r]);
			if (m->columns == 1) {
				add2(m, literal_not(list[r]), here);
				continue;
			}
			add2(m, literal_not(here), between(m, v, c, c));
			add3(m, literal_not(between(m, v, c, c)), literal_not(list[r]), here);
		}
	}
	clauses_add(m->clauses, list, m->in->rings);
}

/* Says that u, a neighbour of v, is at most one column after v, and where it is in another column,
 * on the same ring. Rings that are not adjacent exclude each other. */
static void add_edge(const struct line_model *m, uint32_t v, uint32_t u)
{
	const struct map_adj *g = &m->in->task->cliques;
	uint32_t length = m->in->task->length;

	for (uint32_t c = 0; c + 2 < m->columns; c++)
		add2(m, after(m, v, c), at_most(m, u, c + 1));
	for (uint32_t c = 0; c + 1 < m->columns; c++)
		for (uint32_t r = 0; r < m->in->rings; r++)
			clauses_add(m->clauses,
				    (literal_t[]){after(m, v, c), at_most(m, u, c),
						  literal_not(on_ring(m, v, r)), on_ring(m, u, r)},
				    4);
	for (uint32_t r = 0; r < m->in->rings; r++)
		for (uint32_t q = 0; q < m->in->rings; q++) {
			size_t i = g->first[r * length], end = g->first[r * length + 1];

			while (i < end && g->to[i] != q * length)
				i++;
			if (i == end)
				add2(m, literal_not(on_ring(m, v, r)),
				     literal_not(on_ring(m, u, q)));
		}
}

/* Says how many states have room in each clique and in each interval of columns. */
static void add_room(const struct line_model *m, literal_t *list)
{
	uint32_t n = m->in->task->nfa.n, room = m->in->task->room[0], columns = m->columns;

	for (uint32_t c = 0; c < columns; c++)
		for (uint32_t r = 0; r < m->in->rings; r++) {
			for (uint32_t v = 0; v < n; v++)
				list[v] = in_clique(m, v, c, r);
			clauses_add_most(m->clauses, list, n, room);
		}
	for (uint32_t from = 0; from < columns; from++)
		for (uint32_t to = from; to < columns; to++) {
			if (from == 0 && to + 1 == columns)
				continue;
			for (uint32_t v = 0; v < n; v++)
				list[v] = between(m, v, from, to);
			clauses_add_most(m->clauses, list, n,
					 room * m->in->rings * (to + 1 - from));
		}
}

bool line_model_build(struct line_model *m)
{
	const struct map_adj *g = &m->in->task->nfa;
	uint32_t n = g->n, rings = m->in->rings;
	literal_t *list = malloc((n > rings ? n : rings) * sizeof *list);

	m->first = malloc(n * sizeof *m->first);
	m->clauses = clauses_new(leftmost_var(m, n));
	if (list == NULL || m->first == NULL || m->clauses == NULL) {
		free(list);
		return false;
	}
	for (uint32_t v = 0; v < n; v++) {
		add_columns(m, v);
		add_cliques(m, v, list);
		for (size_t i = g->first[v]; i < g->first[v + 1]; i++)
			add_edge(m, v, g->to[i]);
		if (m->columns > 1)
			add2(m, literal_not(line_model_leftmost(m, v)), at_most(m, v, 0));
		add2(m, literal_not(line_model_leftmost(m, v)), on_ring(m, v, 0));
	}
	add_room(m, list);
	add_ends(m);
	if (m->columns > 1) {
		for (uint32_t v = 0; v < n; v++)
			list[v] = after(m, v, m->columns - 2);
		clauses_add(m->clauses, list, n);
	}
	free(list);
	return true;
}

void line_model_free(struct line_model *m)
{
	clauses_free(m->clauses);
	free(m->first);
}

void line_model_exclude(struct line_model *m, uint32_t v)
{
	if (m->columns == 1) {
		clauses_add(m->clauses, NULL, 0);
		return;
	}
	clauses_add(m->clauses, (literal_t[]){after(m, v, 0)}, 1);
	clauses_add(m->clauses, (literal_t[]){at_most(m, v, m->columns - 2)}, 1);
}

void line_model_read(const struct line_model *m, uint32_t *clique)
{
	for (uint32_t v = 0; v < m->in->task->nfa.n; v++) {
		uint32_t column = 0, ring = 0;

		while (column + 1 < m->columns &&
		       !clauses_holds(m->clauses, at_most(m, v, column)))
			column++;
		while (!clauses_holds(m->clauses, on_ring(m, v, ring)))
			ring++;
		clique[v] = ring * m->in->task->length + column;
	}
}
