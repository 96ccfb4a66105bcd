/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * subject.h: what the benchmarks measure: filters compiled for the software engine, and how fast
 * they filter traces that lie in memory. If something fails, the benchmark ends with a message.
 */
#ifndef NFACC_BENCH_SUBJECT_H
#define NFACC_BENCH_SUBJECT_H

#include <sys/resource.h>

#include "contract/image.h"
#include "include/nfart.h"
#include "support/buf.h"

/* Returns an image: of n bytes of filter text, at a level of the optimiser (0, 1, 2, PASS_LEVEL_S);
 * or of the file `name` in a folder. Free it with nfart_image_free(). */
struct nfart_image *subject_compile(const char *name, const char *text, size_t n, int level);
struct nfart_image *subject_example(const char *dir, const char *name);

/* Returns the SIMD level that NFACC_SIMD names (portable, AVX2, AVX-512), or else the best one. */
enum nfart_simd subject_level(void);

struct subject_options {
	enum nfart_simd level;
	int runs;        /* how many runs, from 1 to SUBJECT_MOST_RUNS */
	uint64_t lines;  /* lines of the substream, from the image's first line; 0: as the image
	                  * says */
	bool unchecked;  /* CRCs are not checked */
	nfart_sink *sink; /* gets what is output; NULL: it is only counted */
	void *ctx;
	bool matches;    /* matches are also fetched, as an array after each read */
};
enum { SUBJECT_MOST_RUNS = 16 };

struct speed {
	double seconds, least; /* processor time of a run over the trace: median and best */
	uint64_t batches, messages, accepted, labels; /* labels: accepted batches, summed over all
	                                               * labels */
	uint64_t fetched; /* the sum of all matches' times and labels; 0 without `matches` */
};

/* Runs a new filter over the trace as a program would, through libnfart's reader. */
struct speed subject_filter(const struct nfart_image *im, const struct buf *trace,
			    const struct subject_options *o);

/* Writes a file of n bytes. */
void subject_write(const char *path, const void *p, size_t n);

/* Runs `nfarun -q --count IMAGE TRACE` and stores in *u what the process used. `substream` is its
 * option, or NULL. */
void subject_process(const char *nfarun, const char *image, const char *trace,
		     const char *substream, struct rusage *u);

#endif
