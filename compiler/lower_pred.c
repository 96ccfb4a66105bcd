/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Lowers predicates to sets of letters.
 */
#include "compiler/lower_int.h"

#include <string.h>

#include "compiler/guard.h"

static uint64_t *new_set(struct lower *l)
{
	uint64_t *set = arena_array(&l->arena, l->words, sizeof *set);

	if (set == NULL)
		l->failed = true;
	return set;
}

/* Adds to the set the further letters of the codes in it. */
static void add_classes(const struct lower *l, uint64_t *set)
{
	const struct alphabet *a = &l->alphabet;

	for (uint32_t i = 0; i < a->nguards; i++)
		for (uint32_t k = 1; k < a->guards[i].nclasses; k++)
			if (bits_get(set, a->guards[i].code))
				bits_set(set, a->classes[a->guards[i].first_class + k].letter);
}

/* Makes l->tests the tests of the guard for messages of a code. False: they lack a field, or memory
 * is short. */
static bool find_tests(struct lower *l, const struct ast_basic *basic, uint32_t code)
{
	struct header_test t;

	l->tests.n = 0;
	for (uint32_t i = 0; i < basic->ntests; i++) {
		if (!guard_test(l->ast->proto, &l->ast->tests.at[basic->first_test + i], code, &t))
			return false;
		if (!vec_push(&l->tests, t)) {
			l->failed = true;
			return false;
		}
	}
	return true;
}

/* Does a message pass all of l->tests? */
static bool lower_pred_passes(const struct lower *l, struct record_message m)
{
	for (size_t i = 0; i < l->tests.n; i++)
		if (!header_test_passes(&l->tests.at[i], &m))
			return false;
	return true;
}

/* Are the tests of l->passing those of l->tests? */
static bool same_tests(const struct lower *l)
{
	const struct header_test *x = l->tests.at, *y = l->pass.tests.at;

	for (size_t i = 0; i < l->tests.n && i < l->pass.tests.n; i++)
		if (x[i].mask != y[i].mask || x[i].lo != y[i].lo || x[i].hi != y[i].hi ||
		    x[i].not != y[i].not || x[i].word != y[i].word)
			return false;
	return l->tests.n == l->pass.tests.n;
}

/* Finds out which classes of a code pass l->tests: l->passing[k] says so of class k. The classes of
 * codes with the same shape do alike, so the last answer is kept. */
static void find_passing(struct lower *l, const struct alphabet_guard *g)
{
	if (l->pass.tests.n != 0 && l->pass.shape == g->shape && same_tests(l))
		return;
	l->pass.shape = g->shape;
	l->pass.tests.n = 0;
	for (size_t i = 0; i < l->tests.n && !l->failed; i++)
		l->failed = !vec_push(&l->pass.tests, l->tests.at[i]);
	for (uint32_t k = 0; k < g->nclasses; k++)
		l->pass.classes[k] =
			lower_pred_passes(l, l->alphabet.classes[g->first_class + k].sample);
}

/* Notes that the tests of the guard look at messages of a code that has all fields. */
static void lower_pred_note(struct lower *l, const struct ast_basic *basic, uint32_t code)
{
	bool has = find_tests(l, basic, code);

	for (size_t i = 0; i < l->tests.n && has && !l->failed; i++)
		l->failed = !alphabet_note(&l->draft, code, l->tests.at[i]);
}

static void take_out(uint64_t *set, uint32_t letter)
{
	set[letter / 64] &= ~((uint64_t)1 << letter % 64);
}

