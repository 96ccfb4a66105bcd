/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bit_parallel_layout.h: which bit of which word a state is, for bit_parallel.h.
 */
#ifndef NFART_BIT_PARALLEL_LAYOUT_H
#define NFART_BIT_PARALLEL_LAYOUT_H

#include "contract/image.h"

#define BP_NO_STATE UINT32_MAX

/* A state that stands at most so many places after one that leads to it, in its word, needs no
 * exception. */
enum { BP_NEAR = 2 };

struct bp_layout {
	uint32_t nwords;
	uint32_t *state; /* [nwords * 64]: at each place, or BP_NO_STATE; one may have several places */
	uint32_t *pred_first, *pred; /* predecessors of s: pred[pred_first[s] … [s + 1]), rising */
};

/* Lays out all states in `words` words, if they have enough bits; else in as many as it takes: at
 * most some 4 bits a state. Linear. False: out of memory. bp_layout_free() in every case. */
bool bp_lay_out(const struct nfart_image *im, uint32_t words, struct bp_layout *out);
void bp_layout_free(struct bp_layout *y);

#endif
