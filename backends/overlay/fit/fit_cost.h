/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * fit_cost.h: what the NFA part of the engine in rtl/ costs for an overlay.
 */
#ifndef NFACC_COMPILER_FIT_COST_H
#define NFACC_COMPILER_FIT_COST_H

#include "contract/contract.h"

/* The weight of a LUT and of a flip-flop. The thesis never adds them up. The default is one each; its
 * device has two flip-flops for each LUT, so 2 and 1 would be the other natural choice. */
struct fit_weights {
	uint32_t lut, ff; /* at most FIT_MOST_WEIGHT */
};
enum { FIT_MOST_WEIGHT = 1000 };

struct fit_cost {
	uint64_t luts, ffs; /* LUT sites, as measured for primitives; flip-flops. No block RAM */
	uint64_t cost;      /* the weighted sum, or UINT64_MAX if it is more than that */
};

/* Within a tenth of what yosys counts, on the overlays that were tried (fit_cost.c). The thesis's own
 * model (T eq. 30, 31) describes its engine, which is more than twice as large. Integers only, so that
 * every machine computes the same cost. */
struct fit_cost fit_cost(const struct overlay *o, const struct fit_weights *w);

#endif
