/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * random_machine.h: a small machine that runs random programs under a random kernel. It writes the
 * ELF files of its modules and makes the tokens. It also adds up the cycles of each stack, from its
 * own state and not from the tokens. So these sums are the truth.
 */
#ifndef NFACC_TESTSUITE_RANDOM_MACHINE_H
#define NFACC_TESTSUITE_RANDOM_MACHINE_H

#include <stdbool.h>

#include "probes/profile/stacks/token.h"
#include "tools/nfagen/traffic/gen_random.h"
#include "support/buf.h"
#include "support/vec.h"

/* Modules of each machine. All later ones are programs. */
enum { KERNEL = 0, LIBRARY = 1 };

/* Functions of the kernel. Those from OTHERS on are random. */
enum { ENTRY, SWITCH, SCHEDULE, FORKED, WORKER, OTHERS };

enum item_kind { ITEM_PLAIN, ITEM_LOOP, ITEM_AGAIN, ITEM_CALL, ITEM_CALL_FAR, ITEM_TAIL,
		 ITEM_RETURN, ITEM_ECALL, ITEM_EXIT, ITEM_SKIP, ITEM_SRET, ITEM_START };

struct item {
	enum item_kind kind;
	uint32_t bits, offset;   /* the instruction, and its offset in the module's code */
	unsigned size;
	uint32_t module, target; /* for calls: the called function */
	/*
	 * ITEM_LOOP: how often it goes back to the first item of the function. ITEM_AGAIN: it goes
	 * back once in this many times.
	 */
	uint32_t times;
};

struct function {
	VEC(struct item) items;
	char name[24];
};

struct module {
	VEC(struct function) functions;
	uint64_t link;           /* the address at which the code is linked */
	uint32_t size;
	bool fixed, program, kernel, stripped;
	char name[16];
};

/* An activation of a function. Without a function it is the base, or a boundary. */
struct activation {
	uint32_t module, function, item, left;
	uint32_t path;           /* the stack up to here */
	enum { IN_FUNCTION, IN_BASE, IN_TRAP } kind;
	bool interrupts;         /* IN_TRAP: the trap interrupted the kernel */
};

struct machine_thread {
	VEC(struct activation) stack;
	uint32_t process;        /* UINT32_MAX: none, it is the kernel's own thread */
	uint32_t instructions;   /* instructions of the program so far */
	bool dead;
};

struct process {
	uint64_t satp;
	uint64_t *bases;         /* for each module, its base */
	uint32_t program;
};

struct path {
	uint32_t parent;
	char name[32];
	uint64_t cycles;
};

/* What the machine does in addition, to make programs hard to tell apart. */
struct machine_rules {
	/* 0: each process has bases of its own. Otherwise programs have one of this many bases. */
	uint32_t bases;
	/* 0: programs begin by themselves. Otherwise a loader runs first, in this many rounds. */
	uint32_t loader;
	bool hides_kernel;    /* there are no tokens of the kernel, and they take no time */
	bool hides_libraries; /* the same for tokens of libraries */
	bool hides_entry;     /* the same for the first instruction of a program */
	bool alike;           /* programs differ in the second half of their functions only */
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
	size_t dead;                /* number of threads that have ended */
	size_t most_processes;
	/*
	 * A process is killed after this many instructions of its program; 0: never. The stacks of
	 * a machine that kills processes are not known exactly.
	 */
	uint32_t most_instructions;
	enum item_kind last;        /* the kind of the last instruction */
	bool asids;                 /* each process has a satp of its own */
	struct machine_rules rules;
};

/* Makes a machine with some programs and libraries. */
void machine_make(struct random_machine *x, struct gen_random *random, bool asids,
		  struct machine_rules rules);
void machine_free(struct random_machine *x);

/* Writes the ELF file of a module. Returns false if the file cannot be written. */
bool machine_write_elf(const struct random_machine *x, uint32_t module, const char *path);

/* Runs n processes, at least 4, until all have ended. At most 4 of them exist at the same time. */
void machine_run(struct random_machine *x, size_t n);

/* Appends the sums as folded stacks, with the lines sorted. */
void machine_truth(const struct random_machine *x, struct buf *b);

#endif
