/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * packing.h: packs things into equal bins. The owner of a bin may refuse the share that it gets.
 *
 * Backtracking: largest things first, each into the fullest bin with room. Of bins with the same room
 * left only one is tried, unless an owner was asked in between. Two things are remembered: what failed
 * for lack of room alone (which things were left for which rooms; one kind only), and which shares were
 * refused. The latter requires that an owner who refuses a share refuses every larger one.
 */
#ifndef NFACC_MAP_PACKING_H
#define NFACC_MAP_PACKING_H

#include "backends/overlay/map/problem.h"

struct packing {
	const struct map_problem *p; /* for limits and report */
	uint32_t kinds, nbins, nthings;
	const uint64_t *room;        /* [kinds]: of every bin */
	const uint32_t *size;        /* [nthings * kinds] */
	/* May the things i with share[i] be in this bin? NFART_OK, NFART_NOFIT, or an answer that ends the
	 * packing. The last NFART_OK for a bin is the one that counts. */
	enum nfart_status (*place)(void *context, const bool *share, uint32_t bin);
	void *context;
};

/* NFART_OK; NFART_NOFIT: proved; NFART_GAVEUP; NFART_SYSTEM; or what `place` answered. */
enum nfart_status packing_run(const struct packing *in);

#endif
