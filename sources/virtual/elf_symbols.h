/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * elf_symbols.h: the functions and objects of an ELF file for a 64-bit little-endian machine,
 * whichever it is, with the addresses at which they are linked. The file is hostile input: nothing
 * that it says about itself is believed before it was checked.
 */
#ifndef NFACC_SOURCES_ELF_SYMBOLS_H
#define NFACC_SOURCES_ELF_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/nfart_status.h"
#include "support/buf.h"
#include "support/vec.h"

struct elf_name {
	uint64_t va, bytes; /* at least one byte */
	const char *name;   /* belongs to the struct elf_symbols; has at least one character */
	bool code;
};

struct elf_symbols {
	struct buf file;
	VEC(struct elf_name) names; /* by rising address; none overlaps the next */
	bool moves;                 /* the program may be loaded elsewhere than it was linked */
};

enum { ELF_MOST_BYTES = 1 << 28, ELF_MOST_NAMES = 1 << 20 };

/* Reads the symbols of the file at `path`; a dynamic table counts if there is no other. Of names
 * for one place, one remains: the longest object, and of these the first one. On failure *e says
 * why, and x is closed. */
enum nfart_status elf_symbols_open(struct elf_symbols *x, const char *path, struct nfart_error *e);

/* The same for the bytes in *file, which x takes. */
enum nfart_status elf_symbols_parse(struct elf_symbols *x, struct buf *file, const char *path,
				    struct nfart_error *e);

void elf_symbols_close(struct elf_symbols *x);

/* Finds the name that holds an address, as an index; -1: there is none. Cost: the logarithm. */
ptrdiff_t elf_symbols_find(const struct elf_symbols *x, uint64_t va);

#endif
