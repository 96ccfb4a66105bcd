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
				       checkers_times_states, NULL };

	return unit_suite("kept", tests);
}
