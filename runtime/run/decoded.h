/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * decoded.h: a piece of a trace in chunks, read, checked and decoded, so that filters (filter.h)
 * can run over it in any thread and as often as it takes.
 *
 * The bytes stay where they were read to. Each record, or dense row, is an *item*, counted from 0;
 * so is a record that a reader delivers one by one (a loss, or any record of a chunk that has one).
 * An item has a key (keys.h): without substreams a filter looks at nothing else. With substreams
 * the items were also sorted out into visits (visits.h), by share of the lines. Filters run over
 * *blocks* of at most FILTER_BLOCK items. A loss is a block of its own.
 */
#ifndef NFART_DECODED_H
#define NFART_DECODED_H

#include "runtime/engine/filter.h"

/* Where the bytes of items are, from item `first` up to the next source. */
struct decoded_source {
	size_t first;
	bool single;  /* a single record, in the words of the piece; else a block of the reader */
	size_t bytes; /* of a block: offset into the piece of its first row or of its payload */
	size_t word;  /* of a single record */
	uint64_t bad; /* bad chunks of the piece so far */
};

struct decoded_block {
	size_t first; /* item */
	uint32_t n;
	bool loss;
};

struct decoded {
	unsigned char *buffer;     /* the bytes, where they come from a file */
	size_t cap;
	const unsigned char *base; /* the bytes, wherever they are */
	const struct nfart_proto *proto;
	bool rows;
	uint32_t label_words;
	struct filter_records records; /* by item: keys; offsets of records */
	VEC(struct decoded_source) source;
	VEC(struct decoded_block) block;
	struct line_shares shares; /* total is 0 without substreams */
};

/* With substreams: the lines are dealt out to `total` shares, of which only n from `first` on are
 * wanted. total 0: without. False: out of memory. decoded_free() in every case. */
bool decoded_init(struct decoded *d, uint32_t total, uint32_t first, uint32_t n);
void decoded_free(struct decoded *d);
void decoded_clear(struct decoded *d);

#endif
