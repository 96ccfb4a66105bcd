/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/lower_int.h"

#include <stdlib.h>
#include <string.h>

/* ---- which nodes are needed ----------------------------------------------------------------- */

static void want(struct lower *l, ast_id_t id, unsigned what)
{
	if (id != AST_NIL)
		l->values[id].want |= what;
}

/* Marks the nodes that are needed, from the last node to the first. A node comes after its operands
 * in the array, and the use of a name comes after its definition. So in this order all users of a
 * node are visited before the node. */
static void lowering_mark(struct lower *l)
{
	const struct ast *a = l->ast;

	for (size_t i = 0; i < a->stmts.n; i++) {
		if (a->stmts.at[i].kind != AST_LET)
			want(l, a->stmts.at[i].expr.id, WANT_RX);
		want(l, a->stmts.at[i].reset.id, WANT_RX);
	}
	for (size_t i = 0; i < a->parts.edges.n; i++)
		want(l, a->parts.edges.at[i].trigger.id, WANT_PRED);
	for (size_t i = 0; i < a->parts.terms.n; i++)
		want(l, a->parts.terms.at[i].pred.id, WANT_PRED);
	for (size_t i = a->nodes.n; i-- > 0;) {
		const struct ast_node *node = &a->nodes.at[i];
		bool pred = node->kind == AST_ANY_OF || node->kind == AST_NONE_OF ||
			    node->kind == AST_NOT;

		if (l->values[i].want == 0 || (node->kind == AST_REP && node->hi == 0))
			continue;
		for (ast_id_t k = node->first; k != AST_NIL; k = a->nodes.at[k].next)
			want(l, k, pred ? WANT_PRED : WANT_RX);
		if (node->kind == AST_BASIC && a->basics.at[node->data].let != AST_NIL)
			want(l, a->stmts.at[a->basics.at[node->data].let].expr.id,
			     l->values[i].want);
	}
}

/* ---- expressions ---------------------------------------------------------------------------- */

pred_id_t lower_intern(struct lower *l, const struct value *v)
{
	size_t before = l->spec->preds.preds.n;
	pred_id_t id = pred_intern(&l->spec->preds, v->none, v->set);

	if (id == PRED_NONE)
		l->failed = true;
	else if (l->spec->preds.preds.n != before)
		lower_guarded(l, v, id);
	return id;
}

static void lower_rx(struct lower *l, struct value *v, const struct ast_node *node)
{
	struct rx x = { .kind = RX_EPS, .pred = PRED_NONE, .range = node->range };

	l->operands.n = 0;
	switch (node->kind) {
	case AST_CAT:
	case AST_ALT:
		x.kind = node->kind == AST_CAT ? RX_CAT : RX_ALT;
		break;
	case AST_REP:
		x.kind = node->hi == 0 ? RX_EPS : RX_REP;
		x.lo = node->lo;
		x.hi = node->hi == AST_BOUND_INF ? RX_INF : node->hi;
		break;
	case AST_COUNTED:
		x.kind = RX_COUNTER;
		x.counter = l->of.counter[node->data];
		break;
	default:
		if (v->set != NULL) {
			x.kind = RX_PRED;
			x.pred = lower_intern(l, v);
		}
		break;
	}
	if (x.kind == RX_CAT || x.kind == RX_ALT || x.kind == RX_REP)
		for (ast_id_t i = node->first; i != AST_NIL; i = l->ast->nodes.at[i].next)
			if (!vec_push(&l->operands, l->values[i].rx))
				l->failed = true;
	if (!l->failed)
		v->rx = spec_add(l->spec, x, l->operands.at, (uint32_t)l->operands.n);
	if (v->rx == RX_NONE)
		l->failed = true;
}

static void lower_node(struct lower *l, ast_id_t i)
{
	const struct ast_node *node = &l->ast->nodes.at[i];
	struct value *v = &l->values[i];

	if (v->want == 0)
		return;
	v->rx = RX_NONE;
	lower_predicate(l, v, node);
	lower_terms(l, v, node);
	if (l->noting)
		return;
	if ((v->want & WANT_RX) != 0 && v->rx == RX_NONE && !l->failed)
		lower_rx(l, v, node);
}

/* ---- statements ----------------------------------------------------------------------------- */

const char *lower_name(struct lower *l, ast_sym_t sym)
{
	const struct ast_sym *s = &l->ast->syms.at[sym];
	const char *text = arena_strndup(&l->spec->arena, s->text, s->n);

	if (text == NULL)
		l->failed = true;
	return text;
}

uint32_t lower_label(struct lower *l, ast_sym_t sym)
{
	struct spec *s = l->spec;

	if (l->of.label[sym] == AST_NIL) {
		l->of.label[sym] = (uint32_t)s->labels.n;
		if (!vec_push(&s->labels, lower_name(l, sym)))
			l->failed = true;
	}
	return l->of.label[sym];
}

