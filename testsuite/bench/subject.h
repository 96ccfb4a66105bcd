/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * subject.h: what the benchmarks measure: filters compiled for the software engine, and how fast
 * they filter traces that lie in memory. If something fails, the benchmark ends with a message.
 */
#ifndef NFACC_BENCH_SUBJECT_H
#define NFACC_BENCH_SUBJECT_H

#include <sys/resource.h>

#include "contract/image/image.h"
#include "include/nfart.h"
#include "support/buf.h"

/* Compiles n bytes of filter text at a level of the optimiser: 0, 1, 2 or PASS_LEVEL_S. `name` is
 * for messages. The caller frees the image with nfart_image_free(). */
struct nfart_image *subject_compile(const char *name, const char *text, size_t n, int level);

/* Compiles the file `name` in the folder `dir` at level 1. The caller frees the image with
 * nfart_image_free(). */
struct nfart_image *subject_example(const char *dir, const char *name);

/* Returns the SIMD level that NFACC_SIMD names (portable, AVX2, AVX-512), or else the best one. */
enum nfart_simd subject_level(void);

struct subject_options {
	enum nfart_simd level;
	int runs;        /* the number of runs, from 1 to SUBJECT_MOST_RUNS */
	/* The number of lines to observe, from the image's first line on. 0: the image's lines. */
	uint64_t lines;
	bool unchecked;  /* the CRCs of the trace are not checked */
	nfart_sink *sink; /* is called with what is output; NULL: the output is only counted */
	void *ctx;
	bool matches;    /* after each read the matches are fetched, as an array */
};
enum { SUBJECT_MOST_RUNS = 16 };

struct speed {
	double seconds, /* processor time of a run over the trace: the median of all runs */
		least;  /* processor time of the fastest run */
	uint64_t batches, messages, accepted,
		labels; /* the batches accepted with a label, summed over all labels */
	uint64_t fetched; /* the sum of all matches' times and labels; 0 without `matches` */
};

/* Measures new filters that read the trace as a program would, through libnfart's reader. */
struct speed subject_filter(const struct nfart_image *im, const struct buf *trace,
			    const struct subject_options *o);

/* Writes the n bytes at p to a file. */
void subject_write(const char *path, const void *p, size_t n);

/* Runs a program without output: its path and its arguments, up to a NULL. Returns the seconds of
 * processor time that it took. */
double subject_run(const char *const *words);

/* Runs `nfarun -q --count IMAGE TRACE` and stores in *u what the process used. `substream` is the
 * argument of its option --substream, or NULL. */
void subject_process(const char *nfarun, const char *image, const char *trace,
		     const char *substream, struct rusage *u);

#endif
