/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <string.h>

#include "support/escape.h"
#include "testsuite/unit/unit.h"

#define BAD "\xef\xbf\xbd" /* U+FFFD */

typedef void escape(struct buf *b, const char *s, size_t n);

static void becomes(escape *f, const char *s, size_t n, const char *want)
{
	struct buf b = { 0 };

	buf_add(&b, "", 0);
	f(&b, s, n);
	unit_check(!b.failed);
	ck_assert_str_eq(b.at, want);
	buf_free(&b);
}

/* Gives a text to an escape, which must make `want` of it. */
#define BECOMES(f, s, want) becomes(f, s, sizeof(s) - 1, want)

START_TEST(json)
{
	BECOMES(escape_json, "", "\"\"");
	BECOMES(escape_json, "a b~ !#[]^", "\"a b~ !#[]^\"");
	BECOMES(escape_json, "\"\\", "\"\\\"\\\\\"");
	BECOMES(escape_json, "a\0\001\t\n\037\177z", "\"a\\u0000\\u0001\\u0009\\u000a\\u001f\\u007fz\"");
	BECOMES(escape_json, "\xc3\xa9\xe2\x80\xa8\xf0\x9f\x98\x80", "\"\xc3\xa9\xe2\x80\xa8\xf0\x9f\x98\x80\"");
	BECOMES(escape_json, "a\xff", "\"a" BAD "\"");
	BECOMES(escape_json, "\xc3", "\"" BAD "\"");         /* cut off */
	BECOMES(escape_json, "\xc3\"", "\"" BAD "\\\"\"");   /* the quote is not a part of it */
	BECOMES(escape_json, "\xed\xa0\x80", "\"" BAD BAD BAD "\""); /* a surrogate */
	BECOMES(escape_json, "\xc0\xaf", "\"" BAD BAD "\""); /* longer than it needs to be */
}
END_TEST

START_TEST(xml)
{
	BECOMES(escape_xml, "a<b>&\"c'", "a&lt;b&gt;&amp;&quot;c'");
	BECOMES(escape_xml, "\t\n\r\177", "\t\n\r\177");
	BECOMES(escape_xml, "a\0\001\033", "a" BAD BAD BAD);
	BECOMES(escape_xml, "\xc3\xa9\xe2\x80\xa8\xef\xbf\xbc", "\xc3\xa9\xe2\x80\xa8\xef\xbf\xbc");
	BECOMES(escape_xml, "\xef\xbf\xbe\xef\xbf\xbf.", BAD BAD "."); /* U+FFFE, U+FFFF */
	BECOMES(escape_xml, "\xff<\xed\xb0\x80\xc3", BAD "&lt;" BAD BAD BAD BAD);
}
END_TEST

START_TEST(utf8)
{
	BECOMES(escape_utf8, "a\"<\n\xc3\xa9", "a\"<\n\xc3\xa9");
	BECOMES(escape_utf8, "\xc3z\xff", BAD "z" BAD);
}
END_TEST

START_TEST(quoted)
{
	BECOMES(escape_quoted, "a\"b\\'\xff", "a\\\"b\\\\'\xff");
}
END_TEST

static void escape_word(const char *s, const char *want)
{
	struct buf b = { 0 };

	escape_shell(&b, s);
	ck_assert_str_eq(b.at, want);
	buf_free(&b);
}

START_TEST(shell)
{
	escape_word("", "''");
	escape_word("--to=json", "--to=json");
	escape_word("./a_b,c:d@e%f+1", "./a_b,c:d@e%f+1");
	escape_word("a b", "'a b'");
	escape_word("it's", "'it'\\''s'");
	escape_word("$(x) `y` \\ \"\n*?~\xff", "'$(x) `y` \\ \"\n*?~\xff'");
}
END_TEST

START_TEST(failed)
{
	struct buf b = { .failed = true };

	escape_json(&b, "a\"\xff", 3);
	escape_xml(&b, "a<\xff", 3);
	escape_shell(&b, "a b");
	unit_check(b.failed);
	unit_eq(b.n, 0);
}
END_TEST

/* Whatever the bytes are, the output is UTF-8, and nothing in it ends the string or begins a tag. */
START_TEST(any_bytes)
{
	uint64_t seed = 7;

	for (int round = 0; round < 20000; round++) {
		char s[24];
		size_t n = unit_below(&seed, sizeof s + 1), at;
		struct buf j = { 0 }, x = { 0 };

		for (size_t i = 0; i < n; i++)
			s[i] = (char)(unit_below(&seed, 2) ? unit_below(&seed, 256)
							   : 0xe0 + unit_below(&seed, 32));
		escape_json(&j, s, n);
		escape_xml(&x, s, n);
		for (at = 1; at < j.n - 1; at += buf_utf8(j.at + at, j.n - at)) {
			unit_check(buf_utf8(j.at + at, j.n - at) != 0);
			unit_check((unsigned char)j.at[at] >= ' ' && j.at[at] != '"');
			at += j.at[at] == '\\';
		}
		unit_eq(at, j.n - 1);
		for (at = 0; at < x.n; at += buf_utf8(x.at + at, x.n - at)) {
			unit_check(buf_utf8(x.at + at, x.n - at) != 0);
			unit_check(strchr("<>\"", x.at[at]) == NULL);
		}
		buf_free(&j);
		buf_free(&x);
	}
}
END_TEST

Suite *suite_escape(void)
{
	const TTest *const tests[] = { json,   xml,       utf8, quoted, shell,
				       failed, any_bytes, NULL };

	return unit_suite("escape", tests);
}
