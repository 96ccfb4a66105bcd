/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Where pointers to blocks begin: the registers and stacks of threads, and memory of the program
 * that is not the heap. The stack of a thread that has ended may stay mapped, for a new thread. It
 * holds no pointers.
 *
 * Several threads may call the functions that note something at once.
 */
#ifndef NFACC_PROBES_MEMORY_INSIDE_ROOTS_H
#define NFACC_PROBES_MEMORY_INSIDE_ROOTS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

/* This thread begins or ends. */
void roots_thread(bool begins);

/* In a child of fork: there is only this thread. */
void roots_forked(void);

/* Memory was mapped for a stack (MAP_STACK), or any memory was unmapped. */
void roots_stack(uintptr_t at, size_t bytes);
void roots_unmapped(uintptr_t at, size_t bytes);

/* The stack that an address is in, if it was mapped for one: from *from to *to. Else false. */
bool roots_stack_of(uintptr_t at, uintptr_t *from, uintptr_t *to);

/* Takes `n` words from the memory of the program. */
typedef void roots_take(void *with, const uint64_t *words, size_t n);

/*
 * Gives all words at multiples of 8 that may be pointers to blocks to `take`. `context` has the
 * registers of this thread. Called once, by a thread that ends the process.
 */
void roots_each(const ucontext_t *context, roots_take *take, void *with);

/* Gives the words of a range to `take`. What can't be read is left out. */
void roots_read(uintptr_t at, size_t bytes, roots_take *take, void *with);
#endif
