/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * sat.h: the mapping as a SAT problem, for the solver in GLPK. It shares no code with the mapper
 * and knows no symmetry.
 */
#ifndef NFACC_TESTSUITE_MAP_SAT_H
#define NFACC_TESTSUITE_MAP_SAT_H

#include "backends/overlay/map/map.h"

/* 1: the graph fits, 0: it does not, -1: no answer. Small graphs only. */
int sat_fits(const struct map_graph *g, const struct map_overlay *o);

#endif
