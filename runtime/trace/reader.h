/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * reader.h: what all formats need to read a trace. A format (format.h) fills in `next`, and `state`
 * if it has any. All other members are kept by the functions that formats share.
 */
#ifndef NFART_TRACE_READER_H
#define NFART_TRACE_READER_H

#include "contract/crc.h"
#include "runtime/trace/binary.h"
#include "runtime/trace/input.h"
#include "runtime/trace/trace_clock.h"

struct nfart_reader {
	struct input in;
	const struct nfart_proto *proto;
	struct nfart_reader_options o;
	struct nfart_reader_stats stats;
	struct trace_clock clock; /* the times of the records delivered or checked so far */
	/* how many 64-bit words a binary record's label set and its names of lines take */
	uint32_t label_words;
	/* The payload of the batch that was delivered last, as in nfart_batch; `words` is how many
	 * words each message of the trace has. */
	struct {
		uint64_t *at;     /* room for that of a batch with all slots */
		uint32_t words;
	} payload;
	uint64_t until;           /* the stream's last time, if the trace states it */
	bool end_told;            /* the loss at a damaged or cut-off end was delivered */
	bool past;                /* the part that is wanted has ended (Note [parts]) */
	char *name;
	void *state;              /* the format's own: one malloc() block, freed with the reader */
	void (*close)(struct nfart_reader *r); /* frees what else the format owns; or NULL */
	/* If this is not NULL, it checks a chunk's payload in place of the reader's own check. The
	 * payload has `count` records in the n bytes at p. A caller that takes whole chunks decodes
	 * them anyway, and can check them at the same time. The function moves the clock over the
	 * records. False: the payload is not valid. */
	bool (*check)(void *ctx, const struct nfart_reader *r, struct trace_clock *clock,
		      const unsigned char *p, size_t n, uint32_t count);
	/* If this is not NULL, it is called while a chunk of dense rows is checked: rows
	 * `from` … `to` - 1 of the `count` rows at p are in the nearest cache now. The chunk may
	 * still turn out to be damaged. False: memory ran out, and the chunk counts as damaged. */
	bool (*rows)(void *ctx, const unsigned char *p, uint32_t from, uint32_t to, uint32_t count);
	void *check_ctx;          /* for `check` and `rows` */
	crc32c_fn *crc;           /* computes the CRCs of payloads: crc32c(), or one of its ways */
	int (*next)(struct nfart_reader *r, struct nfart_batch *b, struct nfart_error *e);
};

/*
 * Note [parts]
 * A reader may have to deliver a part of the trace only: the records with options.begin <= time <
 * options.end (end 0: up to the end). The formats deliver what they find, and what all formats
 * share drops the records that are not in the part (reader.c). Where the times of many batches are
 * known before they are read, formats skip: chunked traces skip chunks, and with an index they
 * begin to read at the chunk in which the part begins (trace_part.c); raw bytes skip bytes.
 *
 * The rest of the program never sees what is not in the part. So all answers are those for a trace
 * that holds nothing else.
 */

/* Is a record at `time` in the part that is wanted? */
static inline bool reader_wants(const struct nfart_reader *r, uint64_t time)
{
	return time >= r->o.begin && (r->o.end == 0 || time < r->o.end);
}

/* Batches that lie in the input's memory (format.h, Note [chunks, blocks, pieces, shards]). */
struct trace_block {
	const unsigned char *at; /* the n bytes of the batches, valid until the reader is used */
	size_t n;
	uint32_t count;          /* how many batches there are: records, rows or bytes */
	uint64_t messages;       /* messages in all batches; NFART_LOST_UNKNOWN: not known */
	uint64_t time;           /* the time of the first byte; only for raw bytes */
};

/* reader_block() returns READER_BLOCK, or a value that nfart_reader_next() can return. */
enum { READER_BLOCK = 2 };

/* Hands out the next batches as a block: fills in *block and returns READER_BLOCK. If the next
 * record can't come in a block, it does what nfart_reader_next() does. Blocks are only handed out
 * while *plain is true. *plain is read after a chunk was checked: r->check clears it if the chunk
 * has a loss record, and then the chunk's records come one at a time. The batches of a block are
 * not counted in the statistics: the caller adds them with reader_delivered(). */
int reader_block(struct nfart_reader *r, struct trace_block *block, const bool *plain,
		 struct nfart_batch *b, struct nfart_error *e);
void reader_delivered(struct nfart_reader *r, uint64_t batches, uint64_t messages);

/* Adds what was read of a trace to a sum over several. Bytes are left out. */
void reader_stats_add(struct nfart_reader_stats *sum, const struct nfart_reader_stats *s);

/* A function that takes a batch or a loss record, which it may keep until it returns. False: it
 * wants no more. */
typedef bool reader_sink(void *ctx, const struct nfart_batch *b);

/* Hands the rest of the trace to `take`, in order: what nfart_reader_next() would return, but
 * faster for chunked traces, because it decodes a chunk at a time. Returns 0 at the end of the
 * trace, 1 if `take` wants no more, and -1 on an error, which *e tells. */
int reader_each(struct nfart_reader *r, reader_sink *take, void *ctx, struct nfart_error *e);

/* States that messages have so many words of payload, and makes room for that of a batch. A format
 * then fills in r->payload.at for each batch. False: out of memory. */
bool reader_payload(struct nfart_reader *r, uint32_t words);

/* Fills in r->payload.at for a batch with messages in the slots of `mask`, of [slot]. Does nothing
 * if messages have no payload. */
void reader_give_payload(struct nfart_reader *r, uint64_t mask,
			 uint64_t (*of)[NFART_PAYLOAD_WORDS]);

/* A format calls this when the input has ended between two records. Returns 0. But if the input
 * ended because it is damaged, the first call makes *b a loss record at the time r->clock.last, and
 * returns 1; with options.strict it fills in *e and returns -1 instead. */
int reader_end(struct nfart_reader *r, struct nfart_batch *b, struct nfart_error *e);

/* Makes *b a loss record of `lost` messages. Returns 1. */
int reader_loss(struct nfart_batch *b, uint64_t time, uint64_t lost);

/* reader_fail() reports an error in the trace, with a message like printf(). reader_fail_input()
 * reports the error of the input, r->in.error. Both fill in *e and return -1. */
int reader_fail(struct nfart_reader *r, struct nfart_error *e, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int reader_fail_input(struct nfart_reader *r, struct nfart_error *e);

/* The current line of a text format. Errors point into it. */
struct reader_line {
	struct nfart_reader *r;
	struct nfart_error *e;
	uint64_t number; /* the line's number, counted from 1 */
	const char *at;  /* the line's n bytes, no newline; valid until the next line is taken */
	size_t n;
};

/* Takes the next line of the reader l->r. The caller sets l->number. Returns 1 for a line, 0 at the
 * end of the trace, and -1 after an error, which *l->e tells. If the input is damaged, a last line
 * that is cut off is not returned. */
int reader_line_take(struct reader_line *l);

/* Fills in *l->e with an error at p, which points into the line. Returns -1. */
int reader_line_fail(const struct reader_line *l, const char *p, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Is p a protocol like `bytes`? It has one slot, and a header is an opcode of 8 bits. */
bool trace_is_bytes(const struct nfart_proto *p);

/* Checks and takes the file header of a binary trace, and sets r->label_words. The trace must be of
 * this kind. False: *e says why. */
bool trace_head_read(struct nfart_reader *r, enum trace_kind kind, struct nfart_error *e);

#endif
