/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * packing.h: packs things into equal bins, where a bin's share must please its owner too.
 *
 * Backtracking: largest things first, each into the fullest bin with room. Bins with the same room
 * left are tried once, unless an owner was asked in between. What was left to pack into which rooms
 * without success, and without asking, is remembered (one kind only), and so are refused shares:
 * owners must refuse a larger share where they refuse a smaller one.
 */
#ifndef NFACC_MAP_PACKING_H
#define NFACC_MAP_PACKING_H

#include "backends/overlay/map/problem.h"

struct packing {
	const struct map_problem *p; /* for limits and report */
	uint32_t kinds, nbins, nthings;
	const uint64_t *room;        /* [kinds]: of every bin */
	const uint32_t *size;        /* [nthings * kinds] */
	/* May things i with share[i] be in this bin? NFART_OK, NFART_NOFIT, or what ends it all. The
	 * last NFART_OK for a bin is the one that counts. */
	enum nfart_status (*place)(void *context, const bool *share, uint32_t bin);
	void *context;
};

/* NFART_OK; NFART_NOFIT: proved; NFART_GAVEUP; NFART_SYSTEM; or what `place` answered. */
enum nfart_status packing_run(const struct packing *in);

#endif
