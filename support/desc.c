/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "support/desc.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

static bool is_alpha(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static void init(struct desc *c, struct diags *d, uint32_t source, bool rules)
{
	memset(c, 0, sizeof *c);
	c->diags = d;
	c->source = source;
	c->text = d->sources.at[source].text;
	c->n = (uint32_t)d->sources.at[source].n;
	c->rules = rules;
	desc_advance(c);
}

void desc_init(struct desc *c, struct diags *d, uint32_t source)
{
	init(c, d, source, false);
}

void desc_init_rules(struct desc *c, struct diags *d, uint32_t source)
{
	init(c, d, source, true);
}

void desc_fail(struct desc *c)
{
	c->failed = true;
	c->kind = DESC_END;
}

void desc_error(struct desc *c, struct diag_range range, const char *format, ...)
{
	char text[256];
	va_list ap;

	if (c->failed)
		return;
	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	if (!c->recovering)
		diag_report(c->diags, DIAG_ERROR, "description", range, "%s", text);
	desc_fail(c);
}

/* Moves the cursor past blanks and comments. */
static void skip(struct desc *c)
{
	const char *t = c->text;

	while (c->next < c->n) {
		uint32_t i = c->next;
		if (strchr(" \t\r\n", t[i]) != NULL && t[i] != 0) {
			c->next++;
		} else if (t[i] == '/' && t[i + 1] == '/') {
			while (c->next < c->n && t[c->next] != '\n')
				c->next++;
		} else if (t[i] == '/' && t[i + 1] == '*') {
			const char *end = strstr(t + i + 2, "*/");
			if (end == NULL) {
				c->range = (struct diag_range){ c->source, i, i + 2 };
				c->next = c->n; /* nothing comes after it */
				desc_error(c, c->range, "this comment has no end");
				return;
			}
			c->next = (uint32_t)(end - t) + 2;
		} else {
			return;
		}
	}
}

/* Reads the digits of a number with a base, such as 4'b1010. The cursor is on the quotation mark,
 * and the token began at its range. The width is `width`, or that of the value if it is 0. */
static void read_sized(struct desc *c, uint64_t width)
{
	static const struct {
		char letter;
		unsigned base;
	} bases[] = { { 'b', 2 }, { 'd', 10 }, { 'h', 16 } };
	const char *t = c->text;
	uint32_t i = c->next + 1, digits;
	unsigned base = 0;
	bool fits = true;

	for (size_t k = 0; k < sizeof bases / sizeof bases[0]; k++)
		if ((t[i] | 32) == bases[k].letter)
			base = bases[k].base;
	i += base != 0;
	c->number = 0;
	for (digits = i; is_digit(t[i]) || is_alpha(t[i]); i++) {
		unsigned v = is_digit(t[i]) ? (unsigned)(t[i] - '0')
					    : (unsigned)((t[i] | 32) - 'a') + 10;
		if (t[i] == '_')
			continue;
		if (v >= base) {
			base = 0;
			break;
		}
		fits = fits && c->number <= (UINT64_MAX - v) / base;
		c->number = c->number * base + v;
	}
	c->range.end = c->next = i;
	c->kind = DESC_NUMBER;
	if (base == 0 || i == digits) {
		desc_error(c, c->range, "bad number");
		return;
	}
	c->width = (uint32_t)width;
	if (width == 0)
		for (c->width = 1; c->width < 64 && c->number >> c->width != 0;)
			c->width++;
	if (!fits || width > 64 || (c->width < 64 && c->number >> c->width != 0))
		desc_error(c, c->range, "the number does not fit: it has at most 64 bits, and as "
			   "many as it says");
}

/* Reads the number at the cursor, decimal or 0x. The token extends over all letters and digits that
 * follow, so `12ab` is a bad number and not a number and a word. */
static void read_number(struct desc *c)
{
	const char *t = c->text;
	uint32_t i = c->next;
	unsigned base = 10;

	if (t[i] == '0' && (t[i + 1] == 'x' || t[i + 1] == 'X')) {
		base = 16;
		i += 2;
	}
	c->number = 0;
	uint32_t digits = i;
	for (; is_digit(t[i]) || is_alpha(t[i]); i++) {
		unsigned v = is_digit(t[i]) ? (unsigned)(t[i] - '0')
					    : (unsigned)((t[i] | 32) - 'a') + 10;
		c->range.end = i + 1;
		if (v >= base || c->number > (UINT64_MAX - v) / base) {
			desc_error(c, c->range, "bad number");
			return;
		}
		c->number = c->number * base + v;
	}
	if (i == digits)
		desc_error(c, c->range, "bad number");
	c->range.end = c->next = i;
	c->kind = DESC_NUMBER;
	if (!c->failed && c->taps && t[i] == '\'')
		read_sized(c, c->number != 0 ? c->number : 65);
}

/* Reads a string. */
static void read_string(struct desc *c)
{
	uint32_t i = c->next + 1;

	while (i < c->n && c->text[i] != '"' && c->text[i] != '\n')
		i++;
	c->kind = DESC_STRING;
	c->range.end = i + 1;
	if (i == c->n || c->text[i] != '"')
		desc_error(c, (struct diag_range){ c->source, c->next, c->next + 1 },
			   "this string has no end");
	c->next = i + 1;
}

/* Returns how many bytes the punctuation of taps at s has. 0: there is none. */
static uint32_t punctuation_of_taps(const char *s)
{
	static const char *const pairs[] = { "<=", ">=", "!=", "==", "&&", "||", "<<", ">>", "+:" };

	for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
		if (s[0] == pairs[i][0] && s[1] == pairs[i][1])
			return 2;
	return s[0] != 0 && strchr(";,={}:!?|<>-+&^~()[]@*", s[0]) != NULL;
}

/* Returns how many bytes the punctuation at s has. 0: there is none. */
static uint32_t punctuation(const struct desc *c, const char *s)
{
	static const char *const pairs[] = { "<=", ">=", "!=", "==" };

	if ((s[0] == '.' && s[1] == '.') || (s[0] == '-' && s[1] == '>'))
		return 2;
	if (c->taps)
		return punctuation_of_taps(s);
	for (size_t i = 0; c->rules && i < sizeof pairs / sizeof pairs[0]; i++)
		if (s[0] == pairs[i][0] && s[1] == pairs[i][1])
			return 2;
	return s[0] != 0 && strchr(c->rules ? ";,={}:!?|<>-[]&+*#" : ";,={}:*", s[0]) != NULL;
}

void desc_advance(struct desc *c)
{
	const char *t = c->text;

	if (c->failed)
		return;
	skip(c);
	if (c->failed)
		return;
	uint32_t i = c->next;
	c->range = (struct diag_range){ c->source, i, i };
	c->width = 0;
	if (i >= c->n) {
		/* The end is behind what stands last: no line follows the last newline. */
		while (i > 0 && strchr(" \t\r\n", t[i - 1]) != NULL)
			i--;
		c->range = (struct diag_range){ c->source, i, i };
		c->kind = DESC_END;
	} else if (is_alpha(t[i])) {
		while (is_alpha(t[i]) || is_digit(t[i]) ||
		       (t[i] == '-' && t[i + 1] != '>' && !c->rules && !c->taps))
			i++;
		if (c->rules && t[i] != 0 && strchr("#*~", t[i]) != NULL)
			i++;
		c->kind = DESC_WORD;
		c->range.end = c->next = i;
	} else if (is_digit(t[i])) {
		c->range.end = i + 1;
		read_number(c);
	} else if (c->taps && t[i] == '\'') {
		read_sized(c, 0);
	} else if (c->taps && t[i] == '"') {
		read_string(c);
	} else if (punctuation(c, t + i) != 0) {
		c->kind = DESC_PUNCT;
		c->range.end = c->next = i + punctuation(c, t + i);
	} else {
		c->range.end = i + 1;
		desc_error(c, c->range, "stray character");
	}
}

bool desc_is(const struct desc *c, const char *s)
{
	size_t n = strlen(s);

	return !c->failed && (c->kind == DESC_WORD || c->kind == DESC_PUNCT) &&
	       c->range.end - c->range.begin == n && memcmp(c->text + c->range.begin, s, n) == 0;
}

bool desc_accept(struct desc *c, const char *s)
{
	if (!desc_is(c, s))
		return false;
	desc_advance(c);
	return true;
}

/* Returns a text that says in a message what stands at the cursor. The text may be written to
 * `out`. */
static const char *found(const struct desc *c, char out[64])
{
	if (c->kind == DESC_END)
		return "the end of the file";
	snprintf(out, 64, "'%.*s'", (int)(c->range.end - c->range.begin) > 40 ? 40 :
		 (int)(c->range.end - c->range.begin), c->text + c->range.begin);
	return out;
}

bool desc_expect(struct desc *c, const char *s)
{
	char t[64];

	if (!c->failed && !desc_is(c, s))
		desc_error(c, c->range, "expected '%s', found %s", s, found(c, t));
	return desc_accept(c, s);
}

size_t desc_word(struct desc *c, const char **s, const char *what)
{
	char t[64];
	size_t n = c->range.end - c->range.begin;

	*s = c->text + c->range.begin;
	if (c->kind != DESC_WORD) {
		desc_error(c, c->range, "expected %s, found %s", what, found(c, t));
		return 0;
	}
	desc_advance(c);
	return n;
}

/* Finds the value of the number at the cursor, or of the name that stands for one. False: it is
 * neither. */
static bool number_of(const struct desc *c, uint64_t *v)
{
	size_t n = c->range.end - c->range.begin;

	*v = c->number;
	if (c->failed || c->kind != DESC_WORD || c->params == NULL)
		return !c->failed && c->kind == DESC_NUMBER;
	for (size_t i = 0; i < c->params->all.n; i++) {
		const struct desc_param *p = &c->params->all.at[i];
		if (strlen(p->name) != n || memcmp(p->name, c->text + c->range.begin, n) != 0)
			continue;
		*v = p->value;
		return true;
	}
	return false;
}

bool desc_is_number(const struct desc *c)
{
	uint64_t v;

	return number_of(c, &v);
}

void desc_skip(struct desc *c)
{
	c->recovering = true;
	do {
		c->failed = false;
		desc_advance(c);
		if (c->failed)
			c->next = c->range.end > c->next ? c->range.end
				  : c->next < c->n ? c->next + 1 : c->n;
	} while (c->failed);
	c->recovering = false;
}

void desc_recover(struct desc *c)
{
	c->next = c->range.begin; /* the token at the cursor may be the ';' */
	do
		desc_skip(c);
	while (c->kind != DESC_END && !desc_is(c, ";") && !desc_is(c, "}"));
	desc_accept(c, ";");
}

uint64_t desc_number(struct desc *c, const char *what, uint64_t lo, uint64_t hi)
{
	char t[64];
	uint64_t v;

	if (!number_of(c, &v)) {
		desc_error(c, c->range, "expected %s, found %s", what, found(c, t));
		return lo;
	}
	if (v < lo || v > hi) {
		desc_error(c, c->range, "%s must be from %" PRIu64 " to %" PRIu64, what, lo, hi);
		return lo;
	}
	desc_advance(c);
	return v;
}
