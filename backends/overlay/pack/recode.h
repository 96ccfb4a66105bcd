/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * recode.h: how an overlay with tests tells the letters of a filter apart. Each slot has mask
 * tests, range tests and payload tests; the opcode of a message and their results lead to a row of
 * the slot, which the decoders read. Letters that every predicate treats alike share a row.
 */
#ifndef NFACC_OVERLAY_RECODE_H
#define NFACC_OVERLAY_RECODE_H

#include "contract/contract.h"
#include "include/nfart_status.h"
#include "ir/nfa.h"

/* A test of a slot: the bits under `mask` of a word of the message are lo … hi. If mask is 0, it is
 * not used. */
struct recode_test {
	uint64_t mask, lo, hi;
	uint32_t word; /* index in record_message.word */
};

struct recode {
	uint32_t *row; /* [letters]: the row of each letter, slot << row_bits | its number there */
	struct recode_test *test; /* [slots * ntest]: of a slot mask, range and payload tests */
	VEC(uint32_t) writes;     /* the words of element recode, without high halves */
};

/* What the first slot needs that the overlay does not have. */
struct recode_need {
	uint32_t slot;
	/* Tests of the header for one value under a mask, and for a range of values; of payload. */
	size_t equal, range, payload;
	uint32_t words;      /* of payload, up to the last one that it tests */
	uint32_t rows;       /* 0: it has too few tests */
};

/* Fills *r for the predicates of the NFA's states. NFART_NOFIT: the overlay has too few tests or
 * rows; *need says what one of its slots needs. NFART_SYSTEM: out of memory. In any case the caller
 * frees *r with recode_free(). The cost is linear in the letters, each times the predicates of the
 * states, and that of the writes (at most slots << recode_bits). */
enum nfart_status recode_make(struct recode *r, const struct overlay *o, const struct nfa *a,
			      struct recode_need *need);
void recode_free(struct recode *r);

/* Sets the tests and the bits of a letter of *o, whose protocol is that of the NFA, to the least
 * with which the NFA has enough of them. NFART_NOFIT: no overlay has so many; *need says what one
 * slot needs. NFART_SYSTEM: out of memory. The cost is that of recode_make(), at most once for each
 * slot and each bit of a letter. */
enum nfart_status recode_least(struct overlay *o, const struct nfa *a, struct recode_need *need);

/* Has the overlay enough tests and rows? False also if memory is short. */
bool recode_fits(const struct overlay *o, const struct nfa *a);

#endif
