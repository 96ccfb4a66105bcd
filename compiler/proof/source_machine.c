/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads the machines of the tree for the proof, from the sentences of nfacc-filter(5), Machines. It
 * shares no code with lowering.
 */
#include "compiler/proof/reference_int.h"

#include <stdlib.h>
#include <string.h>

static uint32_t index_of(const struct source *s, bool output, ast_sym_t sym)
{
	const char *name = ast_text(s->ast, sym);
	const struct spec *spec = &s->r->spec;
	uint32_t i = 0;

	while (strcmp(output ? spec->outputs.at[i] : spec->labels.at[i], name) != 0)
		i++;
	return i;
}

static int by_value(const void *x, const void *y)
{
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	return a < b ? -1 : a > b;
}

/* Returns the labels, or outputs, of a state: each once, in rising order. */
static const uint32_t *marks(struct source *s, bool output, const struct ast_name *names,
			     uint32_t n, uint32_t *count)
{
	uint32_t *at = arena_array(&s->r->arena, n, sizeof *at);

	*count = 0;
	s->failed = s->failed || at == NULL;
	for (uint32_t i = 0; i < n && !s->failed; i++)
		at[i] = index_of(s, output, names[i].sym);
	if (n > 1 && !s->failed)
		qsort(at, n, sizeof *at, by_value);
	for (uint32_t i = 0; i < n && !s->failed; i++)
		if (i == 0 || at[i] != at[i - 1])
			at[(*count)++] = at[i];
	return at;
}

static struct machine_cond read_cond(struct source *s, const struct ast_cond *t)
{
	struct machine_term *terms = arena_array(&s->r->arena, t->nterms, sizeof *terms);
	uint32_t *when = arena_array(&s->r->arena, t->nwhen, sizeof *when);
	struct machine_cond c = { .nterms = t->nterms, .terms = terms, .when = when };

	s->failed = s->failed || terms == NULL || when == NULL;
	for (uint32_t i = 0; i < t->nterms && !s->failed; i++) {
		const struct ast_term *x = &s->ast->parts.terms.at[t->first_term + i];

		terms[i].counter = x->counter.at;
		terms[i].kind = x->kind == AST_TERM_PRED ? MACHINE_PRED
				: x->kind == AST_TERM_AT ? MACHINE_AT
							 : MACHINE_NOT_AT;
		if (x->kind != AST_TERM_PRED)
			continue;
		terms[i].pred = s->preds.of[x->pred.id];
		s->untapped = s->untapped || s->preds.lost[x->pred.id];
	}
	for (uint32_t i = 0; i < t->nwhen && !s->failed; i++)
		when[i] = s->ast->parts.whens.at[t->first_when + i].at;
	if (t->nwhen > 1 && !s->failed)
		qsort(when, t->nwhen, sizeof *when, by_value);
	for (uint32_t i = 0; i < t->nwhen && !s->failed; i++)
		if (i == 0 || when[i] != when[i - 1])
			when[c.nwhen++] = when[i];
	return c;
}

static void read_state(struct source *s, struct machine *m, const struct ast_state *t)
{
	struct machine_state q = { .name = ast_text(s->ast, t->name.sym), .log = t->log };

	if (t->start)
		m->start = (uint32_t)m->states.n;
	q.labels = marks(s, false, ast_labels_of(s->ast, t), t->nlabels,
			 &q.nlabels);
	q.outputs = marks(s, true, ast_outputs_of(s->ast, t), t->noutputs,
			  &q.noutputs);
	s->failed = s->failed || !vec_push(&m->states, q);
}

static void read_counter(struct source *s, struct machine *m, const struct ast_machine *t,
			 uint32_t index)
{
	const struct ast_machine_counter *from =
		&s->ast->parts.counters.at[t->first_counter + index];
	struct machine_counter c = { .name = ast_text(s->ast, from->name.sym),
				     .k = (uint32_t)from->k.value, .mode = from->mode };

	for (uint32_t i = 0; i < t->nrules && !s->failed; i++) {
		const struct ast_rule *r = &s->ast->parts.rules.at[t->first_rule + i];
		struct machine_cond cond;

		if (r->counter.at != index)
			continue;
		cond = read_cond(s, &r->cond);
		if (r->reset)
			s->failed = s->failed || !vec_push(&c.reset, cond);
		else
			s->failed = s->failed || !vec_push(&c.count, cond);
	}
	if (!vec_push(&m->counters, c)) {
		vec_free(&c.count);
		vec_free(&c.reset);
		s->failed = true;
	}
}

void source_machine(struct source *s, const struct ast_machine *t)
{
	struct machine m = { .orders = (uint32_t)t->orders.value };

	for (uint32_t i = 0; i < t->nstates && !s->failed; i++)
		read_state(s, &m, &s->ast->parts.states.at[t->first_state + i]);
	for (uint32_t i = 0; i < t->ncounters && !s->failed; i++)
		read_counter(s, &m, t, i);
	for (uint32_t i = 0; i < t->nmoves && !s->failed; i++) {
		const struct ast_move *x = &s->ast->parts.moves.at[t->first_move + i];
		struct machine_move move = { .from = x->any ? (uint32_t)MACHINE_ANY : x->from.at,
					     .to = x->to.at, .cond = read_cond(s, &x->cond) };

		s->failed = s->failed || !vec_push(&m.moves, move);
	}
	if (!vec_push(&s->r->spec.machines, m)) {
		machine_free(&m);
		s->failed = true;
	}
}
