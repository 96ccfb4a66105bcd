/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "testsuite/map/ilp/ilp_run.h"

#include "testsuite/map/ilp/ilp.h"
#include "testsuite/map/ilp/ilp_thesis.h"

const char *const ilp_program_names[] = {
	[ILP_AGGREGATED] = "ilp",
	[ILP_BASELINE] = "ilp-baseline",
	[ILP_SYMMETRY] = "ilp-symmetry",
	[ILP_CLIQUE] = "ilp-clique",
	[ILP_CLIQUE_SYMMETRY] = "ilp-clique-symmetry",
	[ILP_NPROGRAMS] = NULL,
};

const struct ilp_limits ilp_usual_limits = {.rows = 200000, .nodes = 1000000};

static enum nfart_status run_program(const struct map_problem *p, enum ilp_program program,
				     const struct ilp_limits *limits, struct ilp_report *report,
				     uint32_t *clique)
{
	const struct thesis_form form = {
		.by_clique = program == ILP_CLIQUE || program == ILP_CLIQUE_SYMMETRY,
		.symmetry = program == ILP_SYMMETRY || program == ILP_CLIQUE_SYMMETRY,
	};

	if (p->nfa.n == 0)
		return NFART_OK;
	if (program == ILP_AGGREGATED)
		return ilp_place(p, limits, report, clique);
	return thesis_place(p, form, limits, report, clique);
}

enum nfart_status ilp_run(const struct map_graph *g, const struct map_overlay *overlay,
			  enum ilp_program program, const struct ilp_limits *limits,
			  uint32_t *clique, struct ilp_report *report)
{
	struct map_report prepared = {.state = MAP_NO_STATE};
	struct map_problem p = {0};
	struct map_options options;
	enum nfart_status status;

	*report = (struct ilp_report){0};
	if (overlay->more_kinds != 0) {
		report->wrong = "the integer programs know one kind of node";
		return NFART_USAGE;
	}
	map_options_init(&options);
	status = problem_init(&p, g, overlay, &options, &prepared);
	report->wrong = prepared.wrong;
	if (status == NFART_OK)
		status = run_program(&p, program, limits, report, clique);
	problem_free(&p);
	return status;
}
