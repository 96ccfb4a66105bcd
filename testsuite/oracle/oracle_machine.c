/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "testsuite/oracle/oracle_machine.h"

struct run {
	const struct ast *a;
	const struct ast_machine *m;
	oracle_holds *holds;
	const void *ctx;
	size_t batch;
	uint32_t before;  /* the state before the batch */
	uint64_t *counts; /* [counters] */
	bool *at;         /* [counters]: what `@` of each counter says after this batch */
};

static bool term_holds(const struct run *r, const struct ast_term *t)
{
	switch (t->kind) {
	case AST_TERM_PRED:
		return r->holds(r->ctx, t->pred.id, r->batch);
	case AST_TERM_AT:
		return r->at[t->counter.at];
	case AST_TERM_NOT_AT:
		break;
	}
	return !r->at[t->counter.at];
}

static bool cond_holds(const struct run *r, const struct ast_cond *c)
{
	bool ok = c->nwhen == 0;

	for (uint32_t i = 0; i < c->nwhen; i++)
		ok = ok || r->a->parts.whens.at[c->first_when + i].at == r->before;
	for (uint32_t i = 0; i < c->nterms; i++)
		ok = ok && term_holds(r, &r->a->parts.terms.at[c->first_term + i]);
	return ok;
}

/* Does a rule of the counter hold that resets, or that counts? */
static bool rule_holds(const struct run *r, uint32_t counter, bool reset)
{
	for (uint32_t i = 0; i < r->m->nrules; i++) {
		const struct ast_rule *x = &r->a->parts.rules.at[r->m->first_rule + i];

		if (x->counter.at == counter && x->reset == reset && cond_holds(r, &x->cond))
			return true;
	}
	return false;
}

/* The count goes to 0, or up by one and not beyond k. A pulse is active in the batch in which the
 * count arrives at k, a latch as long as it is there, and a roll is a pulse that goes back to 0. */
static void step_counter(struct run *r, uint32_t i)
{
	const struct ast_machine_counter *c = &r->a->parts.counters.at[r->m->first_counter + i];
	uint64_t before = r->counts[i], k = c->k.value;
	bool arrived;

	if (rule_holds(r, i, true))
		r->counts[i] = 0;
	else if (rule_holds(r, i, false) && before < k)
		r->counts[i] = before + 1;
	arrived = r->counts[i] == k && before != k;
	r->at[i] = c->mode == COUNTER_LATCH ? r->counts[i] == k : arrived;
	if (c->mode == COUNTER_ROLL && arrived)
		r->counts[i] = 0;
}

static uint32_t machine_batch(struct run *r)
{
	for (uint32_t i = 0; i < r->m->ncounters; i++)
		step_counter(r, i);
	for (uint32_t i = 0; i < r->m->nmoves; i++) {
		const struct ast_move *t = &r->a->parts.moves.at[r->m->first_move + i];

		if ((t->any || t->from.at == r->before) && cond_holds(r, &t->cond))
			return t->to.at;
	}
	return r->before;
}

bool oracle_machine_run(const struct ast *a, const struct ast_machine *m, oracle_holds *holds,
			const void *ctx, size_t n, uint32_t *after)
{
	struct arena arena = { NULL, 0, 0 };
	struct run r = { .a = a, .m = m, .holds = holds, .ctx = ctx };

	r.counts = arena_array(&arena, m->ncounters, sizeof *r.counts);
	r.at = arena_array(&arena, m->ncounters, sizeof *r.at);
	if (r.counts == NULL || r.at == NULL) {
		arena_free(&arena);
		return false;
	}
	while (!a->parts.states.at[m->first_state + r.before].start)
		r.before++;
	for (; r.batch < n; r.batch++)
		after[r.batch] = r.before = machine_batch(&r);
	arena_free(&arena);
	return true;
}
