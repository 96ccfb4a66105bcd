/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * fit_place.h: places an NFA on an overlay with the mapper (backends/overlay/map/). If there is no
 * mapping because states have too many connections, it splits states (ir/pass/split.h).
 */
#ifndef NFACC_COMPILER_FIT_PLACE_H
#define NFACC_COMPILER_FIT_PLACE_H

#include "backends/overlay/map/map.h"
#include "contract/contract.h"
#include "ir/pass/split.h"

struct placement {
	/* [states]: the node of each state; the states of a clique get its nodes in their order */
	uint32_t *ste;
	/* the mapper's report on the NFA that is placed or, if none is, on the original one */
	struct map_report map;
	/* the NFA that is placed, if `log` is not empty; else the original one is */
	struct nfa split;
	struct split_log log;
};

/* Units of work. They bound many tries together without a look at the clock. A step of the search
 * after a failure costs 64 units for each state, clique and connection. A step without a failure
 * before it costs far less. A hundred million units take seconds. */
typedef uint64_t fit_work_t;

/* Fills *p; free it with placement_free() in any case.
 *
 * NFART_OK: `a`, or an equivalent NFA with states split, is placed. Any other answer is that of
 * map_place() for `a`.
 *
 * States are split if the mapper gives up, or if it proves that `a` does not fit and the reason is
 * not that there are too few STEs. First the states with more neighbours than an STE has are split,
 * then the states where the NFA is too dense. If that does not help, the same begins again with
 * half that number of neighbours as the limit, a quarter, and so on.
 *
 * *left bounds the work and falls by the work done. At 0 the answer is NFART_GAVEUP. Nothing is
 * split if the mapper itself gave up. If `left` is NULL, only the splits have a limit, and they are
 * also tried after the mapper gave up. */
enum nfart_status placement_find(struct placement *p, const struct nfa *a, const struct overlay *o,
				 const struct map_options *options, fit_work_t *left);
void placement_free(struct placement *p);

#endif
