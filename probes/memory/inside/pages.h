/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Pages for copies of instructions. They are readable and executable, but never writable. Copies
 * and program code are written through /proc/self/mem, as a debugger does it.
 */
#ifndef NFACC_PROBES_MEMORY_INSIDE_PAGES_H
#define NFACC_PROBES_MEMORY_INSIDE_PAGES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct site;

struct code_page {
	uintptr_t at;
	uint64_t used;      /* one bit for every 64 bytes: 1 if used */
	struct site *first; /* the first site whose copy begins in this page (sites.h) */
	bool writable;
};

/* Makes the table. If code cannot be written, says so in the channel and returns false. */
bool pages_start(void);

/* The page that contains `at`, or NULL. */
struct code_page *pages_find(uintptr_t at);

/* The places where a copy may begin. */
struct pages_want {
	uintptr_t from, to;   /* the first and the last possible address */
	uintptr_t end;        /* the address after the jump to the copy */
	uint32_t mask, value; /* bits that (place - end) must have; mask 0: any place is right */
};

/*
 * Takes room for a copy of `bytes` bytes, at most 512. Returns its address, or 0 if there is no
 * room. Cost: linear in the known pages of the range; it tries at most 64 new pages.
 */
uintptr_t pages_take(const struct pages_want *want, size_t bytes);

/* Takes room at any address. */
uintptr_t pages_take_anywhere(size_t bytes);

/* Gives back room that pages_take returned. */
void pages_return(uintptr_t at, size_t bytes);

/*
 * Code is written between two calls. The writes share one file descriptor. The program may close
 * any descriptor, and sees which are free, and a child of it would write the memory of its parent.
 * So it is kept open for longer only after a fault, while there is one thread, and until that makes
 * a system call.
 */
void pages_begin(void);
void pages_end(void);
void pages_end_fault(void);

/* Called before a system call of the program, and before these are no longer seen. */
void pages_before_call(void);

/* Called after a child that shared this memory, but no descriptors. It may have been killed. */
void pages_forget(void);

/* Called before another process shares the descriptors or this memory: none is kept open then. */
void pages_shared(void);

/* Writes code that no thread executes, or a copy. Returns false if the kernel refuses. */
bool pages_write(uintptr_t at, const void *code, size_t bytes);

/*
 * Writes over an instruction that other threads may be about to execute. First its first byte
 * becomes int3. Then the other bytes change, and then the first byte. Between these steps all
 * processors are told. A thread that meets the int3 gets SIGTRAP, and goes back to `at` when the
 * write is complete.
 */
bool pages_replace(uintptr_t at, const uint8_t *code, size_t bytes);

/* Unmaps all pages. No thread may be in them any more. */
void pages_unmap(void);

/* Whether pages_replace works: the kernel can tell all processors (membarrier). */
bool pages_can_replace(void);
#endif
