/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * exact.h: cheap proofs that an NFA does not fit an overlay. If there is none,
 * the NFA may fit or not.
 *
 * Two states at distance d in the NFA are at most d apart on the overlay. So all states within
 * distance r of a state lie within r of its STE: the ball around a state can't be larger than the
 * ball around an STE. With r = 1 this is the test of degrees, and without a bound on r it is the
 * test of components.
 */
#ifndef NFACC_MAP_EXACT_H
#define NFACC_MAP_EXACT_H

#include "backends/overlay/map/problem.h"

/* Runs the tests. NFART_NOFIT: the report has the reason, the first in enum map_reason that holds.
 * NFART_OK: nothing is proved. NFART_SYSTEM, NFART_INTERNAL: igraph failed. The test of balls takes
 * n * m steps at most, and stops without a proof after a fixed number of them. */
enum nfart_status exact_tests(struct map_problem *p);

#endif
