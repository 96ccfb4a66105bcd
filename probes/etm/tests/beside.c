/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/etm/tests/beside.h"

#include <stdlib.h>

#include "probes/etm/model/software.h"
#include "testsuite/etm/regs.h"

const uint32_t beside_windows_us[BESIDE_WINDOWS] = { 10, 100, 1000 };

uint32_t beside_budget(const struct subject *s, uint32_t target)
{
	return target * s->us / LINE_BYTES;
}

/* A regulator of either kind at work. */
struct run {
	bool software;
	struct memguard guard;
	struct regulated etm;
	uint64_t stands, interrupts; /* cycles without the program, and interrupts */
};

static void begin(struct run *r, const struct experiment *x, const struct subject *s,
		  const struct load *load, uint32_t budget, uint32_t timer)
{
	static const struct core_times times = { .latency = LATENCY, .poll = POLL, .leave = LEAVE };
	uint32_t period = s->us * CYCLES_PER_US;
	struct memory memory;

	memory_init(&memory, load, x->gap, x->depth[load->kind]);
	memory.drains = load->kind != ACCESS_MODIFY;
	*r = (struct run){ .software = s->regulator == REGULATORS };
	if (r->software) {
		r->guard = (struct memguard){ .memory = memory, .period = period, .budget = budget,
					      .latency = LATENCY, .timer = timer };
		return;
	}
	struct etm_regs regs = x->regs[s->regulator];

	/* A counter counts its reload value and one more. */
	regs_set(&regs, period - 1, budget - 1);
	regulated_init(&r->etm, &regs, x->reading, &memory, &times, false);
}

static uint64_t step(struct run *r)
{
	bool was = r->guard.throttled;

	if (!r->software) {
		regulated_step(&r->etm);
		r->stands = r->etm.throttled;
		r->interrupts = r->etm.interrupts;
		return r->etm.memory.transfers;
	}
	r->stands += r->guard.throttled || r->guard.busy > 0;
	memguard_step(&r->guard);
	r->interrupts += r->guard.time == 0;                /* the timer */
	r->interrupts += !was && r->guard.throttled;        /* the budget is used up */
	return r->guard.memory.transfers;
}

/* The most lines in windows of n cycles. lines[i]: how many there were until cycle i. */
static uint64_t most_in(const uint32_t *lines, uint64_t cycles, uint64_t n)
{
	uint64_t most = 0;

	for (uint64_t i = n; i < cycles; i++)
		if (lines[i] - lines[i - n] > most)
			most = lines[i] - lines[i - n];
	return most;
}

/* Programs: one that always accesses memory, and some that save up for up to three half periods and
 * then access up to four budgets. */
static bool program(unsigned i, enum access kind, uint32_t period, uint32_t budget, struct load *l)
{
	static const uint32_t bursts[] = { 1, 2, 4 };

	*l = (struct load){ .kind = kind, .burst = 1 };
	if (i == 0)
		return true;
	i--;
	l->compute = period / 2 * (1 + i % 3) - period / 16;
	l->burst = budget * bursts[i / 3 % 3];
	return i < 9;
}

bool beside_measure(const struct experiment *x, const struct subject *s, enum access kind,
		    uint32_t target, uint32_t us, uint32_t timer, struct beside *b)
{
	uint32_t period = s->us * CYCLES_PER_US, budget = beside_budget(s, target);
	uint64_t cycles = (uint64_t)us * CYCLES_PER_US;
	const struct load idle = { .kind = kind, .compute = 20000, .burst = 1 };
	uint32_t *lines = calloc(cycles, sizeof *lines);
	struct load load;
	struct run r;

	*b = (struct beside){ .mean = 0 };
	if (lines == NULL)
		return false;
	for (unsigned i = 0; program(i, kind, period, budget, &load); i++) {
		begin(&r, x, s, &load, budget, timer);
		for (uint64_t k = 0; k < cycles; k++)
			lines[k] = (uint32_t)step(&r);
		for (unsigned w = 0; w < BESIDE_WINDOWS; w++) {
			uint64_t most = most_in(lines, cycles,
						(uint64_t)beside_windows_us[w] * CYCLES_PER_US);

			b->most[w] = most > b->most[w] ? most : b->most[w];
		}
		if (i == 0)
			b->mean = (double)(lines[cycles - 1] - lines[cycles / 2]) * 2000 / us;
	}
	begin(&r, x, s, &idle, budget, timer);
	for (uint64_t k = 0; k < cycles; k++)
		step(&r);
	b->interrupts = (double)r.interrupts * 1000 / us;
	b->lost = (double)r.stands / (double)cycles;
	free(lines);
	return true;
}
