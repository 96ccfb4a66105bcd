/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "ir/machine.h"

#include "contract/image/image.h"

void machine_free(struct machine *m)
{
	for (size_t i = 0; i < m->counters.n; i++) {
		vec_free(&m->counters.at[i].count);
		vec_free(&m->counters.at[i].reset);
	}
	vec_free(&m->counters);
	vec_free(&m->states);
	vec_free(&m->moves);
}

/* A machine within a batch. */
struct step {
	const uint64_t *truth; /* the predicates that hold */
	uint32_t state;        /* the state before the batch */
	const uint64_t *at;    /* the counters that are active */
};

static bool machine_holds(const struct step *x, const struct machine_cond *c)
{
	bool ok = c->nwhen == 0;

	for (uint32_t i = 0; i < c->nwhen && !ok; i++)
		ok = c->when[i] == x->state;
	for (uint32_t i = 0; i < c->nterms && ok; i++) {
		const struct machine_term *t = &c->terms[i];

		ok = t->kind == MACHINE_PRED
			     ? bits_get(x->truth, t->pred)
			     : bits_get(x->at, t->counter) == (t->kind == MACHINE_AT);
	}
	return ok;
}

static bool any_holds(const struct step *x, const struct machine_cond *c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (machine_holds(x, &c[i]))
			return true;
	return false;
}

/* Steps a counter. Returns whether it is active after the batch. */
static bool step_counter(const struct step *x, const struct machine_counter *c, uint32_t *count)
{
	bool reached = false, active;

	if (any_holds(x, c->reset.at, c->reset.n))
		*count = 0;
	else if (*count < c->k && any_holds(x, c->count.at, c->count.n))
		reached = ++*count == c->k;
	active = reached || (c->mode == COUNTER_LATCH && *count == c->k);
	if (reached && c->mode == COUNTER_ROLL)
		*count = 0;
	return active;
}

uint32_t machine_next(const struct machine *m, const uint64_t *truth, uint32_t state,
		      uint32_t *counts)
{
	uint64_t at[IMAGE_MACHINE_COUNTERS / 64] = { 0 };
	struct step x = { truth, state, at };

	for (uint32_t i = 0; i < m->counters.n; i++)
		if (step_counter(&x, &m->counters.at[i], &counts[i]))
			bits_set(at, i);
	for (size_t i = 0; i < m->moves.n; i++) {
		const struct machine_move *t = &m->moves.at[i];

		if ((t->from == MACHINE_ANY || t->from == state) && machine_holds(&x, &t->cond))
			return t->to;
	}
	return state;
}
