/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Tests guards on every header of a small protocol: which messages match (ast_match.h), which
 * predicates the checks report as never or always true, and which events of coherence share
 * messages.
 */
#include <inttypes.h>
#include <string.h>

#include "grammar/ast_match.h"
#include "grammar/coherence/coh.h"
#include "grammar/front.h"
#include "testsuite/unit/unit.h"

/* Opcodes are in bits 8..9, lines in bits 3..6. Field `f` overlaps both. */
static const char text[] =
	"protocol small; header 10; opcode 8..9; idle 3; address 3..6 line 4; groups a 0..1, b;\n"
	"types T { X 0 address; Y 1 from a; }\n"
	"field e 0..3; field f 4..9 of T_X; field f 0..1 of T_Y; field g 7 of T_Y;\n";

enum { HEADERS = 1 << 10, SLOTS = 3 };

static const struct nfart_proto *small(void *ctx, const char *name, size_t n)
{
	(void)name;
	(void)n;
	return ctx;
}

/* Checks a filter text; the test fails if it has errors. */
static void open_text(struct front *f, struct diags *d, struct nfart_proto *p, const char *filter)
{
	struct front_options o = { .find_protocol = small, .ctx = p };

	memset(d, 0, sizeof *d);
	unit_eq(front_init(f, d, &o), NFART_OK);
	front_parse(f, "filter", filter, strlen(filter), false);
	if (front_finish(f) != NFART_OK)
		unit_fail("%s: %s", filter, d->records.at[0].message);
}

static void close_text(struct front *f, struct diags *d)
{
	front_free(f);
	diag_free(d);
}

static bool has_warning(const struct diags *d, const char *code)
{
	for (size_t i = 0; i < d->records.n; i++)
		if (strcmp(d->records.at[i].code, code) == 0)
			return true;
	return false;
}

/* ---- what matches ---- */

/* For each slot and header: what a guard must say. */
static bool is_x(uint32_t slot, uint32_t h)
{
	(void)slot;
	return h >> 8 == 0;
}

static bool is_y(uint32_t slot, uint32_t h)
{
	return slot < 2 && h >> 8 == 1;
}

static bool e_is_5(uint32_t slot, uint32_t h)
{
	(void)slot;
	return h >> 8 != 3 && (h & 15) == 5;
}

static bool f_is_not_2(uint32_t slot, uint32_t h)
{
	return is_x(slot, h) ? h >> 4 != 2 : is_y(slot, h) && (h & 3) != 2;
}

static bool y_and_both(uint32_t slot, uint32_t h)
{
	return is_y(slot, h) && (h & 3) == 1 && (h >> 7 & 1) == 0 && slot == 1;
}

static bool lines(uint32_t slot, uint32_t h)
{
	return is_x(slot, h) && (h >> 3 & 15) >= 2 && (h >> 3 & 15) <= 4;
}

static bool masked_line(uint32_t slot, uint32_t h)
{
	return is_x(slot, h) && (h >> 3 & 1) == 1;
}

static bool not_masked(uint32_t slot, uint32_t h)
{
	return is_x(slot, h) && (h & 6) != 2;
}

static bool unnamed(uint32_t slot, uint32_t h)
{
	(void)slot;
	return h >> 8 == 2 && (h & 15) < 3;
}

START_TEST(matching)
{
	static const struct {
		const char *predicate;
		bool (*want)(uint32_t slot, uint32_t h);
	} cases[] = {
		{ "T_X", is_x },
		{ "T_Y", is_y },
		{ "any[e == 5]", e_is_5 },
		{ "any[f != 2]", f_is_not_2 },
		{ "\"T_*\"@1[f == 1][g != 1]", y_and_both },
		{ "T_X[addr in 5..0x13]", lines },
		{ "T_X[addr & 7 == 4]", masked_line },
		{ "T_X[e & 6 != 2]", not_masked },
		{ "#2[e in 0..2]", unnamed },
	};
	struct nfart_proto *p = unit_proto(text);

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char filter[100];
		struct front f;
		struct diags d;

		snprintf(filter, sizeof filter, "filter x = true* %s;", cases[i].predicate);
		open_text(&f, &d, p, filter);
		unit_eq(f.ast.basics.n, 1);
		for (uint32_t slot = 0; slot < SLOTS; slot++)
			for (uint32_t h = 0; h < HEADERS; h++)
				if (ast_basic_matches_header(&f.ast, f.ast.basics.at, slot, h) !=
				    cases[i].want(slot, h))
					unit_fail("%s: slot %" PRIu32 ", header 0x%" PRIx32,
						  filter, slot, h);
		close_text(&f, &d);
	}
	proto_free(p);
}
END_TEST

