/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * reader.h: what all formats need to read a trace. A format (format.h) fills in `next`, and `state`
 * if it has any. All other members are kept by the functions that formats share.
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
	struct trace_clock clock; /* the times of the records delivered or checked so far */
	uint32_t label_words;     /* words of labels in each record of a binary trace */
	bool end_told;            /* reader_end() has delivered the loss at a damaged end */
	char *name;
	void *state;              /* the format's own: one malloc() block, freed with the reader */
	/* If not NULL, called in place of the reader's own check of a chunk's payload of `count`
	 * records in n bytes. A caller that takes whole chunks decodes them anyway, and can check
	 * them at the same time. It moves the clock over the payload. False: the payload is not
	 * valid. */
	bool (*check)(void *ctx, const struct nfart_reader *r, struct trace_clock *clock,
		      const unsigned char *p, size_t n, uint32_t count);
	void *check_ctx;
	int (*next)(struct nfart_reader *r, struct nfart_batch *b, struct nfart_error *e);
};

/* Batches that lie in the input's memory (format.h, Note [chunks, blocks, pieces, shards]). */
struct trace_block {
	const unsigned char *at; /* n bytes, valid until the reader's next call */
	size_t n;
	uint32_t count;          /* how many batches there are: records, rows or bytes */
	uint64_t messages;       /* messages in all batches; NFART_LOST_UNKNOWN: not known */
	uint64_t time;           /* for raw bytes, the time of the first one */
};

/* A value that only reader_block() returns; all others are those of nfart_reader_next(). */
enum { READER_BLOCK = 2 };

/* Returns READER_BLOCK after filling in *block, or else what nfart_reader_next() returns. Blocks
 * are only handed out while *plain is true. It is read after a chunk was checked, and r->check
 * clears it if the chunk has a loss record; such a chunk's records come one at a time. The batches
 * of a block are not counted in the statistics: the caller adds them with reader_delivered(). */
int reader_block(struct nfart_reader *r, struct trace_block *block, const bool *plain,
		 struct nfart_batch *b, struct nfart_error *e);
void reader_delivered(struct nfart_reader *r, uint64_t batches, uint64_t messages);

/* To be called when the input has ended between two records. Returns 0. But if the input is damaged
 * there, the first call makes *b a loss record at the time r->clock.last, and returns 1; with
 * options.strict it is an error, and -1. */
int reader_end(struct nfart_reader *r, struct nfart_batch *b, struct nfart_error *e);

/* Makes *b a loss record of `lost` messages. Returns 1. */
int reader_loss(struct nfart_batch *b, uint64_t time, uint64_t lost);

/* Both fill in *e and return -1. The first has an error in the trace to report, the second
 * r->in.error. */
int reader_fail(struct nfart_reader *r, struct nfart_error *e, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int reader_fail_input(struct nfart_reader *r, struct nfart_error *e);

/* The current line of a text format. Errors point into it. */
struct reader_line {
	struct nfart_reader *r;
	struct nfart_error *e;
	uint64_t number; /* counted from 1 */
	const char *at;  /* n bytes without the newline, valid until the next line is taken */
	size_t n;
};

/* Takes the next line of l->r. The caller sets its number. Returns 1; 0 at the end; -1: *l->e says
 * why. If the input is damaged, a last line that is cut off is not returned. */
int reader_line_take(struct reader_line *l);

/* Fills in *l->e with an error at p, which points into the line. Returns -1. */
int reader_line_fail(const struct reader_line *l, const char *p, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Is p a protocol like `bytes`? It has one slot, and a header is an opcode of 8 bits. */
bool trace_is_bytes(const struct nfart_proto *p);

/* Takes the file header of a binary trace, which must be of this kind. False: *e says why. */
bool trace_head_read(struct nfart_reader *r, enum trace_kind kind, struct nfart_error *e);

#endif
