/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Tests letters (ir/alphabet.h) on every header of a small protocol: two headers of a code have one
 * letter exactly if all tests say the same of both. Tests diagrams and the tests of images
 * likewise.
 */
#include <string.h>

#include "grammar/describe/builtin.h"
#include "ir/header_tests.h"
#include "testsuite/unit/unit.h"

static const char text[] = "protocol small; header 12; opcode 5..6; idle 2; groups a, b;";

enum { BITS = 12, HEADERS = 1 << BITS, MOST_TESTS = 12, OPS = 4, CODES = 2 * OPS };

/* Draws a test of a field at random places: a range, or some bits under a mask. */
static struct header_test alphabet_draw(uint64_t *seed)
{
	uint32_t lsb = unit_below(seed, BITS), bits = 1 + unit_below(seed, BITS - lsb);
	uint64_t ones = ((uint64_t)1 << bits) - 1, x = unit_random(seed) & ones,
		 y = unit_random(seed) & ones, mask = unit_random(seed) & ones;
	struct header_test t = { .mask = ones << lsb, .not = unit_below(seed, 2) != 0 };

	switch (unit_below(seed, 5)) {
	case 0:
		t.lo = t.hi = x << lsb;
		break;
	case 1: /* bits under a mask */
		t.mask = mask << lsb;
		t.lo = t.hi = (x & mask) << lsb;
		break;
	case 2: /* no header passes */
		t.lo = 1;
		t.hi = 0;
		break;
	default:
		t.lo = (x < y ? x : y) << lsb;
		t.hi = (x < y ? y : x) << lsb;
	}
	return t;
}

/* The tests of one code, and what they say of a header: a bit for each. */
struct tests {
	uint32_t n;
	struct header_test at[MOST_TESTS];
};

static uint64_t alphabet_says(const struct tests *t, uint64_t header)
{
	uint64_t all = 0;

	for (uint32_t i = 0; i < t->n; i++)
		all |= (uint64_t)header_test_passes(&t->at[i],
						    &(struct record_message){ { header } }) << i;
	return all;
}

/* Finds the letter of a header as an engine does. */
static uint32_t letter_of(const struct alphabet *a, uint32_t code, uint64_t header)
{
	uint32_t guard[CODES];
	struct nfart_image im = { .alphabet.tests = a->tests,
				  .alphabet.ntests = a->ntests,
				  .alphabet.guard = guard };

	for (uint32_t c = 0; c < CODES; c++)
		guard[c] = alphabet_guard(a, c) == NULL ? IMAGE_NO_GUARD
							: alphabet_guard(a, c)->first_test;
	return image_letter(&im, code, header);
}

/* Compares the letters of a code with what its tests say of all headers. */
static void check_code(const struct alphabet *a, const struct tests *t, uint32_t code)
{
	const struct alphabet_guard *g = alphabet_guard(a, code);
	static uint64_t of_letter[HEADERS + CODES];
	static uint32_t size[HEADERS + CODES];
	uint32_t sum = 0, n = 0;

	memset(size, 0, sizeof size);
	for (uint64_t h = 0; h < HEADERS; h++) {
		uint32_t letter;
		if ((h >> 5 & (OPS - 1)) != code % OPS)
			continue;
		letter = letter_of(a, code, h);
		unit_check(letter < a->nletters && alphabet_code(a, letter) == code);
		unit_eq(alphabet_slot(a, letter), code / OPS);
		if (size[letter]++ == 0) {
			of_letter[letter] = alphabet_says(t, h);
			n++;
		}
		unit_eq(of_letter[letter], alphabet_says(t, h));
	}
	unit_eq(n, g == NULL ? 1 : g->nclasses);
	for (uint32_t i = 0; g != NULL && i < g->nclasses; i++) {
		const struct alphabet_class *c = &a->classes[g->first_class + i];
		unit_eq(c->size, size[c->letter]);
		unit_eq(letter_of(a, code, c->sample.word[0]), c->letter);
		unit_eq(alphabet_sample(a, c->letter), c->sample.word[0]);
		sum += size[c->letter];
		for (uint32_t k = 0; k < i; k++)
			unit_check(of_letter[c->letter] !=
				   of_letter[a->classes[g->first_class + k].letter]);
	}
	unit_eq(sum, g == NULL ? 0 : HEADERS / OPS);
}

