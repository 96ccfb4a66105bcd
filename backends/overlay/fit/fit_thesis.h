/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * fit_thesis.h: what the engine of the thesis costs, by the model of the thesis (T 5.1, 5.4.3). The
 * model of this project's engine is fit_cost.h.
 *
 * All sums are exact, rounded once to whole LUTs, and saturate at UINT64_MAX. A logarithm of lines
 * is the number of bits that number the lines. The thesis says (3 + 2N)C for the predecessors of an
 * STE. That is more than there are where L is below 3, or 2N + 1 is above R.
 */
#ifndef NFACC_BACKENDS_FIT_THESIS_H
#define NFACC_BACKENDS_FIT_THESIS_H

#include "backends/overlay/fit/fit_cost.h"

/* LUTs and flip-flops of the NFA part for overlay o, which must be tapped (T eq. 30, 31). The field
 * `cost` is 0. */
struct fit_cost fit_thesis_cost(const struct overlay *o);

/* LUTs of n STEs with so many decoders each, connected as in overlay o (T eq. 27 to 29). */
uint64_t fit_thesis_stes(const struct overlay *o, uint64_t n, uint64_t decoders);

/* Configuration bits (T eq. 51). The bit that says Any or None, which the thesis lists in T 6.2, is
 * not in the equation and not in the result. */
uint64_t fit_thesis_bits(const struct overlay *o);

#endif
