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
	/* [states]: the node of each state; NULL: there is no placement */
	uint32_t *ste;
	/* the mapper's report on the NFA that is placed; without a placement, its report on the
	 * original NFA */
	struct map_report map;
	/* the NFA with split states. It is the one that is placed, unless `log` is empty: then no
	 * state is split, the original NFA is placed, and `split` is empty. */
	struct nfa split;
	struct split_log log;
};

/* An amount of work, in units. Work is bounded in units and not in seconds, so that every machine
 * finds the same. A step of the search after a failure costs 64 units for each state, clique and
 * connection. A step with no failure before it costs far less. A hundred million units take
 * seconds. */
typedef uint64_t fit_work_t;

/* Places `a` on overlay o and fills *p. Free *p with placement_free() in any case.
 *
 * NFART_OK: `a`, or an equivalent NFA with states split, is placed. Any other answer is that of
 * map_place() for `a`.
 *
 * States are split if the mapper gives up, or if it proves that `a` does not fit and the reason is
 * not that there are too few STEs. First the states with more neighbours than an STE has are split,
 * then the states where the NFA is too dense. If that does not help, splitting begins again with
 * half as many neighbours as the limit, then a quarter, and so on.
 *
 * *left bounds the work and falls by the work done. When it reaches 0, the answer is NFART_GAVEUP.
 * With `left`, no states are split after the mapper gave up. If `left` is NULL, only the work on
 * split states is bounded, and states are also split after the mapper gave up. */
enum nfart_status placement_find(struct placement *p, const struct nfa *a, const struct overlay *o,
				 const struct map_options *options, fit_work_t *left);
void placement_free(struct placement *p);

#endif
