/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/proof/reference.h"

#include <string.h>

#include "compiler/proof/reference_int.h"

/* ---- registers and names ---- */

/* Returns the number of a label. A label gets its number when it first appears. */
static uint32_t label(struct source *s, ast_sym_t sym)
{
	struct spec *spec = &s->r->spec;

	if (s->tree.label_of[sym] == AST_NIL) {
		s->tree.label_of[sym] = (uint32_t)spec->labels.n;
		if (!vec_push(&spec->labels, ast_text(s->ast, sym)))
			s->failed = true;
	}
	return s->tree.label_of[sym];
}

/* Adds an output to the spec when it first appears. */
static void reference_output(struct source *s, ast_sym_t sym)
{
	if (s->tree.named_output[sym])
		return;
	s->tree.named_output[sym] = true;
	if (!vec_push(&s->r->spec.outputs, ast_text(s->ast, sym)))
		s->failed = true;
}

/* Adds the labels and outputs of n states that are not in the spec yet. */
static void name_states(struct source *s, uint32_t first, uint32_t n)
{
	for (uint32_t i = first; i < first + n; i++) {
		const struct ast_state *q = &s->ast->parts.states.at[i];

		for (uint32_t k = 0; k < q->nlabels; k++)
			label(s, s->ast->parts.labels.at[q->first_label + k].sym);
		for (uint32_t k = 0; k < q->noutputs; k++)
			reference_output(s, s->ast->parts.outputs.at[q->first_output + k].sym);
	}
}

static void name_labels(struct source *s, const struct ast_stmt *t)
{
	if (t->kind == AST_FILTER)
		label(s, t->name.sym);
	if (t->kind == AST_AUTOMATON)
		name_states(s, s->ast->automata.at[t->automaton].first_state,
			    s->ast->automata.at[t->automaton].nstates);
	if (t->kind == AST_MACHINE)
		name_states(s, s->ast->machines.at[t->machine].first_state,
			    s->ast->machines.at[t->machine].nstates);
}

/* Notes what a statement says of substreams. A range of lines begins with the line that holds the
 * byte address. */
static void declare_copies(struct source *s, const struct ast_stmt *t)
{
	struct spec *spec = &s->r->spec;
	uint64_t unit =
		t->sub.field != PROTO_ADDR ? 1 : (uint64_t)1 << s->tap->header.line_shift % 64;

	spec->substreams.by_line = true;
	spec->substreams.field =
		unit == 1 && t->sub.key.sym != AST_NIL ? ast_text(s->ast, t->sub.key.sym) : NULL;
	for (uint32_t i = t->sub.first_range; i < t->sub.first_range + t->sub.nranges; i++) {
		const struct ast_range *r = &s->ast->ranges.at[i];
		if (!vec_push(&spec->substreams.ranges,
			      ((struct image_range){ r->first.value / unit, r->count.value })))
			s->failed = true;
		spec->substreams.nlines += r->count.value;
	}
}

/* Notes what a statement says of window, limit, lines, labels or counters. */
static void reference_declare(struct source *s, const struct ast_stmt *t)
{
	struct spec *spec = &s->r->spec;
	struct nfa *a = &s->r->nfa;

	switch (t->kind) {
	case AST_WINDOW:
		spec->window.before = t->number.value;
		spec->window.after = t->after.value;
		break;
	case AST_LIMIT:
		spec->stream.limit = t->number.value;
		break;
	case AST_SUBSTREAM:
		declare_copies(s, t);
		break;
	case AST_TICK:
		spec->stream.tick = t->number.value;
		break;
	case AST_COUNTER:
		s->tree.counter_of[t->name.sym] = (uint32_t)a->counters.n;
		if (!vec_push(&a->counters, ((struct nfa_counter){ ast_text(s->ast, t->name.sym),
								   (uint32_t)t->number.value,
								   t->mode, t->name.range })))
			s->failed = true;
		break;
	default:
		name_labels(s, t);
		break;
	}
}

