/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * elf_symbols.h: the functions and objects of an ELF file for a 64-bit little-endian machine,
 * whichever it is, with the addresses at which they are linked. The file is hostile input.
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
	struct symbols names; /* in order; none overlaps the next, and each has at least one byte */
	bool moves;           /* the program may be loaded elsewhere than it was linked */
};

/* Reads the symbols of the file at `path`; a dynamic table counts if there is no other. A name that
 * overlaps the next one ends there. On failure *e says why, and x is closed. */
enum nfart_status elf_symbols_open(struct elf_symbols *x, const char *path, struct nfart_error *e);

/* The same for n bytes, which must outlive x. */
enum nfart_status elf_symbols_parse(struct elf_symbols *x, const void *bytes, size_t n,
				    const char *path, struct nfart_error *e);

void elf_symbols_close(struct elf_symbols *x);

/* Finds the name that holds an address, as an index; -1: there is none. Cost: the logarithm. */
ptrdiff_t elf_symbols_find(const struct elf_symbols *x, uint64_t va);

#endif
