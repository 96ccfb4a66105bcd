/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * positions.h: computes how large the position automaton of a spec is.
 */
#ifndef NFACC_PROPERTY_POSITIONS_H
#define NFACC_PROPERTY_POSITIONS_H

#include "ir/spec.h"

/* Returns the number of positions: the predicates of all expressions, counters included, with names
 * and bounds expanded. An automaton has one for each transition with a predicate. The position
 * automaton has one state more than positions. */
uint64_t count_positions(const struct spec *s);

#endif
