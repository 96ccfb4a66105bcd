/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The rules that an image keeps: what is written is read, and no damaged section is believed.
 */
#include <string.h>

#include "compiler/coherence/coherence.h"
#include "contract/image/kept.h"
#include "grammar/describe/builtin.h"
#include "runtime/rules/know.h"
#include "testsuite/setting.h"
#include "testsuite/unit/unit.h"

static const struct nfart_proto *kept_find(void *ctx, const char *name, size_t n)
{
	(void)name;
	(void)n;
	return ctx;
}

/* Appends to b what an image keeps of examples/coherence/NAME. With `states` 1 none is listed. */
static void kept_load(const char *name, struct nfart_proto *proto, uint32_t states, struct buf *b)
{
	struct coh_options o = { kept_find, proto };
	struct coherence_options how = { .only = states == 1, .orders = states == 1,
					 .follow = states == 1, .states = states };
	struct coherence_made made;
	struct diags d = { .werror = false };
	struct buf path = { 0 }, text = { 0 }, derived = { 0 };

	buf_addf(&path, "%s/examples/coherence/%s", getenv("SRCDIR"), name);
	ck_assert_int_eq(buf_read_file(&text, path.at, 1 << 20), 0);
	ck_assert_int_eq(coherence_derive(&d, diag_add_source(&d, name, text.at, text.n), &o, &how,
					  &derived, &made), NFART_OK);
	buf_add(b, made.kept.at, made.kept.n);
	buf_free(&made.kept);
	buf_free(&derived);
	buf_free(&path);
	buf_free(&text);
	diag_free(&d);
}

static enum nfart_status kept_try(const struct buf *b, size_t n, uint32_t ncodes,
				  struct arena *arena, struct kept **out, uint32_t *count)
{
	unsigned char *copy = malloc(n); /* so that a sanitizer sees what is read behind it */
	enum nfart_status status;

	ck_assert_ptr_nonnull(copy);
	memcpy(copy, b->at, n);
	status = kept_read(copy, n, ncodes, arena, out, count);
	if (status == NFART_OK && *count != 0) {
		struct know k;

		/* What is believed can be used. */
		ck_assert(know_init(&k, &out[0][0], UINT64_MAX, KEPT_NONE));
		for (uint32_t i = 0; i < out[0][0].events.n; i++) {
			uint32_t rule, next = know_after(&k, KNOW_ALL, i);

			know_allows(&k, next != KEPT_NONE ? next : KNOW_ALL, i, &rule);
		}
		for (uint32_t i = 0; i < out[0][0].rules.n; i++) {
			const struct kept_rule *r = &out[0][0].rules.at[i];

			know_possible(&k, KNOW_ALL, out[0][0].tests.at + r->first, r->n);
		}
		know_free(&k);
	}
	free(copy);
	return status;
}

START_TEST(written_and_damaged)
{
	static const char *const names[] = { "eci.coh", "moesi-tables.coh" };
	struct nfart_proto *proto = proto_builtin("eci");
	struct buf b = { 0 }, again = { 0 };
	struct arena arena = { 0 };
	struct kept *k;
	uint32_t n, seed = 1, refused = 0;

	for (size_t i = 0; i < 2; i++)
		kept_load(names[i], proto, 0, &b);
	ck_assert_int_eq(kept_read((unsigned char *)b.at, b.n, proto->codes.n, &arena, &k, &n),
			 NFART_OK);
	ck_assert_uint_eq(n, 2);
	ck_assert_uint_eq(k[0].system.nstates, 592);
	ck_assert_uint_eq(k[1].system.nstates, 6);
	ck_assert_str_eq(k[0].rules.at[0].text, "cpu: c=I p=- a=- ! R12");
	ck_assert_uint_eq(k[0].rules.at[0].line, 36);
	kept_write(&k[0], &again);
	kept_write(&k[1], &again);
	ck_assert_uint_eq(again.n, b.n);
	ck_assert_int_eq(memcmp(again.at, b.at, b.n), 0);
	/* Cut off anywhere but between the two. */
	again.n = 0;
	kept_write(&k[0], &again);
	for (size_t i = 1; i < b.n; i += 7) {
		struct arena cut = { 0 };

		if (i != again.n)
			ck_assert_int_eq(kept_try(&b, i, proto->codes.n, &cut, &k, &n),
					 NFART_INPUT);
		arena_free(&cut);
	}
	for (int i = 0; i < 2000; i++) {
		struct arena damaged = { 0 };
		size_t at = (seed = seed * 1664525 + 1013904223) % b.n;
		char was = b.at[at];

		b.at[at] = (char)(seed >> 24);
		refused += kept_try(&b, b.n, proto->codes.n, &damaged, &k, &n) == NFART_INPUT;
		b.at[at] = was;
		arena_free(&damaged);
	}
	ck_assert_uint_gt(refused, 200);
	arena_free(&arena);
	buf_free(&b);
	buf_free(&again);
	proto_free(proto);
}
END_TEST

