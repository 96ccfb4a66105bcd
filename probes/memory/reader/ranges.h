/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ranges.h: ranges of addresses that do not overlap, each with a number.
 */
#ifndef NFACC_PROBES_MEMORY_READER_RANGES_H
#define NFACC_PROBES_MEMORY_READER_RANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "support/vec.h"

struct range {
	uint64_t at, end;
	uint32_t number;
};

/* By rising address. A zeroed one is empty; vec_free() frees it. */
struct ranges {
	struct range *at;
	size_t n, cap;
};

/* Takes [at, end) from the ranges, of which one may be cut in two. False: out of memory. Cost:
 * linear in the ranges. */
bool ranges_remove(struct ranges *r, uint64_t at, uint64_t end);

/* Adds [at, end), at < end, in place of what was there. False: out of memory. Cost: linear in the
 * ranges. */
bool ranges_add(struct ranges *r, uint64_t at, uint64_t end, uint32_t number);

/* Returns the number of the range that holds an address; 0: none does. Cost: the logarithm. */
uint32_t ranges_find(const struct ranges *r, uint64_t at);

#endif
