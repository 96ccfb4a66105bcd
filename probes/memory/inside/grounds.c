/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/inside/grounds.h"

#include "probes/memory/inside/heap.h"
#include "probes/memory/inside/inside.h"

/*
 * How much is given back around an address, at most: in a block of the heap, which most likely is
 * all stack, and elsewhere, where variables may be. A stack that grows further is found again.
 */
enum { BLOCK_BELOW = 1 << 20, BLOCK_ABOVE = 64 << 10, BELOW = 64 << 10, ABOVE = INSIDE_PAGE };

void grounds_give(uintptr_t at, size_t bytes)
{
	inside_unseen(MEM_UNSEEN_STACK);
	mirror_give(at, bytes);
}

void grounds_found(uintptr_t at)
{
	uintptr_t low, high, from = at & ~(uintptr_t)(INSIDE_PAGE - 1), to = from + INSIDE_PAGE;
	if (heap_around(at, &low, &high)) {
		if (from > low)
			from = from - low > BLOCK_BELOW ? from - BLOCK_BELOW : low;
		if (high > to)
			to = high - to > BLOCK_ABOVE ? to + BLOCK_ABOVE : high;
	} else {
		/* Only neighbours that are watched, too: what is beyond may be anything. */
		for (low = from - BELOW; from > low && mirror_covers(from - INSIDE_PAGE);)
			from -= INSIDE_PAGE;
		for (high = to + ABOVE; to < high && mirror_covers(to);)
			to += INSIDE_PAGE;
	}
	grounds_give(from, to - from);
}
