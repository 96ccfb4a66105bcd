/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * peer.h: measures the patterns of a benchmark in Vectorscan.
 */
#ifndef NFACC_BENCH_PEER_H
#define NFACC_BENCH_PEER_H

#include "support/buf.h"

struct peer_speed {
	double compile, run; /* seconds; 0: Vectorscan is not installed */
	uint64_t matches;    /* pairs of a pattern and a place where it ends */
};

/* Runs n patterns, each with a 0 after it, over a text in streaming mode. Returns the median of
 * `runs` runs. */
struct peer_speed peer_vectorscan(const struct buf *pcre, unsigned n, const struct buf *text,
				  unsigned runs);

#endif
