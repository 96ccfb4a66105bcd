/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * fit_place.h: places an NFA on an overlay with the mapper (backends/overlay/map/). If connections are the
 * reason that there is no mapping, states are split (ir/pass/split.h).
 */
#ifndef NFACC_COMPILER_FIT_PLACE_H
#define NFACC_COMPILER_FIT_PLACE_H

#include "backends/overlay/map/map.h"
#include "contract/contract.h"
#include "ir/pass/split.h"

struct placement {
	uint32_t *ste;         /* [states]: the node of each; within a clique in the order of the states */
	struct map_report map; /* of what is placed; where nothing is, of the NFA as it came */
	struct nfa split;      /* what is placed, where log is not empty */
	struct split_log log;
};

/* A unit of work. It bounds many tries together without reading the clock. A step of the search costs one
 * unit for each state, clique and connection; a step without backtracking costs less. A hundred million
 * units take seconds. */
typedef uint64_t fit_work_t;

/* Fills *p; free it with placement_free() whatever the answer.
 *
 * NFART_OK: `a`, or an equivalent NFA with states split, is placed. Otherwise the answer is that of
 * map_place() for `a`.
 *
 * States are split if the mapper proves that `a` does not fit (unless there are too few STEs) or gives up.
 * First come the states with more neighbours than an STE has, then those where the NFA is too dense, then
 * all states down to half that number of neighbours, a quarter, and so on.
 *
 * *left bounds the work: it falls by the work done, at 0 the answer is NFART_GAVEUP, and nothing is split
 * after the mapper gave up. If left is NULL, only the splits have a limit. */
enum nfart_status placement_find(struct placement *p, const struct nfa *a, const struct overlay *o,
				 const struct map_options *options, fit_work_t *left);
void placement_free(struct placement *p);

#endif
