/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * token_text.h: reads one line of a text in which a simulator has logged committed instructions.
 *
 * Note [TraceRV text]
 * FireSim writes one of three kinds of lines. The first is the default. Numbers after `Cycle` are
 * decimal, all others hexadecimal. A value has the bits of a program counter in Note [TraceRV
 * rows]; the first kind has no bit 40, and has only valid program counters. The last kind has the
 * eight numbers of a row, of which the last one is the cycle.
 *
 *	Cycle: 0000000000000079 I0: 0000000080000000
 *	C0: 0000010080000000, cycle: 0000000000000079
 *	128 hexadecimal digits
 *
 * Note [commits of Spike]
 * `spike --log-commits` writes a line for each instruction: the hart, the privilege, the program
 * counter, and the instruction. The registers that it has written follow. Among them is satp, so
 * its value is known from its first change on. There are no cycles, so each instruction takes one.
 * Other lines, such as those with disassembled instructions, are skipped.
 *
 *	core   0: 1 0xffffffff80001ec4 (0x18029073) c384_satp 0x8000000000080205
 */
#ifndef NFACC_RISCV_TOKEN_TEXT_H
#define NFACC_RISCV_TOKEN_TEXT_H

#include "probes/profile/stacks/rv_code.h"
#include "probes/profile/stacks/text_line.h"
#include "probes/profile/stacks/token.h"

enum { TRACERV_PCS = 7, TRACERV_WORDS = 8, TRACERV_VALID = 40, SPIKE_HARTS = 1024 };

/* The state of a log of Spike. */
struct spike_log {
	struct spike_hart {
		uint64_t satp, instructions;
	} harts[SPIKE_HARTS];
};

/*
 * Reads a line with n bytes that TraceRV has written, as a row: a cycle, and up to seven values
 * with the bit TRACERV_VALID. The bytes need no 0 after them.
 */
enum token_line tracerv_line(const char *line, size_t n, uint64_t row[TRACERV_WORDS]);

/*
 * Reads a line with n bytes of a log of Spike, a struct spike_log, and keeps what it says about
 * satp. A line that logs no instruction is TOKEN_LINE_OTHER.
 */
enum token_line spike_line(void *log, const struct rv_code *code, const char *line, size_t n,
			   struct nfaperf_token *t);

#endif
