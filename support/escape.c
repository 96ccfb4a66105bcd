/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "support/escape.h"

#include <string.h>

static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */

static void add_text(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

/* Appends the character at s, of which n bytes are there. Returns how many bytes it has. */
static size_t add_character(struct buf *b, const char *s, size_t n)
{
	size_t len = buf_utf8(s, n);

	if (len == 0) {
		add_text(b, replacement);
		return 1;
	}
	buf_add(b, s, len);
	return len;
}

void escape_utf8(struct buf *b, const char *s, size_t n)
{
	for (size_t i = 0; i < n;)
		i += add_character(b, s + i, n - i);
}

/* Returns how many of the n bytes come before the first that JSON may not have as it is. Most names
 * are such from beginning to end. */
static size_t plain_json(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && s[i] >= ' ' && s[i] < 0x7f && s[i] != '"' && s[i] != '\\')
		i++;
	return i;
}

void escape_json(struct buf *b, const char *s, size_t n)
{
	buf_add(b, "\"", 1);
	for (size_t i = 0; i < n;) {
		size_t plain = plain_json(s + i, n - i);

		if (plain != 0) {
			buf_add(b, s + i, plain);
			i += plain;
		} else if (s[i] == '"' || s[i] == '\\') {
			buf_addf(b, "\\%c", s[i++]);
		} else if ((unsigned char)s[i] < ' ' || s[i] == 0x7f) {
			buf_addf(b, "\\u%04x", (unsigned)s[i++]);
		} else {
			i += add_character(b, s + i, n - i);
		}
	}
	buf_add(b, "\"", 1);
}

/* Returns what stands in XML for the n bytes at s, or NULL for the character itself. */
static const char *xml_of(const char *s, size_t n)
{
	switch (*s) {
	case '<': return "&lt;";
	case '>': return "&gt;";
	case '&': return "&amp;";
	case '"': return "&quot;";
	case '\t':
	case '\n':
	case '\r': return NULL;
	default: break;
	}
	if ((unsigned char)*s < ' ')
		return replacement;
	/* U+FFFE and U+FFFF */
	return n >= 3 && memcmp(s, "\xef\xbf", 2) == 0 && (unsigned char)s[2] >= 0xbe ? replacement
										    : NULL;
}

void escape_xml(struct buf *b, const char *s, size_t n)
{
	for (size_t i = 0; i < n;) {
		size_t len = buf_utf8(s + i, n - i);
		const char *other = len != 0 ? xml_of(s + i, len) : replacement;

		if (other != NULL)
			add_text(b, other);
		else
			buf_add(b, s + i, len);
		i += len != 0 ? len : 1;
	}
}

void escape_shell(struct buf *b, const char *s)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "-_=+,./:@%";

	if (*s != 0 && s[strspn(s, plain)] == 0) {
		add_text(b, s);
		return;
	}
	add_text(b, "'");
	for (; *s != 0; s++)
		if (*s == '\'')
			add_text(b, "'\\''");
		else
			buf_add(b, s, 1);
	add_text(b, "'");
}

void escape_quoted(struct buf *b, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '"' || s[i] == '\\')
			buf_add(b, "\\", 1);
		buf_add(b, s + i, 1);
	}
}
