/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * regulated.h: a core whose memory traffic is regulated, cycle by cycle: memory, the events that it
 * causes, a regulator, the interrupt, and the handler that keeps the core from going on. The
 * regulator is a macrocell with its cross-trigger interface. probes/etm/model/software.h has others.
 */
#ifndef NFACC_PROBES_ETM_MODEL_REGULATED_H
#define NFACC_PROBES_ETM_MODEL_REGULATED_H

#include "probes/etm/model/cti.h"
#include "probes/etm/model/macrocell.h"
#include "probes/etm/model/memory.h"

/* How the handler of CTIIRQ keeps the core from going on. */
enum throttle {
	THROTTLE_POLL,     /* it polls the sequencer's state until that is none of `throttling` */
	THROTTLE_WFI,      /* it waits for an interrupt; the macrocell's clock stops meanwhile */
	THROTTLE_RETURN    /* it acknowledges and returns at once */
};

/* Times in cycles of the core. */
struct core_times {
	uint32_t latency;  /* from the external output to the handler */
	uint32_t poll;     /* between two reads of the sequencer's state */
	uint32_t leave;    /* from the handler's last read to the program */
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
	bool line_before;      /* was the interrupt line active in the cycle before? */
	bool pending;
	uint64_t interrupts;   /* handlers that began */
	uint64_t throttled;    /* cycles in which the program did not run */
};

/* Makes a regulated core: the registers are executed, and the external outputs that they use raise
 * the interrupt. */
void regulated_init(struct regulated *x, const struct etm_regs *regs, struct etm_reading reading,
		    const struct memory *memory, const struct core_times *times, bool edge);

/* Steps over a cycle. */
void regulated_step(struct regulated *x);

/* Returns the states of the sequencer in which an external output is on, as bits. The inputs of all
 * groups but that of the sequencer are false for this. */
uint32_t regulated_throttling(const struct etm_regs *regs, struct etm_reading reading);

#endif
