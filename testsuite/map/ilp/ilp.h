/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ilp.h: the mapping as an integer program, the clique form of T eq. 14–18.
 *
 * The variable x[v,c] is 1 if state v is in clique c. It exists only where distances
 * allow v in c (problem.h).
 *
 *      for each v:                       sum over c of x[v,c] = 1
 *      for each c:                       sum over v of x[v,c] <= C
 *      for each edge (u,v) and each c:   x[v,c] <= sum over c' in N[c] of x[u,c']
 *
 * The last kind of rows says what the pairwise rows of T eq. 17 say, but the rows are fewer and
 * tighter. The thesis maximises the number of placed states. Here all states must be placed, so
 * there is nothing to maximise: any solution will do.
 */
#ifndef NFACC_TESTSUITE_ILP_H
#define NFACC_TESTSUITE_ILP_H

#include "testsuite/map/ilp/ilp_model.h"

struct ilp {
	struct model model;
	uint32_t n, ncliques;
	int32_t *column; /* [n * K]: the column of x[v,c]; -1: there is no such variable */
};

/* Fills *m with the rows of the program for p, which has at least one state. False:
 * m->model.status says why. Call ilp_free() in any case. */
bool ilp_build(struct ilp *m, const struct map_problem *p, const struct ilp_limits *limits,
	       struct ilp_report *report);
void ilp_free(struct ilp *m);

/* Places all states: clique [n] receives their cliques. Answers as ilp_run() does (ilp_run.h). */
enum nfart_status ilp_place(const struct map_problem *p, const struct ilp_limits *limits,
			    struct ilp_report *report, uint32_t *clique);

#endif
