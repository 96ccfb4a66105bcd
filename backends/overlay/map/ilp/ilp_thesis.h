/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ilp_thesis.h: the four integer programs of the thesis, literally.
 *
 * A slot is an STE in the baseline (T eq. 46–49) and a clique in the clique form (T eq. 14–18). All
 * states have a variable for each slot, those without edges too:
 *
 *	maximise the sum of all x[v,s], which are 0 or 1
 *	for each v:                             sum over s of x[v,s] <= 1
 *	for each s:                             sum over v of x[v,s] <= 1, or C where s is a clique
 *	for each edge (v,w), each pair of
 *	different slots s, t not adjacent:      x[v,s] + x[w,t] <= 1
 *
 * and with symmetry x[v,0] = 1 for the state v of highest degree. A mapping exists where the
 * maximum is the number of states. Both orders of a pair of slots count, and an edge once: the
 * overlay is symmetric, so that directions would only double the rows. A pair s = t is not in T's
 * "not adjacent" (an STE is connected to itself), and the second kind of rows excludes it anyway.
 */
#ifndef NFACC_MAP_MODEL_THESIS_H
#define NFACC_MAP_MODEL_THESIS_H

#include "backends/overlay/map/ilp/ilp_model.h"

/* Writes the clique of every state to clique [n], by the model that the options name. If the program
 * would have more rows than the options allow it is not built; the report says how many rows. NFART_OK;
 * NFART_NOFIT; NFART_GAVEUP; NFART_SYSTEM; NFART_INTERNAL. */
enum nfart_status thesis_place(const struct map_problem *p, uint32_t *clique);

#endif
