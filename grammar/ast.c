/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "grammar/ast.h"

#include <stdlib.h>
#include <string.h>

void ast_free(struct ast *a)
{
	vec_free(&a->syms);
	vec_free(&a->nodes);
	vec_free(&a->basics);
	vec_free(&a->tests);
	vec_free(&a->bounds);
	vec_free(&a->stmts);
	vec_free(&a->ranges);
	vec_free(&a->automata);
	vec_free(&a->parts.states);
	vec_free(&a->parts.edges);
	vec_free(&a->parts.labels);
	vec_free(&a->parts.outputs);
	vec_free(&a->machines);
	vec_free(&a->parts.counters);
	vec_free(&a->parts.rules);
	vec_free(&a->parts.moves);
	vec_free(&a->parts.terms);
	vec_free(&a->parts.whens);
	hash_free(&a->hash);
	arena_free(&a->arena);
	memset(a, 0, sizeof *a);
}

static uint32_t hash_text(const char *text, size_t n)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)text[i]) * 16777619u;
	return h;
}

static uint64_t hash_of(const void *ast, uint32_t id)
{
	const struct ast *a = ast;

	return a->syms.at[id].hash;
}

static bool ast_same(const void *ast, uint32_t id, const void *key)
{
	const struct ast_sym *s = &((const struct ast *)ast)->syms.at[id], *t = key;

	return s->hash == t->hash && s->n == t->n && memcmp(s->text, t->text, s->n) == 0;
}

ast_sym_t ast_intern(struct ast *a, const char *text, size_t n)
{
	struct ast_sym s = { text, (uint32_t)n, hash_text(text, n) };
	size_t i;

	if (n >= UINT32_MAX || a->syms.n >= UINT32_MAX - 1 || !hash_room(&a->hash, hash_of, a))
		goto fail;
	i = hash_find(&a->hash, s.hash, ast_same, a, &s);
	if (hash_id(&a->hash, i) == HASH_NONE) {
		s.text = arena_strndup(&a->arena, text, n);
		if (s.text == NULL || !vec_push(&a->syms, s))
			goto fail;
		hash_put(&a->hash, i, (uint32_t)a->syms.n - 1);
	}
	return hash_id(&a->hash, i);
fail:
	a->failed = true;
	return AST_NIL;
}

const char *ast_text(const struct ast *a, ast_sym_t sym)
{
	return sym < a->syms.n ? a->syms.at[sym].text : "";
}

ast_id_t ast_add(struct ast *a, struct ast_node node, struct ast_list list)
{
	node.first = list.n != 0 ? list.first : AST_NIL;
	node.n = list.n;
	node.next = AST_NIL;
	if (a->nodes.n >= AST_NIL || !vec_push(&a->nodes, node)) {
		a->failed = true;
		return AST_NIL;
	}
	return (ast_id_t)(a->nodes.n - 1);
}

ast_id_t ast_leaf(struct ast *a, enum ast_kind kind, struct diag_range range)
{
	struct ast_node node = { .kind = kind, .range = range, .data = AST_NIL };
	struct ast_list none = { AST_NIL, AST_NIL, 0 };

	return ast_add(a, node, none);
}

ast_id_t ast_add_basic(struct ast *a, struct ast_basic basic)
{
	struct ast_node node = { .kind = AST_BASIC, .range = basic.range };
	struct ast_list none = { AST_NIL, AST_NIL, 0 };

	if (basic.channels.n != 0)
		node.range.end = basic.channels.range.end;
	node.data = (uint32_t)a->basics.n;
	basic.let = AST_NIL;
	if (a->basics.n >= AST_NIL || !vec_push(&a->basics, basic)) {
		a->failed = true;
		return AST_NIL;
	}
	return ast_add(a, node, none);
}

struct ast_list ast_append(struct ast *a, struct ast_list list, ast_id_t id)
{
	if (id == AST_NIL)
		return list;
	if (list.n == 0)
		list.first = id;
	else
		a->nodes.at[list.last].next = id;
	list.last = id;
	list.n++;
	return list;
}

ast_id_t ast_group(struct ast *a, enum ast_kind kind, struct ast_list list, struct diag_range range)
{
	struct ast_node node = { .kind = kind, .range = range, .data = AST_NIL };

	return list.n == 1 ? list.first : ast_add(a, node, list);
}

ast_id_t ast_repeat(struct ast *a, ast_id_t id, uint32_t lo, uint32_t hi, uint32_t bounds,
		    struct diag_range range)
{
	struct ast_node node = { .kind = AST_REP, .range = range, .lo = lo, .hi = hi,
				 .data = bounds };
	struct ast_list one = { id, id, id != AST_NIL };

	return ast_add(a, node, one);
}

void ast_add_stmt(struct ast *a, struct ast_stmt stmt)
{
	stmt.node_end = (ast_id_t)a->nodes.n;
	if (a->stmts.n >= AST_NIL || !vec_push(&a->stmts, stmt))
		a->failed = true;
}

