/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/etm/tests/experiment.h"

#include "testsuite/etm/regs.h"

enum { DEEPEST = 64 };

const char *const regulator_names[REGULATORS] = { "PR",     "PR-stop", "PR-user", "TB 3:1",
						  "TB 2:2", "TB 1:3",  "PR 1:3" };
static const char *const files[REGULATORS] = { "pr",   "pr-stop", "pr-user", "tb31",
					       "tb22", "tb13",    "pr13" };

uint32_t experiment_stop_error(enum access kind)
{
	return kind == ACCESS_READ || kind == ACCESS_PREFETCH ? 8 : 20;
}

double experiment_bandwidth(double lines)
{
	return lines * LINE_BYTES / PERIOD_US;
}

struct measured experiment_run(const struct experiment *x, enum regulator regulator,
			       enum access kind, uint32_t budget, uint32_t period)
{
	static const struct core_times times = { .latency = LATENCY, .poll = POLL, .leave = LEAVE };
	const struct load load = { .kind = kind, .burst = 1 };
	struct etm_regs regs = x->regs[regulator];
	struct memory memory;
	struct regulated r;
	struct measured m;
	uint64_t before, interrupts, throttled, cycles = (uint64_t)x->periods * (period + 1);

	memory_init(&memory, &load, x->gap, x->depth[kind]);
	/*
	 * An in-order core finishes its loads before it takes an interrupt. Whole overwritten lines
	 * are counted when they are stored, and still wait in the store buffer.
	 */
	memory.drains = kind != ACCESS_MODIFY;
	regs_set(&regs, period, budget);
	regulated_init(&r, &regs, x->reading, &memory, &times, false);
	for (uint64_t i = 0; i < (uint64_t)x->warm_up * (period + 1); i++)
		regulated_step(&r);
	before = r.memory.transfers;
	interrupts = r.interrupts;
	throttled = r.throttled;
	for (uint64_t i = 0; i < cycles; i++)
		regulated_step(&r);
	m.lines = (double)(r.memory.transfers - before) / x->periods;
	m.interrupts = (double)(r.interrupts - interrupts) / x->periods;
	m.throttled = (double)(r.throttled - throttled) / (double)cycles;
	return m;
}

/* The most lines over the budget that PR-stop lets pass. */
static double stop_error(const struct experiment *x, enum access kind)
{
	double worst = 0;

	for (uint32_t budget = 20; budget <= 60; budget += 20) {
		double error = experiment_run(x, PR_STOP, kind, budget, PERIOD).lines - budget;

		if (error > worst)
			worst = error;
	}
	return worst;
}

bool experiment_init(struct experiment *x, uint32_t gap)
{
	*x = (struct experiment){ .gap = gap, .warm_up = 4, .periods = 12 };
	for (unsigned i = 0; i < REGULATORS; i++)
		x->regs[i] = regs_load(files[i]);
	for (unsigned k = 0; k < ACCESS_KINDS; k++) {
		x->depth[k] = 1;
		while (x->depth[k] < DEEPEST &&
		       stop_error(x, (enum access)k) + 0.5 < experiment_stop_error((enum access)k))
			x->depth[k]++;
		if (x->depth[k] == DEEPEST)
			return false;
	}
	return true;
}

uint32_t experiment_least_budget(const struct experiment *x, enum regulator regulator,
				 enum access kind, uint32_t most)
{
	uint32_t budget = most;

	/* Go down from the greatest budget to the first one that is exceeded. */
	while (budget > 0 &&
	       experiment_run(x, regulator, kind, budget, PERIOD).lines <= budget + 1.2)
		budget--;
	return budget + 1;
}
