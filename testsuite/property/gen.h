/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * gen.h: random filters and streams for the property tests.
 *
 * The seed and the options determine everything: same input, same bytes, on every machine. A seed
 * draws a few message types and six neighbouring cache lines. The filter and the stream of one seed
 * use the same types and lines, so matches are frequent. All filters are correct: the compiler must
 * accept each of them.
 */
#ifndef NFACC_TESTSUITE_PROPERTY_GEN_H
#define NFACC_TESTSUITE_PROPERTY_GEN_H

#include "contract/proto/proto.h"
#include "include/nfart.h"
#include "support/buf.h"

struct gen_options {
	const struct nfart_proto *proto; /* borrowed; any protocol */
	bool counters;                   /* the filter may have counters */
	bool guards;                     /* it may have guards, and headers have fields they find */
	bool time;                       /* it may have ticks and the end; no gap is long */
	bool sides;                      /* its window may be longer on one side */
	bool machines;                   /* it may have machines */
	bool keys;                       /* substreams may be for a field, and have two ranges */
	bool payload;                    /* guards may look at two words of payload, which the
					  * protocol must have */
	/* The most positions of a file: predicates, with bounds expanded, and edges of automata.
	 * From 2 to 2^20. 0 stands for 2000. A small overlay needs a small number. */
	size_t positions;
	size_t max_batches; /* the most records of a stream, below 2^32; 0 stands for 40 */
};

/* Appends the filter of the seed to b. Sets b->failed if memory is short. */
void gen_filter(uint64_t seed, const struct gen_options *o, struct buf *b);

/* Writes the stream of the seed, at most `most` records, to out. Returns how many records these
 * are. Times rise, but sometimes a loss record has the time of the record before it. */
size_t gen_stream(uint64_t seed, const struct gen_options *o, struct nfart_batch *out, size_t most);

#endif
