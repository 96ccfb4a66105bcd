/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Note [partial derivatives]. A partial derivative of an expression after a predicate is what may
 * still follow once a batch has satisfied the predicate (Antimirov: Partial derivatives of regular
 * expressions and finite automaton constructions, 1996). A derivative of a concatenation is a list,
 * here called a continuation (reference_int.h, Note [continuations]). The continuations are the
 * states of the automaton. To find the transitions of a state, derive_visit() walks from its
 * continuation to every predicate that may come first:
 *
 *   REST node, next           walks into the node; its next sibling or `next` follows
 *   AGAIN lo … hi of X, next  walks into X; AGAIN lo-1 … hi-1 of X follows. If lo is 0, it also
 *                             goes on with `next`.
 *   X | Y, next               walks into X and into Y; `next` follows both
 *   eps, next                 goes on with `next`
 *   predicate, next           is a transition with that predicate to the state of `next`
 *
 * Each position of an expression, with its bounds written out, leads to one continuation. So there
 * are at most as many states as positions, and one more. A walk visits each continuation once.
 *
 * If X can be empty, AGAIN lo … hi of X means the same as AGAIN 0 … hi of X. A walk into X can then
 * pass through X without a predicate and arrive at the AGAIN of the remaining copies. It ends there
 * (`stop`): an empty copy of X adds nothing, because fewer copies do as well, and the walk goes on
 * with `next` in any case. Without this rule the transitions of X{0,n} would number n squared.
 */
#include "compiler/proof/reference_int.h"

#include <string.h>

enum { NO_CONT = UINT32_MAX };

/* ---- empty matches ---- */

static bool is_nullable(const struct source *s, const struct ast_node *node)
{
	const struct ast *a = s->ast;
	bool all = true, any = false;

	for (ast_id_t i = node->first; i != AST_NIL; i = a->nodes.at[i].next) {
		all = all && s->tree.nullable[i];
		any = any || s->tree.nullable[i];
	}
	switch (node->kind) {
	case AST_EPS:
		return true;
	case AST_CAT:
		return all;
	case AST_ALT:
		return any;
	case AST_REP:
		return node->lo == 0 || any;
	case AST_BASIC:
		return a->basics.at[node->data].let != AST_NIL &&
		       s->tree.nullable[a->stmts.at[a->basics.at[node->data].let].expr.id];
	default:
		return false;
	}
}

void source_nullable(struct source *s)
{
	const struct ast *a = s->ast;

	for (ast_id_t i = 0; i < a->nodes.n; i++)
		s->tree.nullable[i] = is_nullable(s, &a->nodes.at[i]);
	/* The later siblings of a node stand after it. */
	for (ast_id_t i = (ast_id_t)a->nodes.n; i-- > 0;) {
		ast_id_t next = a->nodes.at[i].next;
		s->tree.rest_nullable[i] =
			s->tree.nullable[i] && (next == AST_NIL || s->tree.rest_nullable[next]);
	}
}

/* ---- continuations ---- */

static uint64_t hash_cont(const struct cont *x)
{
	uint64_t h = hash_add(hash_add(x->next, x->node), x->lo);

	return hash_add(h, x->hi ^ (uint64_t)x->kind << 32);
}

static uint64_t hash_of(const void *source, uint32_t id)
{
	const struct source *s = source;

	return hash_cont(&s->conts.at[id]);
}

static bool cont_same(const void *source, uint32_t id, const void *key)
{
	const struct source *s = source;
	const struct cont *x = &s->conts.at[id], *y = key;

	return x->kind == y->kind && x->node == y->node && x->lo == y->lo && x->hi == y->hi &&
	       x->next == y->next;
}

/* Returns the number of continuation x, after adding it if it is new. NO_CONT: out of memory. */
static uint32_t cont_intern(struct source *s, struct cont x)
{
	size_t i;

	s->failed = s->failed || !hash_room(&s->hash, hash_of, s);
	if (s->failed)
		return NO_CONT;
	i = hash_find(&s->hash, hash_cont(&x), cont_same, s, &x);
	if (hash_id(&s->hash, i) == HASH_NONE) {
		x.state = UINT32_MAX;
		x.seen = UINT32_MAX;
		if (!vec_push(&s->conts, x)) {
			s->failed = true;
			return NO_CONT;
		}
		hash_put(&s->hash, i, (uint32_t)s->conts.n - 1);
	}
	return hash_id(&s->hash, i);
}

static uint32_t derive_end(struct source *s, uint32_t root)
{
	return cont_intern(
		s, (struct cont){ .kind = CONT_END, .next = root, .root = root, .nullable = true });
}

/* Returns the number of the continuation REST node with the tail `next`. If `node` is AST_NIL, it
 * is `next` itself. */
static uint32_t rest(struct source *s, ast_id_t node, uint32_t next)
{
	const struct cont *n;

	if (s->failed || node == AST_NIL)
		return next;
	n = &s->conts.at[next];
	return cont_intern(s, (struct cont){ .kind = CONT_REST,
					.node = node,
					.next = next,
					.root = n->root,
					.nullable = s->tree.rest_nullable[node] && n->nullable });
}

/* Returns the number of the continuation AGAIN node: `lo` … `hi` copies of the operand of the
 * repetition `node`, then `next`. If `hi` is 0, it is `next` itself. */
