/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * What the library itself knows of each byte of the heap, so that it can tell which accesses a check
 * may report. Only before such an access it records a call stack (stacks.h). It may name too many,
 * but must not miss one. There are two tables. Both are indexed by the low SHADOW_BITS bits of an
 * address, so memory far apart shares entries: that costs stacks that nobody needs.
 *
 *     shadow.lost    a bit for each byte: no block in use has it (freed, or between blocks)
 *     shadow.unset   a byte for each word of 8 bytes: not 0 if nothing was stored there since malloc
 */
#ifndef NFACC_PROBES_MEMORY_INSIDE_SHADOW_H
#define NFACC_PROBES_MEMORY_INSIDE_SHADOW_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probes/memory/reader/channel.h"

enum { SHADOW_BITS = 40, SHADOW_WORD = 8 };

/* Each is NULL if it is not needed. */
struct shadow {
	uint8_t *lost, *unset;
};

extern struct shadow shadow;

/* Maps the tables for the accesses of `suspects` (enum mem_suspect). False: no memory. */
bool shadow_start(uint32_t suspects);

/* New memory in which no block is in use yet. */
void shadow_empty(uintptr_t at, size_t bytes);

/* A block at a multiple of 16 comes into use. `unset`: its bytes are those of malloc. */
void shadow_block(uintptr_t at, size_t bytes, bool unset);

/* A block is no longer in use, or has another size. */
void shadow_free(uintptr_t at, size_t bytes);
void shadow_resize(uintptr_t at, size_t old, size_t bytes);

/* Something was stored in a range. */
void shadow_store(uintptr_t at, size_t bytes);

/*
 * Whether a check may report an access. Cost: linear in the words of a load; a store is looked at
 * only at both ends.
 */
bool shadow_suspects(uintptr_t at, size_t bytes, enum mem_kind kind);
#endif
