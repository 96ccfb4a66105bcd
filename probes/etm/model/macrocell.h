/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * macrocell.h: a model of the resources of a trace macrocell (ETMv4, ETE). It executes register
 * values, cycle by cycle: selectors, counters, the sequencer, and external outputs. It does not
 * trace, and it knows nothing of sources and machines.
 *
 * Note [cycle]. This happens in each cycle in which the core's clock runs:
 *
 *	1. The selectors see the inputs of this cycle, the state of the sequencer before the cycle,
 *	   and the counters. A counter that reloads itself shows a pulse in the cycle in which it is
 *	   counted beyond its end. Any other counter shows a level: its value before the cycle is 0.
 *	2. Each counter reloads or counts, in rising order. A reload has priority over a count. The
 *	   events of a counter see the pulses of the counters below it in the same cycle.
 *	3. The sequencer moves. A reset has priority; then come moves forward, as far as possible;
 *	   then moves backward, as far as possible.
 *	4. The external outputs see the inputs and pulses of the cycle, and the new state and
 *	   levels.
 *
 * Trace units could differ in four points of this. struct etm_reading chooses one answer for each.
 */
#ifndef NFACC_PROBES_ETM_MODEL_MACROCELL_H
#define NFACC_PROBES_ETM_MODEL_MACROCELL_H

#include "contract/etm/etm.h"

enum { MACROCELL_GROUPS = 8 };

/*
 * The inputs of selectors in a cycle, without what the macrocell makes itself: a bit for each
 * resource of each group (enum etm_group). The bits of ETM_GROUP_CNTSEQ are ignored.
 */
struct macrocell_inputs {
	uint16_t group[MACROCELL_GROUPS];
};

struct macrocell {
	struct etm_regs regs;        /* the program; TRCSEQSTR and TRCCNTVR are current */
	struct etm_reading reading;
	uint32_t zero;               /* a bit for each counter that the selectors saw at zero */
	uint32_t pulses;             /* a bit for each counter that pulsed in the last cycle */
	uint32_t outputs;            /* a bit for each external output that is on */
};

/* Programs a macrocell. Its state and its counters come from TRCSEQSTR and TRCCNTVR. */
void macrocell_init(struct macrocell *m, const struct etm_regs *regs, struct etm_reading reading);

/* Steps over one cycle. Cost: linear in the selectors. */
void macrocell_step(struct macrocell *m, const struct macrocell_inputs *in);

/*
 * Steps over at most `cycles` cycles without inputs. Stops after the first cycle that changes the
 * state of the sequencer or an output. Returns the number of cycles. Cost: linear in the pulses of
 * counters, not in the cycles.
 */
uint64_t macrocell_idle(struct macrocell *m, uint64_t cycles);

/*
 * Returns the number of the external input that selector `selector` (below ETM_EXTIN) sees. It is
 * in TRCEXTINSELR: 8 bits of the first register, or with `ete` 16 bits of the selector's own
 * register.
 */
uint32_t macrocell_input(const struct etm_regs *regs, unsigned selector, bool ete);

/* Returns the state of the sequencer, 0 to 3. */
static inline uint32_t macrocell_state(const struct macrocell *m)
{
	return m->regs.seqst[0];
}

#endif
