/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * traffic.h: traces and patterns for the benchmarks, the same for the same arguments.
 */
#ifndef NFACC_BENCH_TRAFFIC_H
#define NFACC_BENCH_TRAFFIC_H

#include "contract/image.h"
#include "include/nfart.h"
#include "support/buf.h"

struct traffic {
	enum nfart_format format;
	size_t batches;
	unsigned least, most; /* messages in a batch; slots are drawn without repeats */
	unsigned often;       /* one message in `often` is one that the image's predicates name */
	uint64_t lines;       /* lines the messages are for, from the first; 0: no addresses asked for */
};

/* Appends a trace of the image's protocol to *out. False: out of memory. */
bool traffic_make(const struct nfart_image *im, const struct traffic *t, struct buf *out);

/* Letters a … p, uniformly. */
bool traffic_letters(size_t n, uint64_t seed, struct buf *out);

/* Pattern sets of one shape, as patterns for Vectorscan (each ended by a 0) and as a filter. */
enum patterns { PATTERNS_SIMPLE, PATTERNS_MODERATE, PATTERNS_DENSE, PATTERNS_NOTX };
void traffic_patterns(enum patterns kind, unsigned n, uint64_t seed, struct buf *pcre,
		      struct buf *filter);

#endif
