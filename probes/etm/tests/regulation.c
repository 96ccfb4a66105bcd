/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * A core regulated by a macrocell: tests what must hold for any value of the assumed numbers.
 * bench-etm prints all predictions of the model.
 */
#include "probes/etm/model/software.h"
#include "probes/etm/tests/beside.h"
#include "testsuite/unit/tap.h"

enum { MOST = 24 };

static void test_budgets(struct tap *t, const struct experiment *x)
{
	uint32_t pr = experiment_least_budget(x, PR, ACCESS_WRITE, MOST);
	uint32_t tb31 = experiment_least_budget(x, TB31, ACCESS_WRITE, MOST);
	uint32_t tb22 = experiment_least_budget(x, TB22, ACCESS_WRITE, MOST);
	uint32_t tb13 = experiment_least_budget(x, TB13, ACCESS_WRITE, MOST);
	/* Lines that arrive while the output is on. */
	uint32_t late = experiment_stop_error(ACCESS_WRITE) - 1;

	printf("# least budgets: %u %u %u %u\n", pr, tb31, tb22, tb13);
	tap_case(t, pr == late && tb31 == late, "PR and TB 3:1 hold budgets from what is late on");
	tap_case(t, tb22 == (late + 2) / 2 - 1 + (late % 2 == 0), "TB 2:2 holds half of that");
	tap_case(t, tb13 == (late + 3) / 3 - 1, "TB 1:3 holds a third of it");
}

static void test_errors(struct tap *t, const struct experiment *x)
{
	double low = experiment_run(x, PR_STOP, ACCESS_WRITE, 30, PERIOD).lines - 30;
	double high = experiment_run(x, PR_STOP, ACCESS_WRITE, 150, PERIOD).lines - 150;

	printf("# errors of PR-stop: %.1f %.1f\n", low, high);
	tap_case(t, low > 19 && low < 21 && high - low < 1 && low - high < 1,
		 "PR-stop's error does not depend on the budget");
	tap_case(t, experiment_run(x, PR_USER, ACCESS_MODIFY, 40, PERIOD).lines > 50 &&
		    experiment_run(x, PR_USER, ACCESS_WRITE, 40, PERIOD).lines < 42,
		 "PR-user misses what drains in the kernel");
}

static void test_peak(struct tap *t, const struct experiment *x)
{
	uint32_t budget = PERIOD / x->gap + 5;
	double pr = experiment_run(x, PR, ACCESS_READ, budget, PERIOD).lines;

	tap_case(t, experiment_run(x, TB13, ACCESS_READ, budget, PERIOD).lines < 0.9 * pr,
		 "TB 1:3 throttles a core that stays below its budget");
	tap_case(t, experiment_run(x, PR13, ACCESS_READ, budget, PERIOD).lines > 0.98 * pr,
		 "PR 1:3 does not");
}

/* Runs PR with a handler, a kind of interrupt, and a value of TRCEVENTCTL1R. */
static struct regulated run_experiment(const struct experiment *x, enum throttle throttle,
				       bool edge, uint32_t eventctl1)
{
	static const struct core_times times = { .latency = LATENCY, .poll = POLL, .leave = LEAVE };
	const struct load load = { .kind = ACCESS_READ, .burst = 1 };
	struct etm_regs regs = x->regs[PR];
	struct memory memory;
	struct regulated r;

	memory_init(&memory, &load, x->gap, x->depth[ACCESS_READ]);
	regs.cntrldv[0] = regs.cntv[0] = PERIOD;
	regs.cntrldv[1] = regs.cntv[1] = 50;
	regs.eventctl1[0] = eventctl1;
	regulated_init(&r, &regs, x->reading, &memory, &times, edge);
	r.throttle = throttle;
	for (unsigned i = 0; i < 20 * (PERIOD + 1); i++)
		regulated_step(&r);
	return r;
}

static void test_handlers(struct tap *t, const struct experiment *x)
{
	const uint32_t override = ETM_PUT(TRCEVENTCTL1R, LPOVERRIDE, 1);
	struct regulated poll = run_experiment(x, THROTTLE_POLL, false, 0);
	struct regulated edge = run_experiment(x, THROTTLE_POLL, true, 0);
	struct regulated back = run_experiment(x, THROTTLE_RETURN, false, 0);
	struct regulated back_edge = run_experiment(x, THROTTLE_RETURN, true, 0);
	struct regulated wfi = run_experiment(x, THROTTLE_WFI, false, 0);
	struct regulated wfi_on = run_experiment(x, THROTTLE_WFI, false, override);

	printf("# interrupts: %u with a level, %u with a handler that returns\n",
	       (unsigned)poll.interrupts, (unsigned)back.interrupts);
	tap_case(t, poll.memory.transfers <= 20 * 51 + 60 && poll.interrupts >= 19 &&
		    poll.interrupts <= 40, "a level: the core is throttled once a period");
	tap_case(t, edge.memory.transfers <= 20 * 51 + 60 && edge.interrupts >= 19 &&
		    edge.interrupts <= 20, "so it is with an edge");
	tap_case(t, back.interrupts > 200 && back.memory.transfers > 20 * 100,
		 "a handler that returns at once is called again and again, in vain");
	tap_case(t, back_edge.memory.transfers > 20 * 180,
		 "with an edge it does not regulate at all");
	tap_case(t, wfi.interrupts == 1 && wfi.memory.transfers < 70,
		 "a handler that waits for interrupts stops the macrocell, and never returns");
	tap_case(t, wfi_on.interrupts >= 19, "unless resources work in low-power states");
}

