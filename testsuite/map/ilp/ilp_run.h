/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ilp_run.h: the mapping problem as integer programs, an oracle for the tests of the mapper.
 *
 * It shares the problem's definition with the mapper (map.h) and the distances that problem.h
 * computes, and none of its tests and solvers. doc/develop/mapping.md has the programs.
 */
#ifndef NFACC_TESTSUITE_ILP_RUN_H
#define NFACC_TESTSUITE_ILP_RUN_H

#include "testsuite/map/ilp/ilp_model.h"

enum ilp_program {
	ILP_AGGREGATED, /* ilp.h */
	ILP_BASELINE,   /* this and the next three: as the thesis has them (ilp_thesis.h) */
	ILP_SYMMETRY,
	ILP_CLIQUE,
	ILP_CLIQUE_SYMMETRY
};

enum { ILP_NPROGRAMS = ILP_CLIQUE_SYMMETRY + 1 };

/* [program]: its name. The last entry is NULL. */
extern const char *const ilp_program_names[];

/* Limits that suit small graphs: above some 50,000 rows GLPK does not finish its first
 * relaxations. */
extern const struct ilp_limits ilp_usual_limits;

/* Looks for a mapping of g by one program. Fills *report, and clique [g->n] after NFART_OK.
 *
 *   NFART_OK        clique[v] is the clique of state v; nothing has checked that
 *   NFART_NOFIT     GLPK found that there is no mapping
 *   NFART_GAVEUP    a limit was reached
 *   NFART_SYSTEM    out of memory
 *   NFART_USAGE     graph or overlay are not as their headers say, or need several kinds of nodes
 *   NFART_INTERNAL  GLPK failed */
enum nfart_status ilp_run(const struct map_graph *g, const struct map_overlay *overlay,
			  enum ilp_program program, const struct ilp_limits *limits,
			  uint32_t *clique, struct ilp_report *report);

#endif
