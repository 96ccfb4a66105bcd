/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "support/hash.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_IDS = 64 };

void hash_free(struct hash_ids *t)
{
	free(t->at);
	*t = (struct hash_ids){ 0 };
}

void hash_clear(struct hash_ids *t)
{
	if (t->size != 0)
		memset(t->at, 0, t->size * sizeof *t->at);
	t->n = 0;
}

bool hash_grow(struct hash_ids *t, hash_of_id *of, const void *ctx)
{
	size_t size = t->size == 0 ? LEAST_IDS : 2 * t->size;
	uint32_t *at = t->size > SIZE_MAX / 8 ? NULL : calloc(size, sizeof *at);

	if (at == NULL)
		return false;
	for (size_t i = 0; i < t->size; i++) {
		size_t place;

		if (t->at[i] == 0)
			continue;
		place = (size_t)of(ctx, t->at[i] - 1) & (size - 1);
		while (at[place] != 0)
			place = (place + 1) & (size - 1);
		at[place] = t->at[i];
	}
	free(t->at);
	t->at = at;
	t->size = size;
	return true;
}

bool hash_widen(void **at, size_t *size, size_t bytes, size_t least, hash_of_entry *of)
{
	size_t n = *size == 0 ? least : 2 * *size;
	unsigned char *old = *at;
	unsigned char *new = n < *size || n > SIZE_MAX / bytes ? NULL : calloc(n, bytes);
	uint64_t h, other;

	if (new == NULL)
		return false;
	for (size_t i = 0; i < *size; i++) {
		size_t place;

		if (!of(old + i * bytes, &h))
			continue;
		place = (size_t)h & (n - 1);
		while (of(new + place * bytes, &other))
			place = (place + 1) & (n - 1);
		memcpy(new + place * bytes, old + i * bytes, bytes);
	}
	free(old);
	*at = new;
	*size = n;
	return true;
}
