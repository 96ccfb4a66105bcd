/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * minimal.h: what an automaton is measured against: the minimal deterministic one, and a number of
 * states below which no homogeneous automaton of the same meaning can go.
 */
#ifndef NFACC_BENCH_MINIMAL_H
#define NFACC_BENCH_MINIMAL_H

#include "ir/nfa.h"

struct minimal {
	uint32_t dfa;   /* states of the minimal DFA, one that says nothing any more left out */
	uint32_t bound; /* no homogeneous automaton has fewer states with a predicate */
};

/* Of a homogeneous NFA. False: too large for the caps in minimal.c, counters, or no memory. */
bool minimal_find(struct minimal *m, const struct nfa *a);

#endif
