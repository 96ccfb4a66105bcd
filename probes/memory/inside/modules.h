/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Modules: the program and its libraries, including those that are loaded and unloaded at run time.
 * nfamem is told of each module (MEM_MODULE), and the module's data and bss are watched.
 *
 * The loader calls an empty function before and after it changes the list of modules. The function
 * is there for debuggers (r_brk in link.h). This library writes an int3 at the beginning of that
 * function. When the loader's state is consistent, new modules are mapped, but they are not yet
 * relocated or initialised. No thread knows their data yet, so nothing is lost when the data moves.
 * Every load calls this function: dlopen, dlmopen, and loads by libc itself (NSS, iconv). dlopen is
 * not wrapped, because its search for a library depends on its caller. An unload is seen when the
 * loader calls munmap.
 */
#ifndef NFACC_PROBES_MEMORY_INSIDE_MODULES_H
#define NFACC_PROBES_MEMORY_INSIDE_MODULES_H
#include "probes/memory/inside/inside.h"
#include "probes/memory/inside/lock.h"
#include "probes/memory/inside/unwind.h"

/*
 * Tells nfamem which modules are loaded. Modules in this library's own link namespaces (Zydis) are
 * left out.
 */
void modules_start(void);

/*
 * For a process that nfamem attached to. modules_late tells nfamem of modules that came since
 * modules_start. modules_hook replaces entries of all modules (hooks.h); modules_relocated does so in
 * the module at an address, which the loader has relocated. modules_end takes the int3 back.
 */
void modules_late(void);
void modules_hook(void);
void modules_relocated(uintptr_t at);
void modules_end(void);

/* The next dlopen. start.c sets it first of all. */
extern void *modules_dlopen __attribute__((visibility("hidden")));

/*
 * Watches the data and bss of all modules, or only the ranges that --watch names. Also writes the
 * int3, so that modules loaded later are seen. If that fails, says so in the channel.
 */
void modules_watch(void);

/*
 * Handles the trap of the int3: watches new modules and returns from the loader's function. Returns
 * false for any other trap.
 */
bool modules_trap(ucontext_t *context);

/*
 * Called before the loader unmaps a range. Stops watching it, records which modules are gone, and
 * forgets the sites in their code. Cost: linear in the modules; if one is gone, also in the sites.
 */
void modules_unmap(uintptr_t at, size_t bytes);

/*
 * What leads from the instruction at pc to the caller of its function. UNWIND_NONE: it has to be
 * found without call frame information. Takes modules_lock. Cost: that of unwind_find(), and linear
 * in the modules.
 */
struct unwind_rule modules_unwind(uintptr_t pc);

/*
 * Calls `each` for the functions of the module that begins at `low`. All of them lie in its code,
 * also if its call frame information is damaged.
 */
void modules_functions(uintptr_t low, void (*each)(void *with, uintptr_t from, size_t bytes),
		       void *with);

/* The address behind the module that begins at `low`; 0: there is none. */
uintptr_t modules_high(uintptr_t low);

/* Whether pc is in the C library. Cost: linear in the modules. */
bool modules_is_libc(uintptr_t pc);

/* Held when the table of modules changes, and when it is read without sites_lock. */
extern struct lock modules_lock;
#endif
