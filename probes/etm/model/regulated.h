/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * regulated.h: a core with regulated memory traffic, cycle by cycle. It has memory, the events that
 * the memory causes, a regulator, the interrupt, and the handler that stops the program. The
 * regulator is a macrocell with its cross-trigger interface. probes/etm/model/software.h has other
 * regulators.
 */
#ifndef NFACC_PROBES_ETM_MODEL_REGULATED_H
#define NFACC_PROBES_ETM_MODEL_REGULATED_H

#include "probes/etm/model/cti.h"
#include "probes/etm/model/macrocell.h"
#include "probes/etm/model/memory.h"

/* How the handler of CTIIRQ stops the program. */
enum throttle {
	THROTTLE_POLL,     /* polls the sequencer's state until it is not in `throttling` */
	THROTTLE_WFI,      /* waits for an interrupt; the macrocell's clock stops meanwhile */
	THROTTLE_RETURN    /* acknowledges and returns at once */
};

/* Times, in cycles of the core. */
struct core_times {
	uint32_t latency;  /* from the external output to the handler */
	uint32_t poll;     /* between two reads of the sequencer's state */
	uint32_t leave;    /* from the last read of the handler to the program */
};

enum core_mode { CORE_PROGRAM, CORE_TAKES_IRQ, CORE_DRAINS, CORE_HANDLER, CORE_LEAVES };

struct regulated {
	struct macrocell etm;
	struct cti cti;
	struct memory memory;
	struct core_times times;
	enum throttle throttle;
	uint32_t throttling;   /* a bit for each state in which the handler waits */
	bool edge;             /* the interrupt controller takes a rising edge, not a level */
	enum core_mode mode;
	uint32_t left;         /* cycles until the mode changes, or until the next read */
	bool line_before;      /* the interrupt line was active in the cycle before */
	bool pending;
	uint32_t from, to;     /* channels from other cores, and those that go to them */
	bool others;           /* another core is over its budget; its state is read, too */
	uint64_t interrupts;   /* number of handlers that began */
	uint64_t throttled;    /* number of cycles in which the program did not run */
};

/*
 * Makes a regulated core. It executes the registers. The external outputs that they use raise the
 * interrupt.
 */
void regulated_init(struct regulated *x, const struct etm_regs *regs, struct etm_reading reading,
		    const struct memory *memory, const struct core_times *times, bool edge);

/* Steps over one cycle. */
void regulated_step(struct regulated *x);

/* Whether the sequencer is in a state in which the handler waits. */
static inline bool regulated_is_over(const struct regulated *x)
{
	return (x->throttling >> macrocell_state(&x->etm) & 1) != 0;
}

/*
 * Returns the states of the sequencer in which an external output is on, as bits. All inputs are
 * taken as false, except for the state of the sequencer.
 */
uint32_t regulated_throttling(const struct etm_regs *regs, struct etm_reading reading);

#endif
