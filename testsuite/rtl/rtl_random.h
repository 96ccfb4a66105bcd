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
#include "contract/image/image.h"
#include "include/nfart.h"
#include "runtime/device/rtl_engine.h"
#include "testsuite/oracle/oracle.h"
#include "testsuite/property/gen.h"

enum { MOST_BATCHES = 60, SEGMENTS = 3 };

struct expected {
	const struct nfart_batch *batch;
	uint64_t labels;
	size_t line, nlines; /* the lines that accept: so many in segment.lines, from this one on */
};

/* The time jumped from `from` to `to`, over multiples of the filter's period. */
struct jump {
	uint64_t from, to;
};

/* A filter, and the batches [from, to) of the stream over which it runs. */
struct segment {
	struct pipeline made;
	struct nfart_image *image;
	size_t from, to;
	uint64_t until, stopped_by; /* the engine was stopped or reset between these times */
	VEC(struct jump) jumps;
	struct oracle_stream all;  /* the stream with its ticks and the end, but no lost ticks */
	uint64_t ticks_lost;
	VEC(struct expected) want; /* what must come out if there were no limit */
	VEC(struct nfart_line) lines;
	struct nfart_joins joins;  /* what the software engine says of answers */
	bool checked;
	size_t first_record;       /* index in `got` of the segment's first record */
	uint64_t ticks_told;       /* lost ticks in loss records */
};

struct got {
	struct nfart_batch batch;
	uint64_t labels;
	struct record_names names;
};

/* What the engine is given. */
struct test_input {
	struct nfart_batch stream[MOST_BATCHES], strange[8];
	/* [batch]: the payload of its messages */
	uint64_t payload[MOST_BATCHES][NFART_SLOTS * NFART_PAYLOAD_WORDS];
	size_t n;
	struct segment segment[SEGMENTS];
	size_t nsegments;
};

/* What came out. */
struct test_output {
	VEC(struct got) got;
	size_t seen;          /* how many records of `got` were checked */
	uint64_t unseen;      /* batches that the engine must count as unseen */
	uint64_t now;         /* the time that the tap has */
	bool begun;           /* the engine was given the first batch of the segment */
};

/* What all scenarios had. */
struct test_tally {
	uint64_t scenarios, pairs, counting, nofit, batches, records, losses, swaps, resets,
		corrupt, restarts, ticks, jumps, named, more, label_counts, unjoined, label_swaps,
		binned, payloads;
};

struct test {
	const char *model;
	struct pipeline_options options;
	struct gen_options gen;
	struct nfart_proto *proto;
	struct {
		bool lossy, shadow, timed, memory, detail;
	} kind;
	struct rtl_engine *en;
	const char *vcd;

	uint64_t seed, random;
	struct test_input in;
	struct {
		unsigned gap,         /* how often there is a gap before a batch, in sixteenths */
			pause;        /* how often the output stalls in a cycle, in sixteenths */
		bool burst;
		uint64_t burst_until;
	} rate;
	struct test_output out;
	/* With kind.detail: what the image says of the states and counters after the last batch.
	 * active[line][state]: is the state active? count[line][counter]: the count. */
	struct {
		bool *active;
		uint32_t *count;
	} states;
	struct {
		bool label, field;
		uint32_t lsb, bits;   /* of the field */
		bool has[PROTO_SLOTS][256]; /* [slot][opcode]: the messages that have it */
	} bins;                       /* what the histogram is for */
	char why[256];
	struct test_tally tally;
};

/* Returns a random number of the scenario, below n. */
uint64_t rnd_draw(struct test *t, uint64_t n);

/* Stores in t->why the reason of a failure, unless there is one already. Returns false. */
bool rnd_fails(struct test *t, const char *what);

/* Reads the register at `offset` and the high half after it. */
bool rnd_read64(struct test *t, uint32_t offset, uint64_t *value);

/* In rtl_expect.c. Computes what must come out of a segment, by the reference matcher, and checks
 * that the software engine agrees. */
bool rnd_expect(struct test *t, struct segment *s);

/* Calls rnd_expect(), and compares the records of one segment with what must come out. If `part`,
 * the stream was cut off, so the records may end early. */
bool rnd_check_segment(struct test *t, struct segment *s, bool part);
bool rnd_nothing_more(struct test *t);

/* Stores in *at the index in the stream of the first batch from `from` on, of segment s, that comes
 * out with one of these labels; s->to if there is none. */
bool rnd_first_with(struct test *t, struct segment *s, size_t from, uint64_t labels, size_t *at);

/* In rtl_names.c. Compares the lines that a record names with those that the software engine
 * names. */
bool rnd_check_names(struct test *t, const struct segment *s, const struct got *g,
		     const struct expected *x);

/* Compares the engine's counts of batches and messages, at the end of a stream. */
bool rnd_check_counts(struct test *t, const struct segment *s);

/* In rtl_bins.c. Tells an engine at rest what its histogram is for, at random; and compares the
 * bins at the end of a stream. Without a histogram both do nothing. */
bool rnd_begin_bins(struct test *t);
bool rnd_check_bins(struct test *t, const struct segment *s);

/* In rtl_payload.c. Puts batch b at the tap, with payload if the overlay has some; and checks that a
 * record has the payload of its batch. What is wrong is in t->why. rnd_fill_payload() gives the
 * batches [from, to) of the stream their payload, if the overlay tests it. */
void rnd_batch(struct test *t, const struct nfart_batch *b);
void rnd_check_payload(struct test *t, const struct nfart_batch *b);
void rnd_fill_payload(struct test *t, size_t from, size_t to);

/* In rtl_time.c. Lets time pass up to `time`, that cycle not included, with all ticks unless the
 * time jumps. A segment whose filter sees no time, or that has not begun, takes no cycles. */
bool rnd_pass_time(struct test *t, struct segment *s, uint64_t time);

/* Gives the engine batch b. If the segment begins with it, the engine finds its first tick before
 * or after that. */
void rnd_give_batch(struct test *t, struct segment *s, const struct nfart_batch *b);

/* Lets some time pass after the last batch, and posts a stop. Time may go on until the stop takes
 * effect. When the engine is done, rnd_stopped() sets s->until to that time. */
bool rnd_post_stop(struct test *t, struct segment *s);
bool rnd_stopped(struct test *t, struct segment *s);

/* Arms the engine as soon as it knows the next tick. False: it refuses. */
bool rnd_arm(struct test *t);

/* In rtl_states.c. Sets t->active and t->count to the start of the image. */
void rnd_start_states(struct test *t, const struct segment *s);

/* Steps t->active and t->count by a batch. Prints these states and those of the engine, in which no
 * other batch may be. */
void rnd_show_states(struct test *t, const struct segment *s, const struct nfart_batch *b);

/* In rtl_scenario.c. Runs the scenario of a seed on the engine that is open. */
bool rnd_scenario(struct test *t, uint64_t seed);

#endif
