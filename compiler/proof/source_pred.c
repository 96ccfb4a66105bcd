/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Computes the predicate of each node of the tree that is one: its mode and its set of letters,
 * from the sentences of nfacc-filter(5). Predicates are numbered in a struct pred_table, which only
 * the code here fills.
 */
#include "compiler/proof/reference_int.h"

#include <string.h>

#include "compiler/proof/joint.h"
#include "grammar/ast_match.h"

/* ---- the store ---- */

static uint64_t hash_pred(const struct pred_table *t, const struct pred *p)
{
	return hash_words(p->none, p->letters, t->words);
}

static uint64_t hash_of(const void *table, uint32_t id)
{
	const struct pred_table *t = table;

	return hash_pred(t, &t->preds.at[id]);
}

static bool source_pred_same(const void *table, uint32_t id, const void *key)
{
	const struct pred_table *t = table;
	const struct pred *p = &t->preds.at[id], *q = key;

	return p->none == q->none &&
	       memcmp(p->letters, q->letters, t->words * sizeof *p->letters) == 0;
}

/* Returns the number of a predicate. PRED_NONE, with s->failed set: out of memory. */
static pred_id_t source_pred_number(struct source *s, bool none, const uint64_t *set)
{
	struct pred_table *t = &s->r->spec.preds;
	struct pred key = { none, set };
	uint64_t *copy;
	size_t i;

	s->failed = s->failed || !hash_room(&t->hash, hash_of, t);
	if (s->failed)
		return PRED_NONE;
	i = hash_find(&t->hash, hash_pred(t, &key), source_pred_same, t, &key);
	if (hash_id(&t->hash, i) != HASH_NONE)
		return hash_id(&t->hash, i);
	copy = arena_array(&s->r->arena, t->words, sizeof *copy);
	if (copy == NULL || !vec_push(&t->preds, ((struct pred){ none, copy }))) {
		s->failed = true;
		return PRED_NONE;
	}
	memcpy(copy, set, t->words * sizeof *copy);
	hash_put(&t->hash, i, (uint32_t)t->preds.n - 1);
	return (pred_id_t)(t->preds.n - 1);
}

/* ---- basic predicates ---- */

static bool same_basic(const struct ast_basic *x, const struct ast_basic *y)
{
	return x->kind == y->kind && x->group == y->group && x->name == y->name && x->lo == y->lo &&
	       x->hi == y->hi && x->channels.n == y->channels.n &&
	       (x->channels.n == 0 || memcmp(x->channels.at, y->channels.at,
					     x->channels.n * sizeof *x->channels.at) == 0) &&
	       x->ntests == y->ntests && (x->ntests == 0 || x->first_test == y->first_test);
}

static const struct ast_basic *basic_of(const struct source *s, ast_id_t node)
{
	return &s->ast->basics.at[s->ast->nodes.at[node].data];
}

static bool same_as_node(const void *source, uint32_t node, const void *key)
{
	return same_basic(basic_of(source, node), key);
}

static uint64_t hash_basic(const struct ast_basic *x)
{
	uint64_t h = (uint64_t)x->kind << 32 ^ x->group;

	h = hash_add(hash_add(h, (uint64_t)x->lo << 32 ^ x->hi), x->name);
	h = hash_numbers(h, x->channels.at, x->channels.n);
	return hash_add(h, x->ntests == 0 ? 0 : x->first_test + 1);
}

static uint64_t hash_of_node(const void *source, uint32_t node)
{
	return hash_basic(basic_of(source, node));
}

/* Finds out which classes of a code pass the guard of x: s->passing[k] says so of class k. In the
 * tree's protocol the slot of the code is `slot`. Codes with the same shape have the fields of the
 * same tests at the same places (joint.c), so the last answer is kept for them. */
static void find_passing(struct source *s, const struct ast_basic *x, uint32_t slot,
			 const struct alphabet_guard *g)
{
	if (s->preds.passing_of == x && s->preds.passing_shape == g->shape)
		return;
	s->preds.passing_of = x;
	s->preds.passing_shape = g->shape;
	for (uint32_t k = 0; k < g->nclasses; k++)
		s->preds.passing[k] = ast_guard_passes(
			s->ast, x, slot, &s->letters->classes[g->first_class + k].sample);
}

/* Adds to s->set the letters of a code that pass the guard of x, which names messages with this
 * code. In the tree's protocol the slot of the code is `slot`. */
