/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * random_machine.h: a small machine that runs random programs under a random kernel, and knows what
 * it does. It writes the ELF files of its modules, makes the tokens, and adds up the cycles of each
 * stack as they are, without looking at any token.
 */
#ifndef NFACC_TESTSUITE_RANDOM_MACHINE_H
#define NFACC_TESTSUITE_RANDOM_MACHINE_H

#include <stdbool.h>

#include "probes/profile/stacks/token.h"
#include "tools/nfagen/traffic/gen_random.h"
#include "support/buf.h"
#include "support/vec.h"

enum item_kind { ITEM_PLAIN, ITEM_LOOP, ITEM_AGAIN, ITEM_CALL, ITEM_CALL_FAR, ITEM_TAIL,
		 ITEM_RETURN, ITEM_ECALL, ITEM_EXIT, ITEM_SKIP, ITEM_SRET };

struct item {
	enum item_kind kind;
	uint32_t bits, offset;   /* the instruction, and its place in the module's text */
	unsigned size;
	uint32_t module, target; /* of calls: the function */
	/* ITEM_LOOP: how often it goes back, to the function's first item. ITEM_AGAIN: it does so
	 * once in so many times. */
	uint32_t times;
};

struct function {
	VEC(struct item) items;
	char name[24];
};

struct module {
	VEC(struct function) functions;
	uint64_t link;           /* where the text is linked */
	uint32_t size;
	bool fixed, program, kernel, stripped;
	char name[16];
};

/* An activation of a function; or, without a function, the base or a boundary. */
struct activation {
	uint32_t module, function, item, left;
	uint32_t path;           /* the stack up to here */
	enum { IN_FUNCTION, IN_BASE, IN_TRAP } kind;
	bool interrupts;         /* IN_TRAP: the kernel */
};

struct machine_thread {
	VEC(struct activation) stack;
	uint32_t process;        /* UINT32_MAX: none; it is the kernel's own */
	uint32_t instructions;   /* of the program, so far */
	bool dead;
};

struct process {
	uint64_t satp;
	uint64_t *bases;         /* of each module */
	uint32_t program;
};

struct path {
	uint32_t parent;
	char name[32];
	uint64_t cycles;
};

struct random_machine {
	struct gen_random *random;
	VEC(struct module) modules; /* the kernel is the first one */
	VEC(struct process) processes;
	VEC(struct machine_thread *) threads;
	VEC(struct nfaperf_token) tokens;
	VEC(struct path) paths;
	uint32_t current;           /* the thread that runs */
	uint64_t satp;              /* the current one */
	uint64_t cycle;
	size_t dead;                /* how many threads have ended */
	size_t most_processes;
	/* Instructions of a program after which a process is killed; 0: none is. What the stacks of
	 * such a machine are is not known exactly. */
	uint32_t most_instructions;
	enum item_kind last;        /* what was executed last */
	bool asids;                 /* each process has a satp of its own */
};

/* Makes a machine with some programs and libraries. */
void machine_make(struct random_machine *x, struct gen_random *random, bool asids);
void machine_free(struct random_machine *x);

/* Writes the ELF file of a module. False: the file can't be written. */
bool machine_write_elf(const struct random_machine *x, uint32_t module, const char *path);

/* Runs n processes, at least 4, until all of them have ended. At most 4 of them live at once. */
void machine_run(struct random_machine *x, size_t n);

/* Appends the sums, as folded stacks in the order of lines. */
void machine_truth(const struct random_machine *x, struct buf *b);

#endif
