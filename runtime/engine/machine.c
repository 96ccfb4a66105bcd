/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/engine/machine.h"

#include "support/bits.h"

uint32_t machine_state(const struct image_machine *m, const uint64_t *active)
{
	return (uint32_t)bits_next(active, m->first_state + m->nstates, m->first_state);
}

bool machine_has_state(const struct image_machine *m, const uint64_t *active)
{
	size_t end = m->first_state + m->nstates, s = bits_next(active, end, m->first_state);

	return s < end && bits_next(active, end, s + 1) >= end;
}

/* A machine within a batch. */
struct step {
	const struct image_machine *m;
	const uint64_t *truth;
	uint32_t state;         /* the state before the batch, numbered within the machine */
	const uint32_t *counts; /* the counts of the machine */
	const uint64_t *reached; /* the counters that reached their k in this batch */
};

static bool is_at(const struct step *x, uint32_t counter)
{
	const struct image_machine_counter *c = &x->m->counters[counter];

	return c->mode == COUNTER_LATCH ? x->counts[counter] == c->k
					: bits_get(x->reached, counter);
}

static bool machine_holds(const struct step *x, const struct image_cond *c)
{
	bool ok = c->when.n == 0;

	for (uint32_t i = 0; i < c->when.n && !ok; i++)
		ok = c->when.at[i] == x->state;
	for (uint32_t i = 0; i < c->nterms && ok; i++) {
		const struct image_term *t = &c->terms[i];

		ok = t->kind == IMAGE_TERM_PRED ? bits_get(x->truth, t->what)
						: is_at(x, t->what) == (t->kind == IMAGE_TERM_AT);
	}
	return ok;
}

/* Returns the index of the first of the conditions that holds, or n. */
static uint32_t first_holds(const struct step *x, const struct image_cond *c, uint32_t n)
{
	uint32_t i = 0;

	while (i < n && !machine_holds(x, &c[i]))
		i++;
	return i;
}

/* Steps counter i. Returns what happened to it. */
static struct machine_counting machine_count(const struct step *x, uint32_t i, uint32_t *n,
					     uint64_t *reached)
{
	const struct image_machine_counter *c = &x->m->counters[i];
	struct machine_counting did = { .event = MACHINE_RESET };

	did.cond = first_holds(x, c->reset, c->nreset);
	if (did.cond < c->nreset) {
		*n = 0;
	} else {
		did.cond = *n < c->k ? first_holds(x, c->count, c->ncount) : c->ncount;
		did.event = did.cond < c->ncount ? MACHINE_COUNTED : MACHINE_KEPT;
		if (did.event == MACHINE_COUNTED && ++*n == c->k)
			bits_set(reached, i);
	}
	did.n = *n;
	if (c->mode == COUNTER_ROLL && *n == c->k)
		*n = 0;
	did.at = is_at(x, i);
	return did;
}

/* Returns the first move that can be taken, or MACHINE_NO_MOVE. Those of the state and those of
 * every state are both in the order of the text. */
static uint32_t first_move(const struct step *x)
{
	const struct image_machine *m = x->m;
	const uint32_t *own = m->by_source + m->first_move[x->state];
	const uint32_t *own_end = m->by_source + m->first_move[x->state + 1];
	const uint32_t *any = m->by_source + m->first_move[m->nstates];
	const uint32_t *any_end = m->by_source + m->nmoves;

	while (own < own_end || any < any_end) {
		bool is_own = own < own_end && (any == any_end || *own < *any);
		uint32_t i = is_own ? *own++ : *any++;

		if (machine_holds(x, &m->moves[i].cond))
			return i;
	}
	return MACHINE_NO_MOVE;
}

uint32_t machine_step(const struct image_machine *m, const uint64_t *truth, uint32_t state,
		      uint32_t *counts, struct machine_done *done)
{
	uint64_t reached[IMAGE_MACHINE_COUNTERS / 64] = { 0 };
	uint32_t *own = counts + m->first_count;
	struct step x = { m, truth, state - m->first_state, own, reached };
	uint32_t move;

	for (uint32_t i = 0; i < m->ncounters; i++) {
		struct machine_counting did = machine_count(&x, i, &own[i], reached);

		if (done != NULL)
			done->counters[i] = did;
	}
	move = first_move(&x);
	if (done != NULL)
		done->move = move;
	return move != MACHINE_NO_MOVE ? m->first_state + m->moves[move].to : state;
}