/* Steps the interface over a cycle with these outputs of the ETM. */
static bool irq_after(struct cti *c, uint32_t outputs)
{
	cti_step(c, outputs, 0);
	return cti_irq(c);
}

static void test_cti(struct tap *t)
{
	struct cti level, edge;
	bool ok;

	cti_init(&level, false);
	tap_case(t, cti_read(&level, CTI_GATE) == 0xf, "the gate is open after power-up");
	for (uint32_t i = 0; i < 2; i++) {
		struct cti *c = i == 0 ? &level : &edge;

		cti_init(c, i == 1);
		cti_write(c, CTI_INEN + 4 * (CTI_ETM_INPUT + 3), 2);
		cti_write(c, CTI_OUTEN + 4 * CTI_IRQ_OUTPUT, 2);
		ok = !irq_after(c, 8);
		cti_write(c, CTI_CONTROL, 1);
		ok = ok && !irq_after(c, 4) && irq_after(c, 8) && irq_after(c, 0);
		cti_write(c, CTI_INTACK, 1 << CTI_IRQ_OUTPUT);
		tap_case(t, ok && !irq_after(c, 0), "an interrupt is latched until acknowledged");
		ok = irq_after(c, 8);
		cti_write(c, CTI_INTACK, 1 << CTI_IRQ_OUTPUT);
		tap_case(t, ok && irq_after(c, 8) == (i == 0),
			 "a %s that is acknowledged too early %s", i == 0 ? "level" : "edge",
			 i == 0 ? "comes again" : "does not come again");
	}
	tap_case(t, cti_step(&level, 8, 0) == 2, "an open gate passes it to other cores");
	cti_write(&level, CTI_GATE, 0);
	tap_case(t, cti_step(&level, 8, 0) == 0 && cti_read(&level, CTI_TRIGOUTSTATUS) == 4,
		 "a closed one does not");
}

static void test_software(struct tap *t)
{
	const struct load load = { .kind = ACCESS_READ, .burst = 1 };
	struct memguard g = { .period = 60000, .budget = 300, .latency = LATENCY, .timer = 2400 };
	struct mempol p = { .poll = 7500, .window = 8, .budget = 300 };

	memory_init(&g.memory, &load, GAP, 5);
	p.memory = g.memory;
	for (unsigned i = 0; i < 100 * 60000; i++) {
		memguard_step(&g);
		mempol_step(&p);
	}
	tap_case(t, g.memory.transfers >= 100 * 300 && g.memory.transfers <= 100 * 310,
		 "MemGuard holds its budget up to what is late");
	/*
	 * A poll comes after at least 234 lines. A window has two polls, the fewest that reach 300.
	 */
	tap_case(t, p.memory.transfers > 100 * 300 && p.memory.transfers <= 100 * 2 * 235,
		 "MemPol overshoots by less than a poll");
}

/* Beside MemGuard: doc/use/memguard.md. */
static void test_beside(struct tap *t, const struct experiment *x)
{
	const struct subject guard = { "MemGuard", REGULATORS, 5 }, pr13 = { "PR 1:3", PR13, 5 };
	const double share = 200.0 * 1000 / LINE_BYTES; /* lines in a millisecond */
	const uint32_t timer = 2 * CYCLES_PER_US, late = experiment_stop_error(ACCESS_WRITE);
	uint32_t budget = beside_budget(&pr13, 200);
	struct beside g, e;
	bool ok = beside_measure(x, &guard, ACCESS_WRITE, 200, 300, timer, &g) &&
		  beside_measure(x, &pr13, ACCESS_WRITE, 200, 300, timer, &e);

	printf("# lines in a millisecond: %.0f and %.0f of %.0f; interrupts: %.0f and %.0f\n",
	       g.mean, e.mean, share, g.interrupts, e.interrupts);
	tap_case(t, ok && g.mean > 1.5 * share && e.mean <= share,
		 "MemGuard charges no late lines, and PR 1:3 does");
	/* 100 us have a part of at most 21 periods */
	tap_case(t, e.most[1] <= 21 * budget + budget + late && g.most[1] > 22 * budget + late,
		 "PR 1:3 keeps its bound, which MemGuard exceeds");
	tap_case(t, e.interrupts < 0.5 && e.lost < 1e-9 && g.interrupts > 199 && g.lost > 0.39,
		 "MemGuard's timer costs a program that needs no memory, and PR 1:3 nothing");
}

int main(void)
{
	struct experiment x;
	struct tap t = { 0 };

	tap_case(&t, experiment_init(&x, GAP), "the model is calibrated to PR-stop's error");
	test_budgets(&t, &x);
	test_errors(&t, &x);
	test_peak(&t, &x);
	test_handlers(&t, &x);
	test_cti(&t);
	test_software(&t);
	test_beside(&t, &x);
	return tap_end(&t);
}
