/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * fit_cost.h: what an overlay costs in hardware, by the thesis's model (T 5.1, eq. 29-31).
 */
#ifndef NFACC_COMPILER_FIT_COST_H
#define NFACC_COMPILER_FIT_COST_H

#include "runtime/contract.h"

/* What a LUT and a FF count. The thesis adds them nowhere; one each is the default, 2 and 1 would be
 * the ratio of what there is of them on its device. */
struct fit_weights {
	uint32_t lut, ff; /* at most FIT_MOST_WEIGHT */
};
enum { FIT_MOST_WEIGHT = 1000 };

struct fit_cost {
	uint64_t luts, ffs; /* T eq. 31 and 30, rounded down */
	uint64_t cost;      /* the weighted sum, or UINT64_MAX if it is more than that */
};

/* NHEADERS is o->slots, NCLS the lines, NPRED the real number of predecessors of an STE, which is
 * less than (3 + 2N)C on short rings; the logarithm is that of base 2. Integers only: the same on
 * every machine. */
struct fit_cost fit_cost(const struct overlay *o, const struct fit_weights *w);

#endif
