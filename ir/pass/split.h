/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * split.h: splits states into copies where an overlay can't connect a state with enough others (T
 * 5.3, and 5.4.2 on eq. 50). The copies share out the connections. Note [splitting] in split.c says
 * why the meaning stays the same.
 *
 * The functions take homogeneous NFAs with sorted edges, and leave such. A split undoes part of
 * what pass_merge() does. So states are split after the passes, and only if the mapping needs it.
 */
#ifndef NFACC_IR_SPLIT_H
#define NFACC_IR_SPLIT_H

#include "ir/nfa.h"

/* A state that was split into copies. */
struct split {
	struct diag_range range; /* place of the state */
	uint32_t copies;
	bool successors; /* the copies share out the successors; else the predecessors */
};
struct split_log {
	VEC(struct split) splits;
};

/* Computes with how many other states each state is connected, into degree[n]. False: out of
 * memory. Linear. */
bool nfa_degrees(const struct nfa *a, uint32_t *degree);

/* Makes *to a copy of *from over the same spec. What *to was is overwritten; the copy is to be
 * freed. False: out of memory. */
bool nfa_copy(struct nfa *to, const struct nfa *from);

/* Splits state s into `copies` >= 2 copies: s itself, and new states after all others. Each copy
 * has all the predecessors and a part of the successors if `successors`, else the reverse.
 * Neighbours that stay connected without s go to the same copy, as far as equal shares allow this.
 * Appends the split to *log. NFART_NOFIT: s has fewer than `copies` neighbours to share out.
 * NFART_SYSTEM: out of memory. Linear but for sorting. */
enum nfart_status split_state(struct nfa *a, nfa_state_t s, uint32_t copies, bool successors,
			      struct split_log *log);

/* Splits states, those with the highest degree first, until none is connected with more than `most`
 * others. NFART_NOFIT: that takes more than `max_states` states or SPLIT_MOST splits, or a counter
 * has too many connections, because counters are not split. */
enum { SPLIT_MOST = 256 };
enum nfart_status split_to_degree(struct nfa *a, uint32_t most, uint32_t max_states,
				  struct split_log *log);

/* Splits one state in two, chosen among the states less than `radius` connections away from s. In
 * the best choice the copies share out many neighbours, and few neighbours are connected with both.
 * NFART_NOFIT: none of these states is worth splitting. */
enum nfart_status split_near(struct nfa *a, nfa_state_t s, uint32_t radius, struct split_log *log);

#endif
