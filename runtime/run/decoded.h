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

/* Says where the bytes of consecutive items are: those of item number `first` and of all items
 * after it, up to the `first` of the next source. */
struct decoded_source {
	size_t first;
	/* true: one record, in the words of the piece; false: a block that the reader handed out */
	bool single;
	/* Of a block: the offset of its bytes from decoded.base. In a dense trace they begin with
	 * the first row, else with the payload of the chunk that has the records. */
	size_t bytes;
	size_t word;  /* of a single record: index of its first word in the piece */
	uint64_t bad; /* number of bad chunks in the piece before these items */
};

struct decoded_block {
	size_t first; /* number of the first item of the block */
	uint32_t n;
	bool loss;
};

struct decoded {
	unsigned char *buffer;     /* the bytes of the piece, if they were read from a file */
	size_t cap;
	/* where the bytes are: `buffer`, or the memory that holds the trace */
	const unsigned char *base;
	const struct nfart_proto *proto;
	bool rows;
	uint32_t label_words;
	/* [items]: the key of each item, and the offset of its record in the payload */
	struct filter_records records;
	VEC(struct decoded_source) source;
	VEC(struct decoded_block) block;
	/* the shares of the lines, and their visits; shares.total is 0 without substreams */
	struct line_shares shares;
};

/* Prepares *d, which must be zeroed. With substreams the lines are dealt out to `total` shares, and
 * visits are kept for the n shares from `first` on. Without substreams `total` is 0. False: out of
 * memory. Call decoded_free() in either case. */
bool decoded_init(struct decoded *d, uint32_t total, uint32_t first, uint32_t n);
void decoded_free(struct decoded *d);
void decoded_clear(struct decoded *d);

#endif
