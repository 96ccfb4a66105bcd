/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The program's heap, behind malloc and its like (allocate.c). Blocks lie in watched memory; what
 * this allocator knows of them does not, so that it makes no accesses itself. A freed block is
 * reused late: an access to it is then still one to freed memory.
 *
 * All functions may be called by several threads. None records an event.
 */
#ifndef NFACC_PROBES_MEMORY_INSIDE_HEAP_H
#define NFACC_PROBES_MEMORY_INSIDE_HEAP_H
#include <stdbool.h>
#include <stddef.h>

/*
 * A block of `bytes`, at a multiple of `alignment` (a power of two, at least 16); zeroed if `zero`;
 * in watched memory or not. NULL if there is no memory. A block of 0 bytes has an address of its
 * own.
 */
void *heap_new(bool watched, size_t bytes, size_t alignment, bool zero);

/* Frees a block. What is no block, or freed already, is left alone. */
void heap_free(void *p);

/* The size that was asked for. False where p is not a block. */
bool heap_size(const void *p, size_t *bytes);

/* Gives a block another size where it lies. False where that is not possible. */
bool heap_resize(void *p, size_t bytes);

/* Around a fork: the heap is whole in the child. */
void heap_hold(void);
void heap_release(void);
#endif
