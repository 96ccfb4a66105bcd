/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * count_make.h: makes the nodes and counters that take the place of repetitions. Internal to
 * count*.c.
 *
 * Nodes are interned: nodes with the same structure are one node, whether written or made, and
 * wherever they stand in the source. Counters with the same count and reset expressions, the same K
 * and the same mode are one counter. So filters with a common beginning share its counters.
 */
#ifndef NFACC_IR_COUNT_MAKE_H
#define NFACC_IR_COUNT_MAKE_H

#include "ir/count/count_prove.h"
#include "support/hash.h"

struct count_maker {
	struct spec *s;
	/* [nodes]: of the nodes with the same structure, the one that represents all of them */
	VEC(rx_id_t) same;
	struct hash_ids hash;    /* finds the nodes in `same` */
	/* [nodes]: the made counter that counts the node; the last one if there are several,
	 * UINT32_MAX if there is none */
	VEC(uint32_t) last;
	/* [made counters]: the previous made counter that counts the same node; UINT32_MAX: none */
	VEC(uint32_t) before;
	uint32_t first;          /* number of the first counter that the compiler made */
	VEC(rx_id_t) list, todo;
	const char *owner;       /* name of the current filter; made counters are named after it */
	uint32_t named;          /* how many counters have been named after the current filter */
	bool failed;             /* out of memory; all nodes are RX_NONE from then on */
};

/* Interns the nodes of s. count_maker_free() must be called in any case. False: out of memory.
 * Linear but for hashing. */
bool count_maker_init(struct count_maker *m, struct spec *s);
void count_maker_free(struct count_maker *m);

/* Each of these functions returns a node: one with the same structure if there is one, else a new
 * one. RX_NONE: out of memory. make_list() combines n operands by `kind`; for n = 0 it returns eps,
 * for n = 1 the operand. make_active() returns the node @NAME of a counter. */
rx_id_t make_list(struct count_maker *m, enum rx_kind kind, const rx_id_t *sub, uint32_t n,
		  struct diag_range range);
rx_id_t make_pair(struct count_maker *m, rx_id_t x, rx_id_t y, struct diag_range range);
rx_id_t make_repeat(struct count_maker *m, rx_id_t x, uint32_t lo, uint32_t hi,
		    struct diag_range range);
rx_id_t make_pred(struct count_maker *m, pred_id_t p, struct diag_range range);
rx_id_t make_active(struct count_maker *m, uint32_t counter, struct diag_range range);

/* Returns the concatenation of the prefix a, in its rewritten form, and `last` (RX_NONE:
 * nothing). *steps falls by one for each factor. If it falls to 0, the result is incomplete and
 * must be dropped. */
rx_id_t make_prefix(struct count_maker *m, const struct count_prefix *a, rx_id_t last,
		    struct diag_range range, uint64_t *steps);

/* Returns the number of the counter with the expressions, K and mode of c. If there is none, it is
 * made and given a name. UINT32_MAX: out of memory. */
uint32_t make_counter(struct count_maker *m, struct spec_counter c);

/* Removes the counters from number n on. */
void make_drop(struct count_maker *m, size_t n);

#endif