/* The same for a system whose states are not listed. */
START_TEST(composed_and_damaged)
{
	struct nfart_proto *proto = proto_builtin("eci");
	struct buf b = { 0 }, again = { 0 };
	struct arena arena = { 0 };
	struct kept *k;
	uint32_t n, seed = 1, refused = 0, used = 0;

	kept_load("eci.coh", proto, 1, &b);
	ck_assert_int_eq(kept_read((unsigned char *)b.at, b.n, proto->codes.n, &arena, &k, &n),
			 NFART_OK);
	ck_assert_uint_eq(n, 1);
	ck_assert_uint_eq(k[0].system.nstates, 0);
	ck_assert_uint_gt(k[0].composed.nodes.n, 100);
	kept_write(&k[0], &again);
	ck_assert_uint_eq(again.n, b.n);
	ck_assert_int_eq(memcmp(again.at, b.at, b.n), 0);
	for (size_t i = 1; i < b.n; i += 7) {
		struct arena cut = { 0 };

		ck_assert_int_eq(kept_try(&b, i, proto->codes.n, &cut, &k, &n), NFART_INPUT);
		arena_free(&cut);
	}
	for (int i = 0; i < 3000; i++) {
		struct arena damaged = { 0 };
		size_t at = (seed = seed * 1664525 + 1013904223) % b.n;
		char was = b.at[at];

		/* A small change is likely to be believed. */
		b.at[at] = i % 2 == 0 ? (char)(seed >> 24) : (char)(was + 1);
		if (kept_try(&b, b.n, proto->codes.n, &damaged, &k, &n) == NFART_INPUT)
			refused++;
		else
			used++;
		b.at[at] = was;
		arena_free(&damaged);
	}
	ck_assert_uint_gt(refused, 500);
	ck_assert_uint_gt(used, 500);
	arena_free(&arena);
	buf_free(&b);
	buf_free(&again);
	proto_free(proto);
}
END_TEST

/* A belief, asked of a system whose states are listed and of the same one composed. */
static void same_answers(struct know *listed, uint32_t a, struct know *composed, uint32_t b)
{
	const struct kept *k = listed->kept;

	for (uint32_t i = 0; i < k->vars.n; i++)
		ck_assert_uint_eq(know_values(listed, a, i), know_values(composed, b, i));
	for (uint32_t i = 0; i < k->events.n; i++) {
		uint32_t rule, other;

		ck_assert_int_eq(know_allows(listed, a, i, &rule),
				 know_allows(composed, b, i, &other));
	}
	for (uint32_t i = 0; i < k->rules.n; i++) {
		const struct kept_test *tests = k->tests.at + k->rules.at[i].first;
		/* Two variables that are compared in any way, and with a test of one. */
		struct kept_test more[3] = {
			{ i % k->vars.n, 0, (i + 1) % k->vars.n,
			  (enum kept_compare)(i % (KEPT_MOST + 1)) },
			{ (i + 1) % k->vars.n, i % 8, KEPT_NONE, KEPT_EQUAL },
			{ (i + 2) % k->vars.n, 0, i % k->vars.n, KEPT_UNEQUAL },
		};

		ck_assert_int_eq(know_possible(listed, a, tests, k->rules.at[i].n),
				 know_possible(composed, b, tests, k->rules.at[i].n));
		for (uint32_t n = 0; n <= 3; n++)
			ck_assert_int_eq(know_possible(listed, a, more, n),
					 know_possible(composed, b, more, n));
	}
	ck_assert(!know_stopped(composed));
}

