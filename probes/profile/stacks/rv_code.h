/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rv_code.h: the code of all programs, libraries, kernels and firmware that were given: for each
 * place the instruction, its function, and what it does to the flow of control.
 *
 * Note [code table]
 * A module's text is a table with an entry for each halfword, so that a token is checked with one
 * comparison of 64 bits:
 *
 *	63                    40 39      32 31                 0
 *	| function               | class    | instruction       |
 *
 * The lower half of an entry with a compressed instruction has its 16 bits. Where there is no text,
 * the entry is 0: no instruction has these bits. Functions have numbers that are unique over all
 * modules. A jump whose target is in its own function is RV_PLAIN.
 */
#ifndef NFACC_RISCV_RV_CODE_H
#define NFACC_RISCV_RV_CODE_H

#include "probes/profile/stacks/elf_text.h"
#include "probes/profile/stacks/rv_decode.h"
#include "support/buf.h"

enum { RV_MOST_FUNCTIONS = 1 << 24, RV_MOST_SPAN = 1 << 28 };

/* The functions that every code has. The names are those of frames. */
enum rv_own_function {
	RV_ROOT,        /* above all stacks */
	RV_UNKNOWN,     /* text that was not given, or that nothing tells apart */
	RV_KERNEL,      /* the boundary between a program and the kernel's frames */
	RV_FIRMWARE,    /* the boundary above frames in machine mode */
	RV_SIGNAL,      /* the boundary above a handler of signals */
	RV_INTERRUPT,   /* the boundary above a trap that the kernel took in its own code */
	RV_OWN_FUNCTIONS
};

struct rv_function {
	const char *name;  /* NULL: the function has only a place */
	uint64_t address;  /* as linked */
	uint32_t module;   /* UINT32_MAX: one of enum rv_own_function */
	bool switches;     /* a kernel switches tasks in it */
};

struct rv_module {
	char *path;
	const char *name;  /* the last part of the path */
	uint64_t low;      /* the lowest address of text, rounded down to a page */
	uint64_t span;     /* the bytes from low to the end of the text */
	uint64_t *code;    /* span / 2 entries */
	uint64_t entry;
	bool fixed, program;
	struct elf_text text;
};

struct rv_code {
	VEC(struct rv_module) modules;
	VEC(struct rv_function) functions;
};

/* Makes a code without modules. False: out of memory. */
bool rv_code_init(struct rv_code *c);
void rv_code_free(struct rv_code *c);

/* Adds the text of an ELF file. A file that has the same bytes as one before is left out: nothing
 * would tell the two apart. On failure *e says why, and the code is as it was. */
enum nfart_status rv_code_add(struct rv_code *c, const char *path, struct nfart_error *e);

/* Has a module this file name? */
bool rv_code_has(const struct rv_code *c, const char *name);

/* Says that a kernel switches tasks in all functions of this name. Returns how many there are. */
size_t rv_code_switches(struct rv_code *c, const char *name);

/* Appends the name of a function to b, or its module and place. */
void rv_code_name(const struct rv_code *c, uint32_t function, struct buf *b);

/* Returns the entry for the instruction at a place: the class of `instruction`, in `function` of
 * module m, at halfword `at`. */
uint64_t rv_code_entry(const struct rv_code *c, const struct rv_module *m, size_t at,
		       uint32_t function, uint32_t instruction);

static inline uint32_t rv_entry_function(uint64_t entry)
{
	return (uint32_t)(entry >> 40);
}

static inline enum rv_class rv_entry_class(uint64_t entry)
{
	return (enum rv_class)(entry >> 32 & 0xff);
}

#endif
