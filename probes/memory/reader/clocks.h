/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * clocks.h: the vector clocks of threads and of the objects by which they synchronise.
 *
 * The clock of thread t has a number for each thread u: what u did before its own number was larger
 * is ordered before what t does next. The own number of a thread grows each time it lets others go
 * on. So a number and a thread (an epoch) name all that a thread did between two such times.
 */
#ifndef NFACC_PROBES_MEMORY_READER_CLOCKS_H
#define NFACC_PROBES_MEMORY_READER_CLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* at[u] for u < n; 0 for all others. A zeroed one is before all. */
struct clock {
	uint64_t *at;
	uint32_t n;
};

/* Enlarges *to so that it is at or after `from`. Returns false if there is no memory. */
bool clock_join(struct clock *to, const struct clock *from);
void clock_free(struct clock *c);

/* A zeroed one has no threads. Free it with clocks_free(). */
struct clocks {
	struct clock *thread; /* [n] */
	uint32_t n;
};

void clocks_free(struct clocks *c);

/* The clock of a thread. Returns NULL if there is no memory. Valid until the next call. */
struct clock *clocks_of(struct clocks *c, uint32_t thread);

/* Adds 1 to the own number of a thread. Returns false if there is no memory. */
bool clocks_tick(struct clocks *c, uint32_t thread);

/* What `from` did so far is ordered before what `to` does next. Returns false without memory. */
bool clocks_edge(struct clocks *c, uint32_t from, uint32_t to);

/*
 * What a thread did so far is ordered before what threads do that take *object afterwards. Returns
 * false if there is no memory.
 */
bool clocks_give(struct clocks *c, uint32_t thread, struct clock *object);
bool clocks_take(struct clocks *c, uint32_t thread, const struct clock *object);

/* Epochs: the thread is in the upper 16 bits. 0 is no epoch: numbers begin at 1. */
enum { CLOCKS_BITS = 48 };

static inline uint32_t clocks_thread(uint64_t epoch)
{
	return (uint32_t)(epoch >> CLOCKS_BITS);
}

static inline uint64_t clocks_number(uint64_t epoch)
{
	return epoch & ((UINT64_C(1) << CLOCKS_BITS) - 1);
}

/* The epoch of what a thread does now, given its clock. */
static inline uint64_t clocks_epoch(const struct clock *own, uint32_t thread)
{
	return (uint64_t)thread << CLOCKS_BITS | own->at[thread];
}

/* Whether what happened in an epoch is ordered before what the thread with clock `own` does now. */
static inline bool clocks_before(uint64_t epoch, const struct clock *own)
{
	const uint32_t u = clocks_thread(epoch);

	return clocks_number(epoch) <= (u < own->n ? own->at[u] : 0);
}

#endif
