/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/text_line.h"

#include <string.h>

bool text_word(struct text *x, const char *word)
{
	size_t n = strlen(word);

	while (x->at < x->end && (*x->at == ' ' || *x->at == '\t'))
		x->at++;
	if ((size_t)(x->end - x->at) < n || memcmp(x->at, word, n) != 0)
		return false;
	x->at += n;
	return true;
}

bool text_ends(struct text *x)
{
	return text_word(x, "") && (x->at == x->end || *x->at == '\r');
}

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

bool text_number(struct text *x, unsigned base, unsigned most, uint64_t *value)
{
	unsigned n = 0;

	*value = 0;
	for (; x->at < x->end && n < most && digit_of(*x->at) < (int)base; x->at++, n++) {
		uint64_t digit = (uint64_t)digit_of(*x->at);

		if (*value > (UINT64_MAX - digit) / base)
			return false;
		*value = *value * base + digit;
	}
	return n != 0 && (n == most || x->at == x->end || digit_of(*x->at) >= (int)base);
}

bool text_16_digits(struct text *x, uint64_t *value)
{
	const char *first = x->at;

	return text_number(x, 16, 16, value) && x->at - first == 16;
}
