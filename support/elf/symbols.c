/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "support/elf/symbols.h"

#include <stdlib.h>
#include <string.h>

static int by_place(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;
	size_t low, high;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank > y->rank ? -1 : 1;
	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	if (x->name == NULL || y->name == NULL)
		return (x->name == NULL) - (y->name == NULL);
	low = strspn(x->name, "_");
	high = strspn(y->name, "_");
	if (low != high)
		return low < high ? -1 : 1;
	/* If a function and an object have one name and place: the function. */
	return strcmp(x->name, y->name) != 0 ? strcmp(x->name, y->name) : y->code - x->code;
}

void symbols_order(struct symbols *s)
{
	size_t n = 0;

	if (s->n > 1)
		qsort(s->at, s->n, sizeof s->at[0], by_place);
	for (size_t i = 0; i < s->n; i++)
		if (n == 0 || s->at[i].at != s->at[n - 1].at)
			s->at[n++] = s->at[i];
	s->n = n;
}

size_t symbols_up_to(const struct symbol *s, size_t n, uint64_t at)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s[middle].at <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
