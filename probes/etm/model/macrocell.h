/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * macrocell.h: a model of the resources of a trace macrocell (ETMv4, ETE). It executes the values
 * of registers, cycle by cycle: selectors, counters, the sequencer, external outputs. It traces
 * nothing, and it knows nothing of sources and machines.
 *
 * Note [cycle]. In each cycle in which the core's clock runs:
 *
 *	1. The selectors see this cycle's inputs, the state of the sequencer before the cycle, and
 *	   the counters. A counter that reloads itself shows a pulse: it is counted down beyond its
 *	   end in this very cycle. Any other counter shows a level: its value before the cycle is 0.
 *	2. Each counter reloads or counts, in rising order. A reload beats a count. A pulse of a
 *	   counter is seen in the same cycle by the events of counters above it.
 *	3. The sequencer moves: reset, else forward as far as it goes, else backward as far as it
 *	   goes.
 *	4. The external outputs see the inputs and pulses of the cycle, and the new state and
 *	   levels.
 *
 * Three points of this are not settled by any published text; struct etm_reading chooses.
 */
#ifndef NFACC_PROBES_ETM_MODEL_MACROCELL_H
#define NFACC_PROBES_ETM_MODEL_MACROCELL_H

#include "contract/etm/etm.h"

enum { MACROCELL_GROUPS = 8 };

/* What selectors see in a cycle, except for what the macrocell makes itself: a bit for each
 * resource of each group (enum etm_group). The bits of ETM_GROUP_CNTSEQ are ignored. */
struct macrocell_inputs {
	uint16_t group[MACROCELL_GROUPS];
};

struct macrocell {
	struct etm_regs regs;        /* the program; TRCSEQSTR and TRCCNTVR are of now */
	struct etm_reading reading;
	uint32_t zero;               /* a bit for each counter: the selectors saw it at zero */
	uint32_t pulses;             /* a bit for each counter: it gave a pulse in the last cycle */
	uint32_t outputs;            /* a bit for each external output: it is on */
};

/* Programs a macrocell: its state and its counters are those of TRCSEQSTR and TRCCNTVR. */
void macrocell_init(struct macrocell *m, const struct etm_regs *regs, struct etm_reading reading);

/* Steps over one cycle. Cost: linear in the selectors. */
void macrocell_step(struct macrocell *m, const struct macrocell_inputs *in);

/* Steps over at most `cycles` cycles without inputs, and stops behind the first one that changes
 * the state of the sequencer or an output. Returns the number of cycles. Cost: linear in the pulses
 * of counters, not in cycles. */
uint64_t macrocell_idle(struct macrocell *m, uint64_t cycles);

/* Returns the number of the external input that selector `selector` (below ETM_EXTIN) of
 * TRCEXTINSELR sees: 8 bits of the first register, or with `ete` 16 bits of the selector's own. */
uint32_t macrocell_input(const struct etm_regs *regs, unsigned selector, bool ete);

/* Returns the state of the sequencer, 0 to 3. */
static inline uint32_t macrocell_state(const struct macrocell *m)
{
	return m->regs.seqst[0];
}

#endif