static void add_passing(struct source *s, const struct ast_basic *x, uint32_t slot, uint32_t code)
{
	const struct alphabet_guard *g = alphabet_guard(s->letters, code);

	if (g == NULL) {
		struct record_message m = alphabet_message(s->letters, code);
		if (ast_guard_passes(s->ast, x, slot, &m))
			bits_set(s->preds.set, code);
		return;
	}
	find_passing(s, x, slot, g);
	for (uint32_t k = 0; k < g->nclasses; k++)
		if (s->preds.passing[k])
			bits_set(s->preds.set, s->letters->classes[g->first_class + k].letter);
}

/* Collects in s->set the letters that match x. Returns whether x also matches messages in slots
 * that s->tap does not have. */
static bool match(struct source *s, const struct ast_basic *x)
{
	const struct nfart_proto *from = s->ast->proto, *to = s->tap;
	uint32_t nops = 1u << to->header.op_bits;
	uint64_t seen = 0;
	bool lost = false;

	for (uint32_t slot = 0; slot < to->nslots; slot++) {
		if (s->slot_of[slot] < 0)
			continue;
		seen |= (uint64_t)1 << s->slot_of[slot];
		for (uint32_t op = 0; op < nops; op++)
			if (ast_basic_matches(s->ast, x, (uint32_t)s->slot_of[slot], op))
				add_passing(s, x, (uint32_t)s->slot_of[slot], slot * nops + op);
	}
	for (uint32_t slot = 0; slot < from->nslots; slot++)
		for (uint32_t op = 0; op < nops && (seen >> slot & 1) == 0; op++)
			lost = lost || ast_basic_matches(s->ast, x, slot, op);
	for (uint32_t i = 0; i < IMAGE_TIMES && s->letters->time != IMAGE_NO_TIME; i++)
		if (ast_basic_matches_time(x, i))
			bits_set(s->preds.set, s->letters->time + i);
	return lost;
}

/* Collects in s->set the letters of a predicate of mode Any that pass the guard of x. Letters of
 * the time slot have no fields. */
static void guard(struct source *s, const struct ast_basic *x, const uint64_t *of)
{
	const struct alphabet *a = s->letters;
	size_t words = s->r->spec.preds.words;
	uint32_t ops = 1u << s->tap->header.op_bits;

	memset(s->preds.set, 0, words * sizeof *s->preds.set);
	for (uint32_t c = 0; c < s->tap->codes.n; c++)
		if (s->slot_of[c / ops] >= 0)
			add_passing(s, x, (uint32_t)s->slot_of[c / ops], c);
	for (uint32_t i = 0; i < IMAGE_TIMES && a->time != IMAGE_NO_TIME; i++)
		s->preds.set[(a->time + i) / 64] &= ~((uint64_t)1 << (a->time + i) % 64);
	for (size_t w = 0; w < words; w++)
		s->preds.set[w] &= of[w];
}

static void basic(struct source *s, ast_id_t i)
{
	const struct ast *a = s->ast;
	const struct ast_basic *x = &a->basics.at[a->nodes.at[i].data];
	size_t at;
	ast_id_t like;

	if (x->let != AST_NIL) {
		like = a->stmts.at[x->let].expr.id;
		if (x->ntests != 0 && s->preds.of[like] != PRED_NONE) {
			guard(s, x, s->r->spec.preds.preds.at[s->preds.of[like]].letters);
			s->preds.of[i] = source_pred_number(s, false, s->preds.set);
			s->preds.lost[i] = s->preds.lost[like];
			return;
		}
	} else {
		s->failed = s->failed || !hash_room(&s->preds.basics, hash_of_node, s);
		if (s->failed)
			return;
		at = hash_find(&s->preds.basics, hash_basic(x), same_as_node, s, x);
		if (hash_id(&s->preds.basics, at) == HASH_NONE) {
			memset(s->preds.set, 0, s->r->spec.preds.words * sizeof *s->preds.set);
			s->preds.lost[i] = match(s, x);
			s->preds.of[i] = source_pred_number(s, false, s->preds.set);
			hash_put(&s->preds.basics, at, i);
		}
		like = hash_id(&s->preds.basics, at);
	}
	s->preds.of[i] = s->preds.of[like];
	s->preds.lost[i] = s->preds.lost[like];
}

/* ---- composed ones ---- */