/* ---- states ---- */

static int by_value(const void *x, const void *y)
{
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	return a < b ? -1 : a > b;
}

/* Makes a label set of set[0 … n), which is in the arena. The labels may come in any order and
 * repeat; they are sorted and made distinct in place. */
static labelset_t labelset(struct source *s, uint32_t *set, uint32_t n)
{
	uint32_t k = 0;

	qsort(set, n, sizeof *set, by_value);
	for (uint32_t i = 0; i < n; i++)
		if (k == 0 || set[k - 1] != set[i])
			set[k++] = set[i];
	if (!vec_push(&s->r->nfa.labelsets, ((struct labelset){ k, set })))
		s->failed = true;
	return (labelset_t)s->r->nfa.labelsets.n - 1;
}

static uint32_t *new_labels(struct source *s, uint32_t n)
{
	uint32_t *set = arena_array(&s->r->arena, n, sizeof *set);

	s->failed = s->failed || set == NULL;
	return set;
}

/* Adds the states of expression e. Its matches get `label`, which is a label or a port. If e is
 * absent, nothing is added. */
static void reference_derive(struct source *s, const struct ast_expr *e, uint32_t label)
{
	uint32_t *set = e->id != AST_NIL && !s->failed ? new_labels(s, 1) : NULL;

	if (set == NULL)
		return;
	*set = label;
	source_derive(s, e->id, (struct root){ labelset(s, set, 1), false });
}

static void add_state(struct source *s, const struct ast_state *q)
{
	struct nfa_state made = {
		.kind = NFA_STE, .pred = PRED_NONE, .start = q->start, .log = q->log
	};
	uint32_t *set = new_labels(s, q->nlabels);

	if (s->failed)
		return;
	for (uint32_t k = 0; k < q->nlabels; k++)
		set[k] = s->tree.label_of[s->ast->parts.labels.at[q->first_label + k].sym];
	made.labels = labelset(s, set, q->nlabels);
	source_state(s, made);
}

static void add_automaton(struct source *s, const struct ast_automaton *m)
{
	const struct ast *a = s->ast;
	nfa_state_t first = (nfa_state_t)s->r->nfa.states.n;

	for (uint32_t i = 0; i < m->nstates && !s->failed; i++)
		add_state(s, &a->parts.states.at[m->first_state + i]);
	for (uint32_t i = 0; i < m->nedges && !s->failed; i++) {
		const struct ast_edge *e = &a->parts.edges.at[m->first_edge + i];
		pred_id_t p = s->preds.of[e->trigger.id];
		s->untapped = s->untapped || s->preds.lost[e->trigger.id];
		source_edge(s, first + e->from_state, first + e->to_state,
			    p != PRED_NONE ? p : PRED_EPS);
	}
}

static void add_statement(struct source *s, const struct ast_stmt *t)
{
	const struct nfa *a = &s->r->nfa;
	uint32_t counter;

	switch (t->kind) {
	case AST_FILTER:
		reference_derive(s, &t->expr, s->tree.label_of[t->name.sym]);
		break;
	case AST_LOG:
		source_derive(s, t->expr.id, (struct root){ 0, true });
		break;
	case AST_COUNTER:
		counter = s->tree.counter_of[t->name.sym];
		reference_derive(s, &t->expr, nfa_port(a, counter, false));
		reference_derive(s, &t->reset, nfa_port(a, counter, true));
		break;
	case AST_AUTOMATON:
		add_automaton(s, &s->ast->automata.at[t->automaton]);
		break;
	default:
		break;
	}
}

/* ---- the whole ---- */