START_TEST(times)
{
	struct nfart_proto *p = unit_proto(text);
	struct front f;
	struct diags d;

	open_text(&f, &d, p, "tick 1; filter x = tick notick end T_X;");
	unit_eq(f.ast.basics.n, 4);
	for (uint32_t time = 0; time < 4; time++) {
		bool tick = time % 2 == 1, end = time >= 2;
		unit_check(ast_basic_matches_time(&f.ast.basics.at[0], time) == tick);
		unit_check(ast_basic_matches_time(&f.ast.basics.at[1], time) == !tick);
		unit_check(ast_basic_matches_time(&f.ast.basics.at[2], time) == end);
		unit_check(!ast_basic_matches_time(&f.ast.basics.at[3], time));
	}
	for (uint32_t i = 0; i < 3; i++)
		for (uint32_t h = 0; h < HEADERS; h++)
			unit_check(!ast_basic_matches_header(&f.ast, &f.ast.basics.at[i], 0, h));
	close_text(&f, &d);
	proto_free(p);
}
END_TEST

/* ---- warnings ---- */

/* Draws a test of a field with this highest value and writes it to out. */
static void draw_test(uint64_t *random, const char *field, uint32_t highest, char out[static 60])
{
	uint32_t v = unit_below(random, highest + 1), w = unit_below(random, highest + 1);

	switch (unit_below(random, 5)) {
	case 0:
		snprintf(out, 60, "%s == %" PRIu32, field, v);
		break;
	case 1:
		snprintf(out, 60, "%s != %" PRIu32, field, v);
		break;
	case 2:
		if (unit_below(random, 4) == 0)
			v = 0;
		if (unit_below(random, 4) == 0)
			w = highest;
		snprintf(out, 60, "%s in %" PRIu32 "..%" PRIu32, field, v < w ? v : w,
			 v < w ? w : v);
		break;
	default:
		snprintf(out, 60, "%s & %" PRIu32 " %s %" PRIu32, field, v,
			 unit_below(random, 2) == 0 ? "==" : "!=",
			 unit_below(random, 3) == 0 ? w : w & v);
	}
}

/* A guard of up to three tests is reported as never or always true if and only if it is so on all
 * headers that have a message. */
START_TEST(warnings)
{
	static const struct {
		const char *predicate, *field;
		uint32_t highest;
	} kinds[] = {
		{ "T_X", "e", 15 }, { "T_X", "f", 63 }, { "T_Y", "f", 3 }, { "T_Y", "g", 1 },
		{ "T_X", "addr", 63 }, { "any", "e", 15 }, { "any", "f", 63 },
		{ "any", "addr", 63 },
	};
	struct nfart_proto *p = unit_proto(text);
	uint64_t random = 0x6aed;
	uint32_t nevers = 0, always = 0;

	for (uint32_t i = 0; i < 6000; i++) {
		size_t k = unit_below(&random, sizeof kinds / sizeof *kinds);
		bool one = false, all = true;
		char test[60], filter[300];
		size_t n;
		struct front f;
		struct diags d;

		n = (size_t)snprintf(filter, sizeof filter, "filter x = true* %s",
				     kinds[k].predicate);
		for (uint32_t t = 0; t < 1 + i % 3; t++) {
			const char *field = kinds[k].field;
			uint32_t highest = kinds[k].highest;

			/* All messages have field e. */
			if (unit_below(&random, 4) == 0) {
				field = "e";
				highest = 15;
			}
			draw_test(&random, field, highest, test);
			n += (size_t)snprintf(filter + n, sizeof filter - n, "[%s]", test);
		}
		snprintf(filter + n, sizeof filter - n, ";");
		open_text(&f, &d, p, filter);
		for (uint32_t slot = 0; slot < SLOTS; slot++)
			for (uint32_t h = 0; h < HEADERS - 256; h++) {
				bool m = ast_basic_matches_header(&f.ast, f.ast.basics.at, slot, h);
				one |= m;
				all &= m;
			}
		if (has_warning(&d, "never-matches") != !one ||
		    has_warning(&d, "always-matches") != all)
			unit_fail("%s", filter);
		nevers += !one;
		always += all;
		close_text(&f, &d);
	}
	ck_assert_uint_gt(nevers, 10);
	ck_assert_uint_gt(always, 10);
	proto_free(p);
}
END_TEST