static void members(struct source *s, ast_id_t i)
{
	const struct ast *a = s->ast;
	const struct pred_table *t = &s->r->spec.preds;

	memset(s->preds.set, 0, t->words * sizeof *s->preds.set);
	for (ast_id_t k = a->nodes.at[i].first; k != AST_NIL; k = a->nodes.at[k].next) {
		if (s->preds.of[k] == PRED_NONE)
			return;
		s->preds.lost[i] = s->preds.lost[i] || s->preds.lost[k];
		for (size_t w = 0; w < t->words; w++)
			s->preds.set[w] |= t->preds.at[s->preds.of[k]].letters[w];
	}
	s->preds.of[i] = source_pred_number(s, a->nodes.at[i].kind == AST_NONE_OF, s->preds.set);
}

static void source_pred_node(struct source *s, ast_id_t i)
{
	const struct ast_node *n = &s->ast->nodes.at[i];
	const struct pred *of;

	s->preds.of[i] = PRED_NONE;
	switch (n->kind) {
	case AST_TRUE:
		memset(s->preds.set, 0, s->r->spec.preds.words * sizeof *s->preds.set);
		s->preds.of[i] = source_pred_number(s, true, s->preds.set);
		break;
	case AST_BASIC:
		basic(s, i);
		break;
	case AST_ANY_OF:
	case AST_NONE_OF:
		members(s, i);
		break;
	case AST_NOT:
		if (s->preds.of[n->first] == PRED_NONE)
			break;
		of = &s->r->spec.preds.preds.at[s->preds.of[n->first]];
		s->preds.lost[i] = s->preds.lost[n->first];
		s->preds.of[i] =
			source_pred_number(s, n->lo % 2 == 0 ? of->none : !of->none, of->letters);
		break;
	default:
		break;
	}
}

/* Do copies of the filters see messages with this code? */
static bool is_seen(const struct source *s, uint32_t code)
{
	const struct spec *spec = &s->r->spec;
	const struct nfart_proto *p = s->tap;
	int field = -1;

	if ((int32_t)(code & ((1u << p->header.op_bits) - 1)) == p->header.idle)
		return false;
	if (!spec->substreams.by_line || bits_get(p->codes.broadcast, code) ||
	    proto_is_joined(p, code))
		return true;
	if (spec->substreams.field == NULL)
		return bits_get(p->codes.has_addr, code);
	field = proto_find_field(p, spec->substreams.field, strlen(spec->substreams.field));
	return field >= 0 && proto_field_place(p, (uint32_t)field, code) != NULL;
}

/* Fills in the letters that copies see. Without any message there is no batch of plain time. */
static void find_visible(struct source *s)
{
	const struct alphabet *a = s->letters;
	uint64_t *visible = s->r->spec.preds.visible;
	uint32_t most = a->time != IMAGE_NO_TIME ? a->time : a->nletters;

	for (uint32_t i = 0; i < most; i++)
		if (is_seen(s, alphabet_code(a, i)))
			bits_set(visible, i);
	for (uint32_t i = 0; i < IMAGE_TIMES && a->time != IMAGE_NO_TIME; i++)
		if (((i & IMAGE_TICK) == 0 || a->tick) && ((i & IMAGE_END) == 0 || a->end) &&
		    (i != 0 || bits_next(visible, most, 0) < most))
			bits_set(visible, a->time + i);
}

/* Makes an empty table of predicates. */
static bool source_pred_begin(struct source *s)
{
	struct pred_table *t = &s->r->spec.preds;

	t->alphabet = *s->letters;
	t->proto = s->tap;
	t->words = bits_words(s->letters->nletters);
	t->visible = arena_array(&s->r->arena, t->words, sizeof *t->visible);
	t->scratch = arena_array(&s->r->arena, PRED_SCRATCH * t->words, sizeof *t->scratch);
	s->preds.set = arena_array(&s->r->arena, t->words, sizeof *s->preds.set);
	s->preds.passing = arena_array(&s->r->arena, ALPHABET_MOST, sizeof *s->preds.passing);
	if (t->visible == NULL || t->scratch == NULL || s->preds.set == NULL ||
	    s->preds.passing == NULL)
		return false;
	find_visible(s);
	return true;
}

bool source_preds(struct source *s)
{
	joint_slots(s->ast->proto, s->tap, s->slot_of);
	if (!source_pred_begin(s))
		return false;
	for (ast_id_t i = 0; i < s->ast->nodes.n && !s->failed; i++)
		source_pred_node(s, i);
	return !s->failed;
}
