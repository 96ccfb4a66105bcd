/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Stacks in watched memory. A thread can't run on closed memory: the kernel writes signal frames
 * and the like there, and this library keeps data of its own in thread-local memory. So memory that
 * turns out to be a stack is not watched any more, and becomes private, as a stack is: a child of
 * fork gets a copy. That is counted as MEM_UNSEEN_STACK.
 */
#ifndef NFACC_PROBES_MEMORY_INSIDE_GROUNDS_H
#define NFACC_PROBES_MEMORY_INSIDE_GROUNDS_H
#include <stddef.h>
#include <stdint.h>

/*
 * The stack pointer of a thread is at `at`, or an instruction uses a stack there. Gives back the
 * memory around it: as far as the block goes, or some pages. The caller holds sites_lock.
 */
void grounds_found(uintptr_t at);

/* The same for a stack whose range is known. */
void grounds_give(uintptr_t at, size_t bytes);
#endif
