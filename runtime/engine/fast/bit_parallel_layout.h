/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bit_parallel_layout.h: which bit of which word a state is, for bit_parallel.h.
 */
#ifndef NFART_LANES_LAYOUT_H
#define NFART_LANES_LAYOUT_H

#include "contract/image.h"

#define LANES_NONE UINT32_MAX

/* States that stand at most so far behind one that leads to them, in its word, need no exception. */
enum { LANES_NEAR = 2 };

struct lanes_layout {
	uint32_t nwords;
	uint32_t *state; /* [nwords * 64]: at each place, LANES_NONE at none; one may stand at several */
	uint32_t *pred_first, *pred; /* predecessors of state s: pred[pred_first[s] … [s + 1]), rising */
};

/* Lays out all states in `words` words where there are no more states than bits in them, else in as many
 * as it takes: at most 4 bits a state, and some. Linear. False: out of memory; free it all the same. */
bool lanes_lay_out(const struct nfart_image *im, uint32_t words, struct lanes_layout *out);
void lanes_layout_free(struct lanes_layout *y);

#endif
