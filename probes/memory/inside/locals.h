/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Accesses to stacks, for --stack. Stacks are not closed, so no access to one faults. Instead, the
 * instructions of the modules that the channel names (struct mem_code) are replaced before the
 * program begins: those whose address is not simply rsp or rbp plus a number. Their copies end in a
 * hlt if the address is near the stack pointer, and the handler records MEM_LOCAL.
 *
 * nfamem decides what is wrong. For that it is told of each function which places in its frame it
 * takes the address of (MEM_FUNCTION).
 */
#ifndef NFACC_PROBES_MEMORY_INSIDE_LOCALS_H
#define NFACC_PROBES_MEMORY_INSIDE_LOCALS_H
#include <ucontext.h>

#include "probes/memory/inside/calls.h"
#include "probes/memory/inside/sites.h"

/* How far from the stack pointer an access to a stack is seen: less than LOCALS_NEAR bytes. */
enum { LOCALS_BITS = 24, LOCALS_NEAR = 1 << (LOCALS_BITS - 1) };

/*
 * Goes through the functions of the modules that the channel names. Called once, before the program
 * begins. `top` is where the arguments of the program are, in the stack of the first thread. Cost:
 * linear in the instructions, some microseconds for each one that is replaced.
 */
void locals_start(uintptr_t top);

/* Whether the copy of a site looks for accesses of an operand to the stack. */
bool locals_wants(const struct site *s, unsigned operand);

/* Records the access of an operand of a site, whose copy has found it near the stack pointer. */
void locals_site(struct site *s, unsigned operand, const ucontext_t *context);

/* Records an access by a call to a function of libc, whose caller was noted last (stacks.h). */
void locals_record_range(uintptr_t at, size_t bytes, enum mem_event kind);

static inline void locals_range(const void *at, size_t bytes, enum mem_event kind)
{
	if (inside.locals)
		locals_record_range((uintptr_t)at, bytes, kind);
}
#endif
