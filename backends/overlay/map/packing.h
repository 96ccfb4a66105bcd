/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * packing.h: packs things into equal bins. Every bin has an owner, which may refuse the share of
 * the things that the bin gets.
 *
 * The method is backtracking. The largest things come first, and each goes to the fullest bin that
 * has room for it. Of several bins with the same room left only one is tried, unless an owner was
 * asked in between. Two kinds of failures are remembered. The first are states of the packing that
 * failed for lack of room alone: which things were left for which rooms (only if there is one
 * kind). The second are refused shares. To remember those is right only if an owner who refuses a
 * share also refuses every larger one.
 */
#ifndef NFACC_MAP_PACKING_H
#define NFACC_MAP_PACKING_H

#include "backends/overlay/map/problem.h"

struct packing {
	const struct map_problem *p; /* only its limits and its report are used */
	uint32_t kinds, nbins, nthings;
	const uint64_t *room; /* [kinds]: the room in every bin */
	const uint32_t *size; /* [nthings * kinds]: the room that each thing takes */
	/* Asks the owner of bin `bin`: may the bin hold the things i for which share[i] is true?
	 * NFART_OK: yes. NFART_NOFIT: no. Any other answer ends the packing. A later NFART_OK for
	 * the same bin replaces an earlier one. */
	enum nfart_status (*place)(void *context, const bool *share, uint32_t bin);
	void *context;
};

/* Packs all things. NFART_OK: every owner accepted its share. NFART_NOFIT: proved that there is no
 * such packing. NFART_GAVEUP: a limit was reached. NFART_SYSTEM: out of memory. Otherwise the
 * answer of `place` that ended the packing. */
enum nfart_status packing_run(const struct packing *in);

#endif
