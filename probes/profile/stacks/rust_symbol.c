/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/rust_symbol.h"

#include <stdio.h>
#include <string.h>

enum { MOST_DEPTH = 128, MOST_STEPS = 1 << 16 };

void rust_print(struct symbol_reader *x, const char *s, size_t n)
{
	if (x->wrong || x->silent != 0)
		return;
	x->wrong = n > x->limit - x->b->n;
	if (!x->wrong)
		buf_add(x->b, s, n);
}

void rust_say(struct symbol_reader *x, const char *s)
{
	rust_print(x, s, strlen(s));
}

void rust_say_number(struct symbol_reader *x, uint64_t number)
{
	char digits[24];

	snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
	rust_say(x, digits);
}

char rust_peek(const struct symbol_reader *x)
{
	return !x->wrong && x->next < x->n ? x->at[x->next] : 0;
}

char rust_take(struct symbol_reader *x)
{
	char c = rust_peek(x);

	x->wrong |= c == 0 || ++x->steps > MOST_STEPS;
	x->next += x->wrong ? 0 : 1;
	return x->wrong ? 0 : c;
}

bool rust_take_if(struct symbol_reader *x, char c)
{
	return rust_peek(x) == c && rust_take(x) == c;
}

bool rust_enter(struct symbol_reader *x)
{
	x->wrong |= ++x->depth > MOST_DEPTH;
	return !x->wrong;
}

int rust_digit(char c)
{
	return c >= '0' && c <= '9'   ? c - '0'
	       : c >= 'a' && c <= 'z' ? c - 'a' + 10
	       : c >= 'A' && c <= 'Z' ? c - 'A' + 36
				      : -1;
}

uint64_t rust_read_62(struct symbol_reader *x)
{
	uint64_t number = 0;

	if (rust_take_if(x, '_'))
		return 0;
	while (!x->wrong && !rust_take_if(x, '_')) {
		int digit = rust_digit(rust_take(x));

		x->wrong |= digit < 0 || number > (UINT64_MAX - 63) / 62;
		number = number * 62 + (uint64_t)digit;
	}
	return number + 1;
}

uint64_t rust_read_tagged(struct symbol_reader *x, char tag)
{
	return rust_take_if(x, tag) ? rust_read_62(x) + 1 : 0;
}

size_t rust_follow(struct symbol_reader *x)
{
	size_t from = x->next - 1;
	uint64_t to = rust_read_62(x);
	size_t back = x->next;

	x->wrong |= to >= from;
	if (!x->wrong)
		x->next = (size_t)to;
	return back;
}

/* ---- identifiers ---- */

struct identifier rust_read_identifier(struct symbol_reader *x)
{
	struct identifier id = { .encoded = rust_take_if(x, 'u') };

	x->wrong |= rust_peek(x) < '0' || rust_peek(x) > '9';
	if (!rust_take_if(x, '0'))
		while (!x->wrong && rust_peek(x) >= '0' && rust_peek(x) <= '9' && id.n < x->n)
			id.n = id.n * 10 + (size_t)(rust_take(x) - '0');
	rust_take_if(x, '_');
	x->wrong |= x->next > x->n || id.n > x->n - x->next;
	if (x->wrong)
		return (struct identifier){ "", 0, false };
	id.at = x->at + x->next;
	x->next += id.n;
	return id;
}

void rust_say_identifier(struct symbol_reader *x, struct identifier id)
{
	if (id.encoded)
		rust_say(x, "punycode{");
	rust_print(x, id.at, id.n);
	if (id.encoded)
		rust_say(x, "}");
}

void rust_say_lifetime(struct symbol_reader *x, uint64_t lifetime)
{
	uint64_t depth = x->bound - lifetime;
	char letter = (char)('a' + depth);

	rust_say(x, "'");
	x->wrong |= lifetime > x->bound;
	if (lifetime == 0) {
		rust_say(x, "_");
	} else if (depth < 26) {
		rust_print(x, &letter, 1);
	} else {
		rust_say(x, "_");
		rust_say_number(x, depth);
	}
}

void rust_read_binder(struct symbol_reader *x)
{
	uint64_t n = rust_read_tagged(x, 'G');

	x->wrong |= n > x->n;
	if (n == 0 || x->wrong)
		return;
	rust_say(x, "for<");
	for (uint64_t i = 0; i < n; i++) {
		rust_say(x, i > 0 ? ", " : "");
		x->bound++;
		rust_say_lifetime(x, 1);
	}
	rust_say(x, "> ");
}