/* Walks over beliefs at random. */
START_TEST(composed_as_listed)
{
	struct nfart_proto *proto = proto_builtin("eci");
	struct kept *listed, *composed;
	struct know ways[2];
	struct arena arena = { 0 };
	struct buf b[2] = { { 0 }, { 0 } };
	uint32_t n, steps = 0, at[2] = { KNOW_ALL, KNOW_ALL };
	uint64_t seed = 1;

	for (uint32_t i = 0; i < 2; i++)
		kept_load("eci.coh", proto, i, &b[i]);
	ck_assert_int_eq(kept_read((unsigned char *)b[0].at, b[0].n, proto->codes.n, &arena,
				   &listed, &n), NFART_OK);
	ck_assert_int_eq(kept_read((unsigned char *)b[1].at, b[1].n, proto->codes.n, &arena,
				   &composed, &n), NFART_OK);
	ck_assert(know_init(&ways[0], listed, UINT64_MAX, KEPT_NONE));
	ck_assert(know_init(&ways[1], composed, UINT64_MAX, KEPT_NONE));
	for (uint32_t i = 0; i < 600; i++) {
		uint32_t event = unit_below(&seed, listed->events.n);
		uint32_t next[2] = { know_after(&ways[0], at[0], event),
				     know_after(&ways[1], at[1], event) };

		ck_assert_int_eq(next[0] == KEPT_NONE, next[1] == KEPT_NONE);
		for (uint32_t k = 0; k < 2; k++)
			at[k] = next[k] != KEPT_NONE ? next[k] : KNOW_ALL;
		steps += next[0] != KEPT_NONE;
		same_answers(&ways[0], at[0], &ways[1], at[1]);
		/* What was asked before is forgotten; the beliefs are not. */
		if (i % 50 == 0)
			know_collect(&ways[1]);
	}
	ck_assert_uint_gt(steps, 100);
	for (uint32_t i = 0; i < 2; i++) {
		know_free(&ways[i]);
		buf_free(&b[i]);
	}
	arena_free(&arena);
	proto_free(proto);
}
END_TEST

/* Rules of a composed system have at most KEPT_TESTS tests. All of them can be asked for. */
START_TEST(many_tests)
{
	struct nfart_proto *proto = proto_builtin("eci");
	struct arena arena = { 0 };
	struct buf b = { 0 }, section = { 0 };
	struct kept *k;
	struct kept_test *tests = calloc(KEPT_TESTS + 1, sizeof *tests);
	uint32_t n;

	ck_assert_ptr_nonnull(tests);
	kept_load("eci.coh", proto, 1, &b);
	ck_assert_int_eq(kept_read((unsigned char *)b.at, b.n, proto->codes.n, &arena, &k, &n),
			 NFART_OK);
	for (uint32_t i = 0; i <= KEPT_TESTS; i++)
		tests[i] = (struct kept_test){ i % k->vars.n, 0, i % k->vars.n, KEPT_EQUAL };
	for (uint32_t i = 0; i < k->rules.n; i++)
		k->rules.at[i].first = k->rules.at[i].n = 0;
	k->tests.at = tests;
	for (k->tests.n = KEPT_TESTS; k->tests.n <= KEPT_TESTS + 1; k->tests.n++) {
		struct arena again = { 0 };
		struct kept *out;
		struct know know;

		k->rules.at[0].n = k->tests.n;
		section.n = 0;
		kept_write(k, &section);
		ck_assert_int_eq(kept_read((unsigned char *)section.at, section.n,
					   proto->codes.n, &again, &out, &n),
				 k->tests.n == KEPT_TESTS ? NFART_OK : NFART_INPUT);
		if (k->tests.n == KEPT_TESTS) {
			ck_assert(know_init(&know, out, UINT64_MAX, KEPT_NONE));
			ck_assert(know_possible(&know, KNOW_ALL, out->tests.at, KEPT_TESTS));
			ck_assert(!know_stopped(&know));
			know_free(&know);
		}
		arena_free(&again);
	}
	free(tests);
	arena_free(&arena);
	buf_free(&b);
	buf_free(&section);
	proto_free(proto);
}
END_TEST

/* All values of many variables, and tests that each leave most of them: the answer takes too long
 * to find, and that is said. The next question has an answer. */
