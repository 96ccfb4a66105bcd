/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rv_code.h: the code of all given programs, libraries, kernels and firmware. For each place it has
 * the instruction, the function, and the class: what the instruction does to the flow of control.
 *
 * Note [code table]
 * A module's code is a table with an entry for each halfword. So a token is checked with one
 * comparison of 64 bits:
 *
 *	63                    40 39      32 31                 0
 *	| function               | class    | instruction       |
 *
 * A compressed instruction has 16 bits, and these are the lowest bits of its entry. Where there is
 * no code, the entry is 0, because no instruction is 0. Functions have numbers that are unique over
 * all modules. A jump within its own function has the class RV_PLAIN.
 */
#ifndef NFACC_RISCV_RV_CODE_H
#define NFACC_RISCV_RV_CODE_H

#include "probes/profile/stacks/elf_text.h"
#include "probes/profile/stacks/rv_decode.h"
#include "support/buf.h"
#include "support/hash.h"

enum { RV_MOST_FUNCTIONS = 1 << 24, RV_MOST_SPAN = 1 << 28 };

/* Functions that exist for every code. They stand for frames with a special meaning. */
enum rv_own_function {
	RV_ROOT,        /* the root of all stacks */
	RV_UNKNOWN,     /* code that was not given, or that cannot be told apart */
	RV_KERNEL,      /* the boundary between frames of a program and those of the kernel */
	RV_FIRMWARE,    /* the boundary below frames in machine mode */
	RV_SIGNAL,      /* the boundary below the handler of a signal */
	RV_INTERRUPT,   /* the boundary below a trap that the kernel took in its own code */
	RV_OWN_FUNCTIONS
};

struct rv_function {
	const char *name;  /* its symbol; NULL: the function has no name */
	const char *shown; /* the name in the source; NULL: the symbol is that, or nobody knows */
	uint64_t address;  /* address at which it is linked */
	uint32_t module;   /* UINT32_MAX: an rv_own_function */
	bool switches;     /* a kernel switches tasks in it */
};

struct rv_module {
	char *path;
	const char *name;  /* the last part of the path */
	uint64_t low;      /* the lowest address of the code, rounded down to a page */
	uint64_t span;     /* bytes from `low` to the end of the code */
	uint64_t *code;    /* span / 2 entries */
	uint64_t entry;
	bool fixed, program;
	struct elf_text text;
};

struct rv_code {
	VEC(struct rv_module) modules;
	VEC(struct rv_function) functions;
	struct hash_ids names;     /* functions of the kernel by their names, if there are modules */
	size_t named;              /* functions below are in `names` if they belong there */
	struct buf shown;          /* the names in sources */
	struct debug_search debug; /* the caller sets its folders, and says its notes */
	struct kernel_modules kernel; /* the caller reads them before it adds one */
};

/* Makes a code without modules. Returns false if there is no memory. */
bool rv_code_init(struct rv_code *c);
void rv_code_free(struct rv_code *c);

/*
 * Adds the code of an ELF file. A file with the same bytes as an earlier one is left out, because
 * the two could not be told apart. On failure sets *e, and the code does not change.
 */
enum nfart_status rv_code_add(struct rv_code *c, const char *path, struct nfart_error *e);

/*
 * Whether a kernel may begin a program at the entry point of module m: the module is a program, or
 * it is the interpreter of one.
 */
bool rv_code_begins(const struct rv_code *c, const struct rv_module *m);

/* Whether a module has this file name. */
bool rv_code_has(const struct rv_code *c, const char *name);

/*
 * Marks all functions with this name as those in which a kernel switches tasks. Returns their
 * number.
 */
size_t rv_code_switches(struct rv_code *c, const char *name);

/*
 * Finds the names in the source of all functions whose symbols are those of C++ or Rust. From then
 * on functions are shown with these names, but are found by their symbols. No module may be added
 * afterwards. Returns false if there is no memory, or no process for it (Note [demangling]). Cost:
 * some microseconds for each such function.
 */
bool rv_code_demangle(struct rv_code *c);

/* Appends the name of a function to b. If it has none, appends its module and address. */
void rv_code_name(const struct rv_code *c, uint32_t function, struct buf *b);

/* Makes the entry for an instruction: its class, in `function` of module m, at halfword `at`. */
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
