/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * sat.h: solves the mapping as a SAT problem, with the SAT solver of GLPK. It shares no code with
 * the mapper and uses no symmetry.
 */
#ifndef NFACC_TESTSUITE_MAP_SAT_H
#define NFACC_TESTSUITE_MAP_SAT_H

#include "backends/overlay/map/map.h"

/* Returns 1 if the graph fits the overlay, 0 if it does not, -1 without an answer. Only for small
 * graphs. */
int sat_fits(const struct map_graph *g, const struct map_overlay *o);

#endif
