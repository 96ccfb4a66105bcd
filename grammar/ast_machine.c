/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Builds the part of the tree that holds machines.
 */
#include "grammar/ast.h"

/* Returns the machine that is open. */
static struct ast_machine *open_machine(const struct ast *a)
{
	return &a->machines.at[a->machines.n - 1];
}

void ast_open_machine(struct ast *a, struct ast_number orders)
{
	struct ast_machine m = {
		.orders = orders,
		.first_counter = (uint32_t)a->parts.counters.n,
		.first_state = (uint32_t)a->parts.states.n,
		.first_rule = (uint32_t)a->parts.rules.n,
		.first_move = (uint32_t)a->parts.moves.n,
	};

	if (a->machines.n >= AST_NIL || !vec_push(&a->machines, m))
		a->failed = true;
}

void ast_add_output(struct ast *a, struct ast_state *marks, struct ast_name output)
{
	if (marks->noutputs == 0)
		marks->first_output = (uint32_t)a->parts.outputs.n;
	if (a->parts.outputs.n >= AST_NIL || !vec_push(&a->parts.outputs, output))
		a->failed = true;
	else
		marks->noutputs++;
}

void ast_add_machine_counter(struct ast *a, struct ast_machine_counter counter)
{
	if (a->parts.counters.n >= AST_NIL || !vec_push(&a->parts.counters, counter))
		a->failed = true;
}

struct ast_use ast_use_state(const struct ast *a, struct ast_name name)
{
	struct ast_use use = { .name = name };

	if (!a->failed)
		use.declared = (uint32_t)a->parts.states.n - open_machine(a)->first_state;
	return use;
}

struct ast_use ast_use_counter(const struct ast *a, struct ast_name name)
{
	struct ast_use use = { .name = name };

	if (!a->failed)
		use.declared = (uint32_t)a->parts.counters.n - open_machine(a)->first_counter;
	return use;
}

void ast_add_term(struct ast *a, struct ast_term term)
{
	if (a->parts.terms.n >= AST_NIL || !vec_push(&a->parts.terms, term))
		a->failed = true;
}

void ast_add_when(struct ast *a, struct ast_use state)
{
	if (a->parts.whens.n >= AST_NIL || !vec_push(&a->parts.whens, state))
		a->failed = true;
}

struct ast_cond ast_cond_of(const struct ast *a, uint32_t nterms, uint32_t nwhen,
			    struct diag_range range)
{
	return (struct ast_cond){ (uint32_t)a->parts.terms.n - nterms, nterms,
				  (uint32_t)a->parts.whens.n - nwhen, nwhen, range };
}

void ast_add_rule(struct ast *a, struct ast_rule rule)
{
	if (a->parts.rules.n >= AST_NIL || !vec_push(&a->parts.rules, rule))
		a->failed = true;
}

void ast_add_move(struct ast *a, struct ast_move move)
{
	if (a->parts.moves.n >= AST_NIL || !vec_push(&a->parts.moves, move))
		a->failed = true;
}

void ast_close_machine(struct ast *a, struct diag_range keyword, struct ast_name name, bool broken)
{
	struct ast_stmt s = { .kind = AST_MACHINE, .range = keyword, .name = name,
			      .expr = { AST_NIL, keyword }, .reset = { AST_NIL, keyword } };
	struct ast_machine *m;

	if (a->failed)
		return;
	m = open_machine(a);
	m->ncounters = (uint32_t)a->parts.counters.n - m->first_counter;
	m->nstates = (uint32_t)a->parts.states.n - m->first_state;
	m->nrules = (uint32_t)a->parts.rules.n - m->first_rule;
	m->nmoves = (uint32_t)a->parts.moves.n - m->first_move;
	m->broken = broken;
	s.machine = (uint32_t)(a->machines.n - 1);
	ast_add_stmt(a, s);
}
