/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * factor_teddy.h: finds the ends of a few grams, 32 or 64 bytes at once (prefix teddy_).
 *
 * Note [Teddy] The method is that of Hyperscan's literal matcher of this name. The grams are dealt
 * out to eight buckets, those with like ends to the same. For each of the last bytes of a gram two
 * tables say, for the lower and the upper four bits of a byte, which buckets have a gram that goes
 * with them:
 *
 *   gram ..ac      low[0]['c' & 15] and high[0]['c' >> 4] have its bucket: the last byte
 *                  low[1]['a' & 15] and high[1]['a' >> 4], too: the byte before it
 *
 * A shuffle looks all bytes of a vector up at once. Where the sets of all tables share a bucket, a
 * gram may end. How many of the last bytes are looked at is chosen by what a look costs and what a
 * place costs at which no gram ends. With many grams the buckets are full, and there is no Teddy.
 */
#ifndef NFART_FACTOR_TEDDY_H
#define NFART_FACTOR_TEDDY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/nfart.h"

struct factor_tables;

enum { TEDDY_BUCKETS = 8, TEDDY_MOST_BYTES = 6, TEDDY_MOST_GRAMS = 256 };

/* The tables of byte k before the last one of a gram, by four bits of it: sets of buckets. */
struct teddy {
	enum nfart_simd level; /* the instructions to use */
	unsigned bytes;        /* how many of the last bytes are looked at; 0: there is no Teddy */
	uint8_t low[TEDDY_MOST_BYTES][16], high[TEDDY_MOST_BYTES][16];
};

/* Makes t->teddy of the grams of t, if they are few and the processor has what it takes. */
void teddy_make(struct factor_tables *t, enum nfart_simd level);

/* Are places found at which this gram ends? True if there is no Teddy. */
bool teddy_finds(const struct factor_tables *t, uint64_t word);

/* Returns the first byte of at[i, n) at which a gram may end, or, if there is none in the whole
 * vectors from i on, where they end. The eight bytes before at[i] can be read. */
size_t teddy_next(const struct factor_tables *t, const unsigned char *at, size_t i, size_t n);

#endif
