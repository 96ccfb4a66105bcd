/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/map/hubs.h"

#include <stdlib.h>

#include "backends/overlay/map/columns.h"

enum { MOST_HUBS = 64 };

struct hub {
	uint32_t state, degree;
};

/* The overlay, as Note [hubs] names it. */
struct shape {
	uint64_t clique; /* A: places in a clique */
	uint64_t rings, columns;
};

static int by_degree(const void *a, const void *b)
{
	const struct hub *x = a, *y = b;

	if (x->degree != y->degree)
		return x->degree < y->degree ? 1 : -1;
	return x->state < y->state ? -1 : x->state > y->state;
}

/* Returns X: how many hubs of s states may be in one column. */
static uint64_t most_in_column(const struct shape *o, uint64_t s)
{
	uint64_t x = 0, rings;

	do {
		x++;
		rings = x < o->rings ? x : o->rings;
	} while (x * s <= o->clique * o->rings + 2 * o->clique * rings);
	return x - 1;
}

/* Returns how many columns y hubs take at least: T(y). Where one column is too few, y * s is more
 * than the places in a column and beside it, so T(y) is 2 at least. */
static uint64_t columns_of(const struct shape *o, uint64_t s, uint64_t y)
{
	uint64_t most = most_in_column(o, s), rings = most < o->rings ? most : o->rings;
	uint64_t column = o->clique * o->rings, beside = 2 * o->clique * rings;

	return y <= most ? 1 : (y * s - beside + column - 1) / column;
}

static bool may_have(const struct shape *o, uint64_t s, uint64_t q)
{
	for (uint64_t j = 1; j < q; j++)
		if (q * (columns_of(o, s, j + 1) - 1) > j * o->columns)
			return false;
	return true;
}

/* Tests the hubs so far, of which all but the last one have passed. The last one has the lowest
 * degree. */
static enum nfart_status test_hubs(const struct map_problem *p, const struct shape *o, uint64_t q,
				   const struct hub *last)
{
	if (may_have(o, (uint64_t)last->degree + 1, q))
		return NFART_OK;
	p->report->reason = MAP_HUBS;
	p->report->state = last->state;
	p->report->need = q;
	p->report->have = q - 1;
	return NFART_NOFIT;
}

/* Marks the neighbours of v, unless v or one of them is marked. False: one is. Of two hubs that are
 * adjacent, the first marks the second. */
static bool take_neighbours(const struct map_adj *g, uint32_t v, bool *taken)
{
	bool is_free = !taken[v];

	for (size_t i = g->first[v]; i < g->first[v + 1]; i++)
		is_free = is_free && !taken[g->to[i]];
	if (!is_free)
		return false;
	for (size_t i = g->first[v]; i < g->first[v + 1]; i++)
		taken[g->to[i]] = true;
	return true;
}

enum nfart_status hubs_test(const struct map_problem *p)
{
	const struct map_overlay *overlay = p->overlay;
	uint32_t n = p->nfa.n;
	struct shape o = {.clique = map_overlay_all_room(overlay), .columns = overlay->length};
	struct hub *hubs;
	bool *taken;
	enum nfart_status status = NFART_OK;

	if (!columns_known(&p->cliques, overlay->length))
		return NFART_OK;
	o.rings = overlay->ncliques / overlay->length;
	hubs = malloc((n + (size_t)1) * sizeof *hubs);
	taken = calloc(n + (size_t)1, sizeof *taken);
	if (hubs == NULL || taken == NULL)
		status = NFART_SYSTEM;
	for (uint32_t v = 0; v < n && status == NFART_OK; v++)
		hubs[v] = (struct hub){v, map_degree(&p->nfa, v)};
	if (status == NFART_OK)
		qsort(hubs, n, sizeof *hubs, by_degree);
	for (uint32_t i = 0, q = 0; i < n && status == NFART_OK && q < MOST_HUBS; i++)
		if (take_neighbours(&p->nfa, hubs[i].state, taken))
			status = test_hubs(p, &o, ++q, &hubs[i]);
	free(taken);
	free(hubs);
	return status;
}
