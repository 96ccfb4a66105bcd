/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * decoded.h: a piece of a chunked trace, read, checked and decoded. Filters (filter.h) can run over
 * it in any thread and several times.
 *
 * The bytes stay where they were read to. Each record, or row of a dense trace, is an *item*. Items
 * are counted from 0. A record that the reader delivers one by one is an item, too: a loss, or any
 * record of a chunk that has a loss.
 *
 * An item has a key (keys.h). Without substreams a filter looks at nothing else. With substreams
 * the items are also sorted into visits (visits.h), for each share of the lines. Filters run over
 * *blocks* of at most FILTER_BLOCK items. A loss is a block of its own.
 */
#ifndef NFART_DECODED_H
#define NFART_DECODED_H

#include "runtime/engine/filter.h"

/* Says where the bytes of some items are: those from item `first` up to the first one of the next
 * source. */
struct decoded_source {
	size_t first;
	/* true: one record, in the words of the piece; false: a block that the reader handed out */
	bool single;
	/* of a block: offset from `base` of its first row, or of the chunk's payload with its
	 * records */
	size_t bytes;
	size_t word;  /* of a single record: where it begins in the words of the piece */
	uint64_t bad; /* bad chunks of the piece up to here */
};

struct decoded_block {
	size_t first; /* number of the first item */
	uint32_t n;
	bool loss;
};

struct decoded {
	unsigned char *buffer;     /* the bytes of a file, if they had to be read */
	size_t cap;
	const unsigned char *base; /* the bytes: `buffer`, or the memory that holds the trace */
	const struct nfart_proto *proto;
	bool rows;
	uint32_t label_words;
	struct filter_records records; /* [items]: keys; offsets of records in their payload */
	VEC(struct decoded_source) source;
	VEC(struct decoded_block) block;
	struct line_shares shares; /* total is 0 without substreams */
};

/* Prepares *d, which must be zeroed. With substreams the lines are dealt out to `total` shares, and
 * visits are kept for the n shares from `first` on. Without substreams `total` is 0. False: out of
 * memory. Call decoded_free() in either case. */
bool decoded_init(struct decoded *d, uint32_t total, uint32_t first, uint32_t n);
void decoded_free(struct decoded *d);
void decoded_clear(struct decoded *d);

#endif
