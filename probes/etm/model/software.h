/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * software.h: models of two regulators without a macrocell, MemGuard and MemPol, on the same
 * memory. They follow the descriptions in the paper on ETM2, sections II and V-F.
 *
 * MemGuard counts lines while the program runs. When the budget is used up, an interrupt comes, and
 * the core is throttled until the next period begins. At the start of each period another interrupt
 * restores the budget. Its handler takes time from the program.
 *
 * MemPol runs on another core. It reads the counter of lines every `poll` cycles. It halts the core
 * while the lines of the last `window` polls are at least the budget. It takes no time from the
 * program, but it sees lines late.
 */
#ifndef NFACC_PROBES_ETM_MODEL_SOFTWARE_H
#define NFACC_PROBES_ETM_MODEL_SOFTWARE_H

#include "probes/etm/model/memory.h"

enum { MEMPOL_MOST_POLLS = 16 };

struct memguard {
	struct memory memory;
	uint32_t period;          /* cycles */
	uint32_t budget;          /* lines per period */
	uint32_t latency;         /* cycles from the overflow of the counter to the handler */
	uint32_t timer;           /* cycles that the interrupt at the start of a period takes */
	uint32_t time, lines;     /* cycles and lines in the current period */
	uint32_t irq;             /* cycles until the overflow's handler runs; 0: none */
	uint32_t busy;            /* cycles that the handler of the timer still takes */
	bool throttled;
};

struct mempol {
	struct memory memory;
	uint32_t poll;            /* cycles between two polls */
	uint32_t window;          /* number of polls that are added up, at most MEMPOL_MOST_POLLS */
	uint32_t budget;          /* lines in a window */
	uint32_t time, lines;     /* since the last poll */
	uint32_t past[MEMPOL_MOST_POLLS], next, sum;
	bool halted;
};

/* Step over one cycle. */
void memguard_step(struct memguard *g);
void mempol_step(struct mempol *p);

#endif
