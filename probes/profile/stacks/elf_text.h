/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * elf_text.h: the code of an ELF file for RISC-V, and the names in it. ELF files are hostile input.
 */
#ifndef NFACC_RISCV_ELF_TEXT_H
#define NFACC_RISCV_ELF_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/nfart_status.h"
#include "support/elf/elf_file.h"
#include "support/vec.h"

/* n bytes of instructions, with the address at which they are linked. */
struct elf_part {
	uint64_t address;
	const unsigned char *bytes; /* part of the mapped file */
	size_t n;
};

struct elf_text {
	VEC(struct elf_part) parts;     /* sorted by address, without overlaps */
	struct symbols symbols;     /* sorted: functions, labels, and starts of unnamed functions */
	bool fixed;                 /* it runs at the addresses at which it is linked */
	bool program;               /* it can be executed: it is not only a library */
	struct elf_file file;
};

/*
 * Opens an ELF file for 64-bit RISC-V. On failure sets *e, with the name of the file. x is then
 * closed.
 */
enum nfart_status elf_text_open(struct elf_text *x, const char *path, struct nfart_error *e);

/* Frees the contents of *x. Does nothing if *x is zeroed or closed. */
void elf_text_close(struct elf_text *x);

#endif
