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
	struct expected want[MOST_BATCHES]; /* all output, as if there were no limit */
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
	unsigned gap, pause;  /* how often there is one, in sixteenths */
	bool burst;
	uint64_t burst_until;
	VEC(struct got) got;
	size_t seen;          /* how many records of `got` were checked */
	uint64_t unseen;      /* batches that the engine must count as unseen */
	bool *active;         /* with detail, [lines][states]: which are active by the image */
	uint32_t *count;      /* with detail, [lines][counters]: the counts by the image */
	char why[256];

	uint64_t scenarios, pairs, counting, nofit, batches, records, losses, swaps, resets,
		corrupt, restarts;
};

/* Returns a random number of the scenario, below n. */
uint64_t rnd_draw(struct test *t, uint64_t n);

/* Stores the reason if it is the first one. Returns false. */
bool rnd_fails(struct test *t, const char *what);

/* In rtl_expect.c. Computes what must come out of a segment, by the reference matcher, and checks
 * that the software engine agrees. */
bool rnd_expect(struct test *t, struct segment *s);

/* Compares the records of one segment. If `part`, the stream was cut off, so the records may end
 * early. */
bool rnd_check_segment(struct test *t, struct segment *s, bool part);
bool rnd_nothing_more(struct test *t);

/* Compares the engine's counts of batches and messages, at the end of a stream. */
bool rnd_check_counts(struct test *t, const struct segment *s);

/* In rtl_states.c. Sets the image's states to the start; steps them by a batch and prints those of
 * both sides. Nothing else may be in the engine then. */
void rnd_start_states(struct test *t, const struct segment *s);
void rnd_show_states(struct test *t, const struct segment *s, const struct nfart_batch *b);

/* In rtl_scenario.c. Runs the scenario of a seed on the engine that is open. */
bool rnd_scenario(struct test *t, uint64_t seed);

#endif
