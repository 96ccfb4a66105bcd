/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The published register values of regulators (testsuite/etm/regs) against the sources of the
 * library (examples/etm), in all eight readings, with a real period and a real budget.
 */
#include <string.h>

#include "backends/etm/proof/etm_readings.h"
#include "compiler/pipeline.h"
#include "contract/etm/etm_text.h"
#include "testsuite/etm/regs.h"
#include "testsuite/unit/tap.h"

/* A program, its source, and what is expected in the eight readings: `=` equal, `-` equal with all
 * numbers 1 less, `+` with all 1 more, `!` different. */
struct program {
	const char *regs, *source;
	uint32_t reload_period, reload_budget;
	const char *params[2];
	etm_pins_t pins; /* of output 0 */
	const char *expected;
};

static const struct program programs[] = {
	{ "pr", "pr", 6000, 27, { "period=6001", "budget=28" }, 8, "=!-!!!!!!" },
	{ "pr", "pr", 24000, 31, { "period=24000", "budget=31" }, 8, "+!=!!!!!!" },
	{ "tb31", "tb31", 6000, 27, { "period=6001", "budget=28" }, 8, "==--!!!!=" },
	{ "tb22", "tb22", 6000, 27, { "period=6001", "budget=28" }, 12, "==--!!!!=" },
	{ "tb13", "tb13", 6000, 27, { "period=6001", "budget=28" }, 14, "==--!!!!=" },
	{ "pr", "pr", 65535, 999, { "period=65536", "budget=1000" }, 8, "=!-!!!!!!" },
	{ "tb31", "tb31", 65535, 9999, { "period=65536", "budget=10000" }, 8, "==--!!!!=" },
};

/* Parses a source for core a53 into *p. False: it can't be. */
static bool readings_load(const char *name, const char *const *params, struct pipeline *p,
			  struct buf *text)
{
	const char *root = getenv("SRCDIR");
	struct pipeline_options o;
	struct pipeline_file file = { .name = name };
	char path[512];

	snprintf(path, sizeof path, "%s/examples/etm/%s.re", root != NULL ? root : ".", name);
	pipeline_options_init(&o);
	o.last = STAGE_SPEC;
	o.overlay.o.none = true;
	o.front.protocol = "pmu_a53";
	o.front.params = params;
	o.front.nparams = 2;
	if (buf_read_file(text, path, 1 << 16) != 0)
		return false;
	file.text = text->at;
	file.n = text->n;
	/* What matters is the spec, even if no target is asked that executes machines. */
	pipeline_run(p, &o, &file, 1);
	if (p->spec.machines.n == 1)
		return true;
	diag_print(&p->diags, stderr, false);
	return false;
}

static char sign_of(const struct etm_compared *in, const struct etm_result *r)
{
	int8_t by = r->tick;

	if (r->meaning == ETM_MEANS_SOURCE || r->meaning == ETM_MEANS_OTHER)
		return r->meaning == ETM_MEANS_SOURCE ? '=' : '!';
	if (r->meaning == ETM_MEANS_UNKNOWN)
		return '?';
	for (size_t i = 0; i < in->machine->counters.n; i++)
		if (r->counters[i] != by)
			return '~';
	return by < 0 ? '-' : '+';
}

static void readings_check(struct tap *t, const struct program *x, const struct etm_core *core)
{
	struct etm_regs regs = regs_load(x->regs);
	struct etm_compared in = { .core = core, .regs = &regs };
	struct pipeline p;
	struct buf text = { 0 }, found = { 0 };
	char got[ETM_READINGS + 1] = "", name[ETM_READING_NAME];
	uint64_t work = 0;
	bool ok = readings_load(x->source, x->params, &p, &text);

	regs_set(&regs, x->reload_period, x->reload_budget);
	in.spec = &p.spec;
	in.pins[0] = x->pins;
	in.noutputs = (unsigned)p.spec.outputs.n;
	for (unsigned i = 0; ok && i < ETM_READINGS; i++) {
		struct etm_result r;

		in.machine = &p.spec.machines.at[0];
		ok = etm_compare(&in, i, &r) == NFART_OK;
		got[i] = sign_of(&in, &r);
		work += r.work;
		etm_reading_name(i, name);
		buf_addf(&found, "%-20s ", name);
		etm_result_print(&in, &r, "#     ", &found);
		etm_result_free(&r);
	}
	for (char *line = ok ? strtok(found.at, "\n") : NULL; line != NULL;
	     line = strtok(NULL, "\n"))
		printf("%s%s\n", line[0] == '#' ? "" : "#   ", line);
	printf("# %llu steps\n", (unsigned long long)work);
	tap_case(t, ok && strcmp(got, x->expected) == 0, "%s with %s, %s: %s, expected %s", x->regs,
		 x->params[0], x->params[1], got, x->expected);
	pipeline_free(&p);
	buf_free(&text);
	buf_free(&found);
}

int main(void)
{
	struct etm_core core;
	struct tap t = { 0 };

	if (!regs_core(&core))
		return 99;
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
		readings_check(&t, &programs[i], &core);
	return tap_end(&t);
}
