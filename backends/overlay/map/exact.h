/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * exact.h: cheap proofs that an NFA does not fit. None of them says that it does.
 *
 * Two states at distance d are within d of each other on the overlay. So all states within r of a
 * state lie within r of its STE: the ball around a state can't be larger than the ball around an
 * STE. r = 1 is the test of degrees, and without a bound on r it is the test of components.
 */
#ifndef NFACC_MAP_EXACT_H
#define NFACC_MAP_EXACT_H

#include "backends/overlay/map/problem.h"

/* NFART_NOFIT with the reason in the report, which is the first of enum map_reason that holds;
 * NFART_OK: nothing is proved; NFART_SYSTEM, NFART_INTERNAL. Balls take n * m steps at most, and
 * end without proof at a fixed number of them. */
enum nfart_status exact_tests(struct map_problem *p);

#endif
