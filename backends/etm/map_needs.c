/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Says what each function must be in each row of the truth table (map_int.h, Note [truth table]),
 * once the states are assigned, the chained counters are chosen, and it is known in which rows the
 * reset event holds.
 */
#include <string.h>

#include "backends/etm/map_int.h"
#include "backends/etm/map_needs.h"

static void must(struct map_needs *n, uint32_t field, uint32_t r, bool value)
{
	bits_set(value ? n->on[field] : n->off[field], r);
}

/* The moves of the sequencer from state s to state t, without a reset. A step back whose
 * step forward does not hold is made with either priority (contract/etm/etm.h), and no other step
 * back is. */
static void need_move(const struct map *m, struct map_needs *n, uint32_t r, uint32_t s, uint32_t t)
{
	uint32_t last = m->core->has.states - 1;

	for (uint32_t i = s; i < t; i++)
		must(n, FIELD_F + i, r, true);
	if (s <= t && t < last)
		must(n, FIELD_F + t, r, false);
	if (s > t && s < last)
		must(n, FIELD_F + s, r, false);
	for (uint32_t i = t; i < s; i++)
		must(n, FIELD_B + i, r, true);
	for (uint32_t i = t; i < s && m->robust; i++)
		must(n, FIELD_F + i, r, false);
	if (s >= t && t > 0)
		must(n, FIELD_B + t - 1, r, false);
}

/* Counter i counts, or reloads, in row r. */
static void need_counter(const struct map *m, struct map_needs *n, uint32_t r, uint32_t i,
			 uint32_t chain)
{
	const struct map_row *x = &m->table.row[r];
	bool count = (x->counts >> i & 1) != 0;
	bool full = (m->counters.levels & x->zero) >> i & 1; /* whether it counts does not matter */
	/* Does the counter below reload, and the chain make this one count? */
	bool chained = (chain >> i & 1) != 0 &&
		       (((x->zero & ~m->counters.levels) | x->reloads) >> (i - 1) & 1) != 0;

	if ((x->reloads >> i & 1) != 0) {
		must(n, FIELD_RELOAD + i, r, true);
		/* A counter that does not count has no pulse that could overlap its reset. */
		if (m->overlap && (m->counters.levels >> i & 1) == 0 && !count) {
			must(n, FIELD_COUNT + i, r, false);
			if (chained)
				must(n, FIELD_COUNT + i, r, true);
		}
		return;
	}
	must(n, FIELD_RELOAD + i, r, false);
	if (full || (chained && count))
		return;
	must(n, FIELD_COUNT + i, r, count);
	if (chained)
		must(n, FIELD_COUNT + i, r, true); /* nothing can keep the counter from counting */
}

static void need_outputs(const struct map *m, struct map_needs *n, uint32_t r)
{
	const struct machine_state *s = &m->machine->states.at[m->table.row[r].state];
	uint32_t on = 0;

	for (uint32_t i = 0; i < s->noutputs; i++)
		on |= 1u << m->report->output[s->outputs[i]];
	for (uint32_t i = 0; i <= ETM_MAP_TRACE; i++)
		must(n, FIELD_OUT + i, r, (on >> i & 1) != 0);
}

bool map_needs_init(struct map_needs *n, struct map *m)
{
	for (uint32_t i = 0; i < NFIELDS; i++) {
		n->on[i] = arena_array(&m->arena, m->table.words, 8);
		n->off[i] = arena_array(&m->arena, m->table.words, 8);
		if (n->on[i] == NULL || n->off[i] == NULL)
			return false;
	}
	return true;
}

void map_needs_make(struct map_needs *n, const struct map *m, const uint8_t *q, uint32_t chain,
		    const uint64_t *reset, bool any_reset)
{
	for (uint32_t i = 0; i < NFIELDS; i++) {
		memset(n->on[i], 0, m->table.words * 8);
		memset(n->off[i], 0, m->table.words * 8);
	}
	for (uint32_t r = 0; r < m->table.n; r++) {
		uint32_t s = q[m->table.row[r].state], t = q[m->table.row[r].next];

		if (reset != NULL && bits_get(reset, r))
			must(n, FIELD_R, r, true);
		else if (!any_reset || t != 0)
			need_move(m, n, r, s, t);
		if (t != 0 && !any_reset)
			must(n, FIELD_R, r, false);
		for (uint32_t i = 0; i < m->counters.n; i++)
			need_counter(m, n, r, i, chain);
		need_outputs(m, n, r);
	}
}
