/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * arena.h: memory that is freed all at once.
 *
 * There is one arena for each lifetime; the pipeline makes and frees it. The memory that an arena
 * hands out is zeroed and aligned for any type. Nothing is freed singly.
 */
#ifndef NFACC_SUPPORT_ARENA_H
#define NFACC_SUPPORT_ARENA_H

#include <stddef.h>

struct arena {
	struct arena_block *last; /* the block being filled; it links to the blocks before it */
	size_t used;              /* bytes handed out */
	size_t limit;             /* the most bytes to hand out; 0: 2 GiB */
};

/* Frees everything that the arena handed out, and leaves it empty. A zeroed struct arena is empty,
 * too. */
void arena_free(struct arena *a);

/* Returns n zeroed bytes, or NULL if memory is short or the limit is reached. n = 0 gives a valid
 * pointer. */
void *arena_alloc(struct arena *a, size_t n);

/* Returns n zeroed elements of `size` bytes, or NULL as arena_alloc() does, or if n * size is too
 * large. */
void *arena_array(struct arena *a, size_t n, size_t size);

/* Returns a copy of the n bytes at s, followed by a 0, or NULL as arena_alloc() does. */
char *arena_strndup(struct arena *a, const char *s, size_t n);

#define arena_new(a, T) ((T *)arena_alloc((a), sizeof(T)))

#endif
