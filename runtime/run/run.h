/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * run.h: runs an image over a trace, from reader to writer. This is what nfarun does once it has
 * read its options.
 */
#ifndef NFART_RUN_H
#define NFART_RUN_H

#include <signal.h>

#include "contract/image/image.h"
#include "include/nfart.h"
#include "support/vec.h"

/* How many batches a label accepted on one line, for --count --by line. */
struct run_line_count {
	uint32_t label;
	uint64_t address, n;
};

/* Options of a run on the simulated engine instead of the software engine. */
struct run_rtl {
	const char *model, *vcd; /* the options of these names in struct rtl_options */
	uint64_t gap;            /* the most cycles without a batch between two batches */
};

enum { RUN_PIECE = 1 << 17, RUN_MOST_JOBS = 256 };

struct field_bins;
struct parallel;
struct shared;

/* How a run goes. */
struct run_how {
	uint64_t until;       /* the stream's last time, if it is later */
	enum nfart_simd simd; /* as in struct nfart_filter_options */
	bool count_lines;
	/* NULL, or what bins accepted batches are counted in; not with count_lines. */
	const struct field_bins *bins;
	unsigned jobs;        /* number of threads; 0 means 1; ignored with run.rtl */
	size_t piece_bytes;   /* bytes of the trace in a piece; 0: RUN_PIECE */
};

/* What comes out of it. */
struct run_result {
	uint64_t *accepted; /* [run.nlabels]: how many batches each label accepts */
	uint64_t accepted_any, logged, output, after_loss;
	/* Batches that more lines accept than records of the simulated engine name. */
	uint64_t unnamed;
	bool interrupted, swapped;
	struct nfart_joins joins;
	/* Until a swap: batches in which messages of a line come together, where that matters to a
	 * checker (runtime/run/shared.h). Neither shards nor the simulated engine count them. */
	uint64_t shared;
	bool forgot; /* a checker that the engine follows may have missed errors (judge_forgot()) */
	/* With count_lines: [nlines], the counts for each label and line, ordered by label and then
	 * by address. With bins: the counts of bins, whose label is 0 and whose address is the
	 * bin. */
	struct run_line_count *lines;
	size_t nlines;
};

/* What is used inside. */
struct run_work {
	struct rtl_run *rtl_run;
	struct nfart_filter *filter;
	struct shared *shared; /* NULL: result.shared is not counted */
	struct parallel *parallel;
	struct nfart_window *window;
	/* The result is combined from pieces (combine.h), and `stats` counts what was read. */
	bool combined;
	struct nfart_reader_stats stats;
	uint32_t *map;         /* [labels of the second image]: their indexes in run.labels */
	/* the set of the labels of one result, by index in run.labels */
	uint64_t *label_words;
	VEC(struct nfart_line) found;
	VEC(struct run_line_count) counts; /* the hash table that becomes the result's lines */
	size_t ncounts;
};

#define RUN_NEVER UINT64_MAX

struct run {
	/* ---- set by the caller ---- */
	/* How the simulated engine runs; NULL: the software engine runs. */
	const struct run_rtl *rtl;
	/* `second` is the image of --swap, or NULL. */
	const struct nfart_image *image, *second;
	/* The number, from 1, of the first batch that `second` filters. If it is RUN_NEVER, the run
	 * sets it to that of the batch after the first one that comes out with label swap_label
	 * of `image`. */
	uint64_t swap_at;
	uint32_t swap_label;
	struct nfart_engine_options engine;
	struct run_how how;
	struct nfart_reader *reader;
	struct nfart_writer *writer;              /* NULL: accepted batches are only counted */
	const volatile sig_atomic_t *stop;        /* a signal handler sets it: the run ends early */
	/* Called now and then during the run; may be NULL. */
	void (*progress)(void *ctx, const struct run *r);
	void *progress_ctx;
	/* The labels of both images, as run_labels() makes them. */
	const char *const *labels;
	uint32_t nlabels;

