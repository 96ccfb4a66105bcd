/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/etm/tests/slowdown.h"

#include "probes/etm/model/software.h"
#include "testsuite/etm/regs.h"

enum {
	LINES = 12000,                       /* lines that a program accesses until it ends */
	POLL_CYCLES = CYCLES_PER_US * 25 / 4, /* 6.25 µs (section V-F) */
	WINDOW = 8
};

const char *const policy_names[POLICIES] = {
	"MemGuard 1000 us", "MemGuard 50 us", "MemGuard 20 us", "MemPol 50 us",
	"PR 20 us",         "PR 50 us",       "TB 3:1 50 us",   "TB 2:2 50 us"
};
const char *const workload_names[WORKLOADS] = { "memory", "bursts", "compute" };

static const struct load loads[WORKLOADS] = {
	{ ACCESS_READ, 2000, 64 }, { ACCESS_READ, 133000, 1000 }, { ACCESS_READ, 100000, 16 }
};

/* For each policy, its regulator, and its period in µs. */
static const struct {
	enum regulator regulator;
	uint32_t us;
} kinds[POLICIES] = {
	[POLICY_MEMGUARD_1000] = { REGULATORS, 1000 }, [POLICY_MEMGUARD_50] = { REGULATORS, 50 },
	[POLICY_MEMGUARD_20] = { REGULATORS, 20 },     [POLICY_MEMPOL_50] = { REGULATORS, 50 },
	[POLICY_PR_20] = { PR, 20 },                   [POLICY_PR_50] = { PR, 50 },
	[POLICY_TB31_50] = { TB31, 50 },               [POLICY_TB22_50] = { TB22, 50 }
};

static uint64_t without(struct memory memory)
{
	uint64_t cycles = 0;

	for (; memory.issued < LINES; cycles++)
		memory_step(&memory, true);
	return cycles;
}

static uint64_t with_memguard(const struct memory *memory, uint32_t us, uint32_t budget)
{
	struct memguard g = { .memory = *memory, .period = us * CYCLES_PER_US, .budget = budget,
			      .latency = LATENCY, .timer = TIMER };
	uint64_t cycles = 0;

	for (; g.memory.issued < LINES; cycles++)
		memguard_step(&g);
	return cycles;
}

static uint64_t with_mempol(const struct memory *memory, uint32_t budget)
{
	struct mempol p = { .memory = *memory, .poll = POLL_CYCLES, .window = WINDOW,
			    .budget = budget };
	uint64_t cycles = 0;

	for (; p.memory.issued < LINES; cycles++)
		mempol_step(&p);
	return cycles;
}

static uint64_t with_macrocell(const struct experiment *x, const struct memory *memory,
			       enum regulator regulator, uint32_t us, uint32_t budget)
{
	static const struct core_times times = { .latency = LATENCY, .poll = POLL, .leave = LEAVE };
	struct etm_regs regs = x->regs[regulator];
	struct regulated r;
	uint64_t cycles = 0;

	regs_set(&regs, us * CYCLES_PER_US, budget);
	regulated_init(&r, &regs, x->reading, memory, &times, false);
	for (; r.memory.issued < LINES; cycles++)
		regulated_step(&r);
	return cycles;
}

double slowdown(const struct experiment *x, enum policy policy, enum workload workload,
		uint32_t target)
{
	uint32_t us = kinds[policy].us, budget = target * us / LINE_BYTES;
	struct memory memory;
	uint64_t cycles;

	memory_init(&memory, &loads[workload], x->gap, x->depth[ACCESS_READ]);
	memory.drains = true;
	if (policy == POLICY_MEMPOL_50)
		cycles = with_mempol(&memory, budget);
	else if (kinds[policy].regulator == REGULATORS)
		cycles = with_memguard(&memory, us, budget);
	else
		cycles = with_macrocell(x, &memory, kinds[policy].regulator, us, budget);
	return (double)cycles / (double)without(memory);
}