void ast_open_automaton(struct ast *a)
{
	struct ast_automaton m = { .first_state = (uint32_t)a->parts.states.n,
				   .first_edge = (uint32_t)a->parts.edges.n };

	if (a->automata.n >= AST_NIL || !vec_push(&a->automata, m))
		a->failed = true;
}

void ast_add_label(struct ast *a, struct ast_state *marks, struct ast_name label)
{
	if (marks->nlabels == 0)
		marks->first_label = (uint32_t)a->parts.labels.n;
	if (a->parts.labels.n >= AST_NIL || !vec_push(&a->parts.labels, label))
		a->failed = true;
	else
		marks->nlabels++;
}

void ast_add_state(struct ast *a, struct ast_name name, struct ast_state marks)
{
	marks.name = name;
	for (uint32_t i = 0; i < marks.nlabels; i++) {
		struct ast_name *label = &a->parts.labels.at[marks.first_label + i];
		if (label->sym == AST_NIL)
			*label = name;
	}
	if (a->parts.states.n >= AST_NIL || !vec_push(&a->parts.states, marks))
		a->failed = true;
}

void ast_add_edge(struct ast *a, struct ast_name from, struct ast_name to, struct ast_expr trigger,
		  bool anywhere)
{
	struct ast_edge e = { .from = from, .to = to, .trigger = trigger, .declared = AST_NIL };

	if (!anywhere && a->automata.n != 0)
		e.declared =
			(uint32_t)a->parts.states.n - a->automata.at[a->automata.n - 1].first_state;
	if (a->parts.edges.n >= AST_NIL || !vec_push(&a->parts.edges, e))
		a->failed = true;
}

void ast_close_automaton(struct ast *a, struct diag_range keyword, struct ast_name name,
			 bool broken)
{
	struct ast_stmt s = { .kind = AST_AUTOMATON, .range = keyword, .name = name,
			      .expr = { AST_NIL, keyword }, .reset = { AST_NIL, keyword } };
	struct ast_automaton *m;

	if (a->failed)
		return;
	m = &a->automata.at[a->automata.n - 1];
	m->nstates = (uint32_t)a->parts.states.n - m->first_state;
	m->nedges = (uint32_t)a->parts.edges.n - m->first_edge;
	m->broken = broken;
	s.automaton = (uint32_t)(a->automata.n - 1);
	ast_add_stmt(a, s);
}

/* Two nodes are moved from the end of the array, index `end`, to the places after node `id`.
 * Returns the new index of the node with index x. */
static ast_id_t moved(ast_id_t x, ast_id_t id, ast_id_t end)
{
	if (x == AST_NIL || x <= id)
		return x;
	return x < end ? x + 2 : x - end + id + 1;
}

/* Moves the last two nodes of the array to the places after node `id`. */
static void move_nodes(struct ast *a, ast_id_t id)
{
	ast_id_t end = (ast_id_t)a->nodes.n - 2;
	struct ast_node two[2] = { a->nodes.at[end], a->nodes.at[end + 1] };

	memmove(&a->nodes.at[id + 3], &a->nodes.at[id + 1], (end - id - 1) * sizeof *two);
	memcpy(&a->nodes.at[id + 1], two, sizeof two);
	for (size_t i = 0; i < a->nodes.n; i++) {
		a->nodes.at[i].first = moved(a->nodes.at[i].first, id, end);
		a->nodes.at[i].next = moved(a->nodes.at[i].next, id, end);
	}
	for (size_t i = 0; i < a->stmts.n; i++) {
		a->stmts.at[i].expr.id = moved(a->stmts.at[i].expr.id, id, end);
		a->stmts.at[i].reset.id = moved(a->stmts.at[i].reset.id, id, end);
		if (a->stmts.at[i].node_end > id)
			a->stmts.at[i].node_end += 2;
	}
	for (size_t i = 0; i < a->parts.edges.n; i++)
		a->parts.edges.at[i].trigger.id = moved(a->parts.edges.at[i].trigger.id, id, end);
	for (size_t i = 0; i < a->parts.terms.n; i++)
		a->parts.terms.at[i].pred.id = moved(a->parts.terms.at[i].pred.id, id, end);
}

void ast_log_messages(struct ast *a, size_t log)
{
	ast_id_t id = a->stmts.at[log].expr.id;
	struct diag_range range = a->stmts.at[log].expr.range;
	struct ast_basic any = { .kind = AST_BASIC_ALL, .group = AST_NIL, .range = range };
	struct ast_list list = { AST_NIL, AST_NIL, 0 };

	any.name = ast_intern(a, "any", 3);
	if (a->failed)
		return;
	list = ast_append(a, ast_append(a, list, id), ast_add_basic(a, any));
	ast_group(a, AST_CAT, list, range);
	if (a->failed)
		return;
	a->nodes.at[id].lo = 0;
	a->stmts.at[log].expr.id = (ast_id_t)a->nodes.n - 1;
	move_nodes(a, id);
}
