/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * shape.h: measures an NFA: how large it is, and how densely its states are connected.
 */
#ifndef NFACC_IR_SHAPE_H
#define NFACC_IR_SHAPE_H

#include "ir/nfa.h"

struct nfa_shape {
	uint64_t states,
		edges,      /* distinct pairs of two states with a transition between them */
		loops;      /* states with a transition to themselves */
	uint32_t fan_in,    /* the most other states that lead to one state */
		fan_out;    /* the most other states that one state leads to */
	/* the most distinct predicates, loops included, on the transitions into one state: as many
	 * decoders must an STE have that holds such a state. At least 1. An epsilon transition
	 * needs none. */
	uint32_t decoders;
};

/* Fills *s with the measures of a. The edges of a must be sorted. Connections with counters are
 * left out. False: out of memory. O(m log m) for m transitions. */
bool nfa_shape(const struct nfa *a, struct nfa_shape *s);

#endif
