/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * asked_file.h: the file of a shard of a question: what a part of a trace has for the answer.
 *
 * Note [asked files] A file is little-endian 64-bit words: a header of ASKED_HEADER words, the last
 * of which is the CRC-32C of the others; then blocks. A block is the kind of its records plus 256
 * times their number, which is 1 to ASKED_MOST; the records; and the CRC-32C of all that. All
 * records of a kind have the same size. The last block is one of kind ASKED_END with one record.
 *
 * The records, by words:
 *
 *   entry    kind of pairs_entry, rule << 8, slot << 24, mark << 32; time; header
 *   slow     rule, slot << 16, slot of the answer << 24; time; header; those of the answer
 *   latency  rule; request, answer << 32; address, least and most of the group; latency; count
 *   tally    1: a line, 0: a code; which one; count
 *   rate     begin of a period; batches, messages and gaps
 *   label    a mark of entries, from 1; a label that a message with this mark has
 *   state    0: before the part, 1: after it; the next word of the state of the filter there: what
 *            it knows of time (runtime/engine/filter_time.h), flags (1: a batch came, 2: no tick
 *            comes any more, 4: a batch came, also without ticks), the time of the next tick, the
 *            latest time, the number of losses that wait, and time and messages of each; then the
 *            words of runtime/engine/engine_state.h
 *   level    a rule, or their number for all together; how many requests were open; for how many
 *            cycles
 *   stretch  a rule, or their number, and 2^32 where the stretch ends; how many requests are open;
 *            the time; how many were open at most, and from when on
 *   batch    a time; the mark of the labels that the batch of this time has on the lines of a shard
 *   side     0: the trace that is compared with, 1: the trace; where its blocks are, 3 words
 *            (runtime/stats/compare.h); statistics, 8 words
 *   row      of the latest side: rule; request, answer << 32
 *   sum      of the latest side: series, block << 32; the sum, as the bits of a double
 *   end      1: the shard has no chunk, else 0; the borders where the part begins and ends, 7 words
 *            each (runtime/run/shard.h); statistics, 8 words; how often each outcome came, 6 words;
 *            the times of the first and the last record; the CRC-32C of the headers of the chunks
 *            that the shard was made from (runtime/run/shard.h, Note [which trace]); by label, of a
 *            filter with a limit, how many batches come out of the part without the limit
 *
 * A shard of a comparison has sides, and nothing of the other kinds but the end. There the CRC-32C
 * is two: bits 0 to 31 of the chunks of side 0, bits 32 to 63 of those of side 1; 0 of a side that
 * is in another shard. A shard of lines has labels and batches of the whole trace, and nothing of
 * the other kinds but the end. Entries, rates and batches are in the order of the trace. Levels are
 * of a stretch (runtime/pairs/pairs_part.h, Note [levels of parts]) from the switch to the first
 * loss after it, from one loss to the next, or to the end of the part: first that it begins, for
 * all rules, one after the other, and all together; then for each of these its levels, each one
 * more than that before, and that it ends. The labels of a mark rise, marks rise, and they come
 * before the first entry or batch with the mark. Whoever reads a file trusts nothing in it: the
 * reader checks sizes and checksums, and all records when it is asked to, before one is used.
 */
#ifndef NFART_ASK_ASKED_FILE_H
#define NFART_ASK_ASKED_FILE_H

#include <stdio.h>

#include "include/nfart.h"
#include "runtime/pairs/pairs_part.h"
#include "runtime/run/shard.h"
#include "support/vec.h"

#define ASKED_MAGIC "\211nfasked"

enum asked_word {
	ASKED_AT_MAGIC,
	ASKED_AT_VERSION,
	ASKED_AT_NUMBER,
	ASKED_AT_TOTAL,
	ASKED_AT_QUESTION,  /* numbers of the caller: what is asked */
	ASKED_AT_PERIOD,
	ASKED_AT_SLOWEST,
	ASKED_AT_PROTOCOL,  /* CRC-32C of the protocol with its rules for pairs */
	ASKED_AT_TRACE_SIZE,
	ASKED_AT_TRACE_CRC, /* shard_trace_crc() */
	ASKED_AT_STRICT,
	ASKED_AT_IMAGE,     /* CRC-32C of the image that gives the labels; without one 0 */
	ASKED_AT_OTHER_SIZE, /* of the trace that is compared with; without one both are 0 */
	ASKED_AT_OTHER_CRC,
	ASKED_AT_CRC,
	ASKED_HEADER
};

