/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * leap.h: lets a copy of the automaton take many ticks at once, if they have no effect outside.
 *
 * Note [leaps]
 * Between two batches there may be far more ticks than can be stepped. A batch of a tick alone
 * makes the same predicates hold each time. So the automaton falls apart: only states whose
 * predicate holds then can stay active, and among these, transitions and counters connect some
 * states but not others. Each part goes its own way (leap_parts.h, Note [parts of a leap]). Parts
 * are looked at one by one, since the period of all of them together may be the product of their
 * periods.
 *
 * A part without counters is linear: its next set of active states is the union of the successors
 * of the active states. Its first acceptance is as far away as the nearest accepting state, and its
 * state after n ticks comes from powers of its matrix of transitions, by repeated squaring.
 *
 * But mostly a part soon repeats itself, and this is looked for first (Brent's algorithm). If its
 * active states repeat, and no counter became active meanwhile, then the counts went up by as much
 * as they will in each period to come. So as many periods are leapt over as leave all counters
 * below their bounds. If a part also repeats its counts whenever a counter becomes active, these
 * longer periods are leapt over in the same way.
 */
#ifndef NFART_LEAP_H
#define NFART_LEAP_H

#include "runtime/engine/engine.h"

struct leap;

/* Makes what leaps of this engine's copies need; the engine is borrowed. NULL: out of memory.
 * leap_free(NULL) is fine. Linear in the image. */
struct leap *leap_new(struct nfart_engine *en);
void leap_free(struct leap *l);

/* What a leap must not skip. */
struct leap_limits {
	uint64_t most; /* the leap is not longer than this */
	bool logs;     /* stop before ticks that are logged, too; otherwise only accepted ones */
	/* Without `logs`: leave so many ticks that this many logged ones can still come. 0: logged
	 * ticks may be skipped. */
	uint64_t keep;
};

/* Finds out how many ticks a copy can leap over. The copy is given by its active states and its
 * counts, as they are after a tick; they are not changed. */
uint64_t leap_quiet(struct leap *l, const uint64_t *active, const uint32_t *counts,
		    const struct leap_limits *limits);

/* Lets a copy take n ticks, which leap_quiet() allowed. Adds to *logged how many of them are
 * logged. False: out of memory. */
bool leap_take(struct leap *l, uint64_t *active, uint32_t *counts, uint64_t n, uint64_t *logged);

#endif
