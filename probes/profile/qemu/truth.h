/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * truth.h: which process ran when, according to the kernel's memory. Tests compare what nfaperf
 * infers from tokens with it; nfaperf itself never sees it.
 *
 * Note [truth file]
 * A line of text for each stay of a hart in user mode, in the order of the hart's tokens:
 *
 *	HART FIRST COUNT SATP TASK NAME
 *
 * The stay begins with token FIRST of this hart, counted from 0, and has COUNT tokens. SATP and
 * TASK, the address of the kernel's description of the task, are hexadecimal. NAME is the task's
 * name, to the end of the line; "?" if it could not be read.
 */
#ifndef RISCV_QEMU_TRUTH_H
#define RISCV_QEMU_TRUTH_H

#include "probes/profile/qemu/machine.h"
#include "probes/profile/stacks/token.h"

/* Stays in user mode that a trap to machine mode has interrupted, which cannot read names. */
enum { TRUTH_STAYS = 16 };

struct stay {
	uint64_t first, count, satp, task;
};

struct truth {
	unsigned hart;
	bool inside; /* the last of stay[] has not ended */
	unsigned stays;
	struct stay stay[TRUTH_STAYS];
};

/* Opens the file; false, with errno: it cannot be written. */
bool truth_open(const char *path);

/* Closes it. NULL, or the error that ended writing. */
const char *truth_close(void);

/* Looks at a hart at the first instruction of a block: now has its privilege and satp, and the hart
 * has committed this many tokens before it. */
void truth_step(struct truth *truth, const struct processor *processor,
	const struct nfaperf_token *now, uint64_t committed);

/* The hart commits nothing more. */
void truth_end(struct truth *truth, uint64_t committed);

#endif
