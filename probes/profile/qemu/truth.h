/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * truth.h: records which process ran when, according to the kernel's memory. Tests compare it with
 * what nfaperf infers from tokens. nfaperf itself never sees it.
 *
 * Note [truth file]
 * A stay is a time in which a hart is in user mode. The file has a line of text for each stay, in
 * the order of the hart's tokens:
 *
 *	HART FIRST COUNT SATP TASK NAME
 *
 * The stay begins with token FIRST of this hart, counted from 0, and has COUNT tokens. SATP is
 * hexadecimal, and so is TASK, the address of the kernel's description of the task. NAME is the
 * name of the task, up to the end of the line; it is "?" if it could not be read.
 */
#ifndef RISCV_QEMU_TRUTH_H
#define RISCV_QEMU_TRUTH_H

#include "probes/profile/qemu/machine.h"
#include "probes/profile/stacks/token.h"

/*
 * Most stays that wait for a name. A stay waits if a trap to machine mode ended it, because names
 * can be read only in supervisor mode.
 */
enum { TRUTH_STAYS = 16 };

struct stay {
	uint64_t first, count, satp, task;
};

struct truth {
	unsigned hart;
	bool inside; /* the last stay has not ended */
	unsigned stays;
	struct stay stay[TRUTH_STAYS];
};

/* Opens the file. On failure returns false and sets errno. */
bool truth_open(const char *path);

/* Closes the file. Returns NULL, or the error that ended the writing. */
const char *truth_close(void);

/*
 * Called at the first instruction of a block. `now` has the privilege and satp of the hart.
 * `committed` is the number of tokens of the hart before this instruction.
 */
void truth_step(struct truth *truth, const struct processor *processor,
	const struct nfaperf_token *now, uint64_t committed);

/* The hart has ended. */
void truth_end(struct truth *truth, uint64_t committed);

#endif
