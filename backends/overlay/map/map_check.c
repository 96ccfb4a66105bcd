/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Checks placements. With the code that makes placements it shares only the functions that
 * read the overlay's table.
 */
#include "backends/overlay/map/map.h"

#include <stdlib.h>

const char map_check_no_memory[] = "out of memory";

static const char *check_edges(const struct map_graph *g, const struct map_overlay *o,
			       const uint32_t *clique)
{
	for (size_t i = 0; i < g->m; i++) {
		uint32_t u = g->edges[i][0], v = g->edges[i][1];

		if (u >= g->n || v >= g->n)
			return "an edge of a state that does not exist";
		if (!map_overlay_adjacent(o, clique[u], clique[v]) ||
		    !map_overlay_adjacent(o, clique[v], clique[u]))
			return "connected states in cliques that are not adjacent";
	}
	return NULL;
}

const char *map_check(const struct map_graph *g, const struct map_overlay *o,
		      const uint32_t *clique)
{
	size_t kinds = (size_t)o->more_kinds + 1;
	uint32_t *used = calloc((size_t)o->ncliques * kinds + 1, sizeof *used);
	const char *wrong = NULL;

	if (used == NULL)
		return map_check_no_memory;
	for (uint32_t v = 0; v < g->n && wrong == NULL; v++) {
		uint32_t kind = g->kind != NULL ? g->kind[v] : 0;

		if (clique[v] >= o->ncliques)
			wrong = "a state in a clique that does not exist";
		else if (kind >= kinds)
			wrong = "a state of a kind that does not exist";
		else if (used[clique[v] * kinds + kind]++ == map_overlay_room(o, kind))
			wrong = "more states in a clique than it has room for";
	}
	if (wrong == NULL)
		wrong = check_edges(g, o, clique);
	free(used);
	return wrong;
}
