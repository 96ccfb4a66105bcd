/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * filter.h: the inside of struct nfart_filter, shared by filter.c (what goes in and out),
 * filter_walk.c (one copy of the automaton) and filter_lines.c (a copy for each line).
 *
 * Batches are filtered in parts of at most PART. Of a part each batch has a key (fast.h), and then an
 * entry, whose flags say what became of it.
 */
#ifndef NFART_FILTER_H
#define NFART_FILTER_H

#include "runtime/lanes.h"
#include "runtime/window.h"

enum { PART = 2048, FILTER_LOOK = 1024, FILTER_WORTH = 16, FILTER_WORTH_LANES = 128 };

/* A copy that accepted: in which batch of the part, which line, with which states active. */
struct filter_hit {
	uint32_t batch;
	uint64_t line;
	size_t set; /* index into sets */
};

/* A line's part of a batch. */
struct filter_visit {
	uint64_t line; /* counted from the first one observed */
	uint64_t key;
	uint32_t batch; /* of the part */
};

struct nfart_filter {
	struct nfart_engine *en;
	struct nfart_window *window;
	nfart_sink *sink;
	void *ctx;
	struct fast *fast;       /* NULL: everything goes through nfart_engine_step() */
	struct nfart_filter_stats stats;
	uint64_t *labels;

	struct lanes *lanes;     /* NULL: not needed yet, or not filter_has_lanes() */

	/* Where the states are: with the engine, in its copies, or in rows of the table. */
	bool stepping;
	uint32_t row;            /* without substreams */
	uint32_t *line_row;      /* [lines]: 0 at the start */
	VEC(uint32_t) touched;   /* the lines whose row is not 0 */

	/* When to stop making entries, without substreams. */
	uint64_t made, walked;   /* entries made since the last look, and batches */
	uint64_t before, emptied; /* batches, and fast.emptied, when the last look said to stop */
	uint64_t look;           /* entries between two looks */
	uint64_t worth;          /* batches that an entry must serve: more where steps are cheap */
	uint64_t pause, steps;   /* batches to step before the next try; still to step */

	/* The part at hand. */
	size_t most;             /* batches in a part; tests make it smaller */
	uint64_t key[PART];
	uint32_t entry[PART];
	uint32_t any;            /* the flags of all entries made since it was last looked at */
	uint16_t symbol[PART];   /* where it is stepped by lanes */
	const unsigned char *at; /* batches as they lie in the trace, `size` bytes each or at place[] */
	size_t size;             /* of a dense row, 1 for bytes, 0: records */
	const struct fast_batch *place;
	uint32_t label_words;    /* of records */
	uint64_t time;           /* of the first byte */
	bool single;             /* the part is the batch in `batch` */
	VEC(struct filter_hit) hits;
	VEC(uint64_t) sets;
	VEC(struct filter_visit) visits;

	/* A chunk of records. */
	VEC(struct fast_batch) batches;
	bool plain, failed;      /* no loss record among them; out of memory */
	struct nfart_batch batch, held; /* one that was read; one of the part, for the window */
};

/* Fills entry[0 … n) from key[]. False: out of memory. `done` is how many came to that; where it is
 * fewer than n the caller is done with the entries before it goes on from there. */
bool filter_walk(struct nfart_filter *f, size_t from, size_t n, size_t *done);

/* What of filter_walk() follows entries where there are counters. *end: the next batch to look at. */
bool filter_count(struct nfart_filter *f, size_t i, size_t n, size_t *end);

/* Can it be stepped by lanes? */
static inline bool filter_has_lanes(const struct nfart_filter *f)
{
	return f->en->im->nstates <= LANES_MOST && f->en->im->ncounters == 0;
}

/* Fills entry[0 … n) and hits. False: out of memory. */
bool filter_lines(struct nfart_filter *f, size_t n);

/* Every copy back to its start states. False: out of memory. */
bool filter_start(struct nfart_filter *f);

/* Notes that a copy accepted in batch i. False: out of memory. */
bool filter_hit(struct nfart_filter *f, size_t i, uint64_t line, const uint64_t *set);

#endif
