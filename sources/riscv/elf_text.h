/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * elf_text.h: the text of an ELF file and the names in it. It wraps libelf, and is the only one that
 * knows it. ELF files are hostile input.
 */
#ifndef NFACC_RISCV_ELF_TEXT_H
#define NFACC_RISCV_ELF_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/nfart_status.h"
#include "support/vec.h"

/* n bytes of instructions at an address, as linked. */
struct elf_part {
	uint64_t address;
	const unsigned char *bytes; /* belong to the struct elf_text */
	size_t n;
};

/* A function, or the place of a label in assembly code. */
struct elf_symbol {
	uint64_t address, size; /* size 0: not known */
	const char *name;       /* belongs to the struct elf_text; NULL: only the place is known */
	/* The greater, the better the name: 3 global function, 2 other function, 1 label, 0 place. */
	unsigned rank;
};

struct elf_text {
	VEC(struct elf_part) parts;     /* by rising address, without overlap */
	VEC(struct elf_symbol) symbols; /* by rising address, and falling rank and size */
	uint64_t entry;
	bool fixed;                 /* runs at the addresses as linked */
	bool program;               /* can be executed: it is no shared library */
	void *handle;               /* of the library's, for elf_text_close() */
	int fd;
};

enum {
	ELF_MOST_FILE = 1 << 30, /* bytes of a file */
	ELF_MOST_SYMBOLS = 1 << 22
};

/* Opens an ELF file for 64-bit RISC-V. On failure *e says why, with the file's name; x is then
 * closed. */
enum nfart_status elf_text_open(struct elf_text *x, const char *path, struct nfart_error *e);

/* Frees what *x has. Does nothing if *x is zeroed or closed. */
void elf_text_close(struct elf_text *x);

#endif
