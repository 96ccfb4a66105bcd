/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * For a process that nfamem attached to (attach.h). Its calls of malloc, pthread_mutex_lock and so
 * on are bound to libc already. So the entries of the modules' tables of addresses (GOT) are
 * replaced. Each then points to a stub, a jump to the function of this library. Programs may keep
 * the address of a stub, so stubs stay when this library goes: they then jump to libc's function.
 */
#ifndef NFACC_PROBES_MEMORY_INSIDE_HOOKS_H
#define NFACC_PROBES_MEMORY_INSIDE_HOOKS_H
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A function that takes the place of another one, and where the pointer to that one is kept. */
struct hook {
	const char *name;
	void *function;
	void **next;
};

/* The tables of a module, also of one that is not relocated yet. NULL: it has no such table. */
struct tables {
	const ElfW(Sym) *symbol;
	const char *strings;
	const ElfW(Rela) *rela[2]; /* of data, of calls */
	size_t bytes[2];
	const uint32_t *gnu_hash, *hash;
};

/* Finds the tables of the module at `base` in its dynamic section. */
struct tables hooks_tables(uintptr_t base, const ElfW(Dyn) *d);

/* outer.c: functions that allocate and free by those of the program. The last one has no name. */
extern const struct hook outer_hooks[];

/*
 * Finds the functions that are replaced, and makes the stubs. Takes the loader's lock. Returns
 * false if there is no memory.
 */
bool hooks_start(void);

/* Replaces entries of a module, if it has been relocated. Call it with sites_lock held. */
void hooks_module(const struct link_map *map);

/* A module in this range is no longer there. */
void hooks_forget(uintptr_t at, size_t bytes);

/* Gives all entries back, and lets the stubs jump to what was replaced. */
void hooks_end(void);
#endif
