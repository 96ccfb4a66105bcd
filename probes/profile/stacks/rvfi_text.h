/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rvfi_text.h: reads one line of an RVFI trace as text, as CVA6 writes it.
 *
 * Note [RVFI text]
 * The module rvfi_tracer of CVA6 writes a file for each hart. Each instruction that has retired has
 * two lines. The first is for a disassembler, and is skipped. The second has the privilege, the
 * address, the instruction, and what it has written.
 *
 *	core   0: 0x0000000080000000 (0x00000297) DASM(00000297)
 *	3 0x0000000080000000 (0x00000297) x 5 0x0000000080000000
 *
 * There are no cycles, so each instruction takes one. There is no satp, but each register that was
 * written is there. So satp is known from the first instruction on that writes or reads it. CVA6
 * ignores a write of a mode other than 0 and 8 (Sv39).
 */
#ifndef NFACC_RISCV_RVFI_TEXT_H
#define NFACC_RISCV_RVFI_TEXT_H

#include "probes/profile/stacks/rv_code.h"
#include "probes/profile/stacks/text_line.h"
#include "probes/profile/stacks/token.h"

struct rvfi_log {
	uint64_t instructions; /* number of them */
	uint64_t satp;
	uint64_t registers[32];
};

/* Reads a line with n bytes. One that logs no instruction is TOKEN_LINE_OTHER. */
enum token_line rvfi_line(void *log, const struct rv_code *code, const char *line, size_t n,
			  struct nfaperf_token *t);

#endif
