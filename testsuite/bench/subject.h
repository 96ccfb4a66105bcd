/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * subject.h: what the benchmarks measure: filters compiled for the software engine, and how fast they
 * filter traces that lie in memory. Gives up, with a message, where something can't be.
 */
#ifndef NFACC_BENCH_SUBJECT_H
#define NFACC_BENCH_SUBJECT_H

#include <sys/resource.h>

#include "contract/image.h"
#include "include/nfart.h"
#include "support/buf.h"

/* Of n bytes of filter text, at a level of the optimiser (0, 1, 2, PASS_LEVEL_S); of the file `name` in a
 * folder. Free with nfart_image_free(). */
struct nfart_image *subject_compile(const char *name, const char *text, size_t n, int level);
struct nfart_image *subject_example(const char *dir, const char *name);

/* The level of instructions that NFACC_SIMD names (portable, AVX2, AVX-512); else the best. */
enum nfart_simd subject_level(void);

struct subject_options {
	enum nfart_simd level;
	int runs;        /* from 1 to SUBJECT_MOST_RUNS */
	uint64_t lines;  /* substreams from the image's first line; 0: as the image says */
	bool unchecked;  /* CRCs are not looked at */
	nfart_sink *sink; /* what is output goes there; NULL: it is counted */
	void *ctx;
	bool matches;    /* what is accepted is fetched, too, as an array after each read */
};
enum { SUBJECT_MOST_RUNS = 16 };

struct speed {
	double seconds, least; /* processor time of a run over the whole trace: median, best */
	uint64_t batches, messages, accepted, labels; /* labels: batches accepted, summed over them */
	uint64_t fetched; /* the sum of all matches' times and labels, where they were asked for */
};

/* Runs a new filter over the trace as a program would, through libnfart's reader. */
struct speed subject_filter(const struct nfart_image *im, const struct buf *trace,
			    const struct subject_options *o);

/* Writes a file of n bytes. */
void subject_write(const char *path, const void *p, size_t n);

/* What `nfarun -q --count IMAGE TRACE` takes; with --substream where one is given, else NULL. */
void subject_process(const char *nfarun, const char *image, const char *trace, const char *substream,
		     struct rusage *u);

#endif