START_TEST(asked_too_much)
{
	enum { VARS = 8 };
	const char *values[KEPT_VALUES];
	struct kept_var vars[VARS];
	struct kept_part parts[VARS];
	struct kept_node nodes[VARS];
	struct kept_edge edges[VARS * KEPT_VALUES];
	struct kept_test tests[VARS];
	struct kept k = { .vars = { VARS, vars },
			  .composed = { .parts = { VARS, parts }, .nodes = { VARS, nodes },
					.edges = { VARS * KEPT_VALUES, edges } } };
	struct know know;

	for (uint32_t i = 0; i < VARS; i++) {
		vars[i] = (struct kept_var){ "x", 0, KEPT_VALUES, values };
		parts[i] = (struct kept_part){ i, KEPT_VALUES, 1 };
		/* The first node is of the last part. */
		nodes[i] = (struct kept_node){ VARS - 1 - i, i * KEPT_VALUES, KEPT_VALUES };
		for (uint32_t v = 0; v < KEPT_VALUES; v++)
			edges[i * KEPT_VALUES + v] = (struct kept_edge){ v, i + KEPT_ZERO };
		tests[i] = (struct kept_test){ i, 0, (i + 1) % VARS, KEPT_UNEQUAL };
	}
	/* It contradicts the first one. */
	tests[VARS - 1] = (struct kept_test){ 0, 0, 1, KEPT_EQUAL };
	ck_assert(know_init(&know, &k, UINT64_MAX, KEPT_NONE));
	ck_assert(know_possible(&know, KNOW_ALL, tests, VARS));
	ck_assert(know_stopped(&know));
	ck_assert(know_possible(&know, KNOW_ALL, tests, VARS - 1));
	ck_assert(!know_stopped(&know));
	ck_assert_uint_eq(know_values(&know, KNOW_ALL, 3), UINT32_MAX);
	know_free(&know);
}
END_TEST

/* Random tests of the low bits of a header, against all headers of these bits: a header is found if
 * and only if there is one, and the bits that must stay do. */
START_TEST(headers)
{
	enum { BITS = 9, TESTS = 6, TRIES = 3000 };
	uint64_t random = setting("NFACC_SEED", 7);
	uint32_t found = 0;

	for (uint32_t try = 0; try < TRIES; try++) {
		struct kept_guard tests[TESTS];
		struct kept k = { .guards = { TESTS, tests } };
		struct kept_messages m = { .first = unit_below(&random, 2) };
		uint64_t fixed = unit_random(&random) & unit_random(&random);
		uint64_t before = unit_random(&random), header = before, tested = 0;
		bool any = false;

		m.n = unit_below(&random, TESTS - m.first + 1);
		for (uint32_t i = 0; i < TESTS; i++) {
			struct kept_guard *t = &tests[i];
			uint64_t most;

			t->lsb = unit_below(&random, BITS);
			t->bits = 1 + unit_below(&random, BITS - t->lsb);
			most = UINT64_MAX >> (64 - t->bits);
			t->mask = unit_below(&random, 2) == 0 ? most : unit_random(&random) & most;
			t->first = unit_random(&random) & t->mask;
			t->last = unit_below(&random, 2) == 0 ? t->first
							      : unit_random(&random) & most;
			t->other = unit_below(&random, 2) == 0;
			if (i >= m.first && i < m.first + m.n)
				tested |= t->mask << t->lsb;
		}
		for (uint64_t low = 0; low < 1 << BITS && !any; low++) {
			uint64_t x = (before & (fixed | ~UINT64_C(0) << BITS)) | (low & ~fixed);

			any = kept_passes(&k, &m, x);
		}
		ck_assert_msg(kept_header(&k, &m, fixed, unit_random(&random), &header) == any,
			      "try %u", (unsigned)try);
		ck_assert(!any || kept_passes(&k, &m, header));
		ck_assert_uint_eq((header ^ before) & (fixed | ~tested), 0);
		found += any;
	}
	ck_assert_uint_gt(found, TRIES / 4);
	ck_assert_uint_lt(found, TRIES * 3 / 4);
}
END_TEST

