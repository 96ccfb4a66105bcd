/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Checks the statements of a unit (nfacc-filter(5)) in the order in which they stand. A name is
 * known from its definition on.
 */
#include "grammar/check.h"

#include <inttypes.h>
#include <string.h>

/* The leaves of an expression are its positions, `eps` and @NAME, after names and bounds are
 * expanded. A leaf becomes two states, and an automaton has at most 2^24 states. */
enum { MOST_POSITIONS = 1 << 20, MOST_LEAVES = 1 << 23 };

/* ---- before the walk ------------------------------------------------------------------------ */

static void mark_root(struct check *c, const struct ast_expr *e)
{
	if (e->id != AST_NIL)
		c->nodes[e->id].live = c->nodes[e->id].head = true;
}

/* Sets the fields `live`, `head` and `inner` of all nodes. Each node passes them on to its
 * operands. Operands come before their parent in the array, so the walk goes backwards. */
static void mark_nodes(struct check *c)
{
	const struct ast *a = c->ast;

	for (size_t i = 0; i < a->stmts.n; i++) {
		mark_root(c, &a->stmts.at[i].expr);
		mark_root(c, &a->stmts.at[i].reset);
	}
	for (size_t i = 0; i < a->parts.edges.n; i++)
		mark_root(c, &a->parts.edges.at[i].trigger);
	for (size_t i = 0; i < a->parts.terms.n; i++)
		mark_root(c, &a->parts.terms.at[i].pred);
	for (size_t i = a->nodes.n; i-- > 0;) {
		const struct ast_node *node = &a->nodes.at[i];
		const struct check_node *n = &c->nodes[i];
		bool list = node->kind == AST_CAT || node->kind == AST_ALT;

		for (ast_id_t k = node->first; k != AST_NIL; k = a->nodes.at[k].next) {
			c->nodes[k].live = n->live;
			c->nodes[k].head = n->head && list &&
					   (node->kind == AST_ALT || k == node->first);
			c->nodes[k].inner = !list && node->kind != AST_REP;
		}
	}
}

/* Finds the statements that matter for expressions before them, too. */
static void find_statements(struct check *c)
{
	const struct ast *a = c->ast;
	bool end = false;

	c->sees.substream = AST_NIL;
	for (size_t i = a->stmts.n; i-- > 0;) {
		if (a->stmts.at[i].kind == AST_SUBSTREAM)
			c->sees.substream = (uint32_t)i;
		c->sees.ticks = c->sees.ticks || a->stmts.at[i].kind == AST_TICK;
	}
	for (size_t i = 0; i < a->basics.n; i++)
		end = end || a->basics.at[i].kind == AST_BASIC_END;
	c->sees.times = 1 << CHECK_PLAIN;
	c->sees.times |= c->sees.ticks ? 1 << CHECK_TICK : 0;
	c->sees.times |= end ? 1 << CHECK_END : 0;
	c->sees.times |= c->sees.ticks && end ? 1 << CHECK_TICK_END : 0;
}

static bool begin_check(struct check *c)
{
	const struct ast *a = c->ast;

	find_statements(c);
	c->words = bits_words(c->proto->codes.n);
	c->sees.visible = c->sees.substream != AST_NIL ? check_visible(c) : c->proto->codes.valid;
	c->nothing.named = arena_array(&c->arena, c->words, sizeof *c->nothing.named);
	c->nothing.has = c->nothing.some = c->nothing.full = c->nothing.named;
	c->syms = arena_array(&c->arena, a->syms.n, sizeof *c->syms);
	c->nodes = arena_array(&c->arena, a->nodes.n, sizeof *c->nodes);
	c->stmts = arena_array(&c->arena, a->stmts.n, sizeof *c->stmts);
	if (c->sees.visible == NULL || c->nothing.named == NULL || c->syms == NULL ||
	    c->nodes == NULL || c->stmts == NULL)
		return false;
	for (size_t i = 0; i < a->stmts.n; i++)
		c->stmts[i].head_counter = c->stmts[i].misplaced_counter = AST_NIL;
	mark_nodes(c);
	return true;
}

/* ---- names ---------------------------------------------------------------------------------- */

/* Records that the current statement defines the name: *slot becomes the index of the statement
 * plus 1. If *slot is not 0, the name was defined before, which is an error. `what` is the word for
 * the kind of name in the error message. */
static void define(struct check *c, const struct ast_name *name, uint32_t *slot, const char *what)
{
	front_check_hiding(c->front, name);
	if (*slot != 0) {
		size_t at = front_error(c->front, "redefinition", name->range,
					"%s '%s' is already defined", what,
					ast_text(c->ast, name->sym));
		diag_note(c->front->diags, at, c->ast->stmts.at[*slot - 1].name.range,
			  "it is defined here");
		return;
	}
	*slot = c->stmt + 1;
}

/* ---- statements ----------------------------------------------------------------------------- */

