/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <stdlib.h>
#include <string.h>

#include "support/diag.h"
#include "testsuite/unit/unit.h"

/* ---- the nearest word to a misspelt one ---- */

static const char *next_word(void *ctx)
{
	const char *const **at = ctx;

	return **at == NULL ? NULL : *(*at)++;
}

static const char *nearest(const char *name, const char *const *words)
{
	const char *got = diag_nearest(name, strlen(name), next_word, &words);

	return got != NULL ? got : "-";
}

START_TEST(nearest_names)
{
	static const char *const words[] = {
		"MREQ_RLDD", "MREQ_RLDI", "filter", "log", "ab", NULL
	};
	static const char *const twins[] = { "xbc", "axc", NULL };
	static const char *const cases[] = { "Any", "any", NULL };
	static const char *const none[] = { NULL };

	ck_assert_str_eq(nearest("MREQ_RLDD", words), "MREQ_RLDD");
	ck_assert_str_eq(nearest("MREQ_RLDDD", words), "MREQ_RLDD");
	ck_assert_str_eq(nearest("MREQRLDI", words), "MREQ_RLDI");
	ck_assert_str_eq(nearest("MREQ_RLDO", words), "MREQ_RLDD");
	ck_assert_str_eq(nearest("fitler", words), "filter");
	ck_assert_str_eq(nearest("fitlre", words), "filter");
	ck_assert_str_eq(nearest("fxxxer", words), "-");
	ck_assert_str_eq(nearest("lgo", words), "log");
	ck_assert_str_eq(nearest("lo", words), "log");
	ck_assert_str_eq(nearest("gol", words), "-");
	ck_assert_str_eq(nearest("ba", words), "ab");
	ck_assert_str_eq(nearest("a", words), "-");
	ck_assert_str_eq(nearest("", words), "-");
	ck_assert_str_eq(nearest("abc", twins), "xbc");
	ck_assert_str_eq(nearest("mreq_rldd", words), "MREQ_RLDD");
	ck_assert_str_eq(nearest("mreq_rldi", words), "MREQ_RLDI");
	ck_assert_str_eq(nearest("LOG", words), "log");
	ck_assert_str_eq(nearest("Fliter", words), "filter");
	ck_assert_str_eq(nearest("ANY", cases), "Any");
	ck_assert_str_eq(nearest("aNY", cases), "any");
	ck_assert_str_eq(nearest("anyy", cases), "any");
	ck_assert_str_eq(nearest("abc", none), "-");
}
END_TEST

START_TEST(nearest_long_names)
{
	char a[100], b[100];
	const char *const words[] = { a, NULL };

	memset(a, 'x', sizeof a);
	memset(b, 'x', sizeof b);
	a[64] = b[64] = 0;
	b[10] = 'y';
	ck_assert_ptr_eq(nearest(b, words), a);
	b[64] = 'x';
	b[65] = 0;
	ck_assert_str_eq(nearest(b, words), "-");
	b[64] = 0;
	a[64] = 'x';
	a[65] = 0;
	ck_assert_str_eq(nearest(b, words), "-");
}
END_TEST

/* ---- line and column of an offset ---- */

START_TEST(locate)
{
	struct diag_source s = { .name = "f", .text = "ab\n\ncd", .n = 6 };
	static const size_t want[][2] = { { 1, 1 }, { 1, 2 }, { 1, 3 }, { 2, 1 },
					  { 3, 1 }, { 3, 2 }, { 3, 3 }, { 3, 3 } };
	size_t line, column;

	for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
		diag_locate(&s, i, &line, &column);
		ck_assert_uint_eq(line, want[i][0]);
		ck_assert_uint_eq(column, want[i][1]);
	}
	s.n = 0;
	s.text = "";
	diag_locate(&s, 5, &line, &column);
	ck_assert_uint_eq(line, 1);
	ck_assert_uint_eq(column, 1);
}
END_TEST

/* ---- printing diagnostics ---- */

static const struct diag_range nowhere = { DIAG_NO_SOURCE, 0, 0 };

/* Returns the diagnostics as they are printed. The caller frees the text. */
static char *printed(struct diags *d, bool colour)
{
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	ck_assert_ptr_nonnull(f);
	diag_print(d, f, colour);
	fclose(f);
	return text;
}

static void check_printed(struct diags *d, const char *want)
{
	char *got = printed(d, false);

	ck_assert_str_eq(got, want);
	free(got);
	diag_free(d);
}

static uint32_t source(struct diags *d, const char *text)
{
	uint32_t id = diag_add_source(d, "f.re", text, strlen(text));

	ck_assert_uint_ne(id, DIAG_NO_SOURCE);
	return id;
}

static struct diag_range range(uint32_t s, uint32_t begin, uint32_t end)
{
	return (struct diag_range){ s, begin, end };
}

