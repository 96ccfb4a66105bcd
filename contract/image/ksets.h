/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ksets.h: sets of states of a system that is composed of parts (kept.h, struct kept_composed).
 * None of the states is listed.
 *
 * Note [sets of states]. A set is a node of a decision diagram (Bryant 1986; with many values:
 * Srinivasan, Kam, Malik, Brayton 1990). A node decides by one part: for each value that the part
 * has in any state of the set there is an edge to the set of what the later parts are. A part that
 * is 0 in all states has no node (as in Minato 1993). So a set has one node only, and equal sets
 * have equal numbers. Nodes are found by hash, and what was made of them is remembered.
 *
 * A move acts on each part alone. So what it makes of a set is found in one walk over the diagram.
 * What some moves lead to, again and again, is found from the last part on: a set is first closed
 * under the moves that touch later parts only (saturation; Ciardo, Lüttgen, Siminiscalco 2001).
 */
#ifndef NFACC_CONTRACT_KSETS_H
#define NFACC_CONTRACT_KSETS_H

#include "contract/image/kept.h"
#include "support/hash.h"
#include "support/vec.h"

enum { KSETS_NONE = 0, KSETS_ZERO = KEPT_ZERO };

/* The most nodes and edges. They take some 30 bytes each, and the results that are
 * remembered up to 64 MB. */
enum { KSETS_MOST = 1 << 22 };

/* The most steps after ksets_begin(), each of which makes an edge, or tries to: some seconds.
 * ksets.most_steps can be made less. */
#define KSETS_MOST_STEPS (UINT64_C(1) << 26)

/* Which moves a set is closed under: one of these, or KSETS_WITHOUT plus a rule: the silent ones
 * but those by this rule. */
enum { KSETS_SILENT, KSETS_ALL, KSETS_NO_MOVES, KSETS_WITHOUT };

/* The result of an operation on two numbers. */
struct ksets_made {
	uint32_t op, a, b, result;
};

/* Moves by the first part that they touch. */
struct ksets_by_part {
	uint32_t *moves;
	uint32_t *first; /* [parts + 1] */
};

struct ksets {
	const struct kept_composed *c; /* borrowed */
	VEC(struct kept_node) nodes;
	VEC(struct kept_edge) edges;
	VEC(struct kept_edge) stack; /* edges that are being made */
	struct hash_ids hash;        /* finds nodes */
	struct ksets_made *made;      /* direct-mapped; what has the same place replaces it */
	size_t nmade;                 /* a power of two */
	struct ksets_by_part by_part[2]; /* KSETS_SILENT, KSETS_ALL */
	uint64_t steps, most_steps;
	uint32_t all;                /* all states that can be reached; until ksets_keep() */
	uint32_t asked;              /* counts ksets_meets() */
	bool full;                   /* KSETS_MOST or most_steps was reached */
	bool failed;                 /* memory ran out */
};

/* Makes one that has the set x->all, as c has it. The events in `seen` are seen; all other moves
 * are silent. False: out of memory. Call ksets_free() in either case. */
bool ksets_init(struct ksets *x, const struct kept_composed *c, uint64_t seen);
void ksets_free(struct ksets *x);

/* Begins a row of calls, for which most_steps counts. KSETS_MOST, once it was reached, stays
 * so until ksets_keep(). */
static inline void ksets_begin(struct ksets *x)
{
	x->steps = 0;
	x->full = false;
}

/* Did it reach a limit, or is memory short? Then results have no meaning. */
static inline bool ksets_stop(const struct ksets *x)
{
	return x->full || x->failed;
}

/* Counts steps. */
static inline void ksets_spend(struct ksets *x, uint32_t steps)
{
	x->steps += steps;
	x->full = x->full || x->steps > x->most_steps;
}

/* Return the union, and the states of a that b does not have. */
uint32_t ksets_union(struct ksets *x, uint32_t a, uint32_t b);
uint32_t ksets_minus(struct ksets *x, uint32_t a, uint32_t b);

/* Returns the states that a move leads to from those of a set. */
uint32_t ksets_move(struct ksets *x, uint32_t set, uint32_t move);

/* Returns the states of a set, and all that moves lead to from them. */
uint32_t ksets_close(struct ksets *x, uint32_t set, uint32_t moves);

/* Returns the states of a set that a move can leave. */
uint32_t ksets_leaving(struct ksets *x, uint32_t set, uint32_t move);

/* Returns the states of a set in which each variable has a value of its mask in values[], which
 * has an entry for each part; those of others are not looked at. */
uint32_t ksets_meets(struct ksets *x, uint32_t set, const uint32_t *values);

/* Adds to values[] the values that each variable has in the states of a set. It has an entry for
 * each part. The cost is linear in the nodes that were made before the set. */
void ksets_values(struct ksets *x, uint32_t set, uint32_t *values);

/* Writes to value[], by part, a state of a set that has one. */
void ksets_any(const struct ksets *x, uint32_t set, uint64_t *value);

/* Returns how many states a set has. */
double ksets_count(struct ksets *x, uint32_t set);

/* Forgets all sets but those that roots[0 .. n) are made of, and writes their new numbers to it. */
void ksets_keep(struct ksets *x, uint32_t *roots, size_t n);

/* Makes a step of a move on the value of its part. False: the part does not allow it. */
bool ksets_step(const struct kept_composed *c, const struct kept_step *s, uint64_t *value);

#endif
