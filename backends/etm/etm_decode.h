/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * etm_decode.h: what register values of a trace unit mean: a sequencer and counters, whose events
 * are boolean functions. The meaning is that of contract/etm/etm.h in one of the readings.
 *
 * Nothing is allocated, and every set of register values can be decoded.
 */
#ifndef NFACC_BACKENDS_ETM_ETM_DECODE_H
#define NFACC_BACKENDS_ETM_ETM_DECODE_H

#include "contract/etm/etm.h"

/* What a selector can choose besides counters and states: a bit of a set of inputs for each
 * resource. The bits of a group stand together, and the groups stand in rising order. */
enum {
	ETM_INPUT_EXTIN = 0,
	ETM_INPUT_PE = 4,
	ETM_INPUT_SINGLE = 12,
	ETM_INPUT_ADDRESS = 20,
	ETM_INPUT_RANGE = 36,
	ETM_INPUT_CONTEXT = 44,
	ETM_INPUT_VMID = 52,
	ETM_INPUTS = 60
};

/* A selector: true if at least one of the chosen resources is active, or with `inv`, if none is. */
struct etm_select {
	uint64_t inputs;  /* a set of inputs */
	uint8_t counters; /* a bit for each counter that is at zero */
	uint8_t states;   /* a bit for each state of the sequencer */
	bool inv;
};

/* An event: true if all selectors are, or with `inv`, if they are not. Without any selector the
 * event is constant: true, or with `inv`, false. */
struct etm_event {
	unsigned n; /* 0 … 2 */
	struct etm_select select[2];
	bool inv;
};

struct etm_counter {
	uint16_t reload, start; /* the reload value, and the value in the beginning */
	bool self;              /* the counter reloads itself, and its zero is a pulse */
	bool chain;             /* it also counts reloads of the counter below it */
	struct etm_event count, reset; /* what counts down, and what reloads */
};

/* The sources of the external input selectors. */
struct etm_inputs {
	bool ete;                  /* the numbers are those of events, not of inputs */
	uint16_t number[ETM_EXTIN];
};

struct etm_machine {
	struct etm_reading reading;
	struct etm_inputs extin;
	struct etm_counter counters[ETM_COUNTERS];
	struct etm_event forward[ETM_STATES - 1], /* from n to n + 1 */
		backward[ETM_STATES - 1],         /* from n + 1 to n */
		reset;
	struct etm_event outputs[ETM_OUTPUTS];
	struct etm_event trace; /* when instructions are traced: the event of TRCVICTLR */
	unsigned start;         /* the state in the beginning */
};

/* Decodes registers. `ete`: TRCEXTINSELR has the form of ETE. */
void etm_decode(struct etm_machine *m, const struct etm_regs *r, bool ete,
		struct etm_reading reading);

/* Writes to *inputs the inputs that m looks at, to *states the states that events look at, and to
 * *counters the counters that events look at; each pointer may be NULL. */
void etm_uses(const struct etm_machine *m, uint64_t *inputs, uint8_t *counters, uint8_t *states);

/* What m remembers between two cycles. */
struct etm_config {
	uint8_t state;
	uint8_t pulses; /* the counters that were at zero, by a pulse, in the last cycle */
	uint16_t value[ETM_COUNTERS];
};

void etm_start(const struct etm_machine *m, struct etm_config *c);

/* What happens in a cycle. */
struct etm_cycle {
	uint8_t outputs; /* the external outputs that are on after the cycle */
	bool trace;      /* the event of TRCVICTLR, after the cycle */
	uint8_t pulses;  /* the counters that reload themselves */
	uint8_t reloads; /* the counters that are reloaded, by themselves or by their event */
	uint8_t counts;  /* the counters that count: 1 less, or a pulse, or staying at 0 */
};

/* Executes a cycle in which the external inputs `inputs` are active, and changes *c. */
struct etm_cycle etm_step(const struct etm_machine *m, struct etm_config *c, uint64_t inputs);

/* The order of the moves of the sequencer alone: from state s, when the events of the bits of
 * `forward` and `backward` and the event `reset` hold. */
unsigned etm_move(struct etm_reading reading, unsigned s, unsigned forward, unsigned backward,
		  bool reset);

/* What a test of an event sees. */
struct etm_seen {
	uint64_t inputs;
	uint8_t counters; /* the counters that are at zero */
	uint8_t state;
};

bool etm_event_holds(const struct etm_event *e, const struct etm_seen *seen);

#endif
