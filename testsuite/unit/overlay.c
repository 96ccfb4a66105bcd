/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <string.h>

#include "grammar/describe/builtin.h"
#include "grammar/describe/overlay_text.h"
#include "testsuite/unit/unit.h"

START_TEST(default_overlay)
{
	struct overlay_desc v, shipped;
	const char *text = builtin_find(builtin_overlays, "default", 7);
	struct diags d = { .werror = false };

	overlay_desc_default(&v);
	ck_assert_str_eq(v.name, "default");
	ck_assert_str_eq(v.protocol, "");
	ck_assert_uint_eq(v.o.clique, 5);
	ck_assert_uint_eq(v.o.length, 20);
	ck_assert_uint_eq(v.o.rings, 3);
	ck_assert_uint_eq(v.o.reach, 1);
	ck_assert_uint_eq(v.o.lines, 8);
	ck_assert_uint_eq(v.o.labels, 8);
	ck_assert_uint_eq(v.o.window, 64);
	ck_assert(!v.o.none);
	ck_assert_ptr_nonnull(text);
	ck_assert(overlay_parse(&d, "default.ov", text, strlen(text), &shipped));
	ck_assert_mem_eq(&v.o, &shipped.o, sizeof v.o);
	ck_assert_str_eq(shipped.name, "default");
	diag_free(&d);
}
END_TEST

START_TEST(numbers)
{
	static const struct {
		const char *text;
		bool is, bad;
	} want[] = {
		{ "5,20,3,1", true, false },
		{ "5,20,3,1,128", true, false },
		{ "none", true, false },
		{ "1,1,1,0", true, false },
		{ "5,20,3", true, true },
		{ "5", true, true },
		{ "5,20,3,1,", true, true },
		{ "5,20,3,1,8,8", true, true },
		{ "0,20,3,1", true, true },
		{ "5,,3,1", true, true },
		{ ",", true, true },
		{ "5,20,3,1,0", true, true },
		{ "99999999999999999999,1,1,0", true, true },
		{ "4096,65536,65536,0", true, true },
		{ "5,20,0,1", true, true },
		{ "", false, false },
		{ "none2", false, false },
		{ "a,b,c,d", false, false },
		{ "5,20,3,-1", false, false },
		{ "./5,20,3,1", false, false },
	};
	struct overlay_desc v;
	bool bad;

	for (size_t i = 0; i < sizeof want / sizeof want[0]; i++)
		if (overlay_numbers(want[i].text, &v, &bad) != want[i].is || bad != want[i].bad)
			unit_fail("'%s'", want[i].text);
	ck_assert(overlay_numbers("7,8,9,2", &v, &bad));
	ck_assert(v.o.clique == 7 && v.o.length == 8 && v.o.rings == 9 && v.o.reach == 2 &&
		  v.o.lines == 8);
	ck_assert(overlay_numbers("7,8,9,2,33", &v, &bad));
	ck_assert(v.o.lines == 33 && v.o.labels == 8 && v.o.window == 64 && !v.o.none);
	ck_assert(overlay_numbers("none", &v, &bad));
	ck_assert(v.o.none);
}
END_TEST

static void overlay_refused(const char *text, size_t column)
{
	struct diags d = { .werror = false };
	struct overlay_desc v;
	size_t line, at;

	if (overlay_parse(&d, "x.ov", text, strlen(text), &v) || d.errors != 1)
		unit_fail("%s: %zu errors", text, d.errors);
	diag_locate(&d.sources.at[0], d.records.at[0].range.begin, &line, &at);
	if (at != column)
		unit_fail("%s: error in column %zu: %s", text, at, d.records.at[0].message);
	diag_free(&d);
}

