/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* ranges.h: address ranges that do not overlap. Each range has a number. */
#ifndef NFACC_PROBES_MEMORY_READER_RANGES_H
#define NFACC_PROBES_MEMORY_READER_RANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "support/vec.h"

struct range {
	uint64_t at, end;
	uint32_t number;
};

/* Sorted by address. A zeroed struct is empty. vec_free() frees it. */
struct ranges {
	struct range *at;
	size_t n, cap;
};

/*
 * Removes [at, end) from the ranges. One range may become two. Returns false if there is no memory.
 * Cost: linear in the ranges.
 */
bool ranges_remove(struct ranges *r, uint64_t at, uint64_t end);

/*
 * Adds [at, end), where at < end, and removes what was there before. Returns false if there is no
 * memory. Cost: linear in the ranges.
 */
bool ranges_add(struct ranges *r, uint64_t at, uint64_t end, uint32_t number);

/*
 * Returns the number of the range that contains an address; 0 if there is none. Cost: logarithmic.
 */
uint32_t ranges_find(const struct ranges *r, uint64_t at);

#endif