/* Checks that walking over the letters slot by slot meets each once. */
static void check_walk(const struct alphabet *a)
{
	uint32_t n = 0;

	for (uint32_t slot = 0; slot < alphabet_nslots(a); slot++)
		for (uint32_t l = alphabet_next(a, slot, UINT32_MAX); l != UINT32_MAX;
		     l = alphabet_next(a, slot, l), n++)
			unit_eq(alphabet_slot(a, l), slot);
	unit_eq(n, a->nletters);
}

START_TEST(every_header)
{
	struct nfart_proto *p = unit_proto(text);
	uint64_t seed = 5, most = 0;

	for (int round = 0; round < 400; round++) {
		struct tests t[CODES] = { 0 };
		struct alphabet_draft d = { 0 };
		struct arena arena = { 0 };
		struct alphabet a;
		bool tick = unit_below(&seed, 4) == 0, end = unit_below(&seed, 4) == 0;
		uint32_t same = unit_below(&seed, 2);

		for (uint32_t c = 0; c < CODES; c++) {
			if (c % OPS == 2)
				continue;
			if (same != 0 && c != 0) {
				t[c] = t[0]; /* codes with equal tests share them */
			} else {
				t[c].n = unit_below(&seed, MOST_TESTS + 1);
				for (uint32_t i = 0; i < t[c].n; i++)
					t[c].at[i] = alphabet_draw(&seed);
			}
			for (uint32_t i = 0; i < t[c].n; i++)
				unit_check(alphabet_note(&d, c, t[c].at[i]));
		}
		unit_eq(alphabet_make(&a, &d, p, tick, end, &arena), NFART_OK);
		unit_check((a.time != IMAGE_NO_TIME) == (tick || end));
		for (uint32_t c = 0; c < CODES; c++)
			check_code(&a, &t[c], c);
		if (a.nletters > CODES)
			check_walk(&a);
		most = a.nletters > most ? a.nletters : most;
		alphabet_draft_free(&d);
		arena_free(&arena);
	}
	unit_check(most > 100);
	proto_free(p);
}
END_TEST

/* Thousands of disjoint ranges are as many classes and one more, and a header takes few tests. */
START_TEST(many_ranges)
{
	enum { RANGES = 1000 };
	struct nfart_proto *p = proto_builtin("eci");
	uint32_t code = 6u << 5, steps, at, most = 0;
	struct alphabet_draft d = { 0 };
	struct arena arena = { 0 };
	struct alphabet a;
	uint64_t sum = 0;

	for (uint64_t i = 0; i < RANGES; i++)
		unit_check(alphabet_note(&d, code, (struct header_test){
			.mask = proto_addr_mask(p), .lo = (1000 * i) << p->header.addr_lsb,
			.hi = (1000 * i + 499) << p->header.addr_lsb }));
	unit_eq(alphabet_make(&a, &d, p, false, false, &arena), NFART_OK);
	unit_eq(a.nguards, 1);
	unit_eq(a.guards[0].nclasses, RANGES + 1);
	for (uint32_t i = 0; i <= RANGES; i++) {
		steps = 0;
		for (at = 0; (at & (uint32_t)IMAGE_LETTER) == 0; steps++) {
			const struct image_test *t = &a.tests[at];
			uint64_t v = a.classes[i].sample.word[0] & t->mask;
			at = (t->at_most ? v <= t->value : v == t->value) ? t->yes : t->no;
		}
		unit_eq(at & ~(uint32_t)IMAGE_LETTER, a.classes[i].letter);
		most = steps > most ? steps : most;
		sum += (uint64_t)a.classes[i].size;
	}
	unit_eq(sum, (uint64_t)1 << 59);
	unit_check(most <= 20);
	alphabet_draft_free(&d);
	arena_free(&arena);
	proto_free(p);
}
END_TEST

/* Beyond ALPHABET_MOST letters in a slot, it is given up. */
START_TEST(too_many)
{
	struct nfart_proto *p = proto_builtin("eci");
	struct alphabet_draft d = { 0 };
	struct arena arena = { 0 };
	struct alphabet a;

	for (uint32_t i = 0; i < 17; i++)
		unit_check(alphabet_note(&d, 0, (struct header_test){
			.mask = (uint64_t)1 << i, .lo = (uint64_t)1 << i,
			.hi = (uint64_t)1 << i }));
	unit_eq(alphabet_make(&a, &d, p, false, false, &arena), NFART_GAVEUP);
	alphabet_draft_free(&d);
	arena_free(&arena);
	proto_free(p);
}
END_TEST

Suite *suite_alphabet(void)
{
	const TTest *const tests[] = { every_header, many_ranges, too_many, NULL };

	return unit_suite("alphabet", tests);
}