START_TEST(print_by_place)
{
	struct diags d = { .werror = false };
	uint32_t a = source(&d, "one\n\ttwo three\n"), b = source(&d, "x");
	size_t at;

	diag_report(&d, DIAG_ERROR, "second", range(b, 0, 1), "in the second");
	diag_report(&d, DIAG_WARNING, "careful", range(a, 5, 8), "number %d", 2);
	at = diag_report(&d, DIAG_ERROR, "first", range(a, 0, 3), "what");
	diag_note(&d, at, range(a, 9, 14), "here");
	diag_fixit(&d, at, range(a, 0, 3), "uno", "say");
	diag_note(&d, at, range(a, 0, 3), "no snippet again");
	diag_report(&d, DIAG_ERROR, "none", nowhere, "without a place");
	ck_assert_uint_eq(d.errors, 3);
	ck_assert_uint_eq(d.warnings, 1);
	check_printed(&d, "f.re:1:1: error: what\none\n^~~\n"
			  "f.re:2:6: note: here\n\ttwo three\n\t    ^~~~~\n"
			  "f.re:1:1: note: say\none\n^~~\nuno\n"
			  "f.re:1:1: note: no snippet again\n"
			  "f.re:2:2: warning: number 2 [-Wcareful]\n\ttwo three\n\t^~~\n"
			  "f.re:1:1: error: in the second\nx\n^\n"
			  "error: without a place\n");
}
END_TEST

START_TEST(print_hostile_text)
{
	struct diags d = { .werror = false };
	uint32_t a = source(&d, "\033[1m\303\244\302\205\377 end\r\nnext");

	diag_report(&d, DIAG_ERROR, "x", range(a, 4, 9), "a\nb\033");
	diag_report(&d, DIAG_ERROR, "y", range(a, 15, 19), "last line");
	diag_report(&d, DIAG_ERROR, "z", range(a, 99, 120), "behind the end");
	check_printed(&d, "f.re:1:5: error: a?b?\n?[1m\303\244??? end\n    ^~~~\n"
			  "f.re:2:1: error: last line\nnext\n^~~~\n"
			  "f.re:2:5: error: behind the end\nnext\n    ^\n");
}
END_TEST

START_TEST(print_long_lines)
{
	char text[5001];
	struct diags d = { .werror = false };
	char *got, *line;

	memset(text, 'a', sizeof text - 1);
	text[sizeof text - 1] = 0;
	text[4000] = 'X';
	diag_report(&d, DIAG_ERROR, "x", range(source(&d, text), 4000, 4001), "far right");
	got = printed(&d, false);
	ck_assert_int_eq(strncmp(got, "f.re:1:4001: error: far right\n", 30), 0);
	line = got + 30;
	ck_assert_uint_eq(strcspn(line, "\n"), 200);
	ck_assert_uint_eq(strcspn(line, "X"), strcspn(line + 201, "^"));
	free(got);
	diag_free(&d);
}
END_TEST

START_TEST(print_werror_and_disabled)
{
	struct diags d = { .werror = true };

	ck_assert(vec_push(&d.disabled, "quiet"));
	ck_assert_uint_eq(diag_report(&d, DIAG_WARNING, "quiet", nowhere, "no"), SIZE_MAX);
	diag_note(&d, SIZE_MAX, nowhere, "no");
	diag_fixit(&d, SIZE_MAX, nowhere, "no", "no");
	diag_report(&d, DIAG_WARNING, "loud", nowhere, "yes");
	ck_assert_uint_eq(d.errors, 1);
	check_printed(&d, "error: yes [-Werror=loud]\n");
}
END_TEST

START_TEST(print_too_many)
{
	struct diags d = { .werror = false };
	char *got;

	for (int i = 0; i < 102; i++)
		diag_report(&d, DIAG_ERROR, "e", nowhere, "%d", i);
	for (int i = 0; i < 101; i++)
		diag_report(&d, DIAG_WARNING, "w", nowhere, "%d", i);
	ck_assert_uint_eq(d.errors, 102);
	got = printed(&d, false);
	ck_assert_ptr_nonnull(strstr(got, "error: 99\n"));
	ck_assert_ptr_null(strstr(got, "error: 100\n"));
	ck_assert_ptr_nonnull(strstr(got, "warning: 99 [-Ww]\n"));
	ck_assert_ptr_nonnull(
		strstr(got, "2 more errors were left out\n1 more warning was left out\n"));
	free(got);
	diag_free(&d);
}
END_TEST

START_TEST(print_colour)
{
	struct diags d = { .werror = false };
	char *got;

	diag_report(&d, DIAG_ERROR, "e", range(source(&d, "abc"), 0, 3), "red");
	got = printed(&d, true);
	ck_assert_ptr_nonnull(strstr(got, "\033[1;31merror: \033[0mred\n"));
	ck_assert_ptr_nonnull(strstr(got, "\033[1;31m^~~\033[0m\n"));
	free(got);
	diag_free(&d);
}
END_TEST

Suite *suite_diag(void)
{
	const TTest *const tests[] = { nearest_names,
				       nearest_long_names,
				       locate,
				       print_by_place,
				       print_hostile_text,
				       print_long_lines,
				       print_werror_and_disabled,
				       print_too_many,
				       print_colour,
				       NULL };

	return unit_suite("diag", tests);
}
