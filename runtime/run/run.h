/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * run.h: runs an image over a trace, from reader to writer: what nfarun does once its options are
 * read.
 */
#ifndef NFART_RUN_H
#define NFART_RUN_H

#include <signal.h>

#include "contract/image.h"
#include "include/nfart.h"
#include "support/vec.h"

/* How often a label accepted on a line, for --count --by line. */
struct run_line_count {
	uint32_t label;
	uint64_t address, n;
};

/* For the simulated engine instead of the software engine. */
struct run_rtl {
	const char *model, *vcd; /* as struct rtl_options has them */
	uint64_t gap;            /* the most cycles without a batch between two */
};

enum { RUN_PIECE = 1 << 18, RUN_MOST_JOBS = 256 };

struct parallel;

struct run {
	/* set by the caller */
	const struct run_rtl *rtl;                /* NULL: the software engine */
	const struct nfart_image *image, *second; /* second: NULL, or what --swap puts in */
	uint64_t swap_at;                         /* the first batch of the second, from 1 */
	struct nfart_engine_options engine;
	struct nfart_reader *reader;
	struct nfart_writer *writer;              /* NULL: count only */
	bool count_lines;
	const volatile sig_atomic_t *stop;        /* set by a signal handler */
	void (*progress)(void *ctx, const struct run *r); /* now and then, or NULL */
	void *progress_ctx;
	unsigned jobs;                            /* threads; 0 is 1; with rtl it is 1 */
	size_t piece_bytes;                       /* of the trace in a piece; 0: RUN_PIECE */
	const char *const *labels;                /* of both images, see run_labels() */
	uint32_t nlabels;

	/* filled */
	uint64_t *accepted;                       /* [nlabels]: batches */
	uint64_t accepted_any, logged, output, after_loss;
	bool interrupted, swapped;
	struct run_line_count *lines;             /* by label, then address; nlines of them */
	size_t nlines;

	/* inside */
	struct rtl_run *rtl_run;
	struct nfart_filter *filter;
	struct parallel *parallel;
	struct nfart_window *window;
	bool combined;                   /* of pieces (combine.h): what was read is in stats */
	struct nfart_reader_stats stats;
	uint32_t *map; /* [labels of the second]: their place in labels */
	uint64_t *label_words;                    /* a result over labels */
	VEC(struct nfart_line) found;
	VEC(struct run_line_count) counts;        /* a hash table while it grows */
	size_t ncounts;
};

/* The labels of the first image followed by those of the second that it lacks. The array is to be
 * freed, its strings are the images'. NULL: out of memory. */
const char **run_labels(const struct nfart_image *a, const struct nfart_image *b, uint32_t *n);

/* Runs to the end, the limit, an interruption or an error. NFART_OK, NFART_PARTIAL (interrupted, or
 * damaged chunks), or what went wrong, in *e. run_free() frees what was filled. */
enum nfart_status run_all(struct run *r, struct nfart_error *e);

/* What was read, up to the last record that is in the counters. */
const struct nfart_reader_stats *run_stats(const struct run *r);

/* To be called before waiting for input: brings to the writer whatever can be decided so far. */
void run_wait(struct run *r);

/* ---- parts of run_all() ---- */

/* The simulated engine; and run_wait() for it. */
enum nfart_status run_rtl(struct run *r, struct nfart_error *e);
void run_rtl_wait(const struct run *r);

/* Several threads; and run_wait() for them. *ran is false if they would be of no use (a short
 * trace) or could not be had: then nothing has happened. */
enum nfart_status run_parallel(struct run *r, bool *ran, struct nfart_error *e);
void run_parallel_wait(struct run *r);

/* What all of these begin and end with. */
bool run_begin(struct run *r, struct nfart_error *e);
enum nfart_status run_end(struct run *r, enum nfart_status status, struct nfart_error *e);

/* Opens the window of an image; ends it. */
bool run_window_open(struct run *r, const struct nfart_image *im, struct nfart_error *e);
bool run_window_end(struct run *r);

/* Changes from the first image and its window to the second. */
bool run_swap(struct run *r, struct nfart_error *e);

/* Counts a record with its result (in terms of the image that runs) and puts it into the window. */
bool run_record(struct run *r, const struct nfart_batch *b, const struct nfart_result *res);

/* Can nothing more come out? The limit is reached, and no other filter is to be swapped in. */
bool run_finished(const struct run *r);

void run_free(struct run *r);

#endif
