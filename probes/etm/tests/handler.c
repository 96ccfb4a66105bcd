/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Runs the interrupt handlers that nfacc makes on the models of the macrocell and the cross-trigger
 * interface. Each access to a register takes some cycles of the model. The handlers are those of
 * the regulators in examples/etm, in handlers.inc. Their register values are in NAME.json next to
 * it.
 */
#include <inttypes.h>
#include <string.h>

#include "contract/etm/etm_dump.h"
#include "probes/etm/model/cti.h"
#include "probes/etm/model/macrocell.h"
#include "support/buf.h"
#include "testsuite/setting.h"
#include "testsuite/unit/tap.h"

enum { LATENCY = 30, CYCLES = 60000, MOST_POLLS = 500, CHANNEL = 1 };

/* The core and its surroundings. */
static struct {
	struct macrocell etm;
	struct cti cti;
	uint64_t seed, cycle;
	uint32_t access;    /* cycles that an access to a register takes */
	uint32_t reads;
	bool edge, line_before, pending;
	bool hangs;         /* the macrocell does not run */
	bool handling;
	uint32_t still;     /* cycles for which the output has been on without a handler */
} core;
static char etm_base, cti_base;

static uint64_t draw_random(void)
{
	core.seed = core.seed * 6364136223846793005u + 1442695040888963407u;
	return core.seed >> 33;
}

/* One cycle. Lines come often, also while the handler runs. */
static void run_cycle(void)
{
	bool moves = draw_random() % (core.handling ? 60 : 3) == 0;
	struct macrocell_inputs in = { .group = { [ETM_GROUP_EXTIN] = moves } };
	bool line;

	if (!core.hangs)
		macrocell_step(&core.etm, &in);
	cti_step(&core.cti, core.etm.outputs, 0);
	line = cti_irq(&core.cti);
	core.pending = core.edge ? core.pending || (line && !core.line_before) : line;
	core.line_before = line;
	core.still = core.etm.outputs != 0 && !core.handling ? core.still + 1 : 0;
	core.cycle++;
}

static uint32_t read_register(const void *base, uint32_t offset)
{
	for (uint32_t i = 0; i < core.access; i++)
		run_cycle();
	core.reads++;
	if (base == &cti_base)
		return cti_read(&core.cti, offset);
	return offset == 0x11c ? macrocell_state(&core.etm) : UINT32_MAX;
}

static void write_register(const void *base, uint32_t offset, uint32_t value)
{
	for (uint32_t i = 0; i < core.access; i++)
		run_cycle();
	if (base == &cti_base)
		cti_write(&core.cti, offset, value);
}

#define NFACC_READ32(base, offset) read_register(base, offset)
#define NFACC_WRITE32(base, offset, value) write_register(base, offset, value)
#define NFACC_ETM_POLLS MOST_POLLS
#include "probes/etm/tests/handlers.inc"

/* Programs the core with NAME.json from the build folder. */
static bool program(const char *name, bool edge, uint64_t seed)
{
	const char *build = getenv("BUILDDIR");
	struct buf b = { 0 };
	struct etm_dump d;
	char path[512];
	bool ok;

	snprintf(path, sizeof path, "%s/probes/etm/tests/%s.json",
		 build != NULL ? build : ".", name);
	ok = buf_read_file(&b, path, 1 << 20) == 0 &&
	     etm_dump_read(b.at, b.n, path, &d, NULL) == NFART_OK;
	buf_free(&b);
	memset(&core, 0, sizeof core);
	core.seed = seed;
	core.edge = edge;
	core.access = (uint32_t)(seed % 7) + 1;
	macrocell_init(&core.etm, &d.regs, (struct etm_reading){ .priority = false });
	cti_init(&core.cti, edge);
	cti_write(&core.cti, CTI_GATE, 0);
	for (uint32_t i = 0; i < ETM_OUTPUTS; i++)
		cti_write(&core.cti, CTI_INEN + 4 * (CTI_ETM_INPUT + i), CHANNEL);
	cti_write(&core.cti, CTI_OUTEN + 4 * CTI_IRQ_OUTPUT, CHANNEL);
	cti_write(&core.cti, CTI_CONTROL, 1);
	return ok;
}

/*
 * Takes the interrupt when it has been pending for the latency. Returns the result of the handler.
 */
static int take_interrupt(int (*handler)(void *, void *))
{
	int code;

	for (uint32_t i = 0; i < LATENCY; i++)
		run_cycle();
	core.pending = false;
	core.handling = true;
	code = handler(&etm_base, &cti_base);
	core.handling = false;
	return code;
}

/* Runs for many cycles. The output must never stay on without an interrupt. */
static bool regulates(int (*handler)(void *, void *), uint64_t *interrupts)
{
	*interrupts = 0;
	while (core.cycle < CYCLES) {
		run_cycle();
		if (core.still > LATENCY + 5) {
			printf("# cycle %" PRIu64 ": the output is on, and nothing happens\n",
			       core.cycle);
			return false;
		}
		if (!core.pending)
			continue;
		if (take_interrupt(handler) != 0) {
			printf("# cycle %" PRIu64 ": the handler gave up\n", core.cycle);
			return false;
		}
		++*interrupts;
	}
	return true;
}

/*
 * The macrocell stops while it throttles. The handler must still end, and switch the interrupt off.
 */
static bool survives(int (*handler)(void *, void *))
{
	while (!core.pending && core.cycle < CYCLES)
		run_cycle();
	core.hangs = true;
	core.reads = 0;
	if (!core.pending || take_interrupt(handler) != -1 || core.reads > MOST_POLLS + 2)
		return false;
	core.pending = false;
	for (unsigned i = 0; i < 100; i++)
		run_cycle();
	return !core.pending && !cti_irq(&core.cti);
}

int main(void)
{
	uint64_t seed = setting("NFACC_SEED", 1), interrupts;
	struct tap t = { 0 };

	printf("# NFACC_SEED=%" PRIu64 "\n", seed);
	for (size_t i = 0; i < sizeof handlers / sizeof handlers[0]; i++)
		for (unsigned edge = 0; edge < 2; edge++) {
			const char *kind = edge ? "an edge" : "a level", *name = handlers[i].name;
			bool ok = true;

			for (uint64_t k = 0; ok && k < 14; k++)
				ok = program(name, edge, seed + k) &&
				     regulates(handlers[i].handler, &interrupts) && interrupts > 20;
			tap_case(&t, ok, "%s: the handler throttles with %s", name, kind);
			ok = program(name, edge, seed) && survives(handlers[i].handler);
			tap_case(&t, ok, "%s: the handler ends if the sequencer hangs, with %s",
				 name, kind);
		}
	return tap_end(&t);
}
