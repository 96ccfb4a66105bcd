/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * peer.h: filters for a benchmark, compiled, and the same patterns in Vectorscan.
 */
#ifndef NFACC_BENCH_PEER_H
#define NFACC_BENCH_PEER_H

#include "compiler/support/buf.h"
#include "runtime/image.h"

/* The image of a filter text, for the software engine alone, at a level of the optimiser. Ends the
 * program where the text does not compile. */
struct nfart_image *peer_compile(const char *name, const char *text, size_t n, int level);

struct peer_speed {
	double compile, run; /* seconds; 0: Vectorscan is not there */
	uint64_t matches;    /* pairs of pattern and end */
};

/* n patterns, each ended by a 0, over a text in streaming mode: the median of `runs`. */
struct peer_speed peer_vectorscan(const struct buf *pcre, unsigned n, const struct buf *text,
				  unsigned runs);

#endif
