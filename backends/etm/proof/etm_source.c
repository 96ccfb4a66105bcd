/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/* The side of a source (etm_side.h). It executes ir/machine.h as its text says, word for word. */
#include <string.h>

#include "backends/etm/proof/etm_side.h"

/* What the conditions of a machine see in a cycle. */
struct sight {
	const struct etm_source_side *s;
	uint32_t letter, state;
	bool tick;
	uint32_t active; /* a bit for each counter of the machine that is active */
};

static bool pred_holds_now(const struct sight *t, pred_id_t id)
{
	const struct etm_pred *p = &t->s->preds[id];
	bool any = (p->atoms & t->letter) != 0 || (p->tick && t->tick) || (p->notick && !t->tick);

	return any != p->none;
}

static bool cond_holds(const struct sight *t, const struct machine_cond *c)
{
	bool in = c->nwhen == 0;

	for (uint32_t i = 0; i < c->nwhen; i++)
		in = in || c->when[i] == t->state;
	for (uint32_t i = 0; i < c->nterms && in; i++) {
		const struct machine_term *term = &c->terms[i];

		in = term->kind == MACHINE_PRED ? pred_holds_now(t, term->pred)
			: (t->active >> term->counter & 1) == (term->kind == MACHINE_AT);
	}
	return in;
}

/* Steps counter i of the machine. `at`: 0 if its count is K - 1, 1 if it is K. */
static enum etm_action count(struct sight *t, size_t i, int8_t at)
{
	const struct machine_counter *c = &t->s->m->counters.at[i];
	uint32_t active = 1u << i;

	for (size_t j = 0; j < c->reset.n; j++)
		if (cond_holds(t, &c->reset.at[j]))
			return ETM_ZERO;
	for (size_t j = 0; j < c->count.n; j++) {
		if (!cond_holds(t, &c->count.at[j]))
			continue;
		if (at == 0 || (at == 1 && c->mode == COUNTER_LATCH))
			t->active |= active;
		return at == 0 && c->mode == COUNTER_ROLL ? ETM_ZERO : at == 1 ? ETM_KEEP : ETM_ADD;
	}
	if (at == 1 && c->mode == COUNTER_LATCH)
		t->active |= active;
	return ETM_KEEP;
}

static uint32_t next_state(const struct sight *t)
{
	const struct machine *m = t->s->m;

	for (size_t i = 0; i < m->moves.n; i++) {
		const struct machine_move *v = &m->moves.at[i];

		if ((v->from == t->state || v->from == MACHINE_ANY) && cond_holds(t, &v->cond))
			return v->to;
	}
	return t->state;
}

static void source_step(const struct etm_side *side, uint32_t control, const int8_t *at,
			uint32_t letter, struct etm_side_step *out)
{
	const struct etm_source_side *s = (const struct etm_source_side *)side;
	const struct machine *m = s->m;
	struct sight t = { .s = s, .letter = letter, .state = control };
	unsigned first = s->tick != 0;

	if (first) {
		t.tick = at[0] == 0;
		out->action[0] = t.tick ? ETM_ZERO : ETM_ADD;
	}
	for (size_t i = 0; i < m->counters.n; i++)
		out->action[first + i] = count(&t, i, at[first + i]);
	out->control = next_state(&t);
	out->outputs = 0;
	for (uint32_t i = 0; i < m->states.at[out->control].noutputs; i++)
		out->outputs |= 1u << m->states.at[out->control].outputs[i];
}

/* Appends to *bits, from bit *n on, which predicates of a condition see an atom of the letter. */
static void sign(const struct etm_source_side *s, const struct machine_cond *c, uint32_t letter,
		 uint64_t *bits, unsigned *n)
{
	for (uint32_t i = 0; i < c->nterms; i++)
		if (c->terms[i].kind == MACHINE_PRED && ++*n <= 64)
			*bits |= (uint64_t)((s->preds[c->terms[i].pred].atoms & letter) != 0)
				 << (*n - 1);
}

static uint64_t source_signature(const struct etm_side *side, uint32_t letter)
{
	const struct etm_source_side *s = (const struct etm_source_side *)side;
	const struct machine *m = s->m;
	uint64_t bits = 0;
	unsigned n = 0;

	for (size_t i = 0; i < m->counters.n; i++) {
		for (size_t j = 0; j < m->counters.at[i].reset.n; j++)
			sign(s, &m->counters.at[i].reset.at[j], letter, &bits, &n);
		for (size_t j = 0; j < m->counters.at[i].count.n; j++)
			sign(s, &m->counters.at[i].count.at[j], letter, &bits, &n);
	}
	for (size_t i = 0; i < m->moves.n; i++)
		sign(s, &m->moves.at[i].cond, letter, &bits, &n);
	return n <= 64 ? bits : letter; /* with more predicates, letters are not joined */
}

static struct etm_side_counter counter_of(int64_t k, enum counter_mode mode, bool steady)
{
	struct etm_side_counter c = { .steady = steady };

	c.point[c.npoints++] = k - 1;
	if (mode != COUNTER_ROLL)
		c.point[c.npoints++] = k;
	return c;
}

/* Returns the highest output of any state, plus 1. */
static uint32_t outputs_end(const struct machine *m)
{
	uint32_t end = 0;

	for (size_t i = 0; i < m->states.n; i++) {
		const struct machine_state *q = &m->states.at[i];

		if (q->noutputs != 0 && q->outputs[q->noutputs - 1] >= end)
			end = q->outputs[q->noutputs - 1] + 1;
	}
	return end;
}

bool etm_source_side(struct etm_source_side *s, const struct machine *m,
		     const struct etm_pred *preds, uint64_t tick, const int8_t *more)
{
	struct etm_side *side = &s->side;

	memset(s, 0, sizeof *s);
	if (m->counters.n + (tick != 0) > ETM_SIDE_COUNTERS || outputs_end(m) > ETM_SIDE_OUTPUTS)
		return false;
	side->step = source_step;
	side->signature = source_signature;
	side->start = m->start;
	s->m = m;
	s->preds = preds;
	s->tick = tick;
	if (tick != 0)
		side->counters[side->ncounters++] = counter_of((int64_t)tick, COUNTER_ROLL, true);
	if (tick == 1)
		side->counters[0].start = -1; /* the first batch has no tick */
	for (size_t i = 0; i < m->counters.n; i++) {
		int64_t k = (int64_t)m->counters.at[i].k + (more != NULL ? more[i] : 0);

		if (k < 1)
			return false;
		side->counters[side->ncounters++] =
			counter_of(k, m->counters.at[i].mode, false);
	}
	return true;
}
