/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * minimal.h: what the optimiser's automata are compared with: the minimal deterministic automaton,
 * and a number of states that every homogeneous automaton of the same meaning needs.
 */
#ifndef NFACC_BENCH_MINIMAL_H
#define NFACC_BENCH_MINIMAL_H

#include "ir/nfa.h"

struct minimal {
	uint32_t dfa;   /* states of the minimal DFA, without one in which nothing comes any more */
	uint32_t bound; /* every homogeneous automaton has at least so many states with a
	                 * predicate */
};

/* Computes both for a homogeneous NFA. Returns false if it is too large for the limits in
 * minimal.c, if it has counters, or without memory. */
bool minimal_find(struct minimal *m, const struct nfa *a);

#endif
