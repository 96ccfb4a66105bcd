/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The program and its libraries, also those that it loads and unloads while it runs: nfamem is told
 * of each (MEM_MODULE), and its data and bss are watched.
 *
 * The dynamic loader calls a function of its own, which does nothing, before and after it changes
 * what is loaded: for debuggers (r_brk in link.h). Here that function begins with an int3. When it
 * says that all is consistent, new libraries are mapped, but neither relocated nor initialised: no
 * thread knows their data yet, so nothing is lost while it moves. Whoever loads comes by there,
 * dlopen, dlmopen and libc itself (NSS, iconv), and sees itself as the caller, as the search for a
 * library depends on it. What is unloaded is seen by the loader's munmap.
 */
#ifndef NFACC_PROBES_MEMORY_INSIDE_MODULES_H
#define NFACC_PROBES_MEMORY_INSIDE_MODULES_H
#include "probes/memory/inside/inside.h"

/* Tells nfamem what is loaded. Modules in namespaces of this library (Zydis) are not told. */
void modules_start(void);

/*
 * Watches the data and bss of these, or those ranges of them that --watch names, and has the loader
 * say what it loads from now on. For reasons that it may not, inside_reason.
 */
void modules_watch(void);

/* The loader's int3: watches what is new, and returns for that function. False: another trap. */
bool modules_trap(ucontext_t *context);

/*
 * The loader is about to unmap a range: it is no longer watched. Tells which modules are gone, and
 * forgets the sites in their text. Cost: the modules, and if there is any the sites.
 */
void modules_unmap(uintptr_t at, size_t bytes);
#endif
