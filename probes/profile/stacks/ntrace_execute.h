/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ntrace_execute.h: goes on by one instruction of a program that messages of N-Trace tell about
 * (Note [counted instructions]).
 */
#ifndef NFACC_RISCV_NTRACE_EXECUTE_H
#define NFACC_RISCV_NTRACE_EXECUTE_H

#include "probes/profile/stacks/ntrace.h"

/* Whether an instruction goes on at an address that is not in it. */
bool ntrace_is_indirect(uint32_t instruction);

/*
 * Executes the instruction x at s->pc. `last`: message m has counted no more, and says where an
 * indirect jump goes. Sets s->pc to the next instruction, or s->lost if it is not known. Returns
 * NULL, or what is wrong.
 */
const char *ntrace_execute(struct ntrace_source *s, uint32_t x, bool last,
			   const struct ntrace_message *m);

#endif