bool check_number(struct check *c, const struct ast_number *x, const char *what, uint64_t lo,
		  uint64_t hi)
{
	if (!x->overflow && x->value >= lo && x->value <= hi)
		return true;
	if (hi == UINT64_MAX)
		front_error(c->front, "number", x->range, "%s is at least %" PRIu64
			    " and below 2^64", what, lo);
	else
		front_error(c->front, "number", x->range, "%s is from %" PRIu64 " to %" PRIu64,
			    what, lo, hi);
	return false;
}

static uint64_t add_saturating(uint64_t x, uint64_t y)
{
	return x > UINT64_MAX - y ? UINT64_MAX : x + y;
}

/* Adds the positions and leaves of an expression to those of the whole unit. The expression is that
 * of a filter, log or counter. Reports an error the first time that the unit has too many. */
static void count_positions(struct check *c, const struct ast_expr *e)
{
	if (e->id == AST_NIL)
		return;
	c->sum.positions = add_saturating(c->sum.positions, c->nodes[e->id].positions);
	c->sum.leaves = add_saturating(c->sum.leaves, c->nodes[e->id].leaves);
	if (c->reported.too_many)
		return;
	c->reported.too_many = c->sum.positions > MOST_POSITIONS || c->sum.leaves > MOST_LEAVES;
	if (c->sum.positions > MOST_POSITIONS)
		front_error(c->front, "positions", e->range,
			    "%s%" PRIu64 " positions after expansion; at most %d are possible",
			    c->sum.positions == UINT64_MAX ? "at least " : "",
			    c->sum.positions, MOST_POSITIONS);
	else if (c->sum.leaves > MOST_LEAVES)
		front_error(c->front, "positions", e->range,
			    "%s%" PRIu64 " predicates, counters and eps after expansion; at most "
			    "%d are possible",
			    c->sum.leaves == UINT64_MAX ? "at least " : "", c->sum.leaves,
			    MOST_LEAVES);
}

void check_once(struct check *c, const struct ast_stmt *s, const char *word)
{
	uint32_t *first = &c->first[s->kind];
	size_t at;

	if (*first == 0) {
		*first = c->stmt + 1;
		return;
	}
	at = front_error(c->front, "redefinition", s->range, "second '%s'", word);
	diag_note(c->front->diags, at, c->ast->stmts.at[*first - 1].range, "the first is here");
}

/* ---- automata ------------------------------------------------------------------------------- */

static void check_label(struct check *c, const struct ast_state *state,
			const struct ast_name *label)
{
	uint32_t *slot = &c->syms[label->sym].label;

	if (*slot == c->stmt + 1)
		return;
	if (*slot != 0) {
		front_error(c->front, "redefinition", label->range, "label '%s' is already defined",
			    ast_text(c->ast, label->sym));
		return;
	}
	if (label->sym != state->name.sym)
		front_check_hiding(c->front, label);
	*slot = c->stmt + 1;
	c->sum.labels++;
}

bool check_states(struct check *c, uint32_t first, uint32_t n)
{
	bool start = false;

	for (uint32_t i = 0; i < n; i++) {
		const struct ast_state *s = &c->ast->parts.states.at[first + i];
		struct check_sym *sym = &c->syms[s->name.sym];

		start = start || s->start;
		front_check_hiding(c->front, &s->name);
		if (sym->automaton_of_state == c->stmt + 1) {
			const struct ast_state *t = &c->ast->parts.states.at[first + sym->state];
			size_t at = front_error(c->front, "redefinition", s->name.range,
						"state '%s' is already defined",
						ast_text(c->ast, s->name.sym));
			diag_note(c->front->diags, at, t->name.range, "it is defined here");
		} else {
			sym->automaton_of_state = c->stmt + 1;
			sym->state = i;
		}
		for (uint32_t l = 0; l < s->nlabels; l++)
			check_label(c, s, &c->ast->parts.labels.at[s->first_label + l]);
	}
	return start;
}

uint32_t check_find_state(struct check *c, const struct ast_automaton *m,
			  const struct ast_name *name, uint32_t declared)
{
	const struct check_sym *sym = &c->syms[name->sym];
	bool known = sym->automaton_of_state == c->stmt + 1;
	size_t at;

	if (known && sym->state < declared)
		return sym->state;
	if (m->broken && declared != AST_NIL)
		return AST_NIL;
	at = front_error(c->front, "unknown-name", name->range, "no state '%s'%s",
			 ast_text(c->ast, name->sym), known ? " is declared before this" : "");
	if (known)
		diag_note(c->front->diags, at,
			  c->ast->parts.states.at[m->first_state + sym->state].name.range,
			  "it is declared here");
	else
		front_suggest_state(c->front, at, name->sym, name->range, m);
	return AST_NIL;
}

