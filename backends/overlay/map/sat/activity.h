/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * activity.h: says which variable to decide on next: the one that was in the most conflicts lately
 * (Moskewicz and others 2001).
 *
 * Activities are integers, and ties go to the lower variable, so the order is the same on every
 * machine.
 */
#ifndef NFACC_MAP_ACTIVITY_H
#define NFACC_MAP_ACTIVITY_H

#include <stdbool.h>
#include <stdint.h>

#include "support/arena.h"

struct activity {
	uint32_t nvars, nheap;
	uint64_t *activity; /* [nvars] */
	uint64_t bump;      /* what a conflict adds; it grows, so that old conflicts count less */
	uint32_t *heap;     /* [nheap]: variables, each no less active than its two children */
	uint32_t *place;    /* [nvars]: where each variable is in the heap, or nvars */
};

/* Fills *a with all variables; its arrays are in `arena`. False: out of memory. */
bool activity_init(struct activity *a, uint32_t nvars, struct arena *arena);

/* Adds a variable that may be in the heap already. */
void activity_add(struct activity *a, uint32_t v);

/* Removes and returns the most active variable. The heap must not be empty. */
uint32_t activity_pop(struct activity *a);

/* Notes that a variable was in the current conflict; notes the end of the conflict. */
void activity_raise(struct activity *a, uint32_t v);
void activity_age(struct activity *a);

#endif
