/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * peer.h: measures the patterns of a benchmark in Vectorscan.
 */
#ifndef NFACC_BENCH_PEER_H
#define NFACC_BENCH_PEER_H

#include "support/buf.h"

struct peer_speed {
	double compile, /* seconds to compile the patterns; 0: Vectorscan is not installed */
		run;    /* seconds to run over the text; 0: Vectorscan is not installed */
	uint64_t matches;    /* pairs of a pattern and a place where it ends */
};

/* Runs n patterns over a text in streaming mode. `pcre` has the patterns, each with a 0 byte after
 * it. Returns the median of `runs` runs. */
struct peer_speed peer_vectorscan(const struct buf *pcre, unsigned n, const struct buf *text,
				  unsigned runs);

#endif