static void check_automaton(struct check *c, const struct ast_stmt *s)
{
	const struct ast_automaton *m = &c->ast->automata.at[s->automaton];

	define(c, &s->name, &c->syms[s->name.sym].automaton, "automaton");
	if (!check_states(c, m->first_state, m->nstates) && !m->broken)
		front_error(c->front, "no-start", s->name.range,
			    "automaton '%s' has no start state", ast_text(c->ast, s->name.sym));
	for (uint32_t i = 0; i < m->nedges; i++) {
		struct ast_edge *e = &c->ast->parts.edges.at[m->first_edge + i];

		e->from_state = check_find_state(c, m, &e->from, e->declared);
		e->to_state = check_find_state(c, m, &e->to, e->declared);
		if (e->trigger.id != AST_NIL && c->nodes[e->trigger.id].class == CHECK_EXPR)
			front_error(c->front, "trigger", e->trigger.range,
				    "a trigger is a predicate or eps");
	}
}

/* ---- the walk ------------------------------------------------------------------------------- */

static void check_statement(struct check *c, struct ast_stmt *s)
{
	struct check_sym *sym = &c->syms[s->name.sym];

	switch (s->kind) {
	case AST_LET:
		define(c, &s->name, &sym->let, "let");
		break;
	case AST_FILTER:
		define(c, &s->name, &sym->label, "label");
		c->sum.labels++;
		break;
	case AST_LOG:
		check_once(c, s, "log");
		break;
	case AST_COUNTER:
		define(c, &s->name, &sym->counter, "counter");
		check_number(c, &s->number, "the count", 1, UINT32_MAX);
		break;
	case AST_AUTOMATON:
		check_automaton(c, s);
		break;
	case AST_MACHINE:
		define(c, &s->name, &sym->machine, "machine");
		check_machine(c, s);
		break;
	case AST_WINDOW:
		check_once(c, s, "window");
		check_number(c, &s->number, "the window", 0, UINT64_MAX);
		if (s->after.range.begin != s->number.range.begin)
			check_number(c, &s->after, "the window", 0, UINT64_MAX);
		break;
	case AST_LIMIT:
		check_once(c, s, "limit");
		check_number(c, &s->number, "the limit", 1, UINT64_MAX);
		break;
	case AST_SUBSTREAM:
		check_substream(c, s);
		break;
	case AST_TICK:
		check_once(c, s, "tick");
		check_number(c, &s->number, "the time between ticks", 1, UINT32_MAX);
		break;
	}
	if (s->kind != AST_LET) {
		count_positions(c, &s->expr);
		count_positions(c, &s->reset);
	}
}

/* Checks what only the whole unit can show: there must be a label, and every let should be used. */
static void check_end(struct check *c)
{
	struct diags *d = c->front->diags;
	struct diag_range end = { c->front->last_source, 0, 0 };
	bool clean = d->errors - d->promoted == c->front->errors;

	if (c->sum.labels == 0 && c->sum.outputs == 0 && clean) {
		if (end.source < d->sources.n)
			end.begin = end.end = (uint32_t)d->sources.at[end.source].n;
		front_error(c->front, "no-label", end,
			    "there is no filter and no automaton with a label");
	}
	for (size_t i = 0; i < c->ast->stmts.n && clean && c->sum.labels + c->sum.outputs != 0;
	     i++) {
		const struct ast_stmt *s = &c->ast->stmts.at[i];
		if (s->kind == AST_LET && !c->stmts[i].used)
			diag_report(d, DIAG_WARNING, "unused-let", s->name.range,
				    "'%s' is never used", ast_text(c->ast, s->name.sym));
	}
}

/* If the unit has ticks or the end, there are batches without a message. `log = all` leaves them
 * out. */
static void replace_log(struct ast *a)
{
	bool time = false;

	for (size_t i = 0; i < a->stmts.n; i++)
		time = time || a->stmts.at[i].kind == AST_TICK;
	for (size_t i = 0; i < a->basics.n; i++)
		time = time || a->basics.at[i].kind == AST_BASIC_END;
	for (size_t i = 0; time && i < a->stmts.n && !a->failed; i++)
		if (a->stmts.at[i].all)
			ast_log_messages(a, i);
}

bool check_unit(struct front *f)
{
	struct check c = { .front = f, .ast = &f->ast, .proto = f->ast.proto };
	ast_id_t next = 0;

	replace_log(&f->ast);
	if (f->ast.failed || !begin_check(&c)) {
		arena_free(&c.arena);
		return false;
	}
	for (; c.stmt < f->ast.stmts.n && !c.failed; c.stmt++) {
		struct ast_stmt *s = &f->ast.stmts.at[c.stmt];
		ast_id_t begin = next;

		while (next < s->node_end)
			check_node(&c, next++);
		if (c.failed)
			break;
		check_places(&c, begin, next);
		check_statement(&c, s);
	}
	while (next < f->ast.nodes.n && !c.failed)
		check_node(&c, next++);
	if (!c.failed)
		check_end(&c);
	arena_free(&c.arena);
	return !c.failed;
}
