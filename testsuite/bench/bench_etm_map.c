/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * How many selectors the regulators of examples/etm take in the default layout and in the robust
 * one, which is proved for the other priority, beside those of the published programs, and how long
 * compiling takes: front end and mapping, and the proof in the default reading. Times are medians
 * of RUNS runs in process.
 */
#include <inttypes.h>
#include <string.h>

#include "backends/etm/etm.h"
#include "backends/etm/proof/etm_readings.h"
#include "compiler/pipeline.h"
#include "contract/etm/etm_text.h"
#include "support/clock.h"
#include "testsuite/bench/measure.h"

enum { RUNS = 9 };

struct row {
	const char *name;
	int published; /* selectors of the published program; 0: there is none */
};

static const struct row rows[] = {
	{ "pr", 6 }, { "pr-always", 6 }, { "pr-stop", 0 }, { "pr-user", 0 }, { "pr13", 0 },
	{ "tb31", 14 }, { "tb22", 14 }, { "tb13", 14 }, { "tb31-exact", 0 },
};

/* Compiles and proves once. Returns the milliseconds, or a negative number. */
static double bench_once(const struct pipeline_file *file, const struct etm_core *core,
			 enum etm_layout layout, bool proof, struct etm_report *report)
{
	static const char *const params[] = { "budget=28", "period=6001" };
	struct pipeline *p = calloc(1, sizeof *p);
	struct pipeline_options o;
	double begin = clock_seconds(), ms = -1;

	pipeline_options_init(&o);
	o.etm.core = core;
	o.etm.layout = layout;
	o.front.params = params;
	o.front.nparams = 2;
	if (p != NULL && pipeline_run(p, &o, file, 1) == NFART_OK) {
		const struct etm_program *x = p->job.made.own;
		struct etm_compared in = { .spec = &p->spec, .machine = &p->spec.machines.at[0],
					   .core = core, .regs = &x->regs, .noutputs = 1,
					   .pins = { 1 } };
		struct etm_result r;
		/* The robust layout is proved in the reading in which the default one can fail. */
		unsigned reading =
			layout == ETM_LAYOUT_ROBUST
				? etm_reading_number((struct etm_reading){ .priority = true })
				: 0;
		bool ok = !proof || (etm_compare(&in, reading, &r) == NFART_OK &&
				     r.meaning == ETM_MEANS_SOURCE);
		*report = x->report;
		ms = ok ? (clock_seconds() - begin) * 1e3 : -1;
		if (proof)
			etm_result_free(&r);
	}
	if (p != NULL)
		pipeline_free(p);
	free(p);
	return ms;
}

/* Returns the median of RUNS runs, or a negative number. */
static double time_of(const struct pipeline_file *file, const struct etm_core *core, bool proof,
		      struct etm_report *report)
{
	double ms[RUNS], middle;

	for (int i = 0; i < RUNS; i++)
		ms[i] = bench_once(file, core, ETM_LAYOUT_FEWEST, proof, report);
	middle = median(ms, RUNS);
	return ms[0] < 0 ? -1 : middle;
}

int main(int argc, char **argv)
{
	struct diags d = { .werror = false };
	struct etm_core core;
	double worst = 0;

	if (argc != 2 || etm_core_find(&d, NULL, 0, "a53", 3, &core) != NFART_OK)
		return 2;
	printf("| regulator | published | fewest | robust | pairs | rows | assignments | ms "
	       "| ms with proof |\n"
	       "|---|---|---|---|---|---|---|---|---|\n");
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct buf path = { 0 }, text = { 0 };
		struct etm_report r, robust;
		double map, all;
		buf_addf(&path, "%s/examples/etm/%s.re", argv[1], rows[i].name);
		if (path.failed || buf_read_file(&text, path.at, 1 << 16) != 0)
			return 1;
		struct pipeline_file file = { rows[i].name, text.at, text.n, FORM_FILTERS };
		map = time_of(&file, &core, false, &r);
		all = time_of(&file, &core, true, &r);
		if (map < 0 || all < 0 ||
		    bench_once(&file, &core, ETM_LAYOUT_ROBUST, true, &robust) < 0)
			return 1;
		worst = all > worst ? all : worst;
		printf("| %s | %.0d%s | %" PRIu32 " | %" PRIu32 " | %" PRIu32 " | %" PRIu32
		       " | %" PRIu32 " | %.1f | %.1f |\n",
		       rows[i].name, rows[i].published, rows[i].published == 0 ? "-" : "",
		       r.selectors, robust.selectors, r.pairs, r.search.rows, r.search.assignments,
		       map, all);
		buf_free(&path);
		buf_free(&text);
	}
	printf("\nlongest: %.1f ms\n", worst);
	diag_free(&d);
	return 0;
}
