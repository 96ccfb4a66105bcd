/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * names.h: the names of functions and variables of a running program. Only this module, frames.h
 * and variables.h use libdw.
 *
 * A module is the program or a shared library, loaded at some address. Its names come from the
 * symbol table of its file. If the file is stripped, they come from separate debug information, if
 * that is installed, or else from the symbols for dynamic linking. Without any of these a file has
 * no names. An entry of a procedure linkage table has the name of its function followed by "@plt".
 *
 * A file is opened when its module is loaded. It is read only when a name in it is first asked for,
 * because reading takes milliseconds, and a run that only counts needs no names. If there is too
 * little memory then, names_failed() becomes true.
 */
#ifndef NFACC_PROBES_MEMORY_READER_NAMES_H
#define NFACC_PROBES_MEMORY_READER_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/elf/symbols.h"

/* A file that was loaded at least once. Its names live as long as the struct names. */
struct names_file {
	const char *path, *base; /* `base` is the last part of the path, in printable form */
	bool read;               /* the fields below are set */
	int fd;                  /* open until the file is read; -1: it cannot be opened */
	struct symbols symbols; /* sorted; addresses are relative to the load bias */
	void *dwfl, *module; /* used by libdw */
	struct frames_cache *frames; /* used by frames.h */
};

struct names_module {
	uint64_t bias, low, high; /* the module occupies [low, high) */
	struct names_file *file;
};

struct names;

/* Returns NULL if there is no memory. Free it with names_free(). */
struct names *names_new(void);
void names_free(struct names *n);

/*
 * Adds a module that was loaded. Modules that were at the same addresses before are removed. An
 * unloaded module keeps its names until then, because blocks that it allocated may remain. If a
 * file cannot be read, it has no names. Returns NULL if there is no memory. The result is valid
 * until the next call.
 */
const struct names_module *names_add(struct names *n, const char *path, uint64_t bias, uint64_t low,
				     uint64_t high);

/* Reads the symbols of a module's file, unless they were read before. */
void names_read(struct names *n, struct names_file *f);

/* Whether there was too little memory when a file was read. Names are missing then. */
bool names_failed(const struct names *n);

/* Returns module i, from 0 on; NULL: there are no more. */
const struct names_module *names_module_at(const struct names *n, size_t i);

/* Returns the module that contains an address, or NULL. Cost: linear in the modules. */
const struct names_module *names_module(const struct names *n, uint64_t address);

/*
 * Returns the symbol that contains an address, or NULL. Sets *offset to the distance from its
 * start. Cost: linear in the modules, and logarithmic in the symbols.
 */
const struct symbol *names_find(struct names *n, uint64_t address, uint64_t *offset);

/*
 * Calls `each` for the functions with this name if `code`, else for the variables. Uses the first
 * module that has any. Several static functions can have the same name. Cost: linear in the
 * symbols.
 */
void names_each(struct names *n, const char *name, bool code,
		void (*each)(void *ctx, uint64_t at, uint64_t bytes), void *ctx);

/*
 * The name of a symbol for people: the name of a C++ or Rust function as its source has it
 * (probes/profile/stacks/demangle.h). `name` must live as long as *n, and the result does. Cost:
 * for the first time for such a symbol, a process.
 */
const char *names_readable(struct names *n, const char *name);

/* From now on names_readable() gives the names as they are in the symbol tables. */
void names_keep_symbols(struct names *n);

#endif
