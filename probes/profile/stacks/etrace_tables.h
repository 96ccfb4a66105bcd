/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * etrace_tables.h: the branch predictor and the jump target cache of an encoder of E-Trace, as its
 * specification has them. The decoder's are filled as the encoder's.
 */
#ifndef NFACC_RISCV_ETRACE_TABLES_H
#define NFACC_RISCV_ETRACE_TABLES_H

#include "probes/profile/stacks/etrace_packet.h"

struct etrace_tables {
	uint8_t states[1 << ETRACE_TABLE_SIZE];   /* bit 1: predicted; bit 0: outcome before */
	uint64_t targets[1 << ETRACE_TABLE_SIZE]; /* bit 0 is set if there is one */
};

/* What a synchronisation does: branches are predicted as not taken, and no target is known. */
void etrace_tables_clear(struct etrace_tables *t, const struct etrace_encoder *e);

/* Whether the branch at pc is predicted as taken. */
bool etrace_predict(const struct etrace_tables *t, const struct etrace_encoder *e, uint64_t pc);

/* Notes the outcome of the branch at pc. */
void etrace_learn(struct etrace_tables *t, const struct etrace_encoder *e, uint64_t pc, bool taken);

/* Notes the target of an indirect jump. */
void etrace_keep_target(struct etrace_tables *t, const struct etrace_encoder *e, uint64_t target);

/* Sets *target to the one at `index` of the cache. Returns false if there is none. */
bool etrace_find_target(const struct etrace_tables *t, uint32_t index, uint64_t *target);

#endif
