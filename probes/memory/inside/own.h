/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Memory of this library in the program. It is noted where it is, because the search for leaks must
 * not take addresses in this library's tables for pointers of the program.
 *
 * Several threads may call all functions at once. Memory is given back by own_unmap() alone.
 */
#ifndef NFACC_PROBES_MEMORY_INSIDE_OWN_H
#define NFACC_PROBES_MEMORY_INSIDE_OWN_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Maps zeroed memory and notes it. `at`: 0, or the address, where nothing may be mapped yet. The
 * kernel gives memory only when a page is touched. Returns NULL if there is none.
 */
void *own_map(uintptr_t at, size_t bytes);

/* A piece of zeroed memory at a multiple of 16. Returns NULL if there is none. */
void *own_new(size_t bytes);

/*
 * Notes a range that is not the program's, or holds no pointers. If too many ranges were noted,
 * does nothing.
 */
void own_note(uintptr_t at, size_t bytes);

/* Unmaps all noted ranges. Nothing here may be used any more. */
void own_unmap(void);

/*
 * The first noted range that ends after `at`: from *from to *to. Returns false if there is none.
 * Cost: linear in the noted ranges.
 */
bool own_next(uintptr_t at, uintptr_t *from, uintptr_t *to);
#endif
