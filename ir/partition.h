/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * partition.h: refines a partition until it is stable under a relation (Paige and Tarjan, "Three
 * partition refinement algorithms", SIAM J. Comput. 16(6), 1987).
 */
#ifndef NFACC_IR_PARTITION_H
#define NFACC_IR_PARTITION_H

#include <stdbool.h>
#include <stdint.h>

/* A relation on 0 … n-1: x is related to to[first[x]] … to[first[x + 1] - 1], each of them once. */
struct relation {
	uint32_t n;
	const uint32_t *first; /* [n + 1]: where the list of each element begins in `to` */
	const uint32_t *to;
};

/* Refines a partition of the elements 0 … n-1 to the coarsest one in which all elements of a class
 * are related to elements of the same classes. cls[x] is the class of x: on entry any number below
 * n; on return classes are numbered in the order of their first elements. Returns the number of
 * classes, or UINT32_MAX: out of memory. Cost: O(m log n) for m pairs. */
uint32_t partition_refine(const struct relation *r, uint32_t *cls);

#endif
