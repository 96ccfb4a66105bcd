/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * beside.h: measures what MemGuard and regulators in a macrocell let through and what they cost, on
 * the same model of memory: the most lines in any window of some lengths, over a set of programs of
 * which some save up and burst.
 */
#ifndef NFACC_TESTSUITE_BESIDE_H
#define NFACC_TESTSUITE_BESIDE_H

#include "probes/etm/tests/experiment.h"

/* A regulator with its period. `regulator` is REGULATORS for MemGuard. */
struct subject {
	const char *name;
	enum regulator regulator;
	uint32_t us;
};

enum { BESIDE_WINDOWS = 3 };
extern const uint32_t beside_windows_us[BESIDE_WINDOWS];

struct beside {
	/* Lines in any such window; 0: the run is no longer than it. */
	uint64_t most[BESIDE_WINDOWS];
	/* Lines in a millisecond of a program that always accesses, in the second half of the run:
	 * what was saved at first is used up by then. */
	double mean;
	/* Of a program that stays far below its budget: interrupts in a millisecond, and the share
	 * of the time in which it does not run. */
	double interrupts, lost;
};

/* The budget in lines of a subject at `target` MB/s. */
uint32_t beside_budget(const struct subject *s, uint32_t target);

/* Measures for `us` microseconds. MemGuard's timer takes `timer` cycles. False: out of memory. */
bool beside_measure(const struct experiment *x, const struct subject *s, enum access kind,
		    uint32_t target, uint32_t us, uint32_t timer, struct beside *b);

#endif