	/* ---- filled by the run ---- */
	struct run_result result;
	struct run_work work;
};

/* Are there answers that get the substream of their request (proto.h, Note [joins])? */
static inline bool run_has_joins(const struct run *r)
{
	return r->image->proto->joins.n != 0 &&
	       (r->engine.has_substream || r->image->substreams.by_line ||
		(r->second != NULL && r->second->substreams.by_line));
}

/* Does an engine follow rules? What it knows is not in its state, so one engine runs alone. */
static inline bool run_follows(const struct run *r)
{
	return r->image->stream.follow || (r->second != NULL && r->second->stream.follow);
}

/* Adds b to *sum. */
static inline void run_add_joins(struct nfart_joins *sum, struct nfart_joins b)
{
	sum->joined += b.joined;
	sum->late += b.late;
	sum->wrong += b.wrong;
}

/* Returns the labels of image a, followed by those labels of image b that a lacks. b may be NULL.
 * *n is the number of labels returned. The caller frees the array, but the strings belong to the
 * images. NULL: out of memory. */
const char **run_labels(const struct nfart_image *a, const struct nfart_image *b, uint32_t *n);

/* Runs to the end of the trace, the limit, an interruption or an error. Returns NFART_OK; or
 * NFART_PARTIAL if it was interrupted or chunks were damaged; or what went wrong, and *e says more.
 * run_free() frees what was filled. */
enum nfart_status run_all(struct run *r, struct nfart_error *e);

/* Returns the statistics of the trace up to the last record that is in the counters of r. */
const struct nfart_reader_stats *run_stats(const struct run *r);

/* With bins, counts a batch that comes out. False: out of memory. */
bool run_count_bin(struct run *r, const struct nfart_batch *b, bool accepted);

/* Call this before waiting for input. It brings to the writer whatever can be decided so far. */
void run_wait(struct run *r);

/* Adds what run r counted to *sum, which has the same labels and ran nothing itself. run_free()
 * frees what is filled there. False: out of memory. Cost: linear in the labels and the lines
 * counted. */
bool run_add(struct run *sum, const struct run *r);

/* ---- parts of run_all() ---- */

/* Do what run_all() and run_wait() do, on the simulated engine. */
enum nfart_status run_rtl(struct run *r, struct nfart_error *e);
void run_rtl_wait(const struct run *r);

/* Do what run_all() and run_wait() do, in several threads. *ran becomes false if threads are of no
 * use, as for a short trace, or if they could not be set up. Then nothing was done, and the caller
 * does the run in one thread. */
enum nfart_status run_parallel(struct run *r, bool *ran, struct nfart_error *e);
void run_parallel_wait(struct run *r);

/* Does what run_all() does, in one thread of the software engine, between run_begin() and
 * run_end(). */
enum nfart_status run_loop(struct run *r, struct nfart_error *e);

/* Every run begins with run_begin() and ends with run_end(), which turns the run's status into the
 * one to return. */
bool run_begin(struct run *r, struct nfart_error *e);
enum nfart_status run_end(struct run *r, enum nfart_status status, struct nfart_error *e);

/* run_window_open() opens the window of an image. run_window_end() ends it, and so decides on the
 * batches that it holds. False: memory is short, or the output failed. */
bool run_window_open(struct run *r, const struct nfart_image *im, struct nfart_error *e);
bool run_window_end(struct run *r);

/* Ends the window of the first image and opens the window of the second. False: memory is short, or
 * the output failed. */
bool run_swap(struct run *r, struct nfart_error *e);

/* Counts a record with its result, and puts it into the window. The labels of *res are those of the
 * image that runs. False: out of memory, or the output failed. */
bool run_record(struct run *r, const struct nfart_batch *b, const struct nfart_result *res);

/* Is the output complete? It is if the limit is reached, and no second image is still to be swapped
 * in. */
bool run_finished(const struct run *r);

void run_free(struct run *r);

#endif
