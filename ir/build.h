/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * build.h: the NFA of a spec, by the construction of T figure 6.
 */
#ifndef NFACC_IR_BUILD_H
#define NFACC_IR_BUILD_H

#include "ir/nfa.h"

/* Fills the zeroed *a with the NFA of s: each filter, the log expression, each automaton, and what
 * makes counters count and reset. As written: without the counters that stand for repetitions (they
 * keep their states, which nothing reaches). States and transitions are within T eq. 33 and 34, counted
 * with names and bounds expanded, besides the counters. NFART_SYSTEM: out of memory; NFART_GAVEUP: more
 * than NFA_MAX_STATES. Linear in the expanded expression; nothing recurses. */
enum nfart_status nfa_build(struct nfa *a, struct spec *s, bool as_written);

/* T eq. 33 and 34: bounds on states and transitions of what is written, saturating. */
bool nfa_bounds(const struct spec *s, uint64_t *states, uint64_t *edges);

#endif
