/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/coherence/system.h"

/* Adds the edges that leave combination `from`. */
static bool tables_leave(const struct coh *c, uint32_t from, struct coh_system *s)
{
	const uint8_t *before = c->tables.legal[from];

	for (uint32_t i = 0; i < c->list.n; i++) {
		const struct coh_rule *m = &c->list.at[i];

		if (!coh_all_hold(c, m->when, before, before))
			continue;
		for (uint32_t to = 0; to < c->tables.nlegal; to++)
			if (coh_all_hold(c, m->then, c->tables.legal[to], before)) {
				s->used.at[i] = true;
				if (!vec_push(&s->edges, ((struct coh_edge){ to, m->event, i })))
					return false;
			}
	}
	return true;
}

bool system_init(const struct coh *c, struct coh_system *s)
{
	for (uint32_t node = 0; node < COH_NODES; node++)
		s->blocked[node] = COH_NONE;
	for (uint32_t i = 0; i < c->list.n; i++)
		if (!vec_push(&s->used, false))
			return false;
	return true;
}

bool system_note_state(const struct coh *c, const uint8_t *values, struct coh_system *s)
{
	if (!vec_reserve(&s->state_values, c->nvars))
		return false;
	for (uint32_t i = 0; i < c->nvars; i++) {
		s->values[i] |= (uint32_t)1 << values[i];
		s->state_values.at[s->state_values.n++] = values[i];
	}
	return true;
}

bool system_of_tables(const struct coh *c, struct coh_system *s)
{
	bool ok = system_init(c, s);

	s->nstates = s->norbits = c->tables.nlegal;
	for (uint32_t from = 0; from < c->tables.nlegal && ok; from++)
		ok = system_note_state(c, c->tables.legal[from], s) &&
		     vec_push(&s->first, (uint32_t)s->edges.n) && tables_leave(c, from, s);
	return ok && vec_push(&s->first, (uint32_t)s->edges.n);
}

void system_free(struct coh_system *s)
{
	vec_free(&s->edges);
	vec_free(&s->state_values);
	vec_free(&s->first);
	vec_free(&s->used);
}
