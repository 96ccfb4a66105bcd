/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * fit_cost.h: estimates how many LUTs and flip-flops of an FPGA the NFA part of the engine (rtl/)
 * takes for an overlay.
 */
#ifndef NFACC_COMPILER_FIT_COST_H
#define NFACC_COMPILER_FIT_COST_H

#include "contract/contract.h"

/* How much a LUT and a flip-flop weigh in the cost. The thesis counts LUTs and flip-flops apart and
 * never adds them up. By default each weighs 1. The thesis's device has two flip-flops for each
 * LUT, so 2 for a LUT and 1 for a flip-flop would be the other natural choice. */
struct fit_weights {
	uint32_t lut, /* weight of a LUT, at most FIT_MOST_WEIGHT */
		ff;   /* weight of a flip-flop, at most FIT_MOST_WEIGHT */
};
enum { FIT_MOST_WEIGHT = 1000 };

struct fit_cost {
	uint64_t luts, /* LUTs that logic and LUT RAM take; block RAM is not counted */
		ffs;   /* number of flip-flops */
	uint64_t cost; /* weighted sum of luts and ffs, or UINT64_MAX if the sum is larger */
};

/* Estimates the cost of overlay o. The result is within a tenth of what yosys counts on the
 * overlays that were tried (fit_cost.c), but up to a third too high for rows that feed only some
 * ten STEs (`make bench-sweep`). The thesis's own model (fit_thesis.h) describes the thesis's
 * engine, which is more than twice as large. The sums use integers only, so that every machine
 * computes the same cost. */
struct fit_cost fit_cost(const struct overlay *o, const struct fit_weights *w);

/* Estimates the LUTs that n STEs with so many decoders each take, connected as in overlay o. STE
 * and decoder cost what they cost on average in the overlay itself. Saturates at UINT64_MAX. */
uint64_t fit_cost_stes(const struct overlay *o, uint64_t n, uint64_t decoders);

/* Estimates the LUTs and flip-flops of the tests of headers, which fit_cost() does not count; the
 * overlay's protocol is set. Their recoding memories are block RAM. The field `cost` is 0. */
struct fit_cost fit_tests_cost(const struct overlay *o);

/* Returns how many block RAMs of 18 Kb the bins of the overlay's histogram take. */
uint64_t fit_histogram_rams(const struct overlay *o);

/* Returns how many block RAMs of 18 Kb the payload takes on its way through the engine, with the
 * sizes of the queue and of the output FIFO that nfacc_engine.v presets. */
uint64_t fit_payload_rams(const struct overlay *o);

#endif
