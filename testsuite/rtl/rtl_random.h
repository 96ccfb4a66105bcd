/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rtl_random.h: a scenario of rtl_random: filters over parts of a stream, what must come out of them and
 * what came out of the engine. Functions that return false have said why in t->why.
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

/* A filter over batches [from, to) of the stream. */
struct segment {
	struct pipeline made;
	struct nfart_image *image;
	size_t from, to;
	struct expected want[MOST_BATCHES]; /* without the limit */
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
	unsigned gap, pause;  /* how often, in sixteenths */
	bool burst;
	uint64_t burst_until;
	VEC(struct got) got;
	size_t seen;          /* records of got that were checked */
	uint64_t unseen;      /* batches that the engine must count as such */
	bool *active;         /* detail: [lines][states] what the image says is active */
	uint32_t *count;      /* detail: [lines][counters] what it says they have counted */
	char why[256];

	uint64_t scenarios, pairs, counting, nofit, batches, records, losses, swaps, resets, corrupt, restarts;
};

/* A number below n, of the scenario. */
uint64_t rnd_draw(struct test *t, uint64_t n);

/* Keeps the first reason; false. */
bool rnd_fails(struct test *t, const char *what);

/* rtl_expect.c. What must come out of a segment, by the reference matcher; the software engine agrees. */
bool rnd_expect(struct test *t, struct segment *s);

/* Takes the records of one segment; `part`: it was cut off, any beginning is right. */
bool rnd_check_segment(struct test *t, struct segment *s, bool part);
bool rnd_nothing_more(struct test *t);

/* The engine's counts of batches and messages, at the end of a stream. */
bool rnd_check_counts(struct test *t, const struct segment *s);

/* rtl_states.c. The states of both sides: at the start, and after a batch, with nothing under way. */
void rnd_start_states(struct test *t, const struct segment *s);
void rnd_show_states(struct test *t, const struct segment *s, const struct nfart_batch *b);

/* rtl_scenario.c. The scenario of a seed, on the engine that is open. */
bool rnd_scenario(struct test *t, uint64_t seed);

#endif
