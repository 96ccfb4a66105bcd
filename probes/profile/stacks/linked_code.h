/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * linked_code.h: the code at the addresses for which files were linked, for decoders that follow a
 * program from one packet of a trace to the next. Such code is that of a kernel, or of the only
 * program that is given for an address.
 */
#ifndef NFACC_RISCV_LINKED_CODE_H
#define NFACC_RISCV_LINKED_CODE_H

#include "probes/profile/stacks/rv_code.h"

struct linked_code {
	const struct rv_code *all;
	size_t module; /* the one that had the last instruction */
};

/*
 * Returns the instruction at an address; 0 if it is not known, because no file has code there, or
 * several programs have.
 */
uint32_t linked_code_at(struct linked_code *c, uint64_t pc);

/* Whether the instruction is `jalr` with x0, which has one target. Sets *target to it. */
bool linked_code_jumps(uint32_t instruction, uint64_t *target);

/* The register that lui, c.lui or auipc has just loaded (0: none), and its value. */
struct linked_load {
	unsigned to;
	uint64_t value;
};

/* Notes what the instruction at pc loads. */
void linked_load_note(struct linked_load *l, uint64_t pc, uint32_t instruction);

/*
 * Whether the target of an indirect jump is inferred from the load before it: both have the same
 * register. Sets *target to it.
 */
bool linked_load_jumps(const struct linked_load *l, uint32_t instruction, uint64_t *target);

/* Whether the instruction is uret or dret, which rv_decode() does not know. */
bool linked_code_returns(uint32_t instruction);

#endif
