/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * partition.h: the coarsest partition that a relation respects (Paige and Tarjan, "Three partition
 * refinement algorithms", SIAM J. Comput. 16(6), 1987).
 */
#ifndef NFACC_IR_PARTITION_H
#define NFACC_IR_PARTITION_H

#include <stdbool.h>
#include <stdint.h>

/* A relation on 0 … n-1: x is related to to[first[x]] … to[first[x + 1] - 1], each once. */
struct relation {
	uint32_t n;
	const uint32_t *first; /* [n + 1] */
	const uint32_t *to;
};

/* Refines the partition cls[0 … n) (class numbers below n) to the coarsest one in which elements of
 * one class are related to elements of the same classes. cls receives the new numbers, in the order
 * of the first element of each class. The number of classes, or UINT32_MAX: out of memory.
 * Cost: m log n for m pairs. */
uint32_t partition_refine(const struct relation *r, uint32_t *cls);

#endif
