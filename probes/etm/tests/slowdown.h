/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * slowdown.h: measures how much longer programs take under regulators: MemGuard, MemPol, and the
 * macrocell (sections II and V-F of the paper on ETM2). All use the same model of memory. The
 * programs are synthetic: bursts of lines with computation between them.
 */
#ifndef NFACC_TESTSUITE_SLOWDOWN_H
#define NFACC_TESTSUITE_SLOWDOWN_H

#include "probes/etm/tests/experiment.h"

/* Cycles that the handler of MemGuard's timer takes: 2 µs, assumed. */
enum { TIMER = 2 * CYCLES_PER_US };

enum policy {
	POLICY_MEMGUARD_1000, POLICY_MEMGUARD_50, POLICY_MEMGUARD_20, /* periods in µs */
	POLICY_MEMPOL_50,
	POLICY_PR_20, POLICY_PR_50, POLICY_TB31_50, POLICY_TB22_50,
	POLICIES
};
extern const char *const policy_names[POLICIES];

/* Programs: one that needs much memory, one that needs it in long bursts, and one that computes. */
enum workload { WORKLOAD_MEMORY, WORKLOAD_BURSTS, WORKLOAD_COMPUTE, WORKLOADS };
extern const char *const workload_names[WORKLOADS];

/*
 * Returns how many times longer a program takes with a regulator than without one. The regulator
 * has a budget of `target` MB/s.
 */
double slowdown(const struct experiment *x, enum policy policy, enum workload workload,
		uint32_t target);

#endif
