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
	/* The states of the minimal DFA, without a dead state, after which no label and no log mark
	 * can come. */
	uint32_t dfa;
	/* Every homogeneous automaton has at least this many states with a predicate. */
	uint32_t bound;
};

/* Computes *m for the meaning of the homogeneous NFA a. Returns false if a is too large for the
 * limits in minimal.c, if it has counters, or if memory is short. */
bool minimal_find(struct minimal *m, const struct nfa *a);

#endif
