/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * project.h: chooses projections of a description of coherence (nfacc --project=auto) whose
 * checkers together fit the overlay.
 */
#ifndef NFACC_COMPILER_PROJECT_H
#define NFACC_COMPILER_PROJECT_H

#include "compiler/coherence/score.h"
#include "compiler/pipeline.h"

enum { PROJECT_GROUPS = 8 };

struct project {
	VEC(char *) text;  /* the projections, as --project takes them; owned */
	uint32_t found,    /* how many of the SCORE_RUNS changed runs they find together */
		exact;     /* how many a checker finds that sees all events */
};

/* Chooses projections: again and again the set of groups whose checker finds most of the changed
 * runs (score.h) that are not yet found, and fits together with those chosen so far. It ends when
 * nothing that fits finds one more run in a hundred. The files are one unit, among them exactly one
 * description of coherence, with at most PROJECT_GROUPS groups. If the unit has an error, nothing
 * is chosen; a compilation reports it. Returns NFART_OK, NFART_USAGE if the files or the groups are
 * others than that, or NFART_SYSTEM. The cost is that of some hundred compilations at most. Free *p
 * with project_free() in any case. */
enum nfart_status project_choose(const struct pipeline_options *o,
				 const struct pipeline_file *files, size_t n, struct project *p);
void project_free(struct project *p);

#endif
