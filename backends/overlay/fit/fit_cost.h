/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * fit_cost.h: what the NFA part of the engine in rtl/ costs for an overlay.
 */
#ifndef NFACC_COMPILER_FIT_COST_H
#define NFACC_COMPILER_FIT_COST_H

#include "contract/contract.h"

/* What a LUT and a FF count. The thesis adds them nowhere; one each is the default, 2 and 1 would be
 * the ratio of what there is of them on its device. */
struct fit_weights {
	uint32_t lut, ff; /* at most FIT_MOST_WEIGHT */
};
enum { FIT_MOST_WEIGHT = 1000 };

struct fit_cost {
	uint64_t luts, ffs; /* LUT sites, as measured for primitives; flip-flops. No block RAM */
	uint64_t cost;      /* the weighted sum, or UINT64_MAX if it is more than that */
};

/* Within a tenth of what yosys counts where that was tried (fit_cost.c); the thesis's own model (T eq.
 * 30, 31) is of its engine, which is more than twice as large. Integers only: the same on every machine. */
struct fit_cost fit_cost(const struct overlay *o, const struct fit_weights *w);

#endif