static uint32_t again(struct source *s, ast_id_t node, uint32_t lo, uint32_t hi, uint32_t next)
{
	const struct cont *n;

	if (s->failed || hi == 0)
		return next;
	n = &s->conts.at[next];
	if (s->tree.nullable[s->ast->nodes.at[node].first])
		lo = 0;
	return cont_intern(s, (struct cont){ .kind = CONT_AGAIN,
					.node = node,
					.lo = lo,
					.hi = hi,
					.next = next,
					.root = n->root,
					.nullable = lo == 0 && n->nullable });
}

/* ---- states ---- */

nfa_state_t source_state(struct source *s, struct nfa_state q)
{
	struct nfa *a = &s->r->nfa;

	s->too_large = s->too_large || a->states.n >= REFERENCE_MOST_STATES;
	if (!s->too_large && !vec_push(&a->states, q))
		s->failed = true;
	return (nfa_state_t)a->states.n - 1;
}

void source_edge(struct source *s, nfa_state_t from, nfa_state_t to, pred_id_t pred)
{
	struct nfa *a = &s->r->nfa;

	s->too_large = s->too_large || a->edges.n >= REFERENCE_MOST_EDGES;
	if (!s->too_large && !vec_push(&a->edges, ((struct nfa_edge){ from, to, pred })))
		s->failed = true;
}

static nfa_state_t state_of(struct source *s, uint32_t cont)
{
	struct cont *c = &s->conts.at[cont];
	const struct root *root = &s->roots.at[c->root];
	struct nfa_state q = { .kind = NFA_STE, .pred = PRED_NONE };

	if (c->state != UINT32_MAX)
		return c->state;
	if (c->nullable) {
		q.log = root->log;
		q.labels = root->labels;
	}
	c->state = source_state(s, q);
	if (!vec_push(&s->todo, cont))
		s->failed = true;
	return c->state;
}

/* ---- transitions ---- */

static void derive_visit(struct source *s, bool is_node, uint32_t at, uint32_t next, uint32_t stop)
{
	if (!vec_push(&s->visits, ((struct visit){ is_node, at, next, stop })))
		s->failed = true;
}

static void visit_cont(struct source *s, uint32_t from, uint32_t cont, uint32_t stop)
{
	struct cont *c = &s->conts.at[cont], x;
	uint32_t more;

	if (cont == stop || c->seen == from || c->kind == CONT_END)
		return;
	c->seen = from;
	x = *c;
	if (x.kind == CONT_REST) {
		more = rest(s, s->ast->nodes.at[x.node].next, x.next);
		derive_visit(s, true, x.node, more, stop);
		return;
	}
	more = again(s, x.node, x.lo == 0 ? 0 : x.lo - 1, x.hi == AST_BOUND_INF ? x.hi : x.hi - 1,
		     x.next);
	if (x.lo == 0)
		derive_visit(s, false, x.next, 0, stop);
	derive_visit(s, true, s->ast->nodes.at[x.node].first, more, more);
}

/* Takes the step into @NAME: an epsilon transition leads from the counter's state to the state of
 * `next`, because what follows begins where the counter is active. */
static void visit_counted(struct source *s, const struct ast_node *node, uint32_t next)
{
	nfa_state_t counter = s->tree.counter_of[node->data];

	source_edge(s, counter, state_of(s, next), PRED_EPS);
}

static void visit_node(struct source *s, nfa_state_t state, const struct visit *v)
{
	const struct ast *a = s->ast;
	const struct ast_node *node = &a->nodes.at[v->at];
	uint32_t let;

	if (s->preds.of[v->at] != PRED_NONE) {
		s->untapped = s->untapped || s->preds.lost[v->at];
		source_edge(s, state, state_of(s, v->next), s->preds.of[v->at]);
		return;
	}
	switch (node->kind) {
	case AST_CAT:
		derive_visit(s, true, node->first, rest(s, a->nodes.at[node->first].next, v->next),
			     v->stop);
		break;
	case AST_ALT:
		for (ast_id_t i = node->first; i != AST_NIL; i = a->nodes.at[i].next)
			derive_visit(s, true, i, v->next, v->stop);
		break;
	case AST_REP:
		derive_visit(s, false, again(s, v->at, node->lo, node->hi, v->next), 0, v->stop);
		break;
	case AST_COUNTED:
		visit_counted(s, node, v->next);
		break;
	case AST_BASIC:
		let = a->basics.at[node->data].let;
		derive_visit(s, true, a->stmts.at[let].expr.id, v->next, v->stop);
		break;
	default: /* AST_EPS */
		derive_visit(s, false, v->next, 0, v->stop);
		break;
	}
}

/* Adds the transitions of the state of a continuation. */
static void cont_leave(struct source *s, uint32_t cont)
{
	nfa_state_t state = s->conts.at[cont].state;

	derive_visit(s, false, cont, 0, NO_CONT);
	while (s->visits.n != 0 && !s->failed && !s->too_large) {
		struct visit v = s->visits.at[--s->visits.n];
		if (v.is_node)
			visit_node(s, state, &v);
		else
			visit_cont(s, state, v.at, v.stop);
	}
}

void source_derive(struct source *s, ast_id_t expr, struct root root)
{
	uint32_t begin;

	s->failed = s->failed || !vec_push(&s->roots, root);
	begin = derive_end(s, (uint32_t)s->roots.n - 1);
	begin = rest(s, expr, begin);
	if (s->failed)
		return;
	begin = state_of(s, begin);
	if (s->failed || s->too_large)
		return;
	s->r->nfa.states.at[begin].start = true;
	while (s->todo.n != 0 && !s->failed && !s->too_large)
		cont_leave(s, s->todo.at[--s->todo.n]);
}
