/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The program's heap, used by malloc and the like (allocate.c). Blocks can lie in watched memory.
 * The allocator's own tables lie in unwatched memory, so that it causes no accesses itself. A freed
 * block is used again as late as possible. So an access to freed memory is seen as such for a long
 * time.
 *
 * Several threads may call all functions at once. No function records an event.
 */
#ifndef NFACC_PROBES_MEMORY_INSIDE_HEAP_H
#define NFACC_PROBES_MEMORY_INSIDE_HEAP_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probes/memory/reader/channel.h"

/*
 * Allocates a block at a multiple of `alignment` (a power of two, at least 16). The block lies in
 * watched memory if `watched`, and is zeroed if `zero`. A block of 0 bytes also has an address of
 * its own. Returns NULL if there is no memory.
 */
void *heap_new(bool watched, size_t bytes, size_t alignment, bool zero);

/* Frees a block. Does nothing if the address is no block or if the block is already free. */
void heap_free(void *p);

/* Gets the size that was asked for. Returns false if `p` is not a block in use. */
bool heap_size(const void *p, size_t *bytes);

/* Says who made a block in use. A new block is one of malloc. */
void heap_mark(void *p, enum mem_maker maker);

/* Gets who made a block. Returns false if `p` is not a block in use. */
bool heap_made(const void *p, enum mem_maker *maker);

/*
 * The bytes that only the block around an address has, with the gap behind it. Returns false if the
 * address is in no block. Takes no lock: a block that others allocate or free meanwhile may be
 * wrong.
 */
bool heap_around(uintptr_t at, uintptr_t *from, uintptr_t *to);

/* Changes the size of a block in place. Returns false if that is not possible. */
bool heap_resize(void *p, size_t bytes);

/*
 * Calls `each` for each block in use, in the order of addresses, watched or not. The caller holds
 * the heap (heap_hold). Cost: linear in the blocks, and 65536 look-ups for each 4 GiB with blocks.
 */
void heap_each(void (*each)(void *with, uintptr_t at, size_t bytes), void *with);

/*
 * Called before and after a fork, so that no other thread is changing the heap when it is copied.
 */
void heap_hold(void);
void heap_release(void);
#endif
