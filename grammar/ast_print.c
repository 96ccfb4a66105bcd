/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Prints the tree as filter text. An expression may be deeply nested, so its walk has a stack on
 * the heap and doesn't recurse.
 */
#include <inttypes.h>

#include "grammar/ast.h"

/* How tightly operators bind, from the loosest to the tightest. An operand that binds more loosely
 * than its place requires is printed in parentheses. */
enum { BINDS_ALT, BINDS_CAT, BINDS_REP, BINDS_NOT, BINDS_ATOM };

struct frame {
	ast_id_t id;
	ast_id_t operand; /* the next operand to print; AST_NIL: all are printed */
	bool parentheses;
};

struct printer {
	const struct ast *ast;
	struct buf *b;
	VEC(struct frame) stack;
};

static int binding(const struct ast_node *node)
{
	switch (node->kind) {
	case AST_ALT:
		return BINDS_ALT;
	case AST_CAT:
		return BINDS_CAT;
	case AST_REP:
		return BINDS_REP;
	case AST_NOT:
		return BINDS_NOT;
	default:
		return BINDS_ATOM;
	}
}

static void print_character(struct buf *b, uint32_t c)
{
	if (c >= ' ' && c <= '~' && c != '\'' && c != '\\')
		buf_addf(b, "'%c'", (int)c);
	else
		buf_addf(b, "'\\x%02" PRIx32 "'", c);
}

/* Prints a number of a test. Masks and what is compared with them are hexadecimal, and so are
 * addresses. */
static void print_value(const struct ast_test *t, uint64_t value, struct buf *b)
{
	bool hex = t->kind == AST_TEST_MASK_IS || t->kind == AST_TEST_MASK_IS_NOT ||
		   t->field == PROTO_ADDR || t->of_bits;

	buf_addf(b, hex ? "0x%" PRIx64 : "%" PRIu64, value);
}

static void print_test(const struct ast *a, const struct ast_test *t, struct buf *b)
{
	bool is = t->kind == AST_TEST_IS || t->kind == AST_TEST_MASK_IS;

	buf_addf(b, "%s", ast_text(a, t->name.sym));
	if (t->of_bits)
		buf_addf(b, "[%" PRIu64 "..%" PRIu64 "]", t->highest.value, t->lowest.value);
	if (t->kind == AST_TEST_IN) {
		buf_addf(b, " in ");
		print_value(t, t->value.value, b);
		buf_addf(b, "..");
		print_value(t, t->last.value, b);
		return;
	}
	if (t->kind == AST_TEST_MASK_IS || t->kind == AST_TEST_MASK_IS_NOT) {
		buf_addf(b, " & ");
		print_value(t, t->mask.value, b);
	}
	buf_addf(b, is ? " == " : " != ");
	print_value(t, t->value.value, b);
}

static void print_guard(const struct ast *a, const struct ast_basic *basic, struct buf *b)
{
	for (uint32_t i = 0; i < basic->ntests; i++) {
		buf_addf(b, i == 0 ? "[" : ", ");
		print_test(a, &a->tests.at[basic->first_test + i], b);
	}
	if (basic->ntests != 0)
		buf_addf(b, "]");
}

static void print_basic(const struct ast *a, const struct ast_basic *basic, struct buf *b)
{
	if (basic->group != AST_NIL)
		buf_addf(b, "%s.", ast_text(a, basic->group));
	switch (basic->kind) {
	case AST_BASIC_ALL:
		buf_addf(b, "any");
		break;
	case AST_BASIC_NAME:
		buf_addf(b, "%s", ast_text(a, basic->name));
		break;
	case AST_BASIC_GLOB:
		buf_addf(b, "\"%s\"", ast_text(a, basic->name));
		break;
	case AST_BASIC_OPCODES:
		buf_addf(b, "#%" PRIu32, basic->lo);
		if (basic->hi != basic->lo)
			buf_addf(b, "..%" PRIu32, basic->hi);
		break;
	case AST_BASIC_CHARS:
		print_character(b, basic->lo);
		if (basic->hi != basic->lo) {
			buf_addf(b, "..");
			print_character(b, basic->hi);
		}
		break;
	case AST_BASIC_TICK:
		buf_addf(b, "tick");
		break;
	case AST_BASIC_NOTICK:
		buf_addf(b, "notick");
		break;
	case AST_BASIC_END:
		buf_addf(b, "end");
		break;
	}
	for (uint32_t i = 0; i < basic->channels.n; i++)
		buf_addf(b, "%c%" PRIu32, i == 0 ? '@' : ',', basic->channels.at[i]);
	print_guard(a, basic, b);
}

