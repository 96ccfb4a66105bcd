/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rv_decode.h: finds out what a RISC-V instruction does to the flow of control. Compressed
 * instructions are included. Nothing else is decoded.
 *
 * Calls and returns are recognised by the link registers x1 (ra) and x5 (t0), as in the manual's
 * hints for return-address stacks.
 */
#ifndef NFACC_RISCV_RV_DECODE_H
#define NFACC_RISCV_RV_DECODE_H

#include <stdbool.h>
#include <stdint.h>

enum rv_class {
	RV_PLAIN,      /* goes on with the next instruction, or branches within its function */
	RV_JUMP,       /* a direct jump or branch */
	RV_CALL,       /* a direct jump that links */
	RV_CALL_TO,    /* an indirect jump that links */
	RV_JUMP_TO,    /* an indirect jump that does not link */
	RV_RETURN,
	RV_SWAP,       /* returns and links: coroutines switch with it */
	RV_TRAP,       /* ecall or ebreak */
	RV_TRAP_RETURN /* sret or mret */
};

struct rv_flow {
	enum rv_class class;
	/*
	 * For RV_JUMP and RV_CALL: the distance from the instruction's own address to the target.
	 */
	int32_t distance;
	bool conditional; /* RV_JUMP: a branch, which may go on with the next instruction */
};

/* The length of the instruction in bytes. */
static inline unsigned rv_length(uint32_t instruction)
{
	return (instruction & 3) == 3 ? 4 : 2;
}

/* Decodes an instruction. The upper half of a compressed instruction must be 0. */
struct rv_flow rv_decode(uint32_t instruction);

#endif
