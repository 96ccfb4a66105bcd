/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * arena.h: memory that is freed all at once.
 *
 * One arena per lifetime, made and freed in the pipeline. What it hands out is zeroed and aligned
 * for any type. Nothing is freed singly.
 */
#ifndef NFACC_SUPPORT_ARENA_H
#define NFACC_SUPPORT_ARENA_H

#include <stddef.h>

struct arena {
	struct arena_block *last; /* the block being filled, linked to those before it */
	size_t used;              /* bytes handed out */
	size_t limit;             /* bytes it may hand out; 0: 2 GiB */
};

/* A zeroed struct arena is empty and ready. Frees everything; the arena is then empty again. */
void arena_free(struct arena *a);

/* n zeroed bytes (n = 0 gives a valid pointer), or NULL where memory or the limit is short. */
void *arena_alloc(struct arena *a, size_t n);

/* n elements of `size` bytes, the product checked. */
void *arena_array(struct arena *a, size_t n, size_t size);

/* A copy of the n bytes at s, followed by a 0. */
char *arena_strndup(struct arena *a, const char *s, size_t n);

#define arena_new(a, T) ((T *)arena_alloc((a), sizeof(T)))

#endif
