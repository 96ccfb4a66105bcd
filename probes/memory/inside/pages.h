/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Pages for copies of instructions. They are readable and executable, and never writable: they are
 * written, as text is, through /proc/self/mem, as a debugger does it.
 */
#ifndef NFACC_PROBES_MEMORY_INSIDE_PAGES_H
#define NFACC_PROBES_MEMORY_INSIDE_PAGES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct site;

struct code_page {
	uintptr_t at;
	uint64_t used;      /* a bit for every 64 bytes */
	struct site *first; /* whose copy begins here; see sites.h */
};

/* Makes the table. False, with the reason said, where text cannot be written. */
bool pages_start(void);

/* The page that holds `at`, or NULL. */
struct code_page *pages_find(uintptr_t at);

/* Where a copy may begin. */
struct pages_want {
	uintptr_t from, to;   /* both included */
	uintptr_t end;        /* of the jump to it: */
	uint32_t mask, value; /* bits that (place - end) must have; no bits: any place is right */
};

/*
 * Takes room for a copy of `bytes` (at most 512). 0 if there is none. Cost: the pages that are
 * there already in the range, at most 64 new ones tried.
 */
uintptr_t pages_take(const struct pages_want *want, size_t bytes);

/* The same, anywhere. */
uintptr_t pages_take_anywhere(size_t bytes);

/* Gives back room that pages_take gave. */
void pages_return(uintptr_t at, size_t bytes);

/*
 * Text is written between these two calls. They share a file descriptor, which is not kept for
 * longer: the program may close any.
 */
void pages_begin(void);
void pages_end(void);

/* Writes text that no thread is at, or a copy. False where the kernel refuses. */
bool pages_write(uintptr_t at, const void *code, size_t bytes);

/*
 * Writes over an instruction that other threads may be about to execute: its first byte becomes
 * int3, then the others change, then the first, with all processors told in between. A thread that
 * meets the int3 gets SIGTRAP, and goes back to `at` once this has returned.
 */
bool pages_replace(uintptr_t at, const uint8_t *code, size_t bytes);

/* Whether pages_replace works: all processors can be told (membarrier). */
bool pages_can_replace(void);
#endif
