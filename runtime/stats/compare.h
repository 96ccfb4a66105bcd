/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * compare.h: how a number differs between two streams, and whether the difference is more than
 * noise.
 *
 * Note [blocks]
 * The numbers that are compared are quotients of two sums over a stream: a mean latency is the sum
 * of the latencies over their number, a rate is the number of messages over the cycles. Messages
 * that are near to each other in time are alike, so single messages say little about noise. A
 * stream is therefore cut into blocks of the same number of records one after the other, and only
 * the sums of each block are kept. How long the stream will be is not known. When there are
 * 2 * BLOCKS_LEAST_FULL blocks, each two neighbours become one, and blocks are twice as long from
 * then on. So memory does not grow with the stream.
 *
 * The bootstrap (Efron and Tibshirani, An Introduction to the Bootstrap, chapters 8 and 13) draws
 * as many blocks as a stream has, with repetition, and computes the quotient of what it drew. Both
 * streams are drawn anew COMPARE_RESAMPLES times. The differences that come out are sorted, and
 * the interval without the greatest and the least half a per cent of them is where the difference
 * is, with a confidence of 99 %. If it does not contain 0, the difference is beyond noise.
 */
#ifndef NFART_STATS_COMPARE_H
#define NFART_STATS_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	BLOCKS_LEAST_FULL = 40,              /* blocks of a long stream: from this to twice it */
	BLOCKS_MOST = 2 * BLOCKS_LEAST_FULL,
	COMPARE_RESAMPLES = 1999,
	COMPARE_CONFIDENCE = 99,             /* per cent */
	/* With fewer blocks that have something to count, the interval is not trusted. */
	COMPARE_LEAST_BLOCKS = 10
};

/* Sums of several numbers in each block of a stream. */
struct blocks;

/* Makes an empty one. NULL: out of memory. Free with blocks_free(). */
struct blocks *blocks_new(void);
void blocks_free(struct blocks *b);

/* Appends a series of sums, all 0 so far. Returns its index, the number of the series before it; or
 * -1: out of memory. */
long blocks_series(struct blocks *b);

/* Adds to the sum of a series in the current block. */
void blocks_add(struct blocks *b, long series, double x);

/* Says that a record of the stream ends. What is added afterwards may be in the next block. */
void blocks_next(struct blocks *b);

/* Returns how many blocks have a record. */
size_t blocks_count(const struct blocks *b);

/* Returns the sum of a series over all blocks. */
double blocks_sum(const struct blocks *b, long series);

/* How far a stream has come: how many records a block has, how many of them the current block has,
 * and the index of this block. */
struct blocks_place {
	uint64_t length, filled, at;
};

struct blocks_place blocks_place(const struct blocks *b);

/* Lets *b, in which nothing was added, be at a place; sums of blocks up to there may then be set.
 * False: no stream comes there. */
bool blocks_enter(struct blocks *b, const struct blocks_place *place);

/* The sum of a series in block i, which is at most that of the place. */
double blocks_get(const struct blocks *b, long series, size_t i);
void blocks_set(struct blocks *b, long series, size_t i, double sum);

struct comparison {
	/* The quotients of both streams, 0 where the divisor is 0, and what the second one is more
	 * than the first. */
	double first, second, difference;
	bool has_first, has_second; /* the divisor is not 0 */
	bool known;        /* there are enough blocks: the rest is filled in */
	double low, high;  /* the interval in which the difference is */
	bool beyond;       /* 0 is not in the interval */
};

/* A number of a stream: the sums of the series `top` over those of `bottom`. */
struct quotient {
	const struct blocks *blocks;
	long top, bottom;
};

/* Compares a number of two streams. The same seed gives the same result. False: out of memory.
 * Cost: COMPARE_RESAMPLES times the blocks. */
bool compare(struct comparison *c, const struct quotient *first, const struct quotient *second,
	     uint64_t seed);

#endif
