/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * experiment.h: the experiments of the paper on ETM2 (sections V-C and V-D) on the model.
 *
 * What is taken from the paper: the registers, the clock and the latency of the interrupt on the
 * ZCU102 (table I), and the error of PR-stop (section V-C), from which it is calibrated how many
 * lines the core leaves behind when it stops. What is assumed: how long a line takes, and the
 * handler's times. Nothing else is fitted.
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
	uint32_t gap;                 /* cycles a line at full speed */
	uint32_t depth[ACCESS_KINDS]; /* lines that the core leaves behind when it stops */
	uint32_t warm_up;             /* periods before it is measured */
	uint32_t periods;             /* over which it is measured */
};

/* What was measured, over all periods. */
struct measured {
	double lines;      /* transferred, a period */
	double interrupts; /* a period */
	double throttled;  /* share of the cycles in which the program did not run */
};

/* Loads the registers, and calibrates. It is measured over 12 periods after 4. False: PR-stop never
 * has the error of the paper. */
bool experiment_init(struct experiment *x, uint32_t gap);

/* Runs a program that does nothing but access memory, under a regulator with this budget (lines)
 * and period (cycles), as the authors program them: as the reload values of the counters. */
struct measured experiment_run(const struct experiment *x, enum regulator regulator,
			       enum access kind, uint32_t budget, uint32_t period);

/* Lines over the budget with PR-stop in the paper: what is calibrated to. */
uint32_t experiment_stop_error(enum access kind);

/* Returns the smallest budget from which on, up to `most`, a regulator lets no more lines pass in a
 * period than its counter counts, which is one line more than the budget. Returns most + 1 if there
 * is none. */
uint32_t experiment_least_budget(const struct experiment *x, enum regulator regulator,
				 enum access kind, uint32_t most);

/* Bandwidth of `lines` a period of PERIOD cycles, in MB/s (10^6 bytes). */
double experiment_bandwidth(double lines);

#endif
