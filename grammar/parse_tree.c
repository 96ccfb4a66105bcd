/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * What the actions of the grammar (re.y) do: builds statements and nodes of the tree, and reports
 * errors that the grammar leaves to its actions.
 */
#include "grammar/parse.h"

enum { MOST_DEPTH = 500 };

struct ast_expr parse_expression(ast_id_t id, struct diag_range range)
{
	return (struct ast_expr){ id, range };
}

struct ast_stmt parse_define(enum ast_stmt_kind kind, struct diag_range keyword,
			     struct ast_name name, ast_id_t id, struct diag_range range)
{
	return (struct ast_stmt){
		.kind = kind, .range = keyword, .name = name, .expr = { id, range },
		.reset = { AST_NIL, range }
	};
}

void parse_add_number(struct parse *p, enum ast_stmt_kind kind, struct diag_range keyword,
		      struct ast_number number, struct ast_number after)
{
	struct ast_stmt s = {
		.kind = kind, .range = keyword, .number = number, .after = after,
		.expr = { AST_NIL, keyword }, .reset = { AST_NIL, keyword }
	};

	ast_add_stmt(&p->front->ast, s);
}

void parse_add_range(struct parse *p, struct ast_number first, struct ast_number count)
{
	struct ast *a = &p->front->ast;

	if (a->ranges.n >= AST_NIL || !vec_push(&a->ranges, ((struct ast_range){ first, count })))
		a->failed = true;
}

void parse_add_substream(struct parse *p, struct diag_range keyword, struct ast_name key,
			 uint32_t nranges)
{
	struct ast *a = &p->front->ast;
	struct ast_stmt s = {
		.kind = AST_SUBSTREAM, .range = keyword, .sub.key = key,
		.sub.field = PROTO_ADDR, .sub.first_range = (uint32_t)a->ranges.n - nranges,
		.sub.nranges = nranges, .expr = { AST_NIL, keyword }, .reset = { AST_NIL, keyword }
	};

	ast_add_stmt(a, s);
}

bool parse_open_parenthesis(struct parse *p, struct diag_range where)
{
	if (++p->state.depth <= MOST_DEPTH)
		return true;
	front_error(p->front, "syntax", where, "parentheses nest at most %d deep", MOST_DEPTH);
	return false;
}

ast_id_t parse_negate(struct parse *p, uint32_t count, ast_id_t id, struct diag_range range,
		      struct diag_range operand)
{
	struct ast_node node = { .kind = AST_NOT, .range = range, .lo = count,
				 .hi = operand.begin, .data = AST_NIL };
	struct ast_list one = { id, id, id != AST_NIL };

	return ast_add(&p->front->ast, node, one);
}

/* Returns the bound of a repetition as the tree stores it. A bound that is too large becomes
 * AST_BOUND_INF - 1, because AST_BOUND_INF stands for infinity. */
static uint32_t bound(const struct ast_number *x)
{
	return x->value < AST_BOUND_INF ? (uint32_t)x->value : AST_BOUND_INF - 1;
}

ast_id_t parse_repeat(struct parse *p, ast_id_t id, const struct ast_number *lo,
		      const struct ast_number *hi, struct diag_range range)
{
	struct ast *a = &p->front->ast;
	struct ast_bounds b = { lo->range, hi != NULL ? hi->range : lo->range };

	if (a->bounds.n >= AST_NIL || !vec_push(&a->bounds, b)) {
		a->failed = true;
		return AST_NIL;
	}
	return ast_repeat(a, id, bound(lo), hi != NULL ? bound(hi) : AST_BOUND_INF,
			  (uint32_t)(a->bounds.n - 1), range);
}

ast_id_t parse_members(struct parse *p, enum ast_kind kind, struct ast_list list,
		       struct diag_range range)
{
	struct ast_node node = { .kind = kind, .range = range, .data = AST_NIL };

	return ast_add(&p->front->ast, node, list);
}

struct ast_basic parse_named(struct ast_name name, enum ast_basic_kind kind)
{
	return (struct ast_basic){ .kind = kind, .group = AST_NIL, .name = name.sym,
				   .range = name.range };
}

ast_id_t parse_on_channels(struct parse *p, struct ast_basic basic, struct ast_channels channels)
{
	if (basic.range.end != channels.range.begin)
		front_error(p->front, "syntax", channels.range,
			    "a channel list comes right after its predicate");
	else
		basic.channels = channels;
	return ast_add_basic(&p->front->ast, basic);
}

