/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * registers.h: proves that registers of a trace unit mean what the filters say. The registers are
 * decoded (backends/etm/etm_decode.h) and compared with the machine of the spec; what the mapper
 * knew is not used, except for which external output stands for which output of the machine.
 */
#ifndef NFACC_COMPILER_PROOF_REGISTERS_H
#define NFACC_COMPILER_PROOF_REGISTERS_H

#include "backends/etm/proof/etm_readings.h"
#include "backends/target.h"
#include "compiler/proof/verify.h"

/* Fills *in with the comparison of the registers that the target of `job` made with their source.
 * All external outputs that are used stand for the output of the machine if it has just one. */
void registers_compared(const struct target_job *job, uint64_t steps, struct etm_compared *in);

/* Compares in the reading of the core's description and fills *r, which is zeroed or was filled
 * before: VERIFY_PROVED, VERIFY_REFUTED, or VERIFY_UP_TO so many cycles. False: out of memory. */
bool registers_verify(const struct target_job *job, enum verify_level level, uint64_t steps,
		      struct verify_report *r);

/* Appends a line for each reading of `readings` (bit i for reading i): whether the registers mean
 * the source, and a shortest witness if they don't. *equal says whether they do in all of these.
 * Returns what etm_compare() does. */
enum nfart_status registers_print(const struct etm_compared *in, unsigned readings, bool *equal,
				  struct buf *b);

/* Appends the witness of the first reading of `readings` in which registers and source differ, as
 * batch text after a comment that names the reading. */
enum nfart_status registers_print_witness(const struct etm_compared *in, unsigned readings,
					  struct buf *b);

#endif
