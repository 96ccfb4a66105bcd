/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Computes the predicate of each node of the tree that is one: its mode and its set of codes, from
 * the sentences of nfacc-filter(5). Predicates are numbered in a struct pred_table, which only
 * the code here fills.
 */
#include "compiler/proof/reference_int.h"

#include <string.h>

#include "grammar/ast_match.h"

/* ---- the store ---- */

static size_t place(const struct pred_table *t, bool none, const uint64_t *set)
{
	uint64_t h = none;
	size_t i;

	for (size_t w = 0; w < t->words; w++)
		h = (h ^ set[w] ^ h >> 31) * 0x9e3779b97f4a7c15u;
	for (i = (h ^ h >> 32) & (t->nhash - 1); t->hash[i] != 0; i = (i + 1) & (t->nhash - 1)) {
		const struct pred *p = &t->preds.at[t->hash[i] - 1];
		if (p->none == none && memcmp(p->ops, set, t->words * sizeof *set) == 0)
			break;
	}
	return i;
}

static bool grow(struct pred_table *t)
{
	size_t n = t->nhash == 0 ? 64 : 2 * t->nhash;
	uint32_t *hash = calloc(n, sizeof *hash);

	if (hash == NULL)
		return false;
	free(t->hash);
	t->hash = hash;
	t->nhash = n;
	for (size_t i = 0; i < t->preds.n; i++)
		hash[place(t, t->preds.at[i].none, t->preds.at[i].ops)] = (uint32_t)i + 1;
	return true;
}

/* Returns the number of a predicate. PRED_NONE, with s->failed set: out of memory. */
static pred_id_t number(struct source *s, bool none, const uint64_t *set)
{
	struct pred_table *t = &s->r->spec.preds;
	uint64_t *copy;
	size_t i;

	s->failed = s->failed || (2 * t->preds.n >= t->nhash && !grow(t));
	if (s->failed)
		return PRED_NONE;
	i = place(t, none, set);
	if (t->hash[i] != 0)
		return t->hash[i] - 1;
	copy = arena_array(&s->r->arena, t->words, sizeof *copy);
	if (copy == NULL || !vec_push(&t->preds, ((struct pred){ none, copy }))) {
		s->failed = true;
		return PRED_NONE;
	}
	memcpy(copy, set, t->words * sizeof *copy);
	t->hash[i] = (uint32_t)t->preds.n;
	return t->hash[i] - 1;
}

/* ---- basic predicates ---- */

static bool same_basic(const struct ast_basic *x, const struct ast_basic *y)
{
	return x->kind == y->kind && x->group == y->group && x->name == y->name && x->lo == y->lo &&
	       x->hi == y->hi && x->channels.n == y->channels.n &&
	       (x->channels.n == 0 || memcmp(x->channels.at, y->channels.at,
					     x->channels.n * sizeof *x->channels.at) == 0);
}

/* Returns the place in the hash table of a node whose basic predicate is written like x. If there
 * is no such node, returns the free place for x. */
static size_t basic_place(const struct source *s, const struct ast_basic *x)
{
	uint64_t h = (uint64_t)x->kind << 32 ^ x->group;
	size_t i;

	h = (h ^ (uint64_t)x->lo << 32 ^ x->hi) * 0x9e3779b97f4a7c15u;
	h = (h ^ h >> 29 ^ x->name) * 0x9e3779b97f4a7c15u;
	for (uint32_t k = 0; k < x->channels.n; k++)
		h = (h ^ h >> 29 ^ x->channels.at[k]) * 0x9e3779b97f4a7c15u;
	for (i = (h ^ h >> 32) & (s->nbasics - 1); s->basics[i] != 0;
	     i = (i + 1) & (s->nbasics - 1))
		if (same_basic(&s->ast->basics.at[s->ast->nodes.at[s->basics[i] - 1].data], x))
			break;
	return i;
}

/* Collects in s->set the codes of s->tap that match x. Returns whether x also matches messages in
 * slots that s->tap does not have. */
static bool match(struct source *s, const struct ast_basic *x)
{
	const struct nfart_proto *from = s->ast->proto, *to = s->tap;
	uint32_t nops = 1u << to->op_bits;
	uint64_t seen = 0;
	bool lost = false;

	for (uint32_t slot = 0; slot < to->nslots; slot++) {
		if (s->slot_of[slot] < 0)
			continue;
		seen |= (uint64_t)1 << s->slot_of[slot];
		for (uint32_t op = 0; op < nops; op++)
			if (ast_basic_matches(s->ast, x, (uint32_t)s->slot_of[slot], op))
				bits_set(s->set, slot * nops + op);
	}
	for (uint32_t slot = 0; slot < from->nslots; slot++)
		for (uint32_t op = 0; op < nops && (seen >> slot & 1) == 0; op++)
			lost = lost || ast_basic_matches(s->ast, x, slot, op);
	return lost;
}