static void lower_filter(struct lower *l, const struct ast_stmt *t)
{
	struct spec_filter f = { lower_label(l, t->name.sym), l->values[t->expr.id].rx, RX_NONE,
				 t->name.range };

	if (!vec_push(&l->spec->filters, f))
		l->failed = true;
}

static void lower_counter(struct lower *l, const struct ast_stmt *t)
{
	struct spec_counter c = {
		.name = lower_name(l, t->name.sym),
		.count = l->values[t->expr.id].rx,
		.reset = t->reset.id != AST_NIL ? l->values[t->reset.id].rx : RX_NONE,
		.k = (uint32_t)t->number.value,
		.mode = t->mode,
		.range = t->name.range,
	};

	l->of.counter[t->name.sym] = (uint32_t)l->spec->counters.n;
	if (!vec_push(&l->spec->counters, c))
		l->failed = true;
}

static int by_value(const void *x, const void *y)
{
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	return a < b ? -1 : a > b;
}

const uint32_t *lower_set(struct lower *l, const struct ast_name *names, uint32_t n,
			  uint32_t (*find)(struct lower *, ast_sym_t), uint32_t *count)
{
	uint32_t *set = arena_array(&l->spec->arena, n, sizeof *set);

	*count = 0;
	if (set == NULL) {
		l->failed = true;
		return NULL;
	}
	for (uint32_t i = 0; i < n; i++)
		set[i] = find(l, names[i].sym);
	qsort(set, n, sizeof *set, by_value);
	for (uint32_t i = 0; i < n; i++)
		if (i == 0 || set[i] != set[i - 1])
			set[(*count)++] = set[i];
	return set;
}

static void lower_state(struct lower *l, struct spec_automaton *m, const struct ast_state *t)
{
	struct spec_state s = { .name = lower_name(l, t->name.sym), .start = t->start,
				.log = t->log, .range = t->name.range };

	s.labels = lower_set(l, ast_labels_of(l->ast, t), t->nlabels, lower_label,
			     &s.nlabels);
	if (!vec_push(&m->states, s))
		l->failed = true;
}

static void lower_edge(struct lower *l, struct spec_automaton *m, const struct ast_edge *t)
{
	const struct value *v = &l->values[t->trigger.id];
	struct spec_edge e = { t->from_state, t->to_state, PRED_EPS, t->trigger.range };

	if (v->set != NULL)
		e.pred = lower_intern(l, v);
	if (!vec_push(&m->edges, e))
		l->failed = true;
}

static void lower_automaton(struct lower *l, const struct ast_stmt *t)
{
	const struct ast_automaton *from = &l->ast->automata.at[t->automaton];
	struct spec_automaton m = { .name = lower_name(l, t->name.sym), .range = t->name.range };

	for (uint32_t i = 0; i < from->nstates && !l->failed; i++)
		lower_state(l, &m, &l->ast->parts.states.at[from->first_state + i]);
	for (uint32_t i = 0; i < from->nedges && !l->failed; i++)
		lower_edge(l, &m, &l->ast->parts.edges.at[from->first_edge + i]);
	if (!vec_push(&l->spec->automata, m)) {
		vec_free(&m.states);
		vec_free(&m.edges);
		l->failed = true;
	}
}

static void lower_substream(struct lower *l, const struct ast_stmt *t)
{
	struct spec *s = l->spec;
	bool of_lines = t->sub.field == PROTO_ADDR;

	s->substreams.range = t->range;
	for (uint32_t i = 0; i < t->sub.nranges; i++) {
		const struct ast_range *r = &l->ast->ranges.at[t->sub.first_range + i];
		uint64_t first =
			r->first.value >> (of_lines ? s->proto->header.line_shift & 63 : 0);
		if (!vec_push(&s->substreams.ranges,
			      ((struct image_range){ first, r->count.value })))
			l->failed = true;
		s->substreams.nlines += r->count.value;
	}
}

static void lower_statement(struct lower *l, const struct ast_stmt *t)
{
	struct spec *s = l->spec;

	switch (t->kind) {
	case AST_LET:
		break;
	case AST_FILTER:
		lower_filter(l, t);
		break;
	case AST_LOG:
		s->log.rx = l->values[t->expr.id].rx;
		break;
	case AST_COUNTER:
		lower_counter(l, t);
		break;
	case AST_AUTOMATON:
		lower_automaton(l, t);
		break;
	case AST_MACHINE:
		lower_machine(l, t);
		break;
	case AST_WINDOW:
		s->window.before = t->number.value;
		s->window.after = t->after.value;
		s->window.range = t->range;
		break;
	case AST_LIMIT:
		s->stream.limit = t->number.value;
		s->stream.limit_range = t->range;
		break;
	case AST_SUBSTREAM:
		lower_substream(l, t);
		break;
	case AST_TICK:
		s->stream.tick = t->number.value;
		s->stream.tick_range = t->range;
		break;
	}
}

