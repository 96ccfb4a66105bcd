/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Finds out whether a realisation moves the sequencer alike with both priorities (map_int.h, Note
 * [robust]).
 */
#include "backends/etm/map_int.h"

static bool holds(const struct map *m, const struct map_event *e, uint32_t r)
{
	if (e->kind == MAP_FALSE || e->kind == MAP_TRUE)
		return e->kind == MAP_TRUE;
	if (e->kind == MAP_ONE)
		return bits_get(m->function[e->f].rows, r);
	return (bits_get(m->function[e->f].rows, r) && bits_get(m->function[e->g].rows, r)) !=
	       e->inv;
}

bool map_is_robust(const struct map *m, const struct map_choice *c)
{
	for (uint32_t r = 0; r < m->table.n; r++) {
		uint32_t s = c->q[m->table.row[r].state], t = c->q[m->table.row[r].next];

		if (holds(m, &c->event[FIELD_R], r))
			continue;
		for (uint32_t i = t; i < s; i++)
			if (holds(m, &c->event[FIELD_F + i], r))
				return false;
	}
	return true;
}
