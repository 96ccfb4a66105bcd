/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * etm_readings.h: do registers mean what a source says, in each of the nine readings
 * (contract/etm/etm.h)?
 */
#ifndef NFACC_BACKENDS_ETM_ETM_READINGS_H
#define NFACC_BACKENDS_ETM_ETM_READINGS_H

#include "backends/etm/proof/etm_equal.h"
#include "backends/etm/proof/etm_signals.h"

struct etm_compared {
	const struct spec *spec;        /* with the source's machine */
	const struct machine *machine;  /* of `spec` */
	const struct etm_core *core;
	const struct etm_regs *regs;
	/* [outputs of the spec]: the pins of which at least one is on when the output is */
	etm_pins_t pins[ETM_SIDE_OUTPUTS];
	unsigned noutputs;
	uint64_t steps;                 /* most steps of a comparison; 0: a limit of its own */
};

enum etm_meaning {
	ETM_MEANS_SOURCE,  /* equal */
	ETM_MEANS_SHIFTED, /* equal if K of counters or the cycles of ticks are other numbers */
	ETM_MEANS_OTHER,   /* different */
	ETM_MEANS_UNKNOWN  /* given up */
};

struct etm_result {
	enum etm_meaning meaning;
	/* Of ETM_MEANS_SHIFTED: what must be added to the cycles between ticks, and to K of each
	 * counter, so that the source means what the registers mean: -1, 0 or 1. */
	int8_t tick, counters[ETM_SIDE_COUNTERS];
	struct etm_answer answer;    /* of the comparison with the source as it is */
	struct etm_signals signals;  /* what the letters of the answer stand for */
	const char *why;             /* of ETM_MEANS_UNKNOWN: what was too much, or NULL */
	uint64_t work;               /* steps of all comparisons */
};

/* Fills in->pins from in->spec: an output out0 … out3 is the external output that it names, `trace`
 * is the event of TRCVICTLR, and others are the next external outputs that no name takes, in their
 * order in the source. With `joined` one such output stands for all of these: in the authors'
 * layout several external outputs are joined behind the trace unit. */
void etm_source_pins(struct etm_compared *in, bool joined);

/* Compares in reading i. A machine without outputs is compared by the values of its counters: those
 * of the source, in their order, with those of the registers, without that of ticks. Returns
 * NFART_OK; NFART_SYSTEM if memory is short; NFART_INTERNAL if a witness is not confirmed. Free *r
 * with etm_result_free() in any case. */
enum nfart_status etm_compare(const struct etm_compared *in, unsigned i, struct etm_result *r);
void etm_result_free(struct etm_result *r);

/* Appends what the registers mean, in a line, and after it, for ETM_MEANS_OTHER, the shortest
 * witness, in lines of their own that begin with `indent`. */
void etm_result_print(const struct etm_compared *in, const struct etm_result *r,
		      const char *indent, struct buf *b);

/* Appends the witness of ETM_MEANS_OTHER as batch text (nfacc-trace(5)), with a batch in each
 * cycle. In a cycle in which nothing arrives, the batch is a message of a line that neither side
 * looks at, if the protocol has one; otherwise it is left out. */
void etm_witness_trace(const struct etm_compared *in, const struct etm_result *r, struct buf *b);

#endif
