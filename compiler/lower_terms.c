/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Keeps the guards of predicates as they were written, so that engines can say which test a message
 * failed. What predicates mean, lower_pred.c finds out.
 *
 * Names may stand in names many times over. So a predicate with many terms, or a guard with many
 * tests, is not kept.
 */
#include <string.h>

#include "compiler/lower_int.h"

enum { MOST_TERMS = 64, MOST_TESTS = 64 };

static struct spec_test test(const struct ast_test *t)
{
	struct spec_test x = { .field = t->field, .mask = UINT64_MAX, .lo = t->value.value,
			       .hi = t->value.value };

	if (t->kind == AST_TEST_IN)
		x.hi = t->last.value;
	if (t->kind == AST_TEST_MASK_IS || t->kind == AST_TEST_MASK_IS_NOT)
		x.mask = t->mask.value;
	x.not = t->kind == AST_TEST_IS_NOT || t->kind == AST_TEST_MASK_IS_NOT;
	if (t->field == PROTO_PAYLOAD) {
		x.lsb = (uint32_t)t->lowest.value;
		x.bits = ast_payload_of(t).bits;
	}
	return x;
}

static void *terms_take(struct lower *l, size_t n, size_t size)
{
	void *p = arena_array(&l->spec->arena, n, size);

	if (p == NULL)
		l->failed = true;
	return p;
}

/* Makes *out the term x with the tests of a basic predicate after its own. False: these are too
 * many, or out of memory. */
static bool add_tests(struct lower *l, const struct spec_term *x, const struct ast_basic *basic,
		      struct spec_term *out)
{
	struct spec_test *tests;

	*out = *x;
	if (basic->ntests == 0)
		return true;
	if (basic->ntests > MOST_TESTS - x->ntests)
		return false;
	tests = terms_take(l, (size_t)x->ntests + basic->ntests, sizeof *tests);
	if (tests == NULL)
		return false;
	if (x->ntests != 0)
		memcpy(tests, x->tests, x->ntests * sizeof *tests);
	for (uint32_t i = 0; i < basic->ntests; i++)
		tests[x->ntests + i] = test(&l->ast->tests.at[basic->first_test + i]);
	out->tests = tests;
	out->ntests += basic->ntests;
	return true;
}

static void set_terms(struct value *v, const struct spec_term *terms, uint32_t n)
{
	v->terms = terms;
	v->nterms = terms != NULL ? n : 0;
	v->untold = terms == NULL;
}

/* The basic predicate is not a name: it has one term. */
static void basic_term(struct lower *l, struct value *v, const struct ast_basic *basic)
{
	uint32_t ncodes = l->ast->proto->codes.n;
	uint64_t *codes = terms_take(l, bits_words(ncodes), 8);
	struct spec_term x = { codes, 0, NULL }, *term = terms_take(l, 1, sizeof *term);

	if (codes == NULL || term == NULL)
		return;
	ast_basic_codes(l->ast, basic, false, codes);
	set_terms(v, add_tests(l, &x, basic, term) ? term : NULL, 1);
}

/* The basic predicate is a name: its value's terms get more tests. */
static void named_terms(struct lower *l, struct value *v, const struct ast_basic *basic)
{
	const struct value *of = &l->values[l->ast->stmts.at[basic->let].expr.id];
	struct spec_term *terms;

	if (basic->ntests == 0 || of->nterms == 0) {
		v->terms = of->terms;
		v->nterms = of->nterms;
		v->untold = of->untold;
		return;
	}
	terms = terms_take(l, of->nterms, sizeof *terms);
	for (uint32_t i = 0; terms != NULL && i < of->nterms; i++)
		if (!add_tests(l, &of->terms[i], basic, &terms[i]))
			terms = NULL;
	set_terms(v, terms, of->nterms);
}

static void members_terms(struct lower *l, struct value *v, const struct ast_node *node)
{
	struct spec_term *terms;
	size_t n = 0, k = 0;

	for (ast_id_t i = node->first; i != AST_NIL; i = l->ast->nodes.at[i].next) {
		n += l->values[i].nterms;
		v->untold |= l->values[i].untold;
	}
	v->untold |= n > MOST_TERMS;
	if (v->untold || n == 0)
		return;
	terms = terms_take(l, n, sizeof *terms);
	if (terms == NULL)
		return;
	for (ast_id_t i = node->first; i != AST_NIL; i = l->ast->nodes.at[i].next)
		for (uint32_t m = 0; m < l->values[i].nterms; m++)
			terms[k++] = l->values[i].terms[m];
	set_terms(v, terms, (uint32_t)n);
}

void lower_terms(struct lower *l, struct value *v, const struct ast_node *node)
{
	const struct ast_basic *basic;

	v->terms = NULL;
	v->nterms = 0;
	v->untold = false;
	if (l->ast->tests.n == 0 || l->noting || v->set == NULL)
		return;
	switch (node->kind) {
	case AST_BASIC:
		basic = &l->ast->basics.at[node->data];
		if (basic->let != AST_NIL)
			named_terms(l, v, basic);
		else if (!lower_is_of_time(basic))
			basic_term(l, v, basic);
		break;
	case AST_ANY_OF:
	case AST_NONE_OF:
		members_terms(l, v, node);
		break;
	case AST_NOT:
		v->terms = l->values[node->first].terms;
		v->nterms = l->values[node->first].nterms;
		v->untold = l->values[node->first].untold;
		break;
	default:
		break;
	}
}

void lower_guarded(struct lower *l, const struct value *v, pred_id_t pred)
{
	struct spec_guarded g = { pred, v->nterms, v->terms };
	bool any = false;

	for (uint32_t i = 0; i < v->nterms; i++)
		any |= v->terms[i].ntests != 0;
	if (any && !vec_push(&l->spec->guards.guarded, g))
		l->failed = true;
}
