/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rv_decode.h: what a RISC-V instruction does to the flow of control, with or without compressed
 * instructions. Nothing else about the instruction is decoded.
 *
 * Calls and returns are told by the link registers, as the manual's hints for return-address stacks
 * say: x1 (ra) and x5 (t0).
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
	RV_JUMP_TO,    /* an indirect jump that does not */
	RV_RETURN,
	RV_SWAP,       /* returns and links: how coroutines switch */
	RV_TRAP,       /* ecall or ebreak */
	RV_TRAP_RETURN /* sret or mret */
};

struct rv_flow {
	enum rv_class class;
	/* For RV_JUMP and RV_CALL: the target minus the instruction's own address. */
	int32_t distance;
	bool conditional; /* RV_JUMP: a branch, which may go on with the next instruction */
};

/* How many bytes the instruction has. */
static inline unsigned rv_length(uint32_t instruction)
{
	return (instruction & 3) == 3 ? 4 : 2;
}

/* Decodes an instruction. Of a compressed one, the upper half is 0. */
struct rv_flow rv_decode(uint32_t instruction);

#endif
