/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ilp_thesis.h: the four integer programs of the thesis, as they stand there.
 *
 * In the baseline (T eq. 46–49) a slot is an STE. In the clique form (T eq. 14–18) it is a
 * clique. Every state v, with edges or without, has a variable x[v,s] for each slot s:
 *
 *      maximise the sum of all x[v,s], which are 0 or 1
 *      for each v:                             sum over s of x[v,s] <= 1
 *      for each s:                             sum over v of x[v,s] <= 1, or C where s is a clique
 *      for each edge (v,w), each pair of
 *      different slots s, t not adjacent:      x[v,s] + x[w,t] <= 1
 *
 * The two programs with symmetry also have x[v,0] = 1 for the state v of highest degree. A mapping
 * exists if the maximum is the number of states. Every edge gives rows for both orders of a pair of
 * slots. Its direction is ignored: the overlay is symmetric, so directions would only double the
 * rows. Pairs with s = t give no rows: the thesis does not call them "not adjacent", since an STE
 * is connected to itself, and the second kind of rows excludes them anyway.
 */
#ifndef NFACC_TESTSUITE_ILP_THESIS_H
#define NFACC_TESTSUITE_ILP_THESIS_H

#include "testsuite/map/ilp/ilp_model.h"

struct thesis_form {
	bool by_clique; /* a slot is a clique, not an STE */
	bool symmetry;  /* the state of highest degree is fixed */
};

/* Writes the clique of every state to clique [n]. A program with more rows than the limit is not
 * built; the report says how many rows it would have. Answers as ilp_run() does (ilp_run.h). */
enum nfart_status thesis_place(const struct map_problem *p, struct thesis_form form,
			       const struct ilp_limits *limits, struct ilp_report *report,
			       uint32_t *clique);

#endif
