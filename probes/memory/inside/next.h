/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* The function of the next library whose name is taken here, found at its first use. */
#ifndef NFACC_PROBES_MEMORY_INSIDE_NEXT_H
#define NFACC_PROBES_MEMORY_INSIDE_NEXT_H
#include <dlfcn.h>

/* Not from a handler of this library. NULL if there is none. */
static inline void *next_find(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

/* Declares `next`, a pointer to the function of this name and type. */
#define NEXT(name)                                                                                 \
	static __typeof__(name) *next;                                                             \
	if (!next)                                                                                 \
	next = (__typeof__(name) *)next_find(#name)
#endif
