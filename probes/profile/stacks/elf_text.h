/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * elf_text.h: the text of an ELF file for RISC-V and the names in it. ELF files are hostile input.
 */
#ifndef NFACC_RISCV_ELF_TEXT_H
#define NFACC_RISCV_ELF_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/nfart_status.h"
#include "support/elf/elf_file.h"
#include "support/vec.h"

/* n bytes of instructions at an address, as linked. */
struct elf_part {
	uint64_t address;
	const unsigned char *bytes; /* in the file */
	size_t n;
};

struct elf_text {
	VEC(struct elf_part) parts;     /* by rising address, without overlap */
	struct symbols symbols;     /* in order; functions, labels and places */
	bool fixed;                 /* runs at the addresses as linked */
	bool program;               /* can be executed: it is no shared library */
	struct elf_file file;
};

/* Opens an ELF file for 64-bit RISC-V. On failure *e says why, with the file; x is then closed. */
enum nfart_status elf_text_open(struct elf_text *x, const char *path, struct nfart_error *e);

/* Frees what *x has. Does nothing if *x is zeroed or closed. */
void elf_text_close(struct elf_text *x);

#endif
