/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * reader.h: what all formats need to read a trace. A format (format.h) fills in `next`, and `state` if it
 * has any; the rest is shared.
 */
#ifndef NFART_TRACE_READER_H
#define NFART_TRACE_READER_H

#include "runtime/trace/binary.h"
#include "runtime/trace/input.h"
#include "runtime/trace/trace_clock.h"

struct nfart_reader {
	struct input in;
	const struct nfart_proto *proto;
	struct nfart_reader_options o;
	struct nfart_reader_stats stats;
	struct trace_clock clock; /* of the records delivered, or checked in the current chunk */
	uint32_t label_words;     /* in each record of a binary trace */
	bool end_told;            /* the loss at a damaged end was delivered: reader_end() */
	char *name;
	void *state;              /* the format's own, one malloc() block, freed with the reader */
	/* Checks a chunk's payload instead of the reader, unless NULL: a caller that takes whole chunks
	 * decodes them anyway. Moves the clock over the payload; false: the payload is not valid. */
	bool (*check)(void *ctx, const struct nfart_reader *r, struct trace_clock *clock,
		      const unsigned char *p, size_t n, uint32_t count);
	void *check_ctx;
	int (*next)(struct nfart_reader *r, struct nfart_batch *b, struct nfart_error *e);
};

/* Batches as they lie in the input (format.h, Note [chunks, blocks, pieces, shards]). */
struct trace_block {
	const unsigned char *at; /* n bytes, valid until the reader's next call */
	size_t n;
	uint32_t count;          /* batches: records, rows or bytes, as the format has */
	uint64_t messages;       /* in all of them; NFART_LOST_UNKNOWN: the chunk header does not say */
	uint64_t time;           /* of the first byte of raw bytes */
};

/* What reader_block() answers, besides what nfart_reader_next() does. */
enum { READER_BLOCK = 2 };

/* As nfart_reader_next(), or READER_BLOCK and *block filled. A block's batches count as delivered, but are
 * not in the statistics: the caller adds them with reader_delivered(). Where *plain is false after the
 * chunk was checked (r->check clears it where there is a loss record), records come one at a time. */
int reader_block(struct nfart_reader *r, struct trace_block *block, const bool *plain,
		 struct nfart_batch *b, struct nfart_error *e);
void reader_delivered(struct nfart_reader *r, uint64_t batches, uint64_t messages);

/* Where the input has ended, between two records: 0; or, once, a loss record where the input is damaged
 * there (-1 with options.strict), at the time r->clock.last. As nfart_reader_next(). */
int reader_end(struct nfart_reader *r, struct nfart_batch *b, struct nfart_error *e);

/* Makes *b a loss record of `lost` messages. Answers 1. */
int reader_loss(struct nfart_batch *b, uint64_t time, uint64_t lost);

/* Fill *e: with an error in the trace; with r->in.error. Answer -1. */
int reader_fail(struct nfart_reader *r, struct nfart_error *e, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int reader_fail_input(struct nfart_reader *r, struct nfart_error *e);

/* A line of a text format, for errors to point into. */
struct reader_line {
	struct nfart_reader *r;
	struct nfart_error *e;
	uint64_t number; /* from 1 */
	const char *at;  /* n bytes, without the newline, valid until the next line is taken */
	size_t n;
};

/* Takes the next line of l->r; the caller sets its number. 1, 0 at the end, -1. What a damaged input ends
 * with is no line. */
int reader_line_take(struct reader_line *l);

/* Fills *l->e with an error at p, which points into the line. Answers -1. */
int reader_line_fail(const struct reader_line *l, const char *p, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Is this a protocol like `bytes`: one slot, whose header is one opcode of a byte? */
bool trace_is_bytes(const struct nfart_proto *p);

/* Takes the file header of a binary trace, which must be of this kind. False: *e says why. */
bool trace_head_read(struct nfart_reader *r, enum trace_kind kind, struct nfart_error *e);

#endif