static bool reference_begin(struct source *s)
{
	const struct ast *a = s->ast;
	struct reference *r = s->r;

	r->spec.proto = s->tap;
	r->spec.log.rx = r->spec.log.counted = RX_NONE;
	r->nfa.spec = &r->spec;
	r->nfa.preds = &r->spec.preds;
	s->preds.of = arena_array(&r->arena, a->nodes.n, sizeof *s->preds.of);
	s->preds.lost = arena_array(&r->arena, a->nodes.n, sizeof *s->preds.lost);
	s->tree.nullable = arena_array(&r->arena, a->nodes.n, sizeof *s->tree.nullable);
	s->tree.rest_nullable = arena_array(&r->arena, a->nodes.n, sizeof *s->tree.rest_nullable);
	s->tree.label_of = arena_array(&r->arena, a->syms.n, sizeof *s->tree.label_of);
	s->tree.named_output = arena_array(&r->arena, a->syms.n, sizeof *s->tree.named_output);
	s->tree.counter_of = arena_array(&r->arena, a->syms.n, sizeof *s->tree.counter_of);
	if (s->preds.of == NULL || s->preds.lost == NULL || s->tree.nullable == NULL ||
	    s->tree.rest_nullable == NULL || s->tree.label_of == NULL ||
	    s->tree.counter_of == NULL || s->tree.named_output == NULL)
		return false;
	for (size_t i = 0; i < a->syms.n; i++)
		s->tree.label_of[i] = AST_NIL;
	return vec_push(&r->nfa.labelsets, ((struct labelset){ 0, NULL }));
}

static void reference_build_all(struct source *s)
{
	const struct ast *a = s->ast;

	for (size_t i = 0; i < a->stmts.n && !s->failed; i++)
		reference_declare(s, &a->stmts.at[i]);
	s->r->spec.stream.reset_on_loss = a->reset_on_loss;
	if (s->failed || !source_preds(s)) {
		s->failed = true;
		return;
	}
	for (size_t i = 0; i < a->basics.n; i++)
		s->r->spec.stream.end =
			s->r->spec.stream.end || a->basics.at[i].kind == AST_BASIC_END;
	source_nullable(s);
	/* The states of counters come first: the number of a counter is that of its state. */
	for (uint32_t i = 0; i < s->r->nfa.counters.n && !s->failed; i++)
		source_state(s, (struct nfa_state){
					.kind = NFA_COUNTER, .pred = PRED_NONE, .counter = i });
	for (size_t i = 0; i < a->stmts.n && !s->failed && !s->too_large; i++)
		add_statement(s, &a->stmts.at[i]);
	for (size_t i = 0; i < a->machines.n && !s->failed; i++)
		source_machine(s, &a->machines.at[i]);
}

enum nfart_status reference_build(struct reference *r, const struct ast *a,
				  const struct alphabet *letters)
{
	struct source s = { .r = r, .ast = a, .tap = letters->proto, .letters = letters };

	memset(r, 0, sizeof *r);
	s.failed = !reference_begin(&s);
	if (!s.failed)
		reference_build_all(&s);
	hash_free(&s.preds.basics);
	hash_free(&s.hash);
	vec_free(&s.roots);
	vec_free(&s.conts);
	vec_free(&s.todo);
	vec_free(&s.visits);
	if (s.failed)
		return NFART_SYSTEM;
	return s.too_large ? NFART_GAVEUP : s.untapped ? NFART_NOFIT : NFART_OK;
}

void reference_free(struct reference *r)
{
	hash_free(&r->spec.preds.hash);
	vec_free(&r->spec.preds.preds);
	vec_free(&r->spec.labels);
	vec_free(&r->spec.substreams.ranges);
	vec_free(&r->spec.outputs);
	for (size_t i = 0; i < r->spec.machines.n; i++)
		machine_free(&r->spec.machines.at[i]);
	vec_free(&r->spec.machines);
	vec_free(&r->nfa.states);
	vec_free(&r->nfa.edges);
	vec_free(&r->nfa.counters);
	vec_free(&r->nfa.labelsets);
	arena_free(&r->arena);
}
