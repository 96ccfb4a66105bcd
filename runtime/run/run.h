/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * run.h: runs an image over a trace, from reader to writer. This is what nfarun does once it has
 * read its options.
 */
#ifndef NFART_RUN_H
#define NFART_RUN_H

#include <signal.h>

#include "contract/image.h"
#include "include/nfart.h"
#include "support/vec.h"

/* How many batches a label accepted on one line, for --count --by line. */
struct run_line_count {
	uint32_t label;
	uint64_t address, n;
};

/* Options of a run on the simulated engine instead of the software engine. */
struct run_rtl {
	const char *model, *vcd; /* as in struct rtl_options */
	uint64_t gap;            /* the most cycles without a batch between two batches */
};

enum { RUN_PIECE = 1 << 18, RUN_MOST_JOBS = 256 };

struct parallel;

struct run {
	/* ---- set by the caller ---- */
	/* How the simulated engine runs; NULL: the software engine runs. */
	const struct run_rtl *rtl;
	/* `second` is the image of --swap, or NULL. */
	const struct nfart_image *image, *second;
	uint64_t swap_at;                         /* number of the second's first batch, from 1 */
	struct nfart_engine_options engine;
	struct nfart_reader *reader;
	struct nfart_writer *writer;              /* NULL: accepted batches are only counted */
	bool count_lines;
	const volatile sig_atomic_t *stop;        /* a signal handler sets it: the run ends early */
	void (*progress)(void *ctx, const struct run *r); /* called now and then; may be NULL */
	void *progress_ctx;
	unsigned jobs;                            /* threads; 0 means 1; with rtl one is used */
	size_t piece_bytes;                       /* bytes of the trace in a piece; 0: RUN_PIECE */
	/* The labels of both images, as run_labels() makes them. */
	const char *const *labels;
	uint32_t nlabels;

	/* ---- filled by the run ---- */
	uint64_t *accepted;                       /* [nlabels]: batches that each label accepts */
	uint64_t accepted_any, logged, output, after_loss;
	bool interrupted, swapped;
	/* With count_lines: [nlines], ordered by label, then address. */
	struct run_line_count *lines;
	size_t nlines;

	/* ---- used inside ---- */
	struct rtl_run *rtl_run;
	struct nfart_filter *filter;
	struct parallel *parallel;
	struct nfart_window *window;
	/* The run is combined from pieces (combine.h), and counts in `stats` what was read. */
	bool combined;
	struct nfart_reader_stats stats;
	/* [labels of the second image]: the index that each has in `labels` */
	uint32_t *map;
	uint64_t *label_words;                    /* a result's labels, as a set over `labels` */
	VEC(struct nfart_line) found;
	VEC(struct run_line_count) counts;        /* the hash table that becomes `lines` */
	size_t ncounts;
};

/* Returns the labels of the first image, followed by those of the second (or NULL) that the first
 * lacks; *n is their number. The caller frees the array, but the strings are the images'. NULL: out
 * of memory. */
const char **run_labels(const struct nfart_image *a, const struct nfart_image *b, uint32_t *n);

/* Runs to the end of the trace, the limit, an interruption or an error. Returns NFART_OK; or
 * NFART_PARTIAL if it was interrupted or chunks were damaged; or what went wrong, and *e says more.
 * run_free() frees what was filled. */
enum nfart_status run_all(struct run *r, struct nfart_error *e);

/* Statistics of the trace up to the last record that is in the counters. */
const struct nfart_reader_stats *run_stats(const struct run *r);

/* Call this before waiting for input. It brings to the writer whatever can be decided so far. */
void run_wait(struct run *r);

/* ---- parts of run_all() ---- */

/* run_all() and run_wait() for the simulated engine. */
enum nfart_status run_rtl(struct run *r, struct nfart_error *e);
void run_rtl_wait(const struct run *r);

/* run_all() and run_wait() for several threads. *ran is false if threads are of no use, as for a
 * short trace, or could not be had. Then nothing has happened, and one thread is to run. */
enum nfart_status run_parallel(struct run *r, bool *ran, struct nfart_error *e);
void run_parallel_wait(struct run *r);

/* Every run begins with run_begin() and ends with run_end(), which turns the run's status into the
 * one to return. */
bool run_begin(struct run *r, struct nfart_error *e);
enum nfart_status run_end(struct run *r, enum nfart_status status, struct nfart_error *e);

/* run_window_open() opens the window of an image. run_window_end() ends it, and so decides on the
 * batches that it holds. False: memory is short, or the output failed. */
bool run_window_open(struct run *r, const struct nfart_image *im, struct nfart_error *e);
bool run_window_end(struct run *r);

/* Ends the window of the first image and opens that of the second. */
bool run_swap(struct run *r, struct nfart_error *e);

/* Counts a record with its result, and puts it into the window. The labels of *res are those of the
 * image that runs. False: out of memory, or the output failed. */
bool run_record(struct run *r, const struct nfart_batch *b, const struct nfart_result *res);

/* Can nothing more come out? The limit is reached, and no other filter is to be swapped in. */
bool run_finished(const struct run *r);

void run_free(struct run *r);

#endif
