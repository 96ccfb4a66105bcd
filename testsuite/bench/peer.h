/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * peer.h: patterns of a benchmark in Vectorscan.
 */
#ifndef NFACC_BENCH_PEER_H
#define NFACC_BENCH_PEER_H

#include "support/buf.h"

struct peer_speed {
	double compile, run; /* seconds; 0: Vectorscan is not there */
	uint64_t matches;    /* pairs of pattern and end */
};

/* n patterns, each ended by a 0, over a text in streaming mode: the median of `runs`. */
struct peer_speed peer_vectorscan(const struct buf *pcre, unsigned n, const struct buf *text,
				  unsigned runs);

#endif
