/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "support/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Many arenas stay small, so the first block is. Each block is twice as large as the one before. */
enum { FIRST_BLOCK = 1 << 12, MOST_BLOCK = 1 << 16 };

struct arena_block {
	struct arena_block *before;
	size_t n, cap;
	alignas(max_align_t) unsigned char data[];
};

void arena_free(struct arena *a)
{
	while (a->last != NULL) {
		struct arena_block *b = a->last;
		a->last = b->before;
		free(b);
	}
	a->used = 0;
}

void *arena_alloc(struct arena *a, size_t n)
{
	size_t limit = a->limit != 0 ? a->limit : (size_t)2 << 30;
	struct arena_block *b = a->last;
	void *p;

	if (n > limit - a->used)
		return NULL;
	n = (n + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
	if (n == 0)
		n = alignof(max_align_t);
	if (b == NULL || n > b->cap - b->n) {
		size_t cap = b == NULL ? FIRST_BLOCK : 2 * b->cap;
		if (cap > MOST_BLOCK)
			cap = MOST_BLOCK;
		if (cap < n)
			cap = n;
		b = calloc(1, sizeof *b + cap);
		if (b == NULL)
			return NULL;
		b->cap = cap;
		b->before = a->last;
		a->last = b;
	}
	p = b->data + b->n;
	b->n += n;
	a->used = n > limit - a->used ? limit : a->used + n;
	return p;
}

void *arena_array(struct arena *a, size_t n, size_t size)
{
	if (size != 0 && n > SIZE_MAX / 2 / size)
		return NULL;
	return arena_alloc(a, n * size);
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
	char *p = n < SIZE_MAX ? arena_alloc(a, n + 1) : NULL;

	if (p != NULL && n != 0)
		memcpy(p, s, n);
	return p;
}