/* Removes from the set what does not pass the guard. Letters of the time slot have no fields. */
static void apply_guard(struct lower *l, const struct ast_basic *basic, uint64_t *set)
{
	const struct alphabet *a = &l->alphabet;
	uint32_t ncodes = a->proto->codes.n;

	for (size_t c = bits_next(set, ncodes, 0); c < ncodes; c = bits_next(set, ncodes, c + 1))
		if (alphabet_guard(a, (uint32_t)c) == NULL &&
		    (!find_tests(l, basic, (uint32_t)c) ||
		     !lower_pred_passes(l, alphabet_message(a, (uint32_t)c))))
			take_out(set, (uint32_t)c);
	for (uint32_t i = 0; i < a->nguards && !l->failed; i++) {
		bool has = find_tests(l, basic, a->guards[i].code);
		if (has)
			find_passing(l, &a->guards[i]);
		for (uint32_t k = 0; k < a->guards[i].nclasses; k++)
			if (!has || !l->pass.classes[k])
				take_out(set, a->classes[a->guards[i].first_class + k].letter);
	}
	for (uint32_t i = 0; i < IMAGE_TIMES && a->time != IMAGE_NO_TIME; i++)
		take_out(set, a->time + i);
}

/* Notes that the guard looks at the codes in the set. */
static void note_all(struct lower *l, const struct ast_basic *basic, const uint64_t *set)
{
	uint32_t n = l->alphabet.nletters;

	for (size_t i = bits_next(set, n, 0); i < n && !l->failed; i = bits_next(set, n, i + 1))
		lower_pred_note(l, basic, (uint32_t)i);
}

/* Adds the letters of the time slot that a basic predicate of time names, if it is one. */
static void add_times(const struct lower *l, const struct ast_basic *basic, uint64_t *set)
{
	for (uint32_t i = 0; i < IMAGE_TIMES && l->alphabet.time != IMAGE_NO_TIME; i++)
		if (basic->kind == AST_BASIC_TICK ? (i & IMAGE_TICK) != 0
		    : basic->kind == AST_BASIC_NOTICK ? (i & IMAGE_TICK) == 0
						      : (i & IMAGE_END) != 0)
			bits_set(set, l->alphabet.time + i);
}

bool lower_is_of_time(const struct ast_basic *basic)
{
	return basic->kind == AST_BASIC_TICK || basic->kind == AST_BASIC_NOTICK ||
	       basic->kind == AST_BASIC_END;
}

static void lower_basic(struct lower *l, struct value *v, const struct ast_basic *basic)
{
	uint64_t *set;

	if (basic->let != AST_NIL) {
		unsigned wanted = v->want;
		*v = l->values[l->ast->stmts.at[basic->let].expr.id];
		v->want = wanted;
		if (basic->ntests == 0 || v->set == NULL)
			return;
		v->rx = RX_NONE;
	}
	set = new_set(l);
	if (set == NULL)
		return;
	if (basic->let != AST_NIL)
		memcpy(set, v->set, l->words * sizeof *set);
	else if (lower_is_of_time(basic))
		add_times(l, basic, set);
	else
		ast_basic_codes(l->ast, basic, false, set);
	if (basic->let == AST_NIL)
		add_classes(l, set);
	if (basic->ntests != 0 && l->noting)
		note_all(l, basic, set);
	else if (basic->ntests != 0)
		apply_guard(l, basic, set);
	v->set = set;
}

static void lower_members(struct lower *l, struct value *v, const struct ast_node *node)
{
	uint64_t *set = new_set(l);

	for (ast_id_t i = node->first; i != AST_NIL && !l->failed; i = l->ast->nodes.at[i].next)
		for (size_t w = 0; w < l->words; w++)
			set[w] |= l->values[i].set[w];
	v->none = node->kind == AST_NONE_OF;
	v->set = set;
}

void lower_predicate(struct lower *l, struct value *v, const struct ast_node *node)
{
	switch (node->kind) {
	case AST_TRUE:
		v->none = true;
		v->set = new_set(l);
		break;
	case AST_BASIC:
		lower_basic(l, v, &l->ast->basics.at[node->data]);
		break;
	case AST_ANY_OF:
	case AST_NONE_OF:
		lower_members(l, v, node);
		break;
	case AST_NOT:
		v->set = l->values[node->first].set;
		v->none = l->values[node->first].none ^ (node->lo & 1);
		break;
	default:
		break;
	}
}
