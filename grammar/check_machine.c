/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Checks machines (nfacc-filter(5), Machines): declarations, and the names that rules and
 * transitions use.
 */
#include <inttypes.h>

#include "contract/image/image.h"
#include "grammar/check.h"

enum { MOST_COUNTERS = IMAGE_MACHINE_COUNTERS };

/* Declares the outputs of a machine. Its states may share one; two machines may not. */
static void check_outputs(struct check *c, const struct ast_machine *m)
{
	for (uint32_t i = 0; i < m->nstates; i++) {
		const struct ast_state *s = &c->ast->parts.states.at[m->first_state + i];

		for (uint32_t k = 0; k < s->noutputs; k++) {
			const struct ast_name *name =
				&c->ast->parts.outputs.at[s->first_output + k];
			uint32_t *slot = &c->syms[name->sym].output;

			if (*slot == c->stmt + 1)
				continue;
			if (*slot != 0)
				front_error(c->front, "redefinition", name->range, "output '%s' is "
					    "already defined", ast_text(c->ast, name->sym));
			else
				front_check_hiding(c->front, name);
			*slot = c->stmt + 1;
			c->sum.outputs++;
		}
	}
}

static void check_counters(struct check *c, const struct ast_machine *m)
{
	for (uint32_t i = 0; i < m->ncounters; i++) {
		const struct ast_machine_counter *k =
			&c->ast->parts.counters.at[m->first_counter + i];
		struct check_sym *sym = &c->syms[k->name.sym];

		front_check_hiding(c->front, &k->name);
		check_number(c, &k->k, "the count", 1, UINT32_MAX);
		if (sym->machine_of_counter == c->stmt + 1) {
			size_t at = front_error(c->front, "redefinition", k->name.range,
						"counter '%s' is already defined",
						ast_text(c->ast, k->name.sym));
			diag_note(c->front->diags, at,
				  c->ast->parts.counters.at[m->first_counter +
							      sym->machine_counter].name.range,
				  "it is defined here");
			continue;
		}
		sym->machine_of_counter = c->stmt + 1;
		sym->machine_counter = i;
	}
}

/* Finds the state that a use names. */
static void find_state(struct check *c, const struct ast_machine *m, struct ast_use *use)
{
	struct ast_automaton like = { .first_state = m->first_state, .nstates = m->nstates,
				      .broken = m->broken };

	use->at = check_find_state(c, &like, &use->name, use->declared);
}

/* Suggests a counter of the machine for an unknown name. */
static void suggest_counter(struct check *c, const struct ast_machine *m, size_t at,
			    const struct ast_name *name)
{
	const char **words = arena_array(&c->arena, (size_t)m->ncounters + 1, sizeof *words);
	const struct ast_sym *s = &c->ast->syms.at[name->sym];
	struct diag_range range = name->range;

	if (words == NULL) {
		c->failed = true;
		return;
	}
	for (uint32_t i = 0; i < m->ncounters; i++)
		words[i] = ast_text(c->ast,
				    c->ast->parts.counters.at[m->first_counter + i].name.sym);
	if (range.end - range.begin > s->n)
		range.begin = range.end - s->n; /* leaves out the '@' */
	front_suggest_word(c->front, at, s->text, s->n, range, words);
}

/* Finds the counter that a use names. */
static void find_counter(struct check *c, const struct ast_machine *m, struct ast_use *use)
{
	const struct check_sym *sym = &c->syms[use->name.sym];
	bool known = sym->machine_of_counter == c->stmt + 1;
	const char *text = ast_text(c->ast, use->name.sym);
	size_t at;

	use->at = known ? sym->machine_counter : AST_NIL;
	if (known && sym->machine_counter < use->declared)
		return;
	use->at = AST_NIL;
	if (m->broken)
		return;
	at = front_error(c->front, "unknown-name", use->name.range, known
			 ? "no counter '%s' of this machine is declared before this"
			 : "this machine has no counter '%s'", text);
	if (known)
		diag_note(c->front->diags, at,
			  c->ast->parts.counters.at[m->first_counter + sym->machine_counter]
				  .name.range, "it is declared here");
	else
		suggest_counter(c, m, at, &use->name);
}

/* Checks a condition. `before` is the counter whose rule it is in; its terms may name the counters
 * that are declared before it. AST_NIL: they may name all counters. */
static void check_cond(struct check *c, const struct ast_machine *m, const struct ast_cond *cond,
		       uint32_t before)
{
	for (uint32_t i = 0; i < cond->nterms; i++) {
		struct ast_term *t = &c->ast->parts.terms.at[cond->first_term + i];

		if (t->kind == AST_TERM_PRED) {
			enum check_class class = t->pred.id != AST_NIL ? c->nodes[t->pred.id].class
								       : CHECK_WRONG;
			if (class == CHECK_EXPR || class == CHECK_EPS)
				front_error(c->front, "condition", t->range, "a term of a "
					    "condition is a predicate, '@COUNTER' or '!@COUNTER'");
			continue;
		}
		find_counter(c, m, &t->counter);
		if (t->counter.at != AST_NIL && before != AST_NIL && t->counter.at >= before)
			front_error(c->front, "condition", t->range, "the rules of '%s' may use "
				    "counters that are declared before it",
				    ast_text(c->ast, c->ast->parts.counters
							     .at[m->first_counter + before]
							     .name.sym));
	}
	for (uint32_t i = 0; i < cond->nwhen; i++)
		find_state(c, m, &c->ast->parts.whens.at[cond->first_when + i]);
}

/* ---- machines with `orders` ---- */

/* Is `orders` written? */
static bool has_orders(const struct ast_machine *m)
{
	return m->orders.range.end != m->orders.range.begin;
}

