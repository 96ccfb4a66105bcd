/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Leaks: which blocks does no pointer lead to when the program exits? Pointers are words at
 * multiples of 8. They are looked for in the registers and the stack of the thread that exits, in
 * the stacks and registers of other threads as far as they are in memory, and in all memory that
 * the program may write and that is not the heap (roots.h); then in the blocks found that way.
 *
 *     reachable   a pointer to its start is there, or in a reachable block
 *     possible    there are only pointers to its inside, or they are only in such blocks
 *     lost        there are none
 *     indirect    there are, but only in blocks that are lost
 *
 * A word that happens to have the value of an address counts as a pointer.
 */
#ifndef NFACC_PROBES_MEMORY_INSIDE_LEAKS_H
#define NFACC_PROBES_MEMORY_INSIDE_LEAKS_H
#include <ucontext.h>

/*
 * Called when the program exits, with the registers of the thread that asked for it: if the channel
 * asks for leaks, records a MEM_LEAK for each block in use. Only the first call has an effect.
 * Cost: reads all memory of the program.
 */
void leaks_find(const ucontext_t *context);
#endif
