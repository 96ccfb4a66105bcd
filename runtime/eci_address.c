/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The hash of ECI's addresses (T 4.1, observation 7): which line index stands in a header for which
 * physical address. It spreads neighbouring lines over the slices of the CPU's cache.
 *
 * Note [hashed addresses]. The hash adds bits of the physical index to lower bits of it, by
 * exclusive or. In this picture of the index, each row is added to the row of numbers at the top:
 *
 *    32            13 12     8 7   5 4  3 2   0
 *   +----------------+--------+-----+----+-----+
 *   | unchanged      |        |     |    |     |
 *   +----------------+--------+-----+----+-----+
 *                  +   17..13 20..18
 *                                    17..16 15..13
 *                                      6..5  7..5
 *
 * All bits that are added are above those which they are added to. So the hash is undone group by
 * group from the highest: the bits that were added then have their physical values.
 */
#include "include/nfart.h"

enum { LINE_BITS = 7 }; /* a line has 128 bytes */

/* Bits of the index that are added to others: `bits` bits from `from` on to those from `to` on. The
 * rows are ordered by `to`, the highest first. */
static const struct {
	uint8_t to, from, bits;
} added[] = {
	{ 8, 13, 5 }, { 5, 18, 3 }, { 3, 16, 2 }, { 3, 5, 2 }, { 0, 13, 3 }, { 0, 5, 3 },
};

enum { ADDED = sizeof added / sizeof added[0] };

static uint64_t eci_add(uint64_t index, int row)
{
	uint64_t mask = ((uint64_t)1 << added[row].bits) - 1;

	return index ^ (index >> added[row].from & mask) << added[row].to;
}

uint64_t nfart_eci_hash(uint64_t address)
{
	uint64_t index = address >> LINE_BITS;

	for (int row = ADDED; row-- > 0;)
		index = eci_add(index, row);
	return index << LINE_BITS | (address & ((1 << LINE_BITS) - 1));
}

uint64_t nfart_eci_unhash(uint64_t address)
{
	uint64_t index = address >> LINE_BITS;

	for (int row = 0; row < ADDED; row++)
		index = eci_add(index, row);
	return index << LINE_BITS | (address & ((1 << LINE_BITS) - 1));
}
