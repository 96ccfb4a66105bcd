/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rtl_random.h: a scenario of rtl_random: filters over parts of a stream, what must come out of
 * them, and what came out of the engine. A function that returns false has written the reason to
 * t->why.
 */
#ifndef RTL_RANDOM_H
#define RTL_RANDOM_H

#include "compiler/pipeline.h"
#include "contract/image.h"
#include "include/nfart.h"
#include "runtime/device/rtl_engine.h"
#include "testsuite/property/gen.h"

enum { MOST_BATCHES = 60, SEGMENTS = 3 };

struct expected {
	const struct nfart_batch *batch;
	uint64_t labels;
};

/* A filter, and the batches [from, to) of the stream over which it runs. */
struct segment {
	struct pipeline made;
	struct nfart_image *image;
	size_t from, to;
	struct expected want[MOST_BATCHES]; /* what must come out if there were no limit */
	size_t nwant;
};

struct got {
	struct nfart_batch batch;
	uint64_t labels;
};

struct test {
	const char *model;
	struct pipeline_options options;
	struct gen_options gen;
	struct nfart_proto *proto;
	bool lossy, shadow;
	struct rtl_engine *en;
	const char *vcd;
	bool detail;

	uint64_t seed, random;
	struct nfart_batch stream[MOST_BATCHES], strange[8];
	size_t n;
	struct segment segment[SEGMENTS];
	size_t nsegments;
	unsigned gap,         /* how often there is a gap before a batch, in sixteenths */
		pause;        /* how often the output stalls in a cycle, in sixteenths */
	bool burst;
	uint64_t burst_until;
	VEC(struct got) got;
	size_t seen;          /* how many records of `got` were checked */
	uint64_t unseen;      /* batches that the engine must count as unseen */
	/* With `detail`: what the image says of the states and counters after the last batch.
	 * active[line][state]: is the state active? count[line][counter]: the count. */
	bool *active;
	uint32_t *count;
	char why[256];

	uint64_t scenarios, pairs, counting, nofit, batches, records, losses, swaps, resets,
		corrupt, restarts;
};

/* Returns a random number of the scenario, below n. */
uint64_t rnd_draw(struct test *t, uint64_t n);

/* Stores in t->why the reason of a failure, unless there is one already. Returns false. */
bool rnd_fails(struct test *t, const char *what);

/* In rtl_expect.c. Computes what must come out of a segment, by the reference matcher, and checks
 * that the software engine agrees. */
bool rnd_expect(struct test *t, struct segment *s);

/* Compares the records of one segment with what must come out. If `part`, the stream was cut off,
 * so the records may end early. */
bool rnd_check_segment(struct test *t, struct segment *s, bool part);
bool rnd_nothing_more(struct test *t);

/* Compares the engine's counts of batches and messages, at the end of a stream. */
bool rnd_check_counts(struct test *t, const struct segment *s);

/* In rtl_states.c. Sets t->active and t->count to the start of the image. */
void rnd_start_states(struct test *t, const struct segment *s);

/* Steps t->active and t->count by a batch. Prints these states and those of the engine, in which no
 * other batch may be. */
void rnd_show_states(struct test *t, const struct segment *s, const struct nfart_batch *b);

/* In rtl_scenario.c. Runs the scenario of a seed on the engine that is open. */
bool rnd_scenario(struct test *t, uint64_t seed);

#endif