/* ---- events of descriptions of coherence ---- */

/* Field `f` overlaps `e`. */
static const char pair_text[] =
	"protocol pair; header 10; opcode 8..9; idle 3; groups a, b;\n"
	"types A from a { X 0; } types B from b { Y 1; }\n"
	"event x from a = A_X; event y from b = B_Y; field e 0..3; field f 2..7;\n";

/* Appends up to three tests, and clears the headers of `set` that do not pass. */
static void draw_tests(uint64_t *random, struct buf *b, bool set[static 256])
{
	for (uint32_t n = 1 + unit_below(random, 3), i = 0; i < n; i++) {
		bool e = unit_below(random, 2) == 0, in = unit_below(random, 3) == 0;
		bool other = !in && unit_below(random, 2) == 0;
		uint32_t highest = e ? 15 : 63, mask = in ? highest : 1 + unit_below(random, highest);
		uint32_t v = unit_below(random, highest + 1) & mask;
		uint32_t last = in ? v + unit_below(random, highest + 1 - v) : v;

		buf_addf(b, "%s%c", i == 0 ? "" : ", ", e ? 'e' : 'f');
		if (in)
			buf_addf(b, " in %" PRIu32 "..%" PRIu32, v, last);
		else
			buf_addf(b, " & %" PRIu32 " %s %" PRIu32, mask, other ? "!=" : "==", v);
		for (uint32_t h = 0; h < 256; h++) {
			uint32_t x = (e ? h & 15 : h >> 2) & mask;

			set[h] = set[h] && (x >= v && x <= last) != other;
		}
	}
}

/* Two events share messages, or tests leave one of them nothing, if and only if that is so on all
 * headers. */
START_TEST(events)
{
	struct nfart_proto *p = unit_proto(pair_text);
	struct coh_options o = { small, p };
	uint64_t random = 1;
	uint32_t shares = 0, nevers = 0;

	for (int run = 0; run < 3000; run++) {
		bool one[256], two[256], shared = false, some[2] = { false, false };
		struct diags d = { .werror = false };
		struct buf b = { 0 };
		struct coh c;
		uint32_t said = 0;

		memset(one, true, sizeof one);
		memset(two, true, sizeof two);
		buf_addf(&b, "protocol pair; checker c; node a: s = 0 1; node b: q = -;\n"
			 "event A from a = x[");
		draw_tests(&random, &b, one);
		buf_addf(&b, "]; event B from a = x[");
		draw_tests(&random, &b, two);
		buf_addf(&b, "]; a: s=0 ! A: s=1; a: s=1 ! B: s=0; b: q=- ? A, B: q=-;");
		for (uint32_t h = 0; h < 256; h++) {
			shared = shared || (one[h] && two[h]);
			some[0] = some[0] || one[h];
			some[1] = some[1] || two[h];
		}
		if (coh_parse(&d, diag_add_source(&d, "c", b.at, b.n), &o, &c) !=
		    (shared ? NFART_INPUT : NFART_OK))
			unit_fail("shared: %d: %s", shared, b.at);
		for (size_t i = 0; i < d.records.n; i++)
			said += strcmp(d.records.at[i].code, "never-matches") == 0;
		if (said != (uint32_t)!some[0] + !some[1])
			unit_fail("%" PRIu32 " warnings: %s", said, b.at);
		shares += shared;
		nevers += said;
		coh_free(&c);
		diag_free(&d);
		buf_free(&b);
	}
	ck_assert_uint_gt(shares, 100);
	ck_assert_uint_lt(shares, 2900);
	ck_assert_uint_gt(nevers, 10);
	proto_free(p);
}
END_TEST

Suite *suite_guards(void)
{
	const TTest *const tests[] = { matching, times, warnings, events, NULL };

	return unit_suite("guards", tests);
}
