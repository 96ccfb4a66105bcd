/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * gem5_text.h: reads one line of what gem5 prints with `--debug-flags=ExecAll`.
 *
 * Note [ExecAll of gem5]
 * A line has the tick, the CPU, its address space (always 0) and thread, the address, the symbol
 * before it, and the instruction as text. Other flags and the program itself may print other lines.
 *
 *	77000: system.cpu: A0 T0 : 0x10104 @_start+4    : c_li a0, 0   : IntAlu :  D=0x0000000000000000
 *
 * If an instruction has micro-operations, each of them has a line with its number in place of the
 * last three blanks before the second colon. They are one instruction.
 *
 * The lines have no bits of instructions, no privilege and no satp. Each pair of a CPU and a thread
 * is a hart. A negative address belongs to the kernel, and everything else to a program of this
 * hart. The bits are those that the given code has at the address, if the mnemonic is theirs. At an
 * address of a program this must be one program, which runs where it was linked.
 */
#ifndef NFACC_RISCV_GEM5_TEXT_H
#define NFACC_RISCV_GEM5_TEXT_H

#include "probes/profile/stacks/rv_code.h"
#include "probes/profile/stacks/text_line.h"
#include "probes/profile/stacks/token.h"

enum { GEM5_HARTS = 1024, GEM5_NAME = 96 };

/* The harts of a log, in the order in which they appear. */
struct gem5_log {
	struct gem5_hart {
		char name[GEM5_NAME]; /* of the CPU; not terminated */
		size_t n;
		uint64_t thread;
		uint64_t whole;       /* address of the last line, if it had all of an instruction */
	} harts[GEM5_HARTS];
	size_t n, last;               /* number of harts; the one of the last line */
};

/* Ticks per second, unless gem5 was told otherwise. */
#define GEM5_TICKS_PER_SECOND UINT64_C(1000000000000)

/* Reads a line with n bytes. One that logs no instruction is TOKEN_LINE_OTHER. */
enum token_line gem5_line(void *log, const struct rv_code *code, const char *line, size_t n,
			  struct nfaperf_token *t);

/* Whether an instruction may have the text that gem5 prints for it. */
bool gem5_agrees(uint32_t instruction, const char *text, size_t n);

#endif
