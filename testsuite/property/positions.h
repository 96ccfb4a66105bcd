/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * positions.h: how large the position automaton of a spec is.
 */
#ifndef NFACC_PROPERTY_POSITIONS_H
#define NFACC_PROPERTY_POSITIONS_H

#include "ir/spec.h"

/* The positions of all expressions, names and bounds expanded, counters included; those of an automaton
 * are its transitions with a predicate. The position automaton has one state more. */
uint64_t count_positions(const struct spec *s);

#endif
