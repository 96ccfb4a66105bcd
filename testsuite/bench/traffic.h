/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * traffic.h: makes traces and patterns for the benchmarks. The same arguments give the same result.
 */
#ifndef NFACC_BENCH_TRAFFIC_H
#define NFACC_BENCH_TRAFFIC_H

#include "contract/image/image.h"
#include "include/nfart.h"
#include "support/buf.h"

struct traffic {
	enum nfart_format format;
	size_t batches;
	unsigned least, most; /* the least and the most messages of a batch */
	unsigned often;       /* one message in `often` has a code that a predicate names */
	/* The messages are for this many lines, from the image's first line on. 0: for any line. */
	uint64_t lines;
	bool fields; /* the bits beside opcode and address are random; otherwise they are 0 */
};

/* Appends a trace of the image's protocol to *out. Returns false if memory is short. */
bool traffic_make(const struct nfart_image *im, const struct traffic *t, struct buf *out);

/* Appends to *out n random letters from a to p. Returns false if memory is short. */
bool traffic_letters(size_t n, uint64_t seed, struct buf *out);

enum patterns { PATTERNS_SIMPLE, PATTERNS_MODERATE, PATTERNS_DENSE, PATTERNS_NOTX };

/* Appends n patterns of one kind in two notations. `pcre` gets them for Vectorscan, each with a 0
 * byte after it. `filter` gets them as filter text. */
void traffic_patterns(enum patterns kind, unsigned n, uint64_t seed, struct buf *pcre,
		      struct buf *filter);

#endif
