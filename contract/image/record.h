/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * record.h: what the records of an engine and those of a trace have in common: the word of a record
 * without messages (nfacc-trace(5), record), and the names of lines. Also the bytes with which a
 * binary trace begins, so that the compiler knows one.
 *
 * Note [names of lines]
 * A record can name up to four lines that accept its batch, each with those labels that accept on
 * it. In the output of an engine whose overlay has names, each record has a word of names after its
 * labels: how many names there are (bits 0 to 2), and whether other lines accept, too (bit 3). Each
 * name is two words more: the number of the line's copy, and its labels. In a binary trace a record
 * has room for all names: the word of names, then four times what is shown of the line (its byte
 * address, or the value of the field) and its label set. Names that are not there are zeros.
 *
 * Note [payload in records]
 * Beside a message its bus may have data, its payload: always the same number of bits, a multiple
 * of 64. In the output of an engine whose overlay has payload, the payloads of a batch's messages
 * come after all its headers, that of the lowest slot first. Each has payload / 64 words; word 0
 * has its bits 63 to 0. Records without messages have none: neither those of losses nor those of
 * ticks and the end.
 */
#ifndef NFART_RECORD_H
#define NFART_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/bits.h"

#define TRACE_MAGIC "\211nftrace"

/* The word that stands in place of a number of lost messages in the record of a batch that has a
 * tick, or is the end, or both, and has no messages. `when` is nfart_batch.when. Loss records have
 * no number above TRACE_MOST_LOST but UINT64_MAX, which means that the number is not known. */
#define TRACE_MARK(when) (UINT64_MAX - 1 - (uint64_t)(when))
#define TRACE_MOST_LOST (UINT64_MAX - 5)

/* Returns nfart_batch.when of the record with mask 0 that has this word after its labels. 0: it is
 * a loss record. */
static inline unsigned trace_mark(uint64_t lost)
{
	return lost > TRACE_MOST_LOST && lost < UINT64_MAX ?
		       (unsigned)(UINT64_MAX - 1 - lost) : 0;
}

/* Returns a number of lost messages as it can be stored: no mark, and at most TRACE_MOST_LOST if it
 * is known. */
static inline uint64_t trace_lost(uint64_t lost)
{
	return trace_mark(lost) != 0 ? TRACE_MOST_LOST : lost;
}

enum {
	RECORD_MOST_NAMES = 4,
	RECORD_MORE = 8,           /* in a word of names: other lines accept, too */
	RECORD_HEAD = 3,           /* words of an engine's record before its names */
	RECORD_MOST_PAYLOAD = 8,   /* words of a message's payload */
	RECORD_MOST_WORDS = RECORD_HEAD + 1 + 2 * RECORD_MOST_NAMES + 64 * (1 + RECORD_MOST_PAYLOAD)
};

/* A message as tests look at it: word 0 is its header, the others are the words of its payload.
 * Words that it lacks are 0. */
struct record_message {
	uint64_t word[1 + RECORD_MOST_PAYLOAD];
};

/* The lines that a record of an engine names. */
struct record_names {
	uint32_t n;
	bool more;                 /* other lines accept, too */
	struct {
		uint64_t number, labels; /* of the line's copy, and a bit for each label */
	} name[RECORD_MOST_NAMES];
};

/* Returns how many words an engine's record has before its headers. At least RECORD_HEAD + 1 of its
 * words are at p. `names` is how many lines the overlay's records can name. */
static inline size_t record_head_words(const uint64_t *p, uint32_t names)
{
	return names == 0 ? RECORD_HEAD : RECORD_HEAD + 1 + 2 * (size_t)(p[RECORD_HEAD] & 7);
}

/* Returns how many words an engine's record has after its head: the headers of the slots in `mask`
 * and their payload, of so many bits each; or what stands in their place. */
static inline size_t record_body_words(uint64_t mask, uint32_t payload)
{
	return mask == 0 ? 1 : bits_count(mask) * (1 + (size_t)payload / 64);
}

/* Fills *n from the record at p, which is whole. False: it has more names than it
 * can have. */
static inline bool record_read_names(const uint64_t *p, uint32_t names, struct record_names *n)
{
	uint64_t word = names == 0 ? 0 : p[RECORD_HEAD];

	n->n = (uint32_t)(word & 7);
	n->more = (word & RECORD_MORE) != 0;
	if (n->n > names || word > 15)
		return false;
	for (uint32_t i = 0; i < n->n; i++) {
		n->name[i].number = p[RECORD_HEAD + 1 + 2 * i];
		n->name[i].labels = p[RECORD_HEAD + 2 + 2 * i];
	}
	return true;
}

#endif
