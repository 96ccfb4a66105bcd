/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * cores.h: several cores whose budgets differ (--core-budget). The source is compiled and proved
 * for each of these budgets. The programs may differ in the values of counters alone, so that
 * outputs and states mean the same on all cores; then one set of files has the counters of each
 * core.
 */
#ifndef NFACC_COMPILER_COMMAND_CORES_H
#define NFACC_COMPILER_COMMAND_CORES_H

#include "compiler/command/files.h"

struct cores {
	struct etm_regs regs[ETM_MOST_CORES]; /* of each core with a budget of its own */
	struct etm_counts counts[ETM_MOST_CORES];
	struct diags diags[ETM_MOST_CORES]; /* what there was to say of it, for its first core */
};

/* Compiles for each budget of --core-budget once, and lets o->pipeline borrow the counters.
 * Returns an exit code of nfacc; what is wrong is reported. Without --core-budget, or if no
 * registers are asked for, it does nothing. */
int cores_compile(struct options *o, const struct inputs *in, struct cores *c);

/* Is *p, the program for the budget of the source, that of all these cores but for counters? If
 * not, this is reported. Also reports what there was to say of the budgets of cores and not of that
 * one. Returns an exit code. */
int cores_check(const struct options *o, const struct pipeline *p, struct cores *c);

void cores_free(struct cores *c);

#endif
