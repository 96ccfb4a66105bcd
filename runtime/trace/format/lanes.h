/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * lanes.h: lanes for slices of time that overlap. A slice that begins takes the lowest lane on
 * which there is none, so there are as many lanes as there were slices at once. Freed with
 * lanes_free().
 */
#ifndef NFART_TRACE_LANES_H
#define NFART_TRACE_LANES_H

#include "support/vec.h"

struct lane {
	uint64_t track; /* the lane's track; 0: it has none yet */
	uint64_t flow;  /* the number of the flow of the slice on the lane */
	uint32_t code;  /* the code of the request that the slice is */
	bool taken;
};

/* A zeroed one has no lanes. */
struct lanes {
	VEC(struct lane) all;
	VEC(uint64_t) vacant; /* bit set: lanes without a slice */
};

void lanes_free(struct lanes *l);

/* Takes the lowest lane without a slice, and sets *lane to its number. False: out of memory. Cost:
 * linear in the number of lanes divided by 64. */
bool lanes_take(struct lanes *l, uint32_t *lane);

/* Gives a lane back. */
void lanes_give(struct lanes *l, uint32_t lane);

#endif
