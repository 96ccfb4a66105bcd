/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * streams.h: runs the model of the bandwidth benchmark (T 4.1, block_streams.h) at one tap, and
 * computes what the thesis observes in its figure 26. Latencies and other times are in cycles.
 */
#ifndef NFACC_BENCH_STREAMS_H
#define NFACC_BENCH_STREAMS_H

#include <stdbool.h>
#include <stdint.h>

struct streams_numbers {
	uint32_t requests;
	uint64_t cycles;       /* from the first request to the last answer */
	double latency;        /* mean */
	uint32_t most;         /* the most requests in flight */
	double full;           /* share of the time in which as many as there are cores are */
	uint32_t most_of_core; /* the most requests of one core in flight */
	/* Share of the time in which a core has a request in flight, from its first request of a
	 * round to its last answer. The rest is the time between answer and next request. */
	double waiting;
	double pause;          /* mean of that time */
	double barrier;        /* share of the time that cores spend at the barrier, mean */
	/* Share of two rounds that a core spends at the barrier between them, the greatest. */
	double barrier_most;
	/* Share of pairs of cores of which the one that finishes later starts earlier. */
	double reversed;
	double correlation;    /* of the latency and the number of requests in flight before it */
	/* Share of a core's steps within a round after which its address in headers is lower: core
	 * 0 and core 7. */
	double falling[2];
};

/* Runs the model: `protocol` is eci-block or eci. Numbers that don't exist, such as those of core 7
 * where there is none, are 0. Ends the program if memory is short. */
struct streams_numbers streams_run(const char *protocol, uint64_t seed, uint32_t cores,
				   uint32_t rounds);

#endif
