/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * traffic.h: makes traces and patterns for the benchmarks. The same arguments give the same result.
 */
#ifndef NFACC_BENCH_TRAFFIC_H
#define NFACC_BENCH_TRAFFIC_H

#include "contract/image.h"
#include "include/nfart.h"
#include "support/buf.h"

struct traffic {
	enum nfart_format format;
	size_t batches;
	unsigned least, most; /* messages in a batch, each in another slot */
	unsigned often;       /* one message in `often` has a code that a predicate names */
	uint64_t lines;       /* lines of the messages, from the image's first line; 0: any line */
};

/* Appends a trace of the image's protocol to *out. Returns false without memory. */
bool traffic_make(const struct nfart_image *im, const struct traffic *t, struct buf *out);

/* Appends n letters from a to p, all equally likely. Returns false without memory. */
bool traffic_letters(size_t n, uint64_t seed, struct buf *out);

/* Makes n patterns of one kind: as patterns for Vectorscan (each with a 0 after it) and as a
 * filter. */
enum patterns { PATTERNS_SIMPLE, PATTERNS_MODERATE, PATTERNS_DENSE, PATTERNS_NOTX };
void traffic_patterns(enum patterns kind, unsigned n, uint64_t seed, struct buf *pcre,
		      struct buf *filter);

#endif