/* Tests of 64 bits: ranges that meet in one value, and bits that settle others. */
START_TEST(wide_headers)
{
	struct kept_guard tests[] = {
		{ 0, 64, UINT64_MAX, 5, UINT64_MAX - 20, false },
		{ 0, 64, UINT64_MAX, UINT64_C(1) << 40, UINT64_C(1) << 41, false },
		{ 0, 64, UINT64_MAX, 0, UINT64_C(1) << 40, false },
		{ 0, 64, 1, 1, 1, false }, { 0, 64, 3, 2, 2, false },
	};
	struct kept k = { .guards = { 5, tests } };
	struct kept_messages m = { .n = 3 };
	uint64_t header = 0;

	ck_assert(kept_header(&k, &m, 0, UINT64_MAX, &header));
	ck_assert_uint_eq(header, UINT64_C(1) << 40);
	m = (struct kept_messages){ .n = 4 };
	ck_assert(!kept_header(&k, &m, 0, 0, &header));
	/* Odd, and even: no case is needed to see it. */
	k.guards.n = 5;
	tests[1] = tests[3];
	tests[2] = tests[4];
	m.n = 3;
	ck_assert(!kept_header(&k, &m, 0, 0, &header));
	ck_assert_uint_eq(header, UINT64_C(1) << 40);
}
END_TEST

/* Messages don't share tests: each of many would have all of them. */
START_TEST(shared_tests)
{
	static const char *nodes[] = { "n" };
	struct kept_guard guards[3] = { { 0, 1, 1, 1, 1, false }, { 1, 1, 1, 1, 1, false },
					{ 2, 1, 1, 1, 1, true } };
	static const uint32_t firsts[][2] = { { 0, 2 }, { 0, 0 }, { 0, 1 }, { 1, 2 } };

	for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++) {
		struct kept_messages a = { 0, firsts[i][0], 2 }, b = { 0, firsts[i][1], 1 };
		struct kept_event events[2] = { { "a", 0, 1, { 1, &a } },
						 { "b", 0, 1, { 1, &b } } };
		uint8_t none = 0;
		uint32_t first[2] = { 0, 0 };
		struct kept k = { .file = "f", .tap = KEPT_NONE, .nodes = { 1, nodes },
				  .guards = { 3, guards }, .events = { 2, events },
				  .system = { .nstates = 1, .values = &none, .first = first } };
		struct arena arena = { 0 };
		struct buf section = { 0 };
		struct kept *out;
		uint32_t n;

		kept_write(&k, &section);
		ck_assert_int_eq(kept_read((unsigned char *)section.at, section.n, 1, &arena, &out,
					   &n), i == 0 ? NFART_OK : NFART_INPUT);
		arena_free(&arena);
		buf_free(&section);
	}
}
END_TEST

/* A section of few bytes for each checker and state stands for at most KEPT_MOST_STATES. */
START_TEST(checkers_times_states)
{
	static const char *nodes[] = { "n" };
	enum { STATES = 1 << 20, CHECKERS = KEPT_MOST_STATES / STATES };
	struct kept_checker checkers[CHECKERS + 1];
	struct kept k = { .file = "f", .tap = KEPT_NONE, .nodes = { 1, nodes },
			  .checkers = { CHECKERS, checkers } };
	uint8_t none = 0;

	for (uint32_t i = 0; i <= CHECKERS; i++)
		checkers[i] = (struct kept_checker){ "c", 0, 0 };
	k.system.nstates = STATES;
	k.system.values = &none; /* there are no variables */
	k.system.first = calloc(STATES + 1, sizeof *k.system.first);
	ck_assert_ptr_nonnull(k.system.first);
	for (; k.checkers.n <= CHECKERS + 1; k.checkers.n++) {
		struct buf b = { 0 };
		struct arena arena = { 0 };
		struct kept *out;
		uint32_t n;

		kept_write(&k, &b);
		ck_assert_int_eq(kept_read((unsigned char *)b.at, b.n, 1, &arena, &out, &n),
				 k.checkers.n == CHECKERS ? NFART_OK : NFART_INPUT);
		arena_free(&arena);
		buf_free(&b);
	}
	free(k.system.first);
}
END_TEST

Suite *suite_kept(void)
{
	const TTest *const tests[] = { written_and_damaged, composed_and_damaged,
				       composed_as_listed, many_tests, asked_too_much,
				       checkers_times_states, headers, wide_headers,
				       shared_tests, NULL };

	return unit_suite("kept", tests);
}
