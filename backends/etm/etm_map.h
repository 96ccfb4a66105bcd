/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * etm_map.h: maps a machine to the registers of a trace unit, by exact technology mapping.
 *
 * States become states of the sequencer, counters become counters, `tick` becomes a counter of
 * cycles, outputs become external outputs. What moves the sequencer, what counts, what reloads and
 * what an output is, are boolean functions, which selectors and pairs of selectors have to compute.
 * The mapper finds a realisation with the fewest selectors, and among these one that means the same
 * with both priorities of the sequencer, if there is one. It is right in the reading of the core's
 * description. backends/etm/map_int.h says how.
 */
#ifndef NFACC_BACKENDS_ETM_ETM_MAP_H
#define NFACC_BACKENDS_ETM_ETM_MAP_H

#include "contract/etm/etm_core.h"
#include "include/nfart_status.h"
#include "ir/spec.h"

enum {
	ETM_MAP_STATES = 16, /* the most states of a machine, several of which share a state of the
			      * sequencer if a counter tells them apart */
	ETM_MAP_TRACE = 4    /* the number of output `trace`; others are external outputs 0 to 3 */
};

enum etm_layout {
	ETM_LAYOUT_AUTO,    /* robust if that fits the core, else the fewest selectors */
	ETM_LAYOUT_FEWEST,  /* the fewest selectors */
	ETM_LAYOUT_AUTHORS, /* selectors as in the programs published with the paper on ETM² */
	ETM_LAYOUT_ROBUST   /* the fewest selectors that mean the same whatever the trace unit does
			     * at the points `priority` and `overlap` (contract/etm/etm.h) */
};

struct etm_map_options {
	const struct etm_core *core; /* borrowed: the core whose trace unit is programmed; or NULL */
	enum etm_layout layout;
	uint32_t cores; /* of how many cores the outputs throttle all; 0: each core has its own */
	uint32_t budget[ETM_MOST_CORES]; /* of a core; 0: that of the source */
	const struct etm_counts *counts; /* [cores], borrowed: what follows from it; or NULL */
};

/* What the mapper found. */
struct etm_report {
	uint32_t machine;               /* index into spec.machines */
	uint32_t nstates;
	uint8_t state[ETM_MAP_STATES];  /* [nstates of the machine]: the state of the sequencer */
	bool time;                      /* counter 0 counts cycles */
	uint32_t ncounters;             /* of the trace unit, that of cycles included */
	uint32_t ninputs;
	uint16_t slot[ETM_EXTIN];       /* [ninputs]: the slot of the protocol that it sees */
	uint32_t nranges;               /* range comparators */
	uint8_t output[ETM_OUTPUTS + 1]; /* [outputs of the spec]: external output, or ETM_MAP_TRACE */
	uint32_t selectors, pairs;      /* selectors that are used, in how many pairs */
	/* How large the search was: rows of the truth table, functions of one selector, pairs of
	 * functions, assignments of states. Together they are the proof that there is no
	 * realisation with fewer selectors. */
	struct {
		uint32_t rows, functions, pairs, assignments;
	} search;
};

/* Maps the machine of spec s, which has one and nothing else, to *out. Registers that the program
 * does not need are 0. Returns NFART_OK; NFART_NOFIT if it was proved that the machine does not fit
 * the core, which is reported in d in the hardware's terms; NFART_GAVEUP if a machine is too large
 * to try; or NFART_SYSTEM if memory is short. */
enum nfart_status etm_map(const struct spec *s, const struct etm_core *core,
			  const struct etm_map_options *o, struct diags *d, struct etm_regs *out,
			  struct etm_report *report);

#endif
