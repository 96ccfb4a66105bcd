/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * random_machine.h: makes random machines over the events of core a53. A machine is text for the
 * compiler, and also tables. The tables are executed as nfacc-filter(5) describes it, without the
 * compiler.
 */
#ifndef NFACC_TESTSUITE_RANDOM_MACHINE_H
#define NFACC_TESTSUITE_RANDOM_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "support/buf.h"

enum { RANDOM_STATES = 4, RANDOM_COUNTERS = 2, RANDOM_CONDITIONS = 3, RANDOM_MOVES = 6,
       RANDOM_OUTPUTS = 2, RANDOM_TERMS = 2 };

/* The condition that a term tests in a cycle. */
enum random_kind { TERM_ANY, TERM_NONE, TERM_TICK, TERM_NO_TICK, TERM_AT, TERM_NOT_AT };

struct random_term {
	enum random_kind kind;
	/*
	 * TERM_ANY, TERM_NONE: the events, bit 0 a refill and bit 1 a write-back. TERM_AT,
	 * TERM_NOT_AT: the counter.
	 */
	uint32_t which;
};

struct random_condition {
	uint32_t nterms;
	struct random_term term[RANDOM_TERMS];
	uint32_t when; /* a bit for each state; 0: all */
};

struct random_counter {
	uint32_t k;
	bool latch; /* false: roll */
	uint32_t ncount, nreset;
	struct random_condition count[RANDOM_CONDITIONS], reset[RANDOM_CONDITIONS];
};

struct random_machine {
	uint32_t tick; /* cycles; 0: no ticks */
	uint32_t nstates, ncounters, nmoves;
	uint32_t output[RANDOM_STATES]; /* for each state, a bit for each output that is on */
	struct random_counter counter[RANDOM_COUNTERS];
	struct { uint32_t from, to; struct random_condition condition; } move[RANDOM_MOVES];
	/* The state of the execution. */
	uint64_t now;
	uint32_t state, value[RANDOM_COUNTERS];
};

/* Makes a machine from the seed, and changes the seed. */
void random_machine(struct random_machine *m, uint64_t *seed);

/* Appends the machine as the text of a filter. State i is called s<i>, and output i o<i>. */
void random_machine_text(const struct random_machine *m, struct buf *b);

/* Executes a cycle with these events. */
void random_machine_step(struct random_machine *m, uint32_t events);

/* Draws a number below n. */
uint32_t random_below(uint64_t *seed, uint32_t n);

#endif
