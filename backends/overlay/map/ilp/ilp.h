/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ilp.h: the mapping as an integer program, the clique form of T eq. 14–18.
 *
 * x[v,c] = 1: state v is in clique c, for the c that distances allow.
 *
 *	for each v:                       sum over c of x[v,c] = 1
 *	for each c:                       sum over v of x[v,c] <= C
 *	for each edge (u,v) and each c:   x[v,c] <= sum over c' in N[c] of x[u,c']
 *
 * The last row says what the pairwise ones of T eq. 17 say, in fewer rows that are tighter. T
 * maximises the number of placed states; here all must be placed, so that there is nothing to
 * maximise and any solution will do.
 */
#ifndef NFACC_MAP_ILP_H
#define NFACC_MAP_ILP_H

#include "backends/overlay/map/ilp/ilp_model.h"

struct ilp {
	struct model model;
	uint32_t n, ncliques;
	int32_t *column; /* [n * K]: of x[v,c], or -1 */
};

/* Fills *m with the rows for p. False: m->model.status says why. To be freed either way. */
bool ilp_build(struct ilp *m, const struct map_problem *p);
void ilp_free(struct ilp *m);

/* Places all states that have edges, in clique [n]. NFART_OK; NFART_NOFIT; NFART_GAVEUP: a limit of
 * rows, nodes or time; NFART_SYSTEM; NFART_INTERNAL. */
enum nfart_status ilp_place(const struct map_problem *p, uint32_t *clique);

#endif