enum {
	ASKED_VERSION = 6,
	ASKED_MOST = 1 << 12,                        /* records of a block */
	ASKED_SIDE_WORDS = 4 + SHARD_STATS,
	ASKED_WIDEST = ASKED_SIDE_WORDS,             /* words of a record, but for the last */
	ASKED_OUTCOMES = PAIRS_ASKED + 1,
	ASKED_END_WORDS = 1 + 2 * SHARD_BORDER + SHARD_STATS + ASKED_OUTCOMES + 4
};

enum asked_kind {
	ASKED_ENTRY,
	ASKED_SLOW,
	ASKED_LATENCY,
	ASKED_TALLY,
	ASKED_RATE,
	ASKED_LABEL,
	ASKED_STATE,
	ASKED_LEVEL,
	ASKED_STRETCH,
	ASKED_BATCH,
	ASKED_SIDE,
	ASKED_ROW,
	ASKED_SUM,
	ASKED_END,
	ASKED_KINDS
};

struct asked_key {
	uint64_t word[ASKED_HEADER];
};

/* Fills in the key of shard `number` of `total`, but for the words about the question, which the
 * caller has set, and its checksum. False: the trace can't be sharded, *e says why. */
bool asked_key_fill(struct asked_key *k, const struct nfart_reader *r, uint64_t number,
		    uint64_t total, struct nfart_error *e);

/* What is known of a part as a whole. */
struct asked_end {
	bool empty;
	struct trace_border entry, exit;
	struct nfart_reader_stats stats;
	uint64_t outcomes[ASKED_OUTCOMES];
	uint64_t first, last; /* first > last: no record came */
	/* Of the headers of its chunks; of a comparison two, as above. */
	uint64_t chunks_crc;
	uint64_t output; /* of a filter with a limit: what comes out */
};

/* ---- writing ---- */

struct asked_writer {
	FILE *f;
	enum asked_kind kind;
	uint32_t n;    /* records in the block */
	bool failed;   /* f failed */
	uint64_t words[1 + ASKED_MOST * ASKED_WIDEST];
};

/* Begins a file; w must be zeroed before. asked_put() appends a record to it, asked_finish() the
 * last one. False: f failed, now or before. */
bool asked_begin(struct asked_writer *w, FILE *f, const struct asked_key *k);
bool asked_put(struct asked_writer *w, enum asked_kind kind, const uint64_t *record);
bool asked_finish(struct asked_writer *w, const struct asked_end *end);

/* Appends an entry. Its record tells all of it. */
bool asked_put_entry(struct asked_writer *w, const struct pairs_entry *x);
struct pairs_entry asked_entry(const uint64_t *record);

/* ---- reading ---- */

/* Opens a file, and compares its header with *k; the number of the shard may differ, and comes to
 * *number. False: *e says why; *f is then NULL, else the caller closes it. */
bool asked_open(FILE **f, const char *name, const struct asked_key *k, uint64_t *number,
		struct nfart_error *e);

/* The records of a file that was opened, one after the other. It must be zeroed before, but for `f`
 * and `name`, which the caller keeps; free `words` with vec_free(). */
struct asked_reader {
	FILE *f;
	const char *name;
	VEC(uint64_t) words; /* the block */
	enum asked_kind kind;
	size_t n, next;      /* records in the block, and how many of them were returned */
};

/* Goes to the first record, as often as you like. False: *e says why. */
bool asked_rewind(struct asked_reader *r, struct nfart_error *e);

/* Makes *record the next one, of the kind r->kind; it is valid until the next call. Returns 1; 0:
 * that was the last one, and *end is filled in; -1: *e says why. */
int asked_next(struct asked_reader *r, const uint64_t **record, struct asked_end *end,
	       struct nfart_error *e);

/* Says that the latest record can't be. Returns false. */
bool asked_refuse(const struct asked_reader *r, struct nfart_error *e);

/* Takes a record. False: it can't be. */
typedef bool asked_sink(void *ctx, enum asked_kind kind, const uint64_t *record);

/* Hands all records of a file that was opened to `take`, but for the last, which becomes *end. Call
 * it as often as you like. False: *e says why. */
bool asked_each(FILE *f, const char *name, asked_sink *take, void *ctx, struct asked_end *end,
		struct nfart_error *e);

#endif
