/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Registers printed as the text of a machine: the text is compiled, and the machine is held against
 * the registers. The registers are the published ones (testsuite/etm/regs) and random ones.
 * NFACC_SEED is the first seed, NFACC_MACHINES how many random ones there are.
 */
#include <inttypes.h>
#include <string.h>

#include "backends/etm/inspect/etm_inspect.h"
#include "backends/etm/proof/etm_readings.h"
#include "compiler/pipeline.h"
#include "contract/etm/etm_text.h"
#include "testsuite/etm/draw.h"
#include "testsuite/etm/regs.h"
#include "testsuite/setting.h"
#include "testsuite/unit/tap.h"

static const char *const programs[] = { "pr", "pr-stop", "pr-user", "pr13", "tb13", "tb22", "tb31",
					"chained", "strobing" };

/* Returns the pin of an output by its name: out0 … out3, trace. */
static etm_pins_t pin_of(const char *name)
{
	return name[0] == 't' ? ETM_PIN_TRACE : (etm_pins_t)(1u << (name[3] - '0'));
}

enum outcome { SAME, OTHER, NO_TEXT, REFUSED, UNDECIDED };

/* Prints registers as text in a reading, compiles it, and compares. */
static enum outcome round_trip(const struct etm_regs *r, const struct etm_core *core,
			       unsigned reading, bool show)
{
	struct etm_compared in = { .core = core, .regs = r, .steps = 200000 };
	struct pipeline_options o;
	struct pipeline_file file = { .name = "printed" };
	struct pipeline p;
	struct buf text = { 0 };
	struct etm_result result;
	const char *why = etm_print_machine(r, core, etm_reading_of(reading), &text);
	enum outcome found = REFUSED;

	if (why != NULL) {
		if (show)
			printf("# %s\n", why);
		buf_free(&text);
		return NO_TEXT;
	}
	pipeline_options_init(&o);
	o.last = STAGE_SPEC;
	o.overlay.o.none = true;
	file.text = text.at;
	file.n = text.n;
	pipeline_run(&p, &o, &file, 1);
	if (p.spec.machines.n == 1) {
		in.spec = &p.spec;
		in.machine = &p.spec.machines.at[0];
		in.noutputs = (unsigned)p.spec.outputs.n;
		for (unsigned i = 0; i < in.noutputs; i++)
			in.pins[i] = pin_of(p.spec.outputs.at[i]);
		found = etm_compare(&in, reading, &result) == NFART_OK &&
					result.meaning == ETM_MEANS_SOURCE
				? SAME
			: result.meaning == ETM_MEANS_UNKNOWN ? UNDECIDED
							      : OTHER;
		etm_result_free(&result);
	} else {
		diag_print(&p.diags, stderr, false);
	}
	if (show && found != SAME)
		printf("# %.*s\n", (int)text.n, text.at);
	pipeline_free(&p);
	buf_free(&text);
	return found;
}

/* Random registers see lines 21 and 22 of the core. */
static void random_registers(struct tap *t, const struct etm_core *core)
{
	uint64_t seed = setting("NFACC_SEED", 1), n = setting("NFACC_MACHINES", 600),
		 found[UNDECIDED + 1] = { 0 };

	for (uint64_t i = 0; i < n; i++) {
		uint64_t s = seed + i;
		unsigned reading = (unsigned)draw(&s, 4);
		struct etm_regs r;
		enum outcome x;

		draw_regs(&r, &s, 2, 2, 9);
		r.extinsel[0] = 0x1a19;
		for (unsigned k = 0; k < 2; k++)
			r.cntv[k] = r.cntrldv[k] += r.cntrldv[k] == 0;
		for (unsigned k = 0; k < 2; k++) /* outputs of states */
			r.rsctl[12 + k] = 0x20000 | (uint32_t)draw(&s, 16) << 4;
		r.eventctl0[0] = 0x0d0c0000;
		r.victl[0] = 1;
		x = round_trip(&r, core, reading, false);
		found[x]++;
		if (x == OTHER || x == REFUSED)
			printf("# NFACC_SEED=%" PRIu64 " NFACC_MACHINES=1\n", seed + i);
	}
	printf("# %" PRIu64 " registers from seed %" PRIu64 ": %" PRIu64 " the same, %" PRIu64
	       " without text, %" PRIu64 " not decided\n", n, seed, found[SAME], found[NO_TEXT],
	       found[UNDECIDED]);
	tap_case(t, found[OTHER] + found[REFUSED] == 0, "random registers mean what is printed");
	tap_case(t, n < 100 || (found[SAME] > n / 4 && found[UNDECIDED] < n / 50),
		 "enough of them can be printed");
}

int main(void)
{
	struct etm_core core;
	struct tap t = { 0 };

	if (!regs_core(&core))
		return 99;
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
		struct etm_regs r = regs_load(programs[i]);

		for (unsigned k = 0; k < ETM_COUNTERS; k++)
			r.cntv[k] = r.cntrldv[k];
		tap_case(&t, round_trip(&r, &core, 0, true) == SAME, "%s means what is printed",
			 programs[i]);
	}
	random_registers(&t, &core);
	return tap_end(&t);
}
