/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * fit_place.h: an NFA onto an overlay by the mapper (backends/overlay/map/), with states split (ir/pass/split.h)
 * where their connections are what refutes a mapping.
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

/* Work, so that many tries end in time without a look at the clock: a step of the search counts all
 * states, cliques and connections, those without backtracking less. A hundred million are seconds. */
typedef uint64_t fit_work_t;

/* Fills *p; free it with placement_free() whatever the answer, which is map_place()'s for the NFA as
 * it came, or NFART_OK for it or for one with split states. Splits are tried for a proof that it
 * doesn't fit, unless there are too few STEs, and where the mapper gave up: first the states with more
 * neighbours than an STE has, then those around where it is too dense, then all down to half of that,
 * a quarter, and so on.
 *
 * *left is lessened by the work done, and then nothing is split where the mapper gave up; NFART_GAVEUP at 0. Where left is NULL only the splits have a
 * limit. */
enum nfart_status placement_find(struct placement *p, const struct nfa *a, const struct overlay *o,
				 const struct map_options *options, fit_work_t *left);
void placement_free(struct placement *p);

#endif
