/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * etm_side.h: the form in which a comparison (etm_equal.h) sees a machine with counters, whether it
 * comes from registers (etm_decode.h) or from a source (ir/machine.h).
 *
 * Note [sides]. A side has a control state and counters that count up from 0. In each cycle a
 * letter arrives: a set of atoms, and an atom is a signal outside of the machine. Control state,
 * letter, and which counters are at one of their points decide everything: the next control state,
 * the outputs that are on after the cycle, and for each counter whether it keeps its value, goes up
 * by 1 or becomes 0. A point is a value that a machine tells apart from all other values.
 */
#ifndef NFACC_BACKENDS_ETM_ETM_SIDE_H
#define NFACC_BACKENDS_ETM_ETM_SIDE_H

#include "backends/etm/etm_decode.h"
#include "ir/machine.h"

enum { ETM_SIDE_COUNTERS = 8, ETM_SIDE_POINTS = 2, ETM_SIDE_ATOMS = 32, ETM_SIDE_OUTPUTS = 8 };

enum etm_action { ETM_KEEP, ETM_ADD, ETM_ZERO };

struct etm_side_counter {
	int64_t start;
	unsigned npoints;
	int64_t point[ETM_SIDE_POINTS]; /* rising */
	bool steady;                    /* the counter counts in every cycle */
};

struct etm_side_step {
	uint32_t control; /* after the cycle */
	enum etm_action action[ETM_SIDE_COUNTERS];
	uint32_t outputs; /* a bit for each output that is on after the cycle */
};

struct etm_side {
	unsigned ncounters;
	struct etm_side_counter counters[ETM_SIDE_COUNTERS];
	uint32_t start; /* the control state in the beginning */
	/* Executes a cycle. at[i] is the number of the point at which counter i is, or -1. */
	void (*step)(const struct etm_side *s, uint32_t control, const int8_t *at, uint32_t letter,
		     struct etm_side_step *out);
	/* Letters with one signature are the same to the side. */
	uint64_t (*signature)(const struct etm_side *s, uint32_t letter);
};

/* ---- the side of registers ---- */

/* The external outputs and, as bit ETM_OUTPUTS, the event that enables tracing. */
typedef uint8_t etm_pins_t;
enum { ETM_PIN_TRACE = 1 << ETM_OUTPUTS };

struct etm_regs_side {
	struct etm_side side; /* the first member */
	const struct etm_machine *m;
	uint64_t inputs[ETM_SIDE_ATOMS];    /* the inputs that an atom activates */
	unsigned noutputs;
	etm_pins_t pins[ETM_SIDE_OUTPUTS];  /* an output is on if one of its pins is */
	unsigned counter[ETM_COUNTERS]; /* [ncounters]: number in m of each counter of the side */
	uint8_t late;                       /* the pulses that are remembered for the next cycle */
};

/* Makes the side of machine m, which is borrowed. inputs[natoms] and pins[noutputs] are as in the
 * struct. Counters that never change are left out. */
void etm_regs_side(struct etm_regs_side *s, const struct etm_machine *m, const uint64_t *inputs,
		   unsigned natoms, const etm_pins_t *pins, unsigned noutputs);

/* ---- the side of a source ---- */

/* A predicate over atoms and ticks: at least one of these is there, or with `none`, none is. */
struct etm_pred {
	bool none;
	uint32_t atoms;
	bool tick, notick;
};

struct etm_source_side {
	struct etm_side side; /* the first member */
	const struct machine *m;
	const struct etm_pred *preds; /* by pred_id_t */
	uint64_t tick; /* 0: there are no ticks. Otherwise counter 0 counts cycles. */
};

/* Makes the side of machine m, which is borrowed as `preds` is. preds[p] is needed for the
 * predicates that stand in m. A tick comes in every tick-th cycle, but
 * not in the first one. The outputs of m have the bits
 * of their indices. more[i] is added to K of counter i; NULL: nothing is. False: m has more
 * counters or outputs than a side can have, or K would be 0. */
bool etm_source_side(struct etm_source_side *s, const struct machine *m,
		     const struct etm_pred *preds, uint64_t tick, const int8_t *more);

/* ---- execution with values ---- */

struct etm_side_config {
	uint32_t control;
	int64_t value[ETM_SIDE_COUNTERS];
};

void etm_side_start(const struct etm_side *s, struct etm_side_config *c);

/* Executes a cycle and changes *c. Returns the outputs that are on after it. */
uint32_t etm_side_run(const struct etm_side *s, struct etm_side_config *c, uint32_t letter);

#endif
