/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/pairs/pair_table.h"

#include <stdlib.h>

enum { FIRST_BITS = 9 }; /* binary logarithm of the first number of places */

static bool table_alloc(struct pair_table *t, unsigned bits, enum pair_table_kind kind)
{
	size_t places = (size_t)1 << bits;

	*t = (struct pair_table){ .at = calloc(places, sizeof *t->at), .places = places,
				  .shift = 64 - bits, .most = places / 2 };
	if (kind == PAIR_TABLE_DETAILS)
		t->detail = calloc(places, sizeof *t->detail);
	if (kind == PAIR_TABLE_TAGS)
		t->tag = calloc(places, sizeof *t->tag);
	return t->at != NULL && (kind != PAIR_TABLE_DETAILS || t->detail != NULL) &&
	       (kind != PAIR_TABLE_TAGS || t->tag != NULL);
}

bool pair_table_init(struct pair_table *t, enum pair_table_kind kind)
{
	return table_alloc(t, FIRST_BITS, kind);
}

void pair_table_free(struct pair_table *t)
{
	free(t->at);
	free(t->detail);
	free(t->tag);
}

bool pair_table_grow(struct pair_table *t)
{
	struct pair_table new;

	if (!table_alloc(&new, 65 - t->shift, t->detail != NULL ? PAIR_TABLE_DETAILS
					      : t->tag != NULL  ? PAIR_TABLE_TAGS
								: PAIR_TABLE_PLAIN)) {
		pair_table_free(&new);
		return false;
	}
	for (size_t i = 0; i < t->places; i++) {
		size_t to;
		if (t->at[i].since == 0)
			continue;
		to = pair_table_find(&new, t->at[i].key);
		new.at[to] = t->at[i];
		if (t->detail != NULL)
			new.detail[to] = t->detail[i];
		if (t->tag != NULL)
			new.tag[to] = t->tag[i];
	}
	new.n = t->n;
	pair_table_free(t);
	*t = new;
	return true;
}

/* Knuth, The Art of Computer Programming, volume 3, section 6.4, algorithm R. */
void pair_table_close(struct pair_table *t, size_t i)
{
	size_t mask = t->places - 1;

	for (size_t k = (i + 1) & mask; t->at[k].since != 0; k = (k + 1) & mask) {
		size_t first = pair_table_first(t, t->at[k].key);
		if (((k - first) & mask) < ((k - i) & mask))
			continue;
		t->at[i] = t->at[k];
		if (t->detail != NULL)
			t->detail[i] = t->detail[k];
		if (t->tag != NULL)
			t->tag[i] = t->tag[k];
		i = k;
	}
	t->at[i].since = 0;
}
