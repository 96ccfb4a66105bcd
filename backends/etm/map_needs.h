/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * map_needs.h: in which rows of the truth table each function must hold, and in which it must not.
 */
#ifndef NFACC_BACKENDS_ETM_MAP_NEEDS_H
#define NFACC_BACKENDS_ETM_MAP_NEEDS_H

#include "backends/etm/map_int.h"

/* Bit sets of rows for each function. A row in neither set does not matter; a row in both sets says
 * that nothing computes the function. */
struct map_needs {
	uint64_t *on[NFIELDS], *off[NFIELDS];
};

/* Allocates the sets in the arena of m. False: out of memory. */
bool map_needs_init(struct map_needs *n, struct map *m);

/* Fills *n for the assignment q and a set of chained counters. `reset` is the set of rows in which
 * the reset event must hold; NULL: it is never needed. With `any_reset` the sets are for a lower
 * bound: resets cost nothing, in whatever rows they can help. */
void map_needs_make(struct map_needs *n, const struct map *m, const uint8_t *q, uint32_t chain,
		    const uint64_t *reset, bool any_reset);

#endif
