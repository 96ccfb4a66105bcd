/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * split.h: states shared out over copies, where an overlay can't connect one with enough others
 * (T 5.3, and 5.4.2 on eq. 50). See Note [splitting] in split.c for why the meaning stays the same.
 *
 * Works on homogeneous NFAs with sorted edges and leaves such. A split takes an NFA further from
 * what pass_merge() makes, so it comes after the passes, and only if the mapping needs it.
 */
#ifndef NFACC_IR_SPLIT_H
#define NFACC_IR_SPLIT_H

#include "ir/nfa.h"

/* One state that became copies. */
struct split {
	struct diag_range range; /* of the state */
	uint32_t copies;
	bool successors; /* the copies share out the successors; else the predecessors */
};
struct split_log {
	VEC(struct split) splits;
};

/* How many other states each state is connected with: degree [n]. False: out of memory. Linear. */
bool nfa_degrees(const struct nfa *a, uint32_t *degree);

/* Makes *to (overwritten, to be freed) the same NFA over the same spec. False: out of memory. */
bool nfa_copy(struct nfa *to, const struct nfa *from);

/* Makes `copies` >= 2 copies of state s, in s and at the end of the states: each with all the
 * predecessors and a part of the successors, or the reverse. Neighbours that stay connected without
 * s go to the same copy, as far as that leaves the parts equal. NFART_OK, NFART_SYSTEM, or
 * NFART_NOFIT where s has fewer than `copies` to share out. Linear but for sorting. */
enum nfart_status split_state(struct nfa *a, nfa_state_t s, uint32_t copies, bool successors,
			      struct split_log *log);

/* Splits states, those with the highest degree first, until none is connected with more than `most`
 * others. NFART_NOFIT: that takes more than `max_states`, or more than SPLIT_MOST splits. */
enum { SPLIT_MOST = 256 };
enum nfart_status split_to_degree(struct nfa *a, uint32_t most, uint32_t max_states,
				  struct split_log *log);

/* Splits in two the state less than `radius` steps from s that has most to share out for what it has
 * to repeat. NFART_NOFIT: there is none worth it. */
enum nfart_status split_near(struct nfa *a, nfa_state_t s, uint32_t radius, struct split_log *log);

#endif
