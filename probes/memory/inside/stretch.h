/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Stretches: code that the program may write at any time is not changed. If an instruction of it
 * faults often, the code around it is copied, and a fault goes on in the copies, which count the
 * accesses. This is done only while copies count, and not if nfamem attached to the program.
 *
 * A stretch is some instructions in a row. It ends with a jump or call, and after each instruction
 * that may write code: one that stores to memory that is not known to be watched, or pushes.
 * (Watched memory cannot be executed.) Its copy first compares the program's code with what was
 * copied:
 *
 *     hlt
 *     check:  rcx, rdx, rax -> scratch
 *             each eight bytes of the code, less what they were; if it is not 0, go to the hlt
 *             rcx, rdx, rax <- scratch
 *     parts:  the instructions. One that accessed watched memory counts and has the prefix gs
 *             (copy_count.c); others are as they are
 *     jumps to the doors of what comes next
 *
 * So a thread executes what it itself wrote before, and what another thread wrote before it let
 * this one go on: this one learns that by a load, and what depends on that load comes after a jump,
 * and so in another stretch.
 *
 * A door is a pair of an address of the program and the address where execution goes on for it:
 * that of a stretch, or the address itself. Copies jump by doors. So a stretch is made and dropped
 * by a single store, and copies refer to stretches that come later.
 *
 * A call pushes the address that the program's own call would push, and goes to the function
 * itself. For the thread to be in stretches after the call, too, returns of the function are
 * replaced, if it may not be written: their copies look whether the address that they return to has
 * a door. The returns are those that jumps of the function lead to. Where a return has no place for
 * a jump, the instructions before it are replaced, and the jumps to it. If none of them could be,
 * the next access faults.
 *
 * A handler of the program sees the address of the program's own instruction, and after it that one
 * is executed.
 */
#ifndef NFACC_PROBES_MEMORY_INSIDE_STRETCH_H
#define NFACC_PROBES_MEMORY_INSIDE_STRETCH_H
#include "probes/memory/inside/sites.h"

/* `target` comes first: jumps name its address, and copy_return() knows the offsets. */
struct door {
	uintptr_t target, pc;
};

enum { DOORS_BITS = 16 };

/* The table of doors by the low bits of pc. NULL: there are no stretches. */
extern struct door *stretch_doors;

/* The door of an address. If there is none, makes one. Returns NULL if there is no room. */
struct door *stretch_door(uintptr_t pc);

/*
 * Goes on in a stretch at a site in code that may be written, which accessed watched memory. Makes
 * stretches if the site has faulted often. Called between pages_begin and pages_end. Returns false
 * if there is no stretch there, and changes nothing.
 */
bool stretch_enter(struct site *s, ucontext_t *context);

/*
 * For an instruction near the beginning of a function that cannot be replaced, though the function
 * may not be written: if it faults often, makes stretches of it and what comes before, and replaces
 * the call of the function that the thread came by, so that it goes there. Called between
 * pages_begin and pages_end.
 */
void stretch_lead(struct site *s, const ucontext_t *context);

/*
 * Handles a fault in a stretch. `at` is the address if a page there was closed, else 0. The thread
 * goes on in the program's own code. Returns whether the instruction there is known to fault again,
 * as it accesses watched memory.
 */
bool stretch_fault(struct site *s, ucontext_t *context, uintptr_t at);

/* settle.c: puts the context of a thread in a stretch back to the program's own code. */
void stretch_settle(const struct site *s, ucontext_t *context);

/*
 * Drops the stretches of a range. Threads that are in one leave it at its next beginning. Called
 * between pages_begin and pages_end.
 */
void stretch_forget(uintptr_t at, size_t bytes);

/* copy_stretch.c: what a stretch consists of. */
enum { STRETCH_STEPS = 8, STRETCH_BYTES = 64, STRETCH_WORD = 8 };

struct stretch_plan {
	uintptr_t pc;
	unsigned n, bytes; /* instructions, with the last jump; bytes of code */
	struct decode step[STRETCH_STEPS];
	const struct site *counts[STRETCH_STEPS]; /* NULL: as it is */
	uint8_t code[STRETCH_BYTES + STRETCH_WORD];
	uintptr_t next;     /* what comes after it; 0: nothing, or what a call returns to */
	uintptr_t to;       /* the target of its jump or call; 0: there is none */
	unsigned condition; /* of the jump, as copy_is_jump() says */
	bool calls;
};

/* Plans the stretch that begins at pc. Returns false if there can be none. */
bool copy_plan_stretch(uintptr_t pc, struct stretch_plan *p);

/* Writes the copy of a stretch, as copy_make() does. Returns 0 if there are no doors left. */
size_t copy_stretch(const struct stretch_plan *p, uintptr_t at, uint8_t *code, struct copy *layout);
#endif