static void basic(struct source *s, ast_id_t i)
{
	const struct ast *a = s->ast;
	const struct ast_basic *x = &a->basics.at[a->nodes.at[i].data];
	size_t at;
	ast_id_t like;

	if (x->let != AST_NIL)
		like = a->stmts.at[x->let].expr.id;
	else {
		at = basic_place(s, x);
		if (s->basics[at] == 0) {
			memset(s->set, 0, s->r->spec.preds.words * sizeof *s->set);
			s->lost[i] = match(s, x);
			s->pred[i] = number(s, false, s->set);
			s->basics[at] = i + 1;
		}
		like = s->basics[at] - 1;
	}
	s->pred[i] = s->pred[like];
	s->lost[i] = s->lost[like];
}

/* ---- composed ones ---- */

static void members(struct source *s, ast_id_t i)
{
	const struct ast *a = s->ast;
	const struct pred_table *t = &s->r->spec.preds;

	memset(s->set, 0, t->words * sizeof *s->set);
	for (ast_id_t k = a->nodes.at[i].first; k != AST_NIL; k = a->nodes.at[k].next) {
		if (s->pred[k] == PRED_NONE)
			return;
		s->lost[i] = s->lost[i] || s->lost[k];
		for (size_t w = 0; w < t->words; w++)
			s->set[w] |= t->preds.at[s->pred[k]].ops[w];
	}
	s->pred[i] = number(s, a->nodes.at[i].kind == AST_NONE_OF, s->set);
}

static void node(struct source *s, ast_id_t i)
{
	const struct ast_node *n = &s->ast->nodes.at[i];
	const struct pred *of;

	s->pred[i] = PRED_NONE;
	switch (n->kind) {
	case AST_TRUE:
		memset(s->set, 0, s->r->spec.preds.words * sizeof *s->set);
		s->pred[i] = number(s, true, s->set);
		break;
	case AST_BASIC:
		basic(s, i);
		break;
	case AST_ANY_OF:
	case AST_NONE_OF:
		members(s, i);
		break;
	case AST_NOT:
		if (s->pred[n->first] == PRED_NONE)
			break;
		of = &s->r->spec.preds.preds.at[s->pred[n->first]];
		s->lost[i] = s->lost[n->first];
		s->pred[i] = number(s, n->lo % 2 == 0 ? of->none : !of->none, of->ops);
		break;
	default:
		break;
	}
}

/* Finds for each slot of the tapped protocol the slot of the tree's protocol with the same group
 * and channel. */
static void match_slots(struct source *s)
{
	const struct nfart_proto *from = s->ast->proto, *to = s->tap;

	for (uint32_t k = 0; k < to->nslots; k++) {
		s->slot_of[k] = -1;
		for (uint32_t i = 0; i < from->nslots; i++)
			if (from->slots[i].channel == to->slots[k].channel &&
			    strcmp(from->groups[from->slots[i].group],
				   to->groups[to->slots[k].group]) == 0)
				s->slot_of[k] = (int)i;
	}
}

/* Makes an empty table of predicates. A copy of the filters sees messages that are not idle and,
 * with substreams, have an address. */
static bool begin(struct source *s, bool by_line)
{
	struct pred_table *t = &s->r->spec.preds;

	t->proto = s->tap;
	t->words = bits_words(s->tap->ncodes);
	t->visible = arena_array(&s->r->arena, t->words, sizeof *t->visible);
	s->set = arena_array(&s->r->arena, t->words, sizeof *s->set);
	for (s->nbasics = 64; s->nbasics < 2 * s->ast->basics.n; s->nbasics *= 2)
		;
	s->basics = calloc(s->nbasics, sizeof *s->basics);
	if (t->visible == NULL || s->set == NULL || s->basics == NULL)
		return false;
	for (uint32_t c = 0; c < s->tap->ncodes; c++)
		if ((int32_t)(c & ((1u << s->tap->op_bits) - 1)) != s->tap->idle &&
		    (!by_line || bits_get(s->tap->has_addr, c)))
			bits_set(t->visible, c);
	return true;
}

bool source_preds(struct source *s, bool by_line)
{
	match_slots(s);
	if (!begin(s, by_line))
		return false;
	for (ast_id_t i = 0; i < s->ast->nodes.n && !s->failed; i++)
		node(s, i);
	return !s->failed;
}
