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
#include "probes/profile/stacks/debug_file.h"
#include "probes/profile/stacks/kernel_module.h"
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
	/*
	 * It is a program. A library that can also be executed, such as libc.so.6, has an
	 * interpreter, too, but it has a name as a library.
	 */
	bool program;
	/* The path of the file that the kernel starts in its place; NULL: the kernel starts it. */
	const char *interpreter;
	struct elf_file file;
	struct elf_file debug; /* the debug file; zeroed: it was not needed, or there is none */
	unsigned char *unpacked; /* of a compressed file: its contents; else NULL */
	/* Of a module of the kernel: the bytes of `file` and `debug`; else NULL. */
	unsigned char *linked, *linked_debug;
};

/*
 * Opens an ELF file for 64-bit RISC-V, which may be compressed (packed_file.h). If it has no symbol
 * table, its names are those of its debug file, if that is found. A module of the kernel is linked
 * for where `modules` say that it is; it has the names of its debug file, too, because it needs few
 * of its own to be loaded. On failure sets *e, with the name of the file. x is then closed.
 */
enum nfart_status elf_text_open(struct elf_text *x, const char *path, struct debug_search *search,
				const struct kernel_modules *modules, struct nfart_error *e);

/* Frees the contents of *x. Does nothing if *x is zeroed or closed. */
void elf_text_close(struct elf_text *x);

#endif
