/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Finds the libc function (or that of the next library) that has the same name as a wrapper here,
 * at its first use.
 */
#ifndef NFACC_PROBES_MEMORY_INSIDE_NEXT_H
#define NFACC_PROBES_MEMORY_INSIDE_NEXT_H
#include <dlfcn.h>

#include "probes/memory/inside/inside.h"

/*
 * A library that was loaded late comes after all others. So it asks for what the program finds.
 *
 * Do not call it in a handler of this library. Returns NULL if there is no
 * such function.
 */
static inline void *next_find(const char *name)
{
	return dlsym(inside.attached ? inside.program : RTLD_NEXT, name);
}

/* Declares `next`, a pointer to the next function with this name and type. */
#define NEXT(name)                                                                                 \
	static __typeof__(name) *next;                                                             \
	if (!next)                                                                                 \
	next = (__typeof__(name) *)next_find(#name)
#endif
