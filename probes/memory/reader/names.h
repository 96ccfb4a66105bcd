/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * names.h: the names of the functions and variables of a running program, and the lines of their
 * sources. It wraps libdw, and is the only one that knows it.
 *
 * A module is the program or a shared library, at the place where it is loaded. Names come from its
 * table of symbols; of a stripped file, from separate debug information if that is installed, and
 * else from the symbols for dynamic linking. A file without any gives no names. An entry of a table
 * of procedure linkage has the name of its function with "@plt" behind it.
 *
 * A file is opened when it is loaded, and read when something is asked for the first time that it
 * may have: reading costs milliseconds, and a run that only counts asks for nothing. Memory can be
 * short then; names_failed() says so.
 */
#ifndef NFACC_PROBES_MEMORY_READER_NAMES_H
#define NFACC_PROBES_MEMORY_READER_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/elf/symbols.h"

/* A file that was loaded at least once. */
struct names_file {
	const char *path, *base; /* `base` is the last part of the path, as it can be shown */
	bool read;               /* what follows is there, as far as the file has it */
	int fd;                  /* until it is read; -1: it could not be opened */
	struct symbols symbols; /* in order, relative to the load bias; names live as long as all */
	void *dwfl, *module; /* of libdw */
};

struct names_module {
	uint64_t bias, low, high; /* the module is in [low, high) */
	struct names_file *file;
};

struct names;

/* NULL: out of memory. Free with names_free(). */
struct names *names_new(void);
void names_free(struct names *n);

/* A module was loaded. What was where it lies now is gone; until then the names of a module stay,
 * also once it is unloaded, since blocks that it allocated do. A file that can't be read has no
 * names. Returns NULL if memory is short. What it returns is valid until the next call. */
const struct names_module *names_add(struct names *n, const char *path, uint64_t bias, uint64_t low,
				     uint64_t high);

/* Reads the symbols of a module's file if they were not read yet. */
void names_read(struct names *n, struct names_file *f);

/* Was memory short when a file was read? Then names are missing. */
bool names_failed(const struct names *n);

/* Returns the module that holds an address; NULL: none. Cost: linear in the modules. */
const struct names_module *names_module(const struct names *n, uint64_t address);

/* Returns the symbol that holds an address, or NULL. *offset is the distance from its beginning.
 * Cost: linear in the modules, and the logarithm of the symbols. */
const struct symbol *names_find(struct names *n, uint64_t address, uint64_t *offset);

/* Calls `each` for the functions (`code`), or else the variables, that have this name, in the first
 * module that has any; static ones can be several. Cost: linear in the symbols. */
void names_each(struct names *n, const char *name, bool code,
		void (*each)(void *ctx, uint64_t at, uint64_t bytes), void *ctx);

/* Finds the line of the source that an instruction is from. False: there is no debug information.
 * Cost: the first call for a file reads its table of lines. */
bool names_line(struct names *n, uint64_t pc, const char **file, int *line);

#endif
