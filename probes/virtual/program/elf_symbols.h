/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * elf_symbols.h: reads the functions and objects of an ELF file, with the addresses at which they
 * are linked. The file is for any 64-bit little-endian machine. It is hostile input.
 */
#ifndef NFACC_SUPPORT_ELF_SYMBOLS_H
#define NFACC_SUPPORT_ELF_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/nfart_status.h"
#include "support/elf/elf_file.h"

struct elf_symbols {
	struct elf_file file;
	struct symbols names; /* sorted, without overlaps; each has at least one byte */
	char *made;           /* names of statics with their files, one after the other */
	uint64_t *entries;    /* bit set over names, for entries.h; NULL: it is empty */
	uint32_t *places;     /* numbers of names among those of their kind, from 1 on */
	bool moves;           /* the program may be loaded at any address */
};

/*
 * Reads the symbols of the file at `path`. The table for dynamic linking is used only if there is
 * no other. A symbol that overlaps the next one is shortened. A static whose name others have, too,
 * is called by its name and its source file, as in `count@a.c`. If several files have this name,
 * their statics have numbers, too, by rising address, as in `count@a.c#2`. On failure sets *e, and
 * x is closed. Cost: n log n.
 */
enum nfart_status elf_symbols_open(struct elf_symbols *x, const char *path, struct nfart_error *e);

/* The same for n bytes in memory, which must outlive x. */
enum nfart_status elf_symbols_parse(struct elf_symbols *x, const void *bytes, size_t n,
				    const char *path, struct nfart_error *e);

/* Numbers names that were put in by hand, as they stand. Returns false if there is no memory. */
bool elf_symbols_number(struct elf_symbols *x);

void elf_symbols_close(struct elf_symbols *x);

/*
 * Returns the index of the name that contains an address; -1 if there is none. Cost: logarithmic.
 */
ptrdiff_t elf_symbols_find(const struct elf_symbols *x, uint64_t va);

#endif