START_TEST(text_errors)
{
	overlay_refused("", 1);
	overlay_refused("overlay", 8);
	overlay_refused("overlay x", 10);
	overlay_refused("overlay x; clique 0;", 19);
	overlay_refused("overlay x; clique 4097;", 19);
	overlay_refused("overlay x; clique;", 18);
	overlay_refused("overlay x; clique 1; clique 2;", 22);
	overlay_refused("overlay x; decoder none;", 20);
	overlay_refused("overlay x; decoder 1;", 20);
	overlay_refused("overlay x; predecessors lut4;", 25);
	overlay_refused("overlay x; cliques 1;", 12);
	overlay_refused("overlay x; counters 65;", 21);
	overlay_refused("overlay x; window 64", 21);
	overlay_refused("overlay x; window 99999999999999999999999999;", 19);
	overlay_refused("overlay x; clique 1; protocol eci;", 22);
	overlay_refused("overlay x; clique 4096; length 65536; rings 65536;", 1);
	overlay_refused("overlay x; data 48;", 17);
	overlay_refused("overlay a123456789012345678901234567890123456789012345678901234567890123;",
			9);
}
END_TEST

static void check_print(struct overlay_desc *v)
{
	struct diags d = { .werror = false };
	struct overlay_desc again;
	struct buf b = { 0 };

	overlay_print(v, &b);
	ck_assert(!b.failed);
	if (!overlay_parse(&d, "again.ov", b.at, b.n, &again))
		unit_fail("%s\n%s", d.records.n != 0 ? d.records.at[0].message : "", b.at);
	ck_assert_mem_eq(&v->o, &again.o, sizeof again.o);
	ck_assert_str_eq(v->name, again.name);
	ck_assert_str_eq(v->protocol, again.protocol);
	buf_free(&b);
	diag_free(&d);
}

START_TEST(print)
{
	struct overlay_desc v;

	for (const struct builtin *b = builtin_overlays; b->name != NULL; b++) {
		struct diags d = { .werror = false };
		ck_assert(overlay_parse(&d, b->name, b->text, strlen(b->text), &v));
		ck_assert_str_eq(v.name, b->name);
		check_print(&v);
		diag_free(&d);
	}
	overlay_desc_default(&v);
	strcpy(v.protocol, "eci-coherence");
	v.o.decoder = OVERLAY_BANK;
	v.o.predecessors = OVERLAY_MASK;
	v.o.shadow = 1;
	v.o.bank = 3;
	check_print(&v);
}
END_TEST

/* The shipped overlays must have the sizes that figure 32 and table 8 of the thesis give. */
START_TEST(shipped)
{
	static const struct {
		const char *name;
		uint32_t c, l, r, n, lines;
	} want[] = {
		{ "rings4", 5, 20, 4, 1, 1 },       { "violet", 8, 20, 1, 0, 1 },
		{ "yellow", 10, 5, 3, 1, 4 },       { "red", 100, 1, 1, 0, 1 },
		{ "green", 2, 151, 2, 0, 1 },       { "orange", 2, 2, 1, 0, 128 },
		{ "blue", 1, 12, 3, 1, 32 },        { "table8-4", 2, 2, 1, 0, 1 },
		{ "table8-4x128", 2, 2, 1, 0, 128 }, { "table8-300", 5, 20, 3, 1, 1 },
	};

	for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
		const char *text =
			builtin_find(builtin_overlays, want[i].name, strlen(want[i].name));
		struct diags d = { .werror = false };
		struct overlay_desc v;
		ck_assert_ptr_nonnull(text);
		ck_assert(overlay_parse(&d, want[i].name, text, strlen(text), &v));
		if (v.o.clique != want[i].c || v.o.length != want[i].l || v.o.rings != want[i].r ||
		    v.o.reach != want[i].n || v.o.lines != want[i].lines)
			unit_fail("%s: (%u,%u,%u,%u), %u lines", want[i].name, v.o.clique,
				  v.o.length, v.o.rings, v.o.reach, v.o.lines);
		diag_free(&d);
	}
}
END_TEST

Suite *suite_overlay(void)
{
	const TTest *const tests[] = {
		default_overlay, numbers, text_errors, print, shipped, NULL
	};

	return unit_suite("overlay", tests);
}
