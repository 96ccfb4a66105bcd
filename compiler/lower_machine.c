/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Lowers machines. They keep the form that they have in the text.
 */
#include "compiler/lower_int.h"

#include <string.h>

/* Returns the index of an output in the spec. The first call for an output adds it to the spec. */
static uint32_t machine_output(struct lower *l, ast_sym_t sym)
{
	struct spec *s = l->spec;

	if (l->of.output[sym] == AST_NIL) {
		l->of.output[sym] = (uint32_t)s->outputs.n;
		if (!vec_push(&s->outputs, lower_name(l, sym)))
			l->failed = true;
	}
	return l->of.output[sym];
}

static struct machine_term lower_term(struct lower *l, const struct ast_term *t)
{
	struct machine_term x = { .kind = MACHINE_PRED, .pred = PRED_NONE, .range = t->range };

	if (t->kind == AST_TERM_PRED) {
		x.pred = lower_intern(l, &l->values[t->pred.id]);
	} else {
		x.kind = t->kind == AST_TERM_AT ? MACHINE_AT : MACHINE_NOT_AT;
		x.counter = t->counter.at;
	}
	return x;
}

static struct machine_cond lower_cond(struct lower *l, const struct ast_cond *t, uint32_t nstates)
{
	struct machine_term *terms = arena_array(&l->spec->arena, t->nterms, sizeof *terms);
	uint32_t *when = arena_array(&l->spec->arena, t->nwhen, sizeof *when);
	struct machine_cond x = { .nterms = t->nterms, .terms = terms, .when = when,
				  .range = t->range };

	if (terms == NULL || when == NULL) {
		l->failed = true;
		return x;
	}
	for (uint32_t i = 0; i < t->nterms && !l->failed; i++)
		terms[i] = lower_term(l, &l->ast->parts.terms.at[t->first_term + i]);
	for (uint32_t s = 0; s < nstates && t->nwhen != 0; s++) {
		bool named = false;

		for (uint32_t i = 0; i < t->nwhen && !named; i++)
			named = l->ast->parts.whens.at[t->first_when + i].at == s;
		if (named)
			when[x.nwhen++] = s;
	}
	return x;
}

static void lower_rule(struct lower *l, struct machine *m, const struct ast_rule *t)
{
	struct machine_cond cond = lower_cond(l, &t->cond, (uint32_t)m->states.n);
	struct machine_counter *c = &m->counters.at[t->counter.at];

	if (t->reset ? !vec_push(&c->reset, cond) : !vec_push(&c->count, cond))
		l->failed = true;
}

static void lower_move(struct lower *l, struct machine *m, const struct ast_move *t)
{
	struct machine_move move = {
		.from = t->any ? (uint32_t)MACHINE_ANY : t->from.at,
		.to = t->to.at,
		.cond = lower_cond(l, &t->cond, (uint32_t)m->states.n),
		.range = t->any ? t->to.name.range : t->from.name.range,
	};

	if (!vec_push(&m->moves, move))
		l->failed = true;
}

static void lower_state(struct lower *l, struct machine *m, const struct ast_state *t)
{
	struct machine_state s = { .name = lower_name(l, t->name.sym), .log = t->log,
				   .range = t->name.range };

	if (t->start)
		m->start = (uint32_t)m->states.n;
	s.labels = lower_set(l, ast_labels_of(l->ast, t), t->nlabels, lower_label,
			     &s.nlabels);
	s.outputs = lower_set(l, ast_outputs_of(l->ast, t), t->noutputs,
			      machine_output, &s.noutputs);
	if (!vec_push(&m->states, s))
		l->failed = true;
}

static void lower_counter(struct lower *l, struct machine *m, const struct ast_machine_counter *t)
{
	struct machine_counter c = { .name = lower_name(l, t->name.sym), .k = (uint32_t)t->k.value,
				     .mode = t->mode, .range = t->name.range };

	if (!vec_push(&m->counters, c))
		l->failed = true;
}

void lower_machine(struct lower *l, const struct ast_stmt *t)
{
	const struct ast *a = l->ast;
	const struct ast_machine *from = &a->machines.at[t->machine];
	struct machine m = { .name = lower_name(l, t->name.sym),
			     .orders = (uint32_t)from->orders.value, .range = t->name.range };

	for (uint32_t i = 0; i < from->nstates && !l->failed; i++)
		lower_state(l, &m, &a->parts.states.at[from->first_state + i]);
	for (uint32_t i = 0; i < from->ncounters && !l->failed; i++)
		lower_counter(l, &m, &a->parts.counters.at[from->first_counter + i]);
	for (uint32_t i = 0; i < from->nrules && !l->failed; i++)
		lower_rule(l, &m, &a->parts.rules.at[from->first_rule + i]);
	for (uint32_t i = 0; i < from->nmoves && !l->failed; i++)
		lower_move(l, &m, &a->parts.moves.at[from->first_move + i]);
	if (!vec_push(&l->spec->machines, m)) {
		machine_free(&m);
		l->failed = true;
	}
}