void parse_add_test(struct parse *p, enum ast_test_kind kind, struct parse_field field,
		    const struct ast_number *mask, struct ast_number value,
		    const struct ast_number *last)
{
	struct ast *a = &p->front->ast;
	struct ast_test t = { .kind = kind, .name = field.name, .of_bits = field.of_bits,
			      .highest = field.highest, .lowest = field.lowest, .value = value };

	t.mask = mask != NULL ? *mask : value;
	t.last = last != NULL ? *last : value;
	if (a->tests.n >= AST_NIL || !vec_push(&a->tests, t))
		a->failed = true;
}

struct parse_guard parse_end_guard(struct parse *p, uint32_t ntests, struct diag_range range)
{
	return (struct parse_guard){ (uint32_t)p->front->ast.tests.n - ntests, ntests, range };
}

ast_id_t parse_guarded(struct parse *p, ast_id_t id, struct parse_guard guard)
{
	struct ast *a = &p->front->ast;
	struct ast_basic *basic;

	if (id == AST_NIL)
		return id;
	basic = &a->basics.at[a->nodes.at[id].data];
	if (basic->ntests == 0) {
		basic->first_test = guard.first;
		basic->guard_range = guard.range;
	}
	basic->ntests += guard.n;
	basic->guard_range.end = a->nodes.at[id].range.end = guard.range.end;
	return id;
}

void parse_misplaced_guard(struct parse *p, struct parse_guard guard)
{
	guard.range.end = guard.range.begin + 1;
	front_error(p->front, "guard", guard.range, "a guard stands behind a basic predicate, or "
		    "behind the name of one or of an Any");
}

void parse_starred(struct parse *p, ast_id_t id, struct diag_range star)
{
	struct ast *a = &p->front->ast;
	struct diag_range both = star;
	const struct ast_basic *basic;
	size_t at;

	at = front_error(p->front, "syntax", star, "expected ',' or ')', found '*'");
	if (id == AST_NIL)
		return;
	basic = &a->basics.at[a->nodes.at[id].data];
	a->nodes.at[id].kind = AST_ERROR; /* so check.c does not report it again */
	if (basic->kind != AST_BASIC_NAME || basic->channels.n != 0 || basic->ntests != 0)
		return;
	both.begin = basic->range.begin;
	front_star_notes(p->front, at, basic, both, true);
}

void parse_reserved(struct parse *p, const struct ast_name *name)
{
	front_error(p->front, "reserved-word", name->range, "'%s' is a reserved word",
		    ast_text(&p->front->ast, name->sym));
}

void parse_mark(struct parse *p, struct ast_state *marks, struct ast_mark mark)
{
	marks->start = marks->start || mark.start;
	marks->log = marks->log || mark.log;
	if (mark.accept)
		ast_add_label(&p->front->ast, marks, mark.label);
}

void parse_add_pred(struct parse *p, ast_id_t id, struct diag_range range)
{
	struct ast_term term = { .kind = AST_TERM_PRED, .pred = { id, range }, .range = range };

	ast_add_term(&p->front->ast, term);
}

void parse_add_counted(struct parse *p, struct ast_name counter, uint32_t nots,
		       struct diag_range range)
{
	struct ast_term term = {
		.kind = nots % 2 == 0 ? AST_TERM_AT : AST_TERM_NOT_AT,
		.pred = { AST_NIL, range },
		.counter = ast_use_counter(&p->front->ast, counter),
		.range = range,
	};

	ast_add_term(&p->front->ast, term);
}

void parse_add_rule(struct parse *p, bool reset, struct ast_name counter, struct ast_cond cond)
{
	struct ast *a = &p->front->ast;

	ast_add_rule(a, (struct ast_rule){ reset, ast_use_counter(a, counter), cond });
}

void parse_add_move(struct parse *p, const struct ast_name *from, struct ast_name to,
		    struct ast_cond cond)
{
	struct ast *a = &p->front->ast;
	struct ast_move move = { .any = from == NULL, .to = ast_use_state(a, to), .cond = cond };

	if (from != NULL)
		move.from = ast_use_state(a, *from);
	ast_add_move(a, move);
}
