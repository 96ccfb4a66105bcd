/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/map/columns.h"

static bool are_adjacent(const struct map_adj *g, uint32_t c, uint32_t d)
{
	for (size_t i = g->first[c]; i < g->first[c + 1]; i++)
		if (g->to[i] == d)
			return true;
	return false;
}

/* Is clique d where the definition of the overlay allows a neighbour of c: in the same column as
 * far from c as a neighbour of clique 0 is from clique 0, or next to c on its ring? */
static bool is_allowed(const struct map_adj *g, uint32_t length, uint32_t c, uint32_t d)
{
	uint32_t rings = g->n / length;
	uint32_t from = c % length, to = d % length;

	if (from == to)
		return are_adjacent(g, 0, (d / length + rings - c / length) % rings * length);
	return c / length == d / length && (to == (from + 1) % length || from == (to + 1) % length);
}

/* All cliques have as many neighbours, so they have all that are allowed if no other ones. */
bool columns_known(const struct map_adj *g, uint32_t length)
{
	if (length < 3 || g->n % length != 0)
		return false;
	for (uint32_t c = 0; c < g->n; c++)
		for (size_t i = g->first[c]; i < g->first[c + 1]; i++)
			if (map_degree(g, c) != map_degree(g, 0) ||
			    !is_allowed(g, length, c, g->to[i]))
				return false;
	return true;
}