static void print_bounds(const struct ast_node *node, struct buf *b)
{
	if (node->lo <= 1 && node->hi == AST_BOUND_INF)
		buf_addf(b, "%c", node->lo == 0 ? '*' : '+');
	else if (node->lo == 0 && node->hi == 1)
		buf_addf(b, "?");
	else if (node->hi == AST_BOUND_INF)
		buf_addf(b, "{%" PRIu32 ",}", node->lo);
	else if (node->hi == node->lo)
		buf_addf(b, "{%" PRIu32 "}", node->lo);
	else
		buf_addf(b, "{%" PRIu32 ",%" PRIu32 "}", node->lo, node->hi);
}

/* Prints what comes before the operands of a node. A node with operands goes onto the stack. A node
 * that binds more loosely than `least` gets parentheses. */
static void printer_enter(struct printer *p, ast_id_t id, int least)
{
	const struct ast_node *node = &p->ast->nodes.at[id];
	struct frame f = { id, node->first, binding(node) < least };

	if (f.parentheses)
		buf_addf(p->b, "(");
	switch (node->kind) {
	case AST_EPS:
	case AST_ERROR:
		buf_addf(p->b, "eps");
		break;
	case AST_TRUE:
		buf_addf(p->b, "true");
		break;
	case AST_BASIC:
		print_basic(p->ast, &p->ast->basics.at[node->data], p->b);
		break;
	case AST_COUNTED:
		buf_addf(p->b, "@%s", ast_text(p->ast, node->data));
		break;
	case AST_ANY_OF:
	case AST_NONE_OF:
		buf_addf(p->b, node->kind == AST_ANY_OF ? "Any(" : "None(");
		break;
	case AST_NOT:
		for (uint32_t i = 0; i < node->lo; i++)
			buf_addf(p->b, "!");
		break;
	case AST_CAT:
	case AST_ALT:
	case AST_REP:
		break;
	}
	if (node->n != 0 && !vec_push(&p->stack, f))
		p->b->failed = true;
}

/* Prints what comes after the operands of the node of frame f. */
static void printer_leave(struct printer *p, const struct frame *f)
{
	const struct ast_node *node = &p->ast->nodes.at[f->id];

	if (node->kind == AST_REP)
		print_bounds(node, p->b);
	else if (node->kind == AST_ANY_OF || node->kind == AST_NONE_OF)
		buf_addf(p->b, ")");
	if (f->parentheses)
		buf_addf(p->b, ")");
}

/* Enters the next operand of the node of frame f, which is on top of the stack, and prints the
 * separator before it. */
static void next_operand(struct printer *p, struct frame *f)
{
	const struct ast_node *node = &p->ast->nodes.at[f->id];
	ast_id_t operand = f->operand;
	bool first = operand == node->first;
	int least = BINDS_ALT;

	f->operand = p->ast->nodes.at[operand].next;
	switch (node->kind) {
	case AST_ALT:
		buf_addf(p->b, "%s", first ? "" : " | ");
		least = BINDS_CAT;
		break;
	case AST_CAT:
		buf_addf(p->b, "%s", first ? "" : " ");
		least = BINDS_REP;
		break;
	case AST_REP:
		least = BINDS_REP;
		break;
	case AST_NOT:
		least = BINDS_NOT;
		break;
	default:
		buf_addf(p->b, "%s", first ? "" : ", ");
		break;
	}
	printer_enter(p, operand, least);
}

