/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * count_make.h: the nodes and counters that take the place of repetitions. Internal to count*.c.
 *
 * Nodes are interned: nodes with the same structure are one node, whether written or made; places don't
 * matter. Counters that count and reset the same, to the same number and in the same mode, are one counter. So
 * filters with a common beginning share its counters.
 */
#ifndef NFACC_IR_COUNT_MAKE_H
#define NFACC_IR_COUNT_MAKE_H

#include "ir/count/count_prove.h"

struct count_maker {
	struct spec *s;
	VEC(rx_id_t) same;       /* by node: the one that stands for it */
	uint32_t *hash;          /* of those that stand for others; open addressing: id + 1, or 0 */
	size_t nhash, used;
	VEC(uint32_t) last;      /* by node: the last counter made that counts it, UINT32_MAX: none */
	VEC(uint32_t) before;    /* by counter made: the one before it that counts the same */
	uint32_t first;          /* counter that is made, not written */
	VEC(rx_id_t) list, todo;
	const char *owner;       /* counters are named after it, */
	uint32_t named;          /* … and numbered */
	bool failed;             /* out of memory; nodes are then RX_NONE */
};

/* Interns what s has. Free it whatever the answer. False: out of memory. Linear but for hashing. */
bool count_maker_init(struct count_maker *m, struct spec *s);
void count_maker_free(struct count_maker *m);

/* A node; those made of n nodes by `kind` are eps for n = 0 and the one for n = 1. */
rx_id_t make_list(struct count_maker *m, enum rx_kind kind, const rx_id_t *sub, uint32_t n,
		  struct diag_range range);
rx_id_t make_pair(struct count_maker *m, rx_id_t x, rx_id_t y, struct diag_range range);
rx_id_t make_repeat(struct count_maker *m, rx_id_t x, uint32_t lo, uint32_t hi,
		    struct diag_range range);
rx_id_t make_pred(struct count_maker *m, pred_id_t p, struct diag_range range);
rx_id_t make_active(struct count_maker *m, uint32_t counter, struct diag_range range);

/* What to build for the prefix and then `last` (RX_NONE: nothing). A factor costs a step; without any
 * left the answer is one to be dropped. */
rx_id_t make_prefix(struct count_maker *m, const struct count_prefix *a, rx_id_t last,
		    struct diag_range range, uint64_t *steps);

/* The counter that is like this one, new where there is none; its name is made up. */
uint32_t make_counter(struct count_maker *m, struct spec_counter c);

/* Takes back the counters from `n` on. */
void make_drop(struct count_maker *m, size_t n);

#endif
