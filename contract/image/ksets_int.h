/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ksets_int.h: what ksets.c, ksets_moves.c and ksets_ask.c share. No other file includes it.
 */
#ifndef NFACC_CONTRACT_KSETS_INT_H
#define NFACC_CONTRACT_KSETS_INT_H

#include "contract/image/ksets.h"

/* How many results are remembered: at first, and at most. In between they are 8 for each node or
 * more. With fewer, many are lost that are needed again, and take most of the time. */
enum { MADE_FIRST = 1 << 14, MADE_MOST = 1 << 22 };
/* OP_CLOSE and OP_FIRE are the first for KSETS_SILENT; those for other moves follow in turns. */
enum { OP_UNION, OP_MINUS, OP_MOVE, OP_LEAVING, OP_MEETS, OP_CLOSE, OP_FIRE };

/* Makes a node of the edges from `base` on of the stack, and takes them from it. They have
 * different values that rise, and lead to sets with states. */
uint32_t ksets_node(struct ksets *x, uint32_t part, size_t base);

/* Pushes an edge, unless it leads to KSETS_NONE. */
void ksets_push(struct ksets *x, uint64_t value, uint32_t to);

/* Sorts the moves by their first part. False: out of memory. */
bool ksets_sort(struct ksets *x, uint32_t which, uint64_t seen);

/* Returns how many edges a set has at a part, which is not behind its own. */
static inline uint32_t edges_at(const struct ksets *x, uint32_t set, uint32_t part)
{
	return x->nodes.at[set].part == part ? x->nodes.at[set].n : 1;
}

/* Returns edge i of a set at a part. */
static inline struct kept_edge edge_at(const struct ksets *x, uint32_t set, uint32_t part,
				       uint32_t i)
{
	if (x->nodes.at[set].part == part)
		return x->edges.at[x->nodes.at[set].first + i];
	return (struct kept_edge){ 0, set };
}

static inline struct ksets_made *place_of(struct ksets *x, uint32_t op, uint32_t a, uint32_t b)
{
	return &x->made[hash_add(hash_add(op, a), b) & (x->nmade - 1)];
}

/* Returns whether a result is remembered, in *result. No operation is of set 0. */
static inline bool is_made(struct ksets *x, uint32_t op, uint32_t a, uint32_t b, uint32_t *result)
{
	const struct ksets_made *m = place_of(x, op, a, b);

	if (m->a == 0 || m->op != op || m->a != a || m->b != b)
		return false;
	*result = m->result;
	return true;
}

static inline uint32_t remember(struct ksets *x, uint32_t op, uint32_t a, uint32_t b,
				uint32_t result)
{
	if (!ksets_stop(x))
		*place_of(x, op, a, b) = (struct ksets_made){ op, a, b, result };
	return result;
}

#endif
