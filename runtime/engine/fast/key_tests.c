/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Prepares the tests of codes for the decoder (keys.h, Note [tests at once]).
 */
#include <stdlib.h>

#include "runtime/engine/fast/keys.h"

enum { OUTCOMES = 1 << KEY_TESTS };

/* The tests that the headers of a code may take. If there are too many, n is KEY_TESTS + 1. */
struct code_tests {
	uint32_t n;
	uint32_t at[KEY_TESTS + 1]; /* indices in image_alphabet.tests */
};

static bool is_letter(uint32_t at)
{
	return (at & (uint32_t)IMAGE_LETTER) != 0;
}

/* Adds the test `at`, and those that may follow it. */
static void key_tests_collect(const struct nfart_image *im, uint32_t at, struct code_tests *c)
{
	if (is_letter(at))
		return;
	for (uint32_t i = 0; i < c->n; i++)
		if (c->at[i] == at)
			return;
	if (c->n > KEY_TESTS)
		return;
	c->at[c->n++] = at;
	key_tests_collect(im, im->alphabet.tests[at].no, c);
	key_tests_collect(im, im->alphabet.tests[at].yes, c);
}

/* Makes lane i of t the given test. NULL: a test that always passes. */
static void set_lane(struct key_tests *t, uint32_t i, const struct image_test *test)
{
	const uint64_t sign = (uint64_t)1 << 63;
	uint64_t low = test == NULL || test->at_most ? 0 : test->value;
	uint64_t width = test == NULL ? UINT64_MAX : test->at_most ? test->value : 0;

	t->mask[i] = test == NULL ? 0 : test->mask;
	t->low[i] = low + sign;
	t->most[i] = width + sign;
}

/* Returns the letter that a code has if bit i of `failed` says whether test c->at[i] fails. */
static uint32_t letter_of(const struct nfart_image *im, uint32_t at, const struct code_tests *c,
			  uint32_t failed)
{
	while (!is_letter(at)) {
		uint32_t i = 0;
		while (c->at[i] != at)
			i++;
		at = (failed >> i & 1) != 0 ? im->alphabet.tests[at].no
					    : im->alphabet.tests[at].yes;
	}
	return at & ~(uint32_t)IMAGE_LETTER;
}

/* Enters the tests of a guarded code. */
static void add_code(struct key_table *t, uint32_t code, const struct code_tests *c)
{
	const struct nfart_image *im = t->en->im;

	t->tested.place[code] = (uint64_t)t->tested.ntests << 32 | t->tested.nkeys;
	for (uint32_t i = 0; i < KEY_TESTS; i++)
		set_lane(&t->tested.tests[t->tested.ntests], i,
			 i < c->n ? &im->alphabet.tests[c->at[i]] : NULL);
	t->tested.ntests++;
	for (uint32_t failed = 0; failed < 1u << c->n; failed++)
		t->tested.keys[t->tested.nkeys++] =
			t->of_letter[letter_of(im, im->alphabet.guard[code], c, failed)];
}

/* Enters a code whose key needs no test. */
static void add_key(struct key_table *t, uint32_t code, uint64_t key)
{
	t->tested.place[code] = t->tested.nkeys;
	t->tested.keys[t->tested.nkeys++] = key;
}

bool key_tests_init(struct key_table *t)
{
	const struct nfart_image *im = t->en->im;
	uint32_t ncodes = im->proto->codes.n, guarded = 0, end = (t->nslots + 1) << t->op.bits;

	for (uint32_t code = 0; code < ncodes; code++)
		guarded += im->alphabet.guard[code] != IMAGE_NO_GUARD;
	t->tested.place = calloc(end, sizeof *t->tested.place);
	t->tested.keys = calloc((size_t)end + (size_t)guarded * OUTCOMES, sizeof *t->tested.keys);
	t->tested.tests = aligned_alloc(_Alignof(struct key_tests),
					(guarded + (size_t)1) * sizeof *t->tested.tests);
	if (t->tested.place == NULL || t->tested.keys == NULL || t->tested.tests == NULL)
		return false;
	/* The first tests are those of codes that need none. */
	for (uint32_t i = 0; i < KEY_TESTS; i++)
		set_lane(&t->tested.tests[0], i, NULL);
	t->tested.ntests = 1;
	t->tested.any = true;
	for (uint32_t code = 0; code < end; code++) {
		struct code_tests c = { .n = 0 };
		if (code >= ncodes || im->alphabet.guard[code] == IMAGE_NO_GUARD) {
			add_key(t, code, t->of_code[code]);
			continue;
		}
		t->of_code[code] = KEY_GUARDED | 1;
		key_tests_collect(im, im->alphabet.guard[code], &c);
		if (c.n > KEY_TESTS)
			add_key(t, code, t->of_code[code]);
		else
			add_code(t, code, &c);
	}
	return true;
}
