/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/map/overlay_graph.h"

bool map_overlay_adjacent(const struct map_overlay *o, uint32_t a, uint32_t b)
{
	const uint32_t *list = o->neighbours + (size_t)a * o->nneighbours;
	uint32_t lo = 0, hi = o->nneighbours;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (list[mid] == b)
			return true;
		if (list[mid] < b)
			lo = mid + 1;
		else
			hi = mid;
	}
	return false;
}

uint64_t map_overlay_all_room(const struct map_overlay *o)
{
	uint64_t room = o->clique_size;

	for (uint32_t kind = 0; kind < o->more_kinds; kind++)
		room += o->more_room[kind];
	return room;
}

const char *map_overlay_check(const struct map_overlay *o)
{
	if (o->clique_size == 0 || o->ncliques == 0 || o->nneighbours == 0)
		return "the overlay is empty";
	if (o->more_kinds > MAP_MOST_KINDS - 1)
		return "too many kinds of nodes";
	if (o->nneighbours > o->ncliques)
		return "more neighbours than cliques";
	for (uint32_t c = 0; c < o->ncliques; c++) {
		const uint32_t *list = o->neighbours + (size_t)c * o->nneighbours;

		for (uint32_t i = 0; i < o->nneighbours; i++) {
			if (list[i] >= o->ncliques)
				return "a neighbour that is no clique";
			if (i > 0 && list[i] <= list[i - 1])
				return "neighbours out of order";
		}
		if (!map_overlay_adjacent(o, c, c))
			return "a clique that is not its own neighbour";
	}
	for (uint32_t c = 0; c < o->ncliques; c++) {
		const uint32_t *list = o->neighbours + (size_t)c * o->nneighbours;

		for (uint32_t i = 0; i < o->nneighbours; i++)
			if (!map_overlay_adjacent(o, list[i], c))
				return "neighbours on one side only";
	}
	return NULL;
}

bool map_overlay_adj(const struct map_overlay *o, struct arena *arena, struct map_adj *g)
{
	size_t *first = arena_array(arena, (size_t)o->ncliques + 1, sizeof *first);

	if (first == NULL)
		return false;
	for (size_t c = 0; c <= o->ncliques; c++)
		first[c] = c * o->nneighbours;
	*g = (struct map_adj){.n = o->ncliques, .first = first, .to = o->neighbours};
	return true;
}
