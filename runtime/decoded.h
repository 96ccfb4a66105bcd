/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * decoded.h: a range of a trace in chunks, read, checked and decoded for filters (filter.h) to run over,
 * in any thread and as often as it takes.
 *
 * What was read stays where it was read to. Its records or rows are *items*, counted from 0; a record
 * that a reader gives one by one (a loss, or in a chunk with one) is an item as well. An item has a key
 * (fast.h), which is all that a filter without substreams looks at. With substreams items were also
 * taken apart into visits (filter.h), sorted by which part of the lines they are of. Items are run in
 * *stretches*; one that is a loss is a stretch of its own.
 */
#ifndef NFART_DECODED_H
#define NFART_DECODED_H

#include "runtime/filter.h"

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

/* The visits of a part of the lines, those of stretch i up to end[i]. */
struct decoded_part {
	VEC(struct filter_visit) visits;
	VEC(size_t) end;
};

struct decoded {
	unsigned char *buffer; /* the range, where it comes from a file */
	size_t cap;
	const unsigned char *base; /* of the range */
	const struct nfart_proto *proto;
	bool rows;
	uint32_t label_words;
	VEC(uint64_t) key;     /* by item */
	VEC(uint32_t) place;   /* of records: by item */
	VEC(struct decoded_block) block;
	VEC(struct decoded_stretch) stretch;
	struct decoded_part *part; /* [nparts]: of the parts from first_part on */
	uint32_t nparts, first_part, parts;
};

/* By line, for `parts` parts (0: without substreams), of which only n from `first` on are wanted. False: out
 * of memory. decoded_free() in every case. */
bool decoded_init(struct decoded *d, uint32_t parts, uint32_t first, uint32_t n);
void decoded_free(struct decoded *d);
void decoded_clear(struct decoded *d);

/* Which of `parts` parts a line is of. Neighbours go to different parts where there are few lines, so that
 * each part gets as many; else lines that share memory stay together. */
struct decoded_split {
	uint32_t parts;
	unsigned shift;
};

static inline struct decoded_split decoded_split(uint64_t nlines, uint32_t parts)
{
	uint64_t most = nlines / parts / 64;
	unsigned shift = most == 0 ? 0 : 63 - (unsigned)__builtin_clzll(most);

	return (struct decoded_split){ parts, shift < 10 ? shift : 10 };
}

/* Of the i-th line. */
static inline uint32_t decoded_part_of(const struct decoded_split *s, uint64_t i)
{
	i >>= s->shift;
	return i <= UINT32_MAX ? (uint32_t)i % s->parts : (uint32_t)(i % s->parts);
}

#endif
