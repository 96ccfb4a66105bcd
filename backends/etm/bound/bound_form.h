/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bound_form.h: a regulator in the form that bounds are proved for.
 *
 * Note [bounds]. A regulator has a finite control, one counter of lines, and a tick. Its output
 * throttles a core in some states of the control. A *line* is a cycle in which the condition holds
 * under which the counter counts, whether the counter counts in the present state or not. There is
 * at most one line in a cycle.
 *
 * The core decides when lines come. While the output is off, any cycle may have a line. While the
 * output is on, `overrun` cycles may: these are the lines that were on their way when the output
 * rose. When the output has fallen, the core may send again, and the next rise allows `overrun`
 * lines again. Other inputs may change in any cycle.
 *
 * In a state in which the output is off and the counter never counts, the core's lines are outside
 * of the regulation, and the bound leaves them out. (PR-user has such a state: the kernel.)
 *
 * A *window* is a run of n periods anywhere in an execution, so it has n ticks. Time is abstracted:
 * between two ticks there may be any number of cycles. (Only where a tick is seen a cycle late,
 * none comes in that cycle.) So every execution at a real period is an execution here, and a bound
 * that is proved here holds for every period of at least two cycles. The bound is tight if a
 * witness fits into the period (bound_replay.c).
 */
#ifndef NFACC_BACKENDS_ETM_BOUND_FORM_H
#define NFACC_BACKENDS_ETM_BOUND_FORM_H

#include <stdbool.h>
#include <stdint.h>

enum {
	BOUND_STATES = 4,
	/* Pulses that the control sees a cycle late: bits of a control. */
	BOUND_LATE_TICK = 1,
	BOUND_LATE_LINES = 2,
	BOUND_LATE = 4,
	BOUND_CONTROLS = BOUND_STATES * BOUND_LATE, /* control = state * BOUND_LATE + late pulses */
	BOUND_INPUTS = 32
};

/* What a cycle does to the counter. */
enum bound_act { BOUND_KEEP, BOUND_COUNT, BOUND_RESET };

/* Where the counter stands: it has counted fewer than k - 1 lines; k - 1, so that the next one
 * makes it pulse; or k, where it stays until it is reset. */
enum bound_level { BOUND_LOW, BOUND_LAST, BOUND_FULL, BOUND_LEVELS };

struct bound_move {
	uint8_t to; /* a control */
	uint8_t act; /* enum bound_act */
};

struct bound_form {
	uint32_t k;       /* how many lines make the counter pulse, at least 1 */
	bool roll;        /* the k-th line makes the count 0 again; else it stays k */
	uint64_t period;  /* cycles between two ticks, at least 1 */
	uint32_t ninputs; /* how many combinations of inputs there are, at most BOUND_INPUTS */
	uint64_t inputs[BOUND_INPUTS]; /* each of them: a set of inputs; 0 is the empty one */
	bool line[BOUND_INPUTS];       /* with these inputs the cycle has a line */
	uint8_t start;                 /* the control in the beginning */
	uint32_t start_count;          /* the count in the beginning, at most k */
	bool throttled[BOUND_CONTROLS]; /* the output is on after the cycle */
	bool counts[BOUND_CONTROLS];    /* some inputs make the counter count in its state */
	/* what a cycle does, by control, tick, level of the counter, and inputs */
	struct bound_move move[BOUND_CONTROLS][2][BOUND_LEVELS][BOUND_INPUTS];
};

/* Do the lines of a cycle that begins in control c belong to what is bounded? */
static inline bool bound_judges(const struct bound_form *f, unsigned c)
{
	return f->throttled[c] || f->counts[c];
}

static inline enum bound_level bound_level(const struct bound_form *f, uint32_t count)
{
	return count == f->k ? BOUND_FULL : count == f->k - 1 ? BOUND_LAST : BOUND_LOW;
}

/* Returns the count after a cycle that does `act` to `count`. */
static inline uint32_t bound_count(const struct bound_form *f, uint32_t count, unsigned act)
{
	if (act == BOUND_RESET)
		return 0;
	if (act == BOUND_KEEP || count == f->k)
		return count;
	return f->roll && count == f->k - 1 ? 0 : count + 1;
}

#endif
