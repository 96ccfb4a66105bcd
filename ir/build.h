/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * build.h: builds the NFA of a spec, by the construction of T figure 6.
 */
#ifndef NFACC_IR_BUILD_H
#define NFACC_IR_BUILD_H

#include "ir/nfa.h"

/* Fills the zeroed *a with the NFA of s: of each filter, the log expression, each automaton, and
 * the expressions that make counters count and reset. Repetitions that a counter stands for are not
 * expanded. NFART_SYSTEM: out of memory. NFART_GAVEUP: more than NFA_MAX_STATES or NFA_MAX_EDGES.
 * Linear in the expanded expression; nothing recurses. */
enum nfart_status nfa_build(struct nfa *a, struct spec *s);

/* Computes bounds on the states (T eq. 33) and transitions (T eq. 34) of the spec as written, with
 * names and bounds expanded. They saturate at UINT64_MAX. False: out of memory. */
bool nfa_bounds(const struct spec *s, uint64_t *states, uint64_t *edges);

#endif