static void print_expr(const struct ast *a, ast_id_t id, struct buf *b)
{
	struct printer p = { .ast = a, .b = b };

	printer_enter(&p, id, BINDS_ALT);
	while (p.stack.n != 0 && !b->failed) {
		struct frame *f = &p.stack.at[p.stack.n - 1];

		if (f->operand != AST_NIL) {
			next_operand(&p, f);
		} else {
			printer_leave(&p, f);
			p.stack.n--;
		}
	}
	vec_free(&p.stack);
}

static void print_state(const struct ast *a, const struct ast_state *s, struct buf *b)
{
	buf_addf(b, "\tstate %s", ast_text(a, s->name.sym));
	if (s->start)
		buf_addf(b, " start");
	for (uint32_t i = 0; i < s->nlabels; i++) {
		ast_sym_t label = a->parts.labels.at[s->first_label + i].sym;
		if (label == s->name.sym)
			buf_addf(b, " accept");
		else
			buf_addf(b, " accept(%s)", ast_text(a, label));
	}
	for (uint32_t i = 0; i < s->noutputs; i++)
		buf_addf(b, " output(%s)",
			 ast_text(a, a->parts.outputs.at[s->first_output + i].sym));
	if (s->log)
		buf_addf(b, " log");
	buf_addf(b, ";\n");
}

static void print_automaton(const struct ast *a, const struct ast_stmt *s, struct buf *b)
{
	const struct ast_automaton *m = &a->automata.at[s->automaton];

	buf_addf(b, "automaton %s {\n", ast_text(a, s->name.sym));
	for (uint32_t i = 0; i < m->nstates; i++)
		print_state(a, &a->parts.states.at[m->first_state + i], b);
	for (uint32_t i = 0; i < m->nedges; i++) {
		const struct ast_edge *e = &a->parts.edges.at[m->first_edge + i];
		buf_addf(b, "\t%s -> %s : ", ast_text(a, e->from.sym), ast_text(a, e->to.sym));
		print_expr(a, e->trigger.id, b);
		buf_addf(b, ";\n");
	}
	buf_addf(b, "}\n");
}

static void print_cond(const struct ast *a, const struct ast_cond *cond, struct buf *b)
{
	for (uint32_t i = 0; i < cond->nterms; i++) {
		const struct ast_term *t = &a->parts.terms.at[cond->first_term + i];

		buf_addf(b, i == 0 ? " : " : " & ");
		if (t->kind == AST_TERM_PRED)
			print_expr(a, t->pred.id, b);
		else
			buf_addf(b, "%s@%s", t->kind == AST_TERM_AT ? "" : "!",
				 ast_text(a, t->counter.name.sym));
	}
	for (uint32_t i = 0; i < cond->nwhen; i++)
		buf_addf(b, "%s %s", i == 0 ? " when" : ",",
			 ast_text(a, a->parts.whens.at[cond->first_when + i].name.sym));
	buf_addf(b, ";\n");
}