static bool lowering_begin(struct lower *l)
{
	const struct ast *a = l->ast;
	struct spec *s = l->spec;
	struct diag_range nowhere = { DIAG_NO_SOURCE, 0, 0 };

	s->proto = a->proto;
	s->stream.reset_on_loss = a->reset_on_loss;
	s->log.rx = s->log.counted = RX_NONE;
	s->window.range = s->substreams.range = s->stream.limit_range = s->stream.tick_range =
		nowhere;
	s->guards.range = s->stream.end_range = nowhere;
	for (size_t i = 0; i < a->stmts.n; i++) {
		if (a->stmts.at[i].kind != AST_SUBSTREAM)
			continue;
		s->substreams.by_line = true;
		if (a->stmts.at[i].sub.field != PROTO_ADDR)
			s->substreams.field = lower_name(l, a->stmts.at[i].sub.key.sym);
	}
	l->values = arena_array(&l->arena, a->nodes.n, sizeof *l->values);
	l->of.label = arena_array(&l->arena, a->syms.n, sizeof *l->of.label);
	l->of.counter = arena_array(&l->arena, a->syms.n, sizeof *l->of.counter);
	l->of.output = arena_array(&l->arena, a->syms.n, sizeof *l->of.output);
	if (l->values == NULL || l->of.label == NULL || l->of.counter == NULL ||
	    l->of.output == NULL)
		return false;
	for (size_t i = 0; i < a->syms.n; i++)
		l->of.label[i] = l->of.output[i] = AST_NIL;
	for (size_t i = a->basics.n; i-- > 0;) {
		const struct ast_basic *x = &a->basics.at[i];
		if (x->kind == AST_BASIC_END) {
			s->stream.end = true;
			s->stream.end_range = x->range;
		}
		if (x->ntests != 0)
			s->guards.range = x->guard_range;
		for (uint32_t k = 0; k < x->ntests; k++)
			if (a->tests.at[x->first_test + k].field == PROTO_PAYLOAD) {
				s->guards.payload = true;
				s->guards.payload_range = x->guard_range;
			}
	}
	return true;
}

/* The first pass over the nodes (Note [letters first]). It leaves the sets of its values behind;
 * the second pass makes them anew. */
static void note_guards(struct lower *l)
{
	alphabet_codes(&l->alphabet, l->ast->proto);
	l->words = bits_words(l->alphabet.nletters);
	l->noting = true;
	for (ast_id_t i = 0; i < l->ast->nodes.n && !l->failed; i++)
		lower_node(l, i);
	l->noting = false;
}

/* Finds the letters, and makes the table of predicates over them. */
static enum nfart_status find_letters(struct lower *l)
{
	struct spec *s = l->spec;
	bool tick = false;
	enum nfart_status status;

	for (size_t i = 0; i < l->ast->stmts.n; i++)
		tick = tick || l->ast->stmts.at[i].kind == AST_TICK;
	if (l->ast->tests.n != 0)
		note_guards(l);
	if (l->failed)
		return NFART_SYSTEM;
	status = alphabet_make(&l->alphabet, &l->draft, l->ast->proto, tick, s->stream.end,
			       &s->arena);
	l->words = bits_words(l->alphabet.nletters);
	s->guards.used = l->alphabet.nguards != 0;
	if (status == NFART_OK && !pred_table_init(&s->preds, &l->alphabet,
						   (struct pred_view){ s->substreams.by_line,
								       s->substreams.field, NULL }))
		status = NFART_SYSTEM;
	return status;
}

enum nfart_status lower(const struct ast *a, struct spec *s)
{
	struct lower *l = calloc(1, sizeof *l);
	enum nfart_status status = NFART_SYSTEM;
	ast_id_t next = 0;

	memset(s, 0, sizeof *s);
	if (l == NULL)
		return NFART_SYSTEM;
	l->ast = a;
	l->spec = s;
	l->failed = !lowering_begin(l);
	if (!l->failed) {
		lowering_mark(l);
		status = find_letters(l);
		l->failed = status != NFART_OK;
	}
	for (size_t i = 0; i < a->stmts.n && !l->failed; i++) {
		while (next < a->stmts.at[i].node_end && !l->failed)
			lower_node(l, next++);
		if (!l->failed)
			lower_statement(l, &a->stmts.at[i]);
	}
	vec_free(&l->operands);
	vec_free(&l->tests);
	vec_free(&l->pass.tests);
	alphabet_draft_free(&l->draft);
	arena_free(&l->arena);
	if (l->failed && status == NFART_OK)
		status = NFART_SYSTEM;
	free(l);
	return status;
}
