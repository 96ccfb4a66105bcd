/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * decoded.h: a range of a trace in chunks, read, checked and decoded for filters (filter.h) to run over,
 * in any thread and as often as it takes.
 *
 * What was read stays where it was read to. Its records or rows are *items*, counted from 0; a record
 * that a reader gives one by one (a loss, or in a chunk with one) is an item as well. An item has a key
 * (dfa_cache.h), which is all that a filter without substreams looks at. With substreams items were also
 * taken apart into visits (filter.h), sorted by which part of the lines they are of. Items are run in
 * *stretches*; one that is a loss is a stretch of its own.
 */
#ifndef NFART_DECODED_H
#define NFART_DECODED_H

#include "runtime/engine/filter.h"

/* Items that lie one behind the other. */
struct decoded_block {
	size_t first;    /* item */
	size_t at;       /* bytes into the range, of its first item or of what places are counted from;
			  * of a single record: its words in piece.words */
	bool single;
	uint64_t bad;    /* bad chunks of the range up to it */
};

struct decoded_stretch {
	size_t first;
	uint32_t n;
	bool loss;
};

struct decoded {
	unsigned char *buffer; /* the range, where it comes from a file */
	size_t cap;
	const unsigned char *base; /* of the range */
	const struct nfart_proto *proto;
	bool rows;
	uint32_t label_words;
	struct filter_records records; /* keys by item; of records, places */
	VEC(struct decoded_block) block;
	VEC(struct decoded_stretch) stretch;
	struct filter_split split; /* by line; else of no parts */
};

/* By line, for `parts` parts (0: without substreams), of which only n from `first` on are wanted. False: out
 * of memory. decoded_free() in every case. */
bool decoded_init(struct decoded *d, uint32_t parts, uint32_t first, uint32_t n);
void decoded_free(struct decoded *d);
void decoded_clear(struct decoded *d);

#endif
