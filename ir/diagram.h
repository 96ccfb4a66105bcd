/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * diagram.h: decision diagrams over the bits of a message, those of its header and its payload. A
 * diagram is a function from the messages of one code (proto.h) to numbers, its leaves. Bit b of
 * word w (record_message) is bit 64 * w + b. Where nothing else is said, a header means all the
 * words.
 *
 * Diagrams are ordered from the highest bit to the lowest, reduced, and shared: two diagrams with
 * the same function have the same number (R. Bryant, "Graph-Based Algorithms for Boolean Function
 * Manipulation", IEEE Trans. Computers C-35(8), 1986; with more than two leaves, as in Bahar et
 * al., "Algebraic Decision Diagrams and their Applications", ICCAD 1993). So a class of headers
 * that is empty never appears, and the size of a class is exact.
 */
#ifndef NFACC_IR_DIAGRAM_H
#define NFACC_IR_DIAGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "contract/image/record.h"
#include "support/hash.h"
#include "support/vec.h"

typedef uint32_t diagram_t; /* index into diagrams.nodes; DIAGRAM_NONE: there is none */
enum {
	DIAGRAM_NONE = UINT32_MAX,
	DIAGRAM_LEAF = 64 * (1 + RECORD_MOST_PAYLOAD),
	DIAGRAM_MOST_NODES = 1 << 22
};

struct diagram_node {
	uint32_t bit;   /* the bit that decides; DIAGRAM_LEAF: none */
	/* What follows if the bit is 0, and if it is 1; both are nodes with a lower bit, or leaves.
	 * The number of a leaf is in `no`. */
	uint32_t no, yes;
};

struct diagram_result;

struct diagrams {
	/* Which bits are the same in all headers, and what they are: those of the opcode, and the
	 * bits above the header. No node decides on them. */
	uint64_t fixed, value;
	VEC(struct diagram_node) nodes;
	struct hash_ids hash;  /* finds `nodes` */
	VEC(uint32_t) pairs;   /* the pairs of leaves that diagram_pair() made: first, second */
	struct hash_ids pair_hash; /* finds them */
	/* [ncache]: results of operations, each in the place of its operands */
	struct diagram_result *cache;
	size_t ncache;         /* as many as `hash` has places */
	bool failed;           /* out of memory */
	bool too_large;        /* DIAGRAM_MOST_NODES reached */
};

/* Makes *d empty, for headers of so many bits whose bits in `fixed` are those of `value`. */
void diagrams_init(struct diagrams *d, uint32_t header_bits, uint64_t fixed, uint64_t value);
void diagrams_free(struct diagrams *d);

/* Each of the following returns a diagram. DIAGRAM_NONE: d->failed or d->too_large is set, or an
 * operand is DIAGRAM_NONE. */

/* The constant function. */
diagram_t diagram_leaf(struct diagrams *d, uint32_t leaf);

/* 1 if the bits of a word under `mask` are `value` or, with at_most, at most `value`; else 0.
 * Linear in the bits of a word. */
diagram_t diagram_test(struct diagrams *d, uint32_t word, uint64_t mask, uint64_t value,
		       bool at_most);

/* `yes` where `test` is 1, `no` where it is 0. At worst the product of the three sizes. */
diagram_t diagram_choose(struct diagrams *d, diagram_t test, diagram_t no, diagram_t yes);

/* The leaf of a header is the number of the pair of its leaves in x and y; diagram_first() and
 * diagram_second() tell them. At worst the product of both sizes. */
diagram_t diagram_pair(struct diagrams *d, diagram_t x, diagram_t y);
uint32_t diagram_first(const struct diagrams *d, uint32_t pair);
uint32_t diagram_second(const struct diagrams *d, uint32_t pair);

/* The messages with one leaf: the least of them, and how many headers they are. A share of the
 * payloads is the same share of the headers. The size is exact if no bit of payload decides. */
struct diagram_class {
	uint32_t leaf;
	struct record_message sample;
	long double size;
};

struct diagram_classes {
	struct diagram_class *at;
	size_t n, cap;
};

/* Appends the classes of the diagram to *out, in the order of their samples; the caller frees it
 * with vec_free(). At least one bit must be fixed, so that no size overflows. False: out of memory.
 * Linear in the nodes made so far, and n log n for n classes. */
bool diagram_leaves(const struct diagrams *d, diagram_t x, struct diagram_classes *out);

/* An interval of the values of a run of bits: up to `last`, from the one before it on. All headers
 * with such values go on at the same node. */
struct diagram_interval {
	uint64_t last;
	diagram_t node;
};

struct diagram_intervals {
	struct diagram_interval *at;
	size_t n, cap;
};

/* Finds the longest run of bits that begins with the bit of x, goes down at most to bit `least`,
 * and leaves intervals of its values whole. Writes the intervals to *v, in order, and the run's
 * lowest bit to *low. Fixed bits don't count: values have the other bits of the run only. x must
 * not be a leaf. The caller frees *v with vec_free(). False: out of memory. */
bool diagram_intervals(const struct diagrams *d, diagram_t x, uint32_t least,
		       struct diagram_intervals *v, uint32_t *low);

/* diagram_at() returns the node of a header's leaf, diagram_of() the number of the leaf. The
 * header's fixed bits are not looked at. */
diagram_t diagram_at(const struct diagrams *d, diagram_t x, const struct record_message *m);
uint32_t diagram_of(const struct diagrams *d, diagram_t x, const struct record_message *m);

#endif
