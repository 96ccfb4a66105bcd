/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * order.h: what a function for qsort() returns where several numbers decide.
 *
 * The numbers come in pairs: one of the first element, and the same one of the second. The first
 * pair that differs decides. The smaller number goes first; for the other direction, the caller
 * gives the number of the second element first.
 */
#ifndef NFACC_SUPPORT_ORDER_H
#define NFACC_SUPPORT_ORDER_H

#include <stdint.h>

/* Returns -1, 0 or 1: a is less than b, equal to it, or more. */
static inline int order_1(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static inline int order_2(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	return a != b ? order_1(a, b) : order_1(c, d);
}

static inline int order_3(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f)
{
	return a != b ? order_1(a, b) : order_2(c, d, e, f);
}

static inline int order_4(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f,
			  uint64_t g, uint64_t h)
{
	return a != b ? order_1(a, b) : order_3(c, d, e, f, g, h);
}

#endif
