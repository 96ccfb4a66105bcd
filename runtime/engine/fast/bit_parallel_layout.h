/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bit_parallel_layout.h: decides which bit of which word each state is, for bit-parallel steps
 * (bit_parallel.h).
 */
#ifndef NFART_BIT_PARALLEL_LAYOUT_H
#define NFART_BIT_PARALLEL_LAYOUT_H

#include "contract/image/image.h"

#define BP_NO_STATE UINT32_MAX

/* A transition is *near* if it leads from a place to itself or to one of the next BP_NEAR places of
 * the same word. Near transitions need no exceptions (Note [bit-parallel steps]). */
enum { BP_NEAR = 2 };

struct bp_layout {
	uint32_t nwords;
	/* [nwords * 64]: the state at each place, or BP_NO_STATE. A state may have several
	 * places. */
	uint32_t *state;
	/* The states that lead to state s are pred[pred_first[s] … pred_first[s + 1]), rising. */
	uint32_t *pred_first, *pred;
};

/* Lays out all states. It uses `words` words if the states fit into their bits, and otherwise as
 * many words as it takes, at most some 4 bits for each state. Linear. False: out of memory. The
 * caller must call bp_layout_free() in every case. */
bool bp_lay_out(const struct nfart_image *im, uint32_t words, struct bp_layout *out);
void bp_layout_free(struct bp_layout *y);

#endif