static void print_machine(const struct ast *a, const struct ast_stmt *s, struct buf *b)
{
	const struct ast_machine *m = &a->machines.at[s->machine];

	buf_addf(b, "machine %s", ast_text(a, s->name.sym));
	if (m->orders.value != 0)
		buf_addf(b, " orders %" PRIu64, m->orders.value);
	buf_addf(b, " {\n");
	for (uint32_t i = 0; i < m->ncounters; i++) {
		const struct ast_machine_counter *c = &a->parts.counters.at[m->first_counter + i];
		buf_addf(b, "\tcounter %s at %" PRIu64, ast_text(a, c->name.sym), c->k.value);
		if (c->mode != COUNTER_PULSE)
			buf_addf(b, " %s", counter_modes[c->mode]);
		buf_addf(b, ";\n");
	}
	for (uint32_t i = 0; i < m->nstates; i++)
		print_state(a, &a->parts.states.at[m->first_state + i], b);
	for (uint32_t i = 0; i < m->nrules; i++) {
		const struct ast_rule *r = &a->parts.rules.at[m->first_rule + i];
		buf_addf(b, "\t%s %s", r->reset ? "reset" : "count",
			 ast_text(a, r->counter.name.sym));
		print_cond(a, &r->cond, b);
	}
	for (uint32_t i = 0; i < m->nmoves; i++) {
		const struct ast_move *t = &a->parts.moves.at[m->first_move + i];
		buf_addf(b, "\t%s -> %s", t->any ? "*" : ast_text(a, t->from.name.sym),
			 ast_text(a, t->to.name.sym));
		print_cond(a, &t->cond, b);
	}
	buf_addf(b, "}\n");
}

static void print_counter(const struct ast *a, const struct ast_stmt *s, struct buf *b)
{
	bool said = s->mode != COUNTER_PULSE;

	buf_addf(b, "counter %s = ", ast_text(a, s->name.sym));
	print_expr(a, s->expr.id, b);
	if (s->reset.id != AST_NIL) {
		buf_addf(b, " reset ");
		print_expr(a, s->reset.id, b);
	}
	buf_addf(b, " at %" PRIu64 "%s%s;\n", s->number.value, said ? " " : "",
		 said ? counter_modes[s->mode] : "");
}

/* Prints `word name = expression;`. A log statement has no name. */
static void print_definition(const struct ast *a, const struct ast_stmt *s, const char *word,
			     struct buf *b)
{
	buf_addf(b, "%s", word);
	if (s->kind != AST_LOG)
		buf_addf(b, " %s", ast_text(a, s->name.sym));
	buf_addf(b, " = ");
	print_expr(a, s->expr.id, b);
	buf_addf(b, ";\n");
}

static void print_substream(const struct ast *a, const struct ast_stmt *s, struct buf *b)
{
	bool by_line = s->sub.key.sym == AST_NIL;

	buf_addf(b, "substream %s", by_line ? "cl" : ast_text(a, s->sub.key.sym));
	for (uint32_t i = 0; i < s->sub.nranges; i++) {
		const struct ast_range *r = &a->ranges.at[s->sub.first_range + i];

		buf_addf(b, by_line ? "%s from 0x%" PRIx64 : "%s from %" PRIu64, i == 0 ? "" : ",",
			 r->first.value);
		buf_addf(b, " count %" PRIu64, r->count.value);
	}
	buf_addf(b, ";\n");
}

void ast_print(const struct ast *a, struct buf *b)
{
	buf_addf(b, "protocol %s;\n", a->proto != NULL ? a->proto->name : "eci");
	for (size_t i = 0; i < a->stmts.n; i++) {
		const struct ast_stmt *s = &a->stmts.at[i];

		switch (s->kind) {
		case AST_LET:
			print_definition(a, s, "let", b);
			break;
		case AST_FILTER:
			print_definition(a, s, "filter", b);
			break;
		case AST_LOG:
			print_definition(a, s, "log", b);
			break;
		case AST_COUNTER:
			print_counter(a, s, b);
			break;
		case AST_AUTOMATON:
			print_automaton(a, s, b);
			break;
		case AST_MACHINE:
			print_machine(a, s, b);
			break;
		case AST_WINDOW:
			buf_addf(b, "window %" PRIu64, s->number.value);
			if (s->after.value != s->number.value)
				buf_addf(b, ", %" PRIu64, s->after.value);
			buf_addf(b, ";\n");
			break;
		case AST_LIMIT:
			buf_addf(b, "limit %" PRIu64 ";\n", s->number.value);
			break;
		case AST_SUBSTREAM:
			print_substream(a, s, b);
			break;
		case AST_TICK:
			buf_addf(b, "tick %" PRIu64 ";\n", s->number.value);
			break;
		}
	}
}