static bool is_marked(const struct ast_state *s)
{
	return s->nlabels != 0 || s->noutputs != 0 || s->log;
}

/* Is a transition's condition one predicate? */
static bool is_plain(const struct check *c, const struct ast_cond *cond)
{
	return cond->nterms == 1 && cond->nwhen == 0 &&
	       c->ast->parts.terms.at[cond->first_term].kind == AST_TERM_PRED;
}

static void check_orders_move(struct check *c, const struct ast_machine *m,
			      const struct ast_move *t)
{
	const struct ast_state *states = &c->ast->parts.states.at[m->first_state];

	if (t->any)
		front_error(c->front, "orders", t->to.name.range,
			    "a transition of a machine with 'orders' starts in one state");
	if (!is_plain(c, &t->cond))
		front_error(c->front, "orders", t->cond.range, "the condition of a transition is "
			    "one predicate if the machine has 'orders'");
	if (!t->any && t->from.at != AST_NIL && t->to.at != AST_NIL && t->from.at != t->to.at &&
	    is_marked(&states[t->from.at]))
		front_error(c->front, "orders", t->from.name.range,
			    "no transition leaves a state with a mark if the machine has 'orders'");
}

/* Checks what a machine with `orders` may not have. */
static void check_orders(struct check *c, const struct ast_machine *m)
{
	if (!check_number(c, &m->orders, "the number of messages", 1, IMAGE_ORDERS))
		return;
	for (uint32_t i = 0; i < m->ncounters; i++)
		front_error(c->front, "orders",
			    c->ast->parts.counters.at[m->first_counter + i].name.range,
			    "a machine with 'orders' has no counters");
	for (uint32_t i = 0; i < m->nstates; i++) {
		const struct ast_state *s = &c->ast->parts.states.at[m->first_state + i];

		if (s->start && is_marked(s))
			front_error(c->front, "orders", s->name.range, "the start state of a "
				    "machine with 'orders' has no other mark");
	}
	for (uint32_t i = 0; i < m->nmoves; i++)
		check_orders_move(c, m, &c->ast->parts.moves.at[m->first_move + i]);
}

/* Warns of counters that nothing counts, and of states that nothing enters. */
static void warn_unused(struct check *c, const struct ast_machine *m)
{
	for (uint32_t i = 0; i < m->ncounters; i++) {
		const struct ast_name *name =
			&c->ast->parts.counters.at[m->first_counter + i].name;
		bool counts = false;

		for (uint32_t k = 0; k < m->nrules && !counts; k++) {
			const struct ast_rule *r = &c->ast->parts.rules.at[m->first_rule + k];
			counts = !r->reset && r->counter.at == i;
		}
		if (!counts)
			diag_report(c->front->diags, DIAG_WARNING, "never-counts", name->range,
				    "no 'count' rule names counter '%s'",
				    ast_text(c->ast, name->sym));
	}
	for (uint32_t i = 0; i < m->nstates; i++) {
		const struct ast_state *s = &c->ast->parts.states.at[m->first_state + i];
		bool entered = s->start || (has_orders(m) && is_marked(s));

		for (uint32_t k = 0; k < m->nmoves && !entered; k++) {
			const struct ast_move *t = &c->ast->parts.moves.at[m->first_move + k];
			entered = t->to.at == i && (t->any || t->from.at != i);
		}
		if (!entered)
			diag_report(c->front->diags, DIAG_WARNING, "never-entered", s->name.range,
				    "no transition enters state '%s'",
				    ast_text(c->ast, s->name.sym));
	}
}

/* Reports it if the machine has no start state, or several. */
static void check_start(struct check *c, const struct ast_stmt *s, const struct ast_machine *m)
{
	const struct ast_state *first = NULL;

	for (uint32_t i = 0; i < m->nstates; i++) {
		const struct ast_state *t = &c->ast->parts.states.at[m->first_state + i];
		size_t at;

		if (!t->start)
			continue;
		if (first == NULL) {
			first = t;
			continue;
		}
		at = front_error(c->front, "start", t->name.range, "a machine has one start state");
		diag_note(c->front->diags, at, first->name.range, "this is one");
	}
	if (first == NULL && !m->broken)
		front_error(c->front, "no-start", s->name.range, "machine '%s' has no start state",
			    ast_text(c->ast, s->name.sym));
}

void check_machine(struct check *c, const struct ast_stmt *s)
{
	const struct ast_machine *m = &c->ast->machines.at[s->machine];
	size_t errors = c->front->diags->errors;

	if (m->ncounters > MOST_COUNTERS)
		front_error(c->front, "machine", s->name.range,
			    "a machine has at most %d counters, this has %" PRIu32, MOST_COUNTERS,
			    m->ncounters);
	check_states(c, m->first_state, m->nstates);
	check_start(c, s, m);
	check_outputs(c, m);
	check_counters(c, m);
	for (uint32_t i = 0; i < m->nrules; i++) {
		struct ast_rule *r = &c->ast->parts.rules.at[m->first_rule + i];

		find_counter(c, m, &r->counter);
		check_cond(c, m, &r->cond, r->counter.at);
	}
	for (uint32_t i = 0; i < m->nmoves; i++) {
		struct ast_move *t = &c->ast->parts.moves.at[m->first_move + i];

		if (!t->any)
			find_state(c, m, &t->from);
		find_state(c, m, &t->to);
		check_cond(c, m, &t->cond, AST_NIL);
	}
	if (has_orders(m))
		check_orders(c, m);
	if (errors == c->front->diags->errors && !m->broken)
		warn_unused(c, m);
}
