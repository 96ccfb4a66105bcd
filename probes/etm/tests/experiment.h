/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * experiment.h: the experiments of the paper on ETM2 (sections V-C and V-D), done on the model.
 *
 * The paper gives the registers, and the clock and interrupt latency of the ZCU102 (table I). It
 * also gives the error of PR-stop (section V-C). From that error it is calibrated how many lines
 * the core leaves behind when it stops. The time for a line and the times of the handler are
 * assumed. Nothing else is fitted.
 */
#ifndef NFACC_TESTSUITE_EXPERIMENT_H
#define NFACC_TESTSUITE_EXPERIMENT_H

#include "probes/etm/model/regulated.h"

enum {
	LINE_BYTES = 64,
	CYCLES_PER_US = 1200,
	LATENCY = 81,
	POLL = 50, LEAVE = 100,     /* assumed */
	GAP = 32,                   /* assumed: 2,400 MB/s */
	PERIOD_US = 5,
	PERIOD = PERIOD_US * CYCLES_PER_US
};

enum regulator { PR, PR_STOP, PR_USER, TB31, TB22, TB13, PR13, REGULATORS };
extern const char *const regulator_names[REGULATORS];

struct experiment {
	struct etm_regs regs[REGULATORS];
	struct etm_reading reading;
	uint32_t gap;                 /* cycles for a line at full speed */
	uint32_t depth[ACCESS_KINDS]; /* lines that the core leaves behind when it stops */
	uint32_t warm_up;             /* periods before the measurement begins */
	uint32_t periods;             /* periods of the measurement */
};

/* What was measured, on average over all periods. */
struct measured {
	double lines;      /* lines transferred in a period */
	double interrupts; /* interrupts in a period */
	double throttled;  /* fraction of the cycles in which the program did not run */
};

/*
 * Loads the registers and calibrates. A measurement takes 12 periods, after 4 others. Returns false
 * if PR-stop never has the error of the paper.
 */
bool experiment_init(struct experiment *x, uint32_t gap);

/*
 * Runs a program that only accesses memory, under a regulator. The budget (in lines) and the period
 * (in cycles) are set as the authors do it: as the reload values of the counters.
 */
struct measured experiment_run(const struct experiment *x, enum regulator regulator,
			       enum access kind, uint32_t budget, uint32_t period);

/* The number of lines over the budget with PR-stop in the paper. The calibration uses it. */
uint32_t experiment_stop_error(enum access kind);

/*
 * Returns the smallest budget b such that with all budgets from b to `most` the regulator lets no
 * more lines pass in a period than its counter counts. The counter counts one line more than the
 * budget. Returns most + 1 if there is none.
 */
uint32_t experiment_least_budget(const struct experiment *x, enum regulator regulator,
				 enum access kind, uint32_t most);

/* The bandwidth of `lines` in a period of PERIOD cycles, in MB/s (10^6 bytes). */
double experiment_bandwidth(double lines);

#endif
