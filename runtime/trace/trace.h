/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * trace.h: what trace readers and writers share: the binary format, and their insides.
 *
 * Note [binary traces]
 * All integers are little-endian and everything is a multiple of 8 bytes long. A file is a file
 * header, then (kind RECORDS) records to its end, or (COMPACT, DENSE) chunks, an index and a
 * trailer. A CRC is the CRC-32C of everything before it in its structure.
 *
 * A record is 64-bit words: the time; the mask of the slots present; (nlabels + 63) / 64 words of
 * labels, label l being bit l % 64 of word l / 64; then one header for each bit of the mask, lowest
 * slot first. A mask of 0 makes it a loss record: one word follows the labels (which are 0), how
 * many messages were lost, all ones where that is not known.
 *
 * A dense row is the time and one header per slot. Any header with the idle opcode is absent; it is
 * written as all ones with the idle opcode in its place. A row without messages is no batch.
 *
 * A chunk is a chunk header and its payload: records, dense rows, pairs (time, count) for loss
 * records in a dense file, or index entries (file offset of a chunk, its first time, its number of
 * records), one for each data chunk, in order, in as many index chunks as it takes. `sequence`
 * counts the chunks before this one, so that a chunk that is missing shows. `messages` counts those
 * in the payload, lost ones included (all ones: not known), so that a damaged payload says how much
 * it takes away. The trailer gives the index's place. A file without its trailer was cut off.
 *
 * Times rise from record to record; only a loss record's may equal its neighbour's.
 */
#ifndef NFART_TRACE_H
#define NFART_TRACE_H

#include "contract/proto.h"
#include "include/nfart.h"
#include "runtime/trace/input.h"
#include "support/buf.h"

#define TRACE_MAGIC "\211nftrace"
#define CHUNK_MAGIC "\211nfchunk"
#define TRAILER_MAGIC "\211nfindex"

enum {
	TRACE_VERSION = 1,
	TRACE_MOST_HEADER = 1 << 24, /* bytes of a file header */
	TRACE_MOST_LABELS = 1 << 20,
	TRACE_CHUNK = 1 << 16,       /* a payload grows to this; above it only by a single record */
	TRACE_MOST_CHUNK = 1 << 18   /* no payload is above this */
};

enum trace_kind { TRACE_RECORDS = 1, TRACE_COMPACT, TRACE_DENSE };
enum chunk_type { CHUNK_RECORDS = 1, CHUNK_DENSE, CHUNK_LOSS, CHUNK_INDEX };

/* Byte offsets. */
enum trace_head_at {
	HEAD_MAGIC = 0,
	HEAD_VERSION = 8,      /* 32 bits, as all up to HEAD_NLABELS */
	HEAD_KIND = 12,
	HEAD_SIZE = 16,        /* bytes of the file header */
	HEAD_NSLOTS = 20,
	HEAD_HEADER_BITS = 24,
	HEAD_OP_LSB = 28,
	HEAD_OP_BITS = 32,
	HEAD_NLABELS = 36,
	HEAD_FINGERPRINT = 40, /* 64 bits: the protocol's hardware fingerprint */
	HEAD_NAME_SIZE = 48,   /* 32 bits: bytes of the protocol's name */
	HEAD_LABELS_SIZE = 52, /* 32 bits: bytes of the labels' names, a 0 after each */
	HEAD_TEXT = 56         /* both, zeros up to HEAD_SIZE - 4, and the CRC, 32 bits */
};

enum chunk_head_at {
	CHUNK_TYPE = 8,        /* after the magic; 32 bits, as all up to CHUNK_CRC */
	CHUNK_BYTES = 12,      /* of the payload */
	CHUNK_COUNT = 16,      /* records, rows or entries in it */
	CHUNK_CRC = 20,        /* of the payload */
	CHUNK_FIRST = 24,      /* 64 bits: time of the first record; 0 in an index */
	CHUNK_LAST = 32,       /* 64 bits: of the last */
	CHUNK_MESSAGES = 40,   /* 64 bits */
	CHUNK_SEQUENCE = 48,   /* 32 bits, modulo 2^32 */
	CHUNK_HEAD_CRC = 52,   /* 32 bits */
	CHUNK_HEAD = 56
};

enum trailer_at {
	TRAILER_OFFSET = 8,    /* 64 bits: of the first index chunk (of the trailer, where none) */
	TRAILER_ENTRIES = 16,  /* 64 bits: in the whole index */
	TRAILER_SEQUENCE = 24, /* 32 bits: chunks before the trailer */
	TRAILER_CRC = 28,
	TRAILER_SIZE = 32
};

enum { INDEX_ENTRY = 24 };

/* Appends the file header of a trace. False: it would be above TRACE_MOST_HEADER. */
bool trace_head_write(struct buf *b, const struct nfart_proto *p, enum trace_kind kind,
		      const char *const *labels, uint32_t nlabels);

/* The header that stands for an absent message in a dense row. */
static inline uint64_t trace_absent(const struct nfart_proto *p)
{
	uint64_t op = ((uint64_t)1 << p->op_bits) - 1;

	return (UINT64_MAX & ~(op << p->op_lsb)) | (uint64_t)(uint32_t)p->idle << p->op_lsb;
}

/* Bit s of the answer: slot s of the row of headers at p has a message. All are copied to `out`. */
static inline uint64_t trace_slots(const struct nfart_proto *p, const unsigned char *at,
				   uint64_t *out)
{
	uint64_t op = (((uint64_t)1 << p->op_bits) - 1) << p->op_lsb;
	uint64_t idle = (uint64_t)(uint32_t)p->idle << p->op_lsb, mask = 0;

	for (uint32_t s = 0; s < p->nslots; s++) {
		out[s] = get_le64(at + 8 * s);
		mask |= (uint64_t)((out[s] & op) != idle) << s;
	}
	return mask;
}

/* The dense row, the record that is no loss, at p, as a batch; lost and damaged are left alone. */
static inline void trace_row(const struct nfart_proto *proto, const unsigned char *p, struct nfart_batch *b)
{
	b->time = get_le64(p);
	b->mask = trace_slots(proto, p + 8, b->header);
}

static inline void trace_record(const unsigned char *p, uint32_t label_words, struct nfart_batch *b)
{
	b->time = get_le64(p);
	b->mask = get_le64(p + 8);
	p += 16 + (size_t)label_words * 8;
	for (uint64_t m = b->mask; m != 0; m &= m - 1, p += 8)
		b->header[__builtin_ctzll(m)] = get_le64(p);
}

/* Is this a protocol like `bytes`: one slot, the header is the opcode is a byte? */
bool trace_is_bytes(const struct nfart_proto *p);

/* Which times may come next; and where it began, for trace_border_follows(). */
struct trace_clock {
	bool any, after_loss;
	bool any_batch;
	bool first_loss;             /* the first record is a loss */
	uint64_t last, last_batch;
	uint64_t first, first_batch; /* times of the first record, of the first batch */
};

/* Does a record at `time` keep the order? If so it is now the last one. */
bool trace_clock_step(struct trace_clock *c, uint64_t time, bool loss);

/* The same, without a call where there is nothing special. */
static inline bool trace_clock_next(struct trace_clock *c, uint64_t time, bool loss)
{
	if (loss || !c->any_batch || c->after_loss || time <= c->last)
		return trace_clock_step(c, time, loss);
	c->last = c->last_batch = time;
	return true;
}

/* ---- readers ---- */

struct nfart_reader {
	struct input in;
	const struct nfart_proto *proto;
	struct nfart_reader_options o;
	struct nfart_reader_stats stats;
	struct trace_clock clock; /* of the records delivered, or checked in the chunk at hand */
	uint32_t label_words;     /* of a binary trace */
	char *name;
	void *state;              /* the format's own, one block, freed with the reader */
	/* What checks a chunk's payload in place of the reader, or NULL: who takes whole chunks has to
	 * decode them anyway. The clock moves over it; false: it can't be. */
	bool (*check)(void *ctx, const struct nfart_reader *r, struct trace_clock *clock,
		      const unsigned char *p, size_t n, uint32_t count);
	void *check_ctx;
	int (*next)(struct nfart_reader *r, struct nfart_batch *b, struct nfart_error *e);
};

/* Batches as they lie in the input, in the form of the reader's format. */
struct trace_block {
	const unsigned char *at; /* valid until the reader's next call */
	size_t n;
	uint32_t count;          /* records, rows or bytes */
	uint64_t messages;       /* in it, as the chunk header says; NFART_LOST_UNKNOWN: it does not */
	uint64_t time;           /* of the first byte of raw ones */
};

/* As nfart_reader_next(), or 2: *block is a whole chunk of records or rows, or raw bytes. The chunk
 * then counts as delivered, but not in the statistics: the caller adds it with reader_delivered().
 * Only records that are no loss records may be taken so: `plain` is asked after the check. */
int reader_block(struct nfart_reader *r, struct trace_block *block, const bool *plain,
		 struct nfart_batch *b, struct nfart_error *e);
void reader_delivered(struct nfart_reader *r, uint64_t batches, uint64_t messages);

/* The parts of reader_block(). */
int read_chunks_block(struct nfart_reader *r, struct trace_block *block, const bool *plain,
		      struct nfart_batch *b, struct nfart_error *e);
int read_raw_block(struct nfart_reader *r, struct trace_block *block, struct nfart_error *e);

/* One for each format: fills next and state, takes what stands before the first record.
 * False: *e says why. */
bool read_text_open(struct nfart_reader *r, struct nfart_error *e);
bool read_raw_open(struct nfart_reader *r, struct nfart_error *e);
bool read_records_open(struct nfart_reader *r, struct nfart_error *e);
bool read_chunks_open(struct nfart_reader *r, struct nfart_error *e);
bool read_ila_open(struct nfart_reader *r, struct nfart_error *e);
bool read_dump_open(struct nfart_reader *r, struct nfart_error *e);

/* Fills *e with an error in the trace; or, where input failed, with that. Answers -1. */
int reader_fail(struct nfart_reader *r, struct nfart_error *e, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int reader_fail_input(struct nfart_reader *r, struct nfart_error *e);

/* ---- ranges of a trace in chunks ----
 *
 * A reader between two chunks is told by its border. Where the index says that a chunk begins, a
 * reader that comes from before is most likely at trace_border_guess(): that range can be read
 * before what precedes it is, and trace_border_follows() says later whether this was right. So a
 * wrong index costs time, and changes nothing that is read. */
struct trace_border {
	uint64_t offset;   /* of what is read next */
	uint32_t sequence; /* of the chunk that should come next */
	bool closed, scanning, vague;
	struct trace_clock clock;
};

void reader_border(const struct nfart_reader *r, struct trace_border *b);
struct trace_border trace_border_guess(uint64_t offset, uint32_t sequence);

/* May `exit`, which was reached from the guess at `entry`, be taken for what is reached from the
 * true border `before`? If so its clock is made so. */
bool trace_border_follows(const struct trace_border *before, const struct trace_border *entry,
			  struct trace_border *exit);

/* Another reader of the same trace (in chunks, seekable), for reader_enter(); r must outlive it.
 * Each thread may have its own. NULL: out of memory. */
struct nfart_reader *reader_another(const struct nfart_reader *r);

/* From here on the reader is at border b, has read nothing, and ends where a chunk ends at or behind
 * `until`. */
void reader_enter(struct nfart_reader *r, const struct trace_border *b, uint64_t until);

/* The index of a trace in chunks, entry by entry. It has its own place in the file. */
struct trace_index {
	struct input in;
	uint64_t end;    /* of the data chunks: entries are below */
	uint64_t last;   /* offset of the last entry */
	uint32_t n, left; /* entries taken; left in the chunk at hand, its payload at hand in `in` */
};

/* False: no seekable trace in chunks, or its trailer is damaged; close in every case. */
bool trace_index_open(struct trace_index *ix, const struct nfart_reader *r);
void trace_index_close(struct trace_index *ix);

/* The next chunk's offset; its sequence is ix->n - 1 then. False: the end, or damage. */
bool trace_index_next(struct trace_index *ix, uint64_t *offset);

/* A line of a text format, for errors to point into. */
struct reader_line {
	struct nfart_reader *r;
	struct nfart_error *e;
	uint64_t number; /* from 1 */
	const char *at;  /* n bytes, without the newline, valid until the next is taken */
	size_t n;
};

/* Takes the next line of l->r; its number is the caller's to set. 1, 0 at the end, -1. */
int reader_line_take(struct reader_line *l);

/* Fills *l->e with an error at p, which points into the line. Answers -1. */
int reader_line_fail(const struct reader_line *l, const char *p, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Takes the file header, which must be of this kind. False: *e says why. */
bool trace_head_read(struct nfart_reader *r, enum trace_kind kind, struct nfart_error *e);

/* The kind that the file header at hand claims; 0: no such kind, or too few bytes. */
uint32_t trace_head_kind(struct nfart_reader *r);

/* Can a message have this header: no bits above the protocol's, not the idle opcode? */
static inline bool trace_header_ok(const struct nfart_proto *p, uint64_t header)
{
	return (header & ~proto_header_mask(p)) == 0 && (int32_t)proto_opcode(p, header) != p->idle;
}

/* Makes *b a loss record of `lost` messages. Answers 1. */
int reader_loss(struct nfart_batch *b, uint64_t time, uint64_t lost);

/* ---- writers ---- */

struct nfart_writer {
	FILE *f;
	const struct nfart_proto *proto;
	struct nfart_writer_options o;
	uint32_t label_words;
	size_t chunk;   /* what a payload grows to: TRACE_CHUNK */
	int error;      /* errno of the first failure */
	struct buf out; /* what put() builds, for the format to use */
	void *state;    /* the format's own, freed by finish */
	bool (*put)(struct nfart_writer *w, const struct nfart_batch *b,
		    const struct nfart_result *r);
	bool (*finish)(struct nfart_writer *w); /* writes what is left, frees state; may be NULL */
};

/* One for each format: fills put, finish and state, writes what stands before the first record.
 * False: *e says why. */
bool write_text_open(struct nfart_writer *w, struct nfart_error *e);
bool write_records_open(struct nfart_writer *w, struct nfart_error *e);
bool write_chunks_open(struct nfart_writer *w, struct nfart_error *e);
bool write_json_open(struct nfart_writer *w, struct nfart_error *e);
bool write_csv_open(struct nfart_writer *w, struct nfart_error *e);

/* Writes n bytes to w->f; false (now and after a failure): see w->error. */
bool writer_emit(struct nfart_writer *w, const void *p, size_t n);

/* Writes w->out and empties it. */
bool writer_flush(struct nfart_writer *w);

/* Appends the file header to w->out. False: *e says why. */
bool writer_head(struct nfart_writer *w, enum trace_kind kind, struct nfart_error *e);

/* Appends a batch in the record form to w->out, with the labels of r (NULL: none). */
void writer_record(struct nfart_writer *w, const struct nfart_batch *b,
		   const struct nfart_result *r);

/* Numbers and strings as batch text has them, without printf: they are most of a trace. */
void text_string(struct buf *b, const char *s);
void text_decimal(struct buf *b, uint64_t x);
void text_hex(struct buf *b, uint64_t x, unsigned digits); /* `0x` and at least `digits`, <= 16 */

/* A string as JSON and CSV have it: between quotes; between quotes where it needs them. */
void text_json(struct buf *b, const char *s);
void text_csv(struct buf *b, const char *s);

/* Hexadecimal digits of a header in full width. */
unsigned text_header_digits(const struct nfart_proto *p);

/* A message as batch text has it: in the first form where that loses nothing; else in the raw form, with
 * the first behind it if there is one. */
void text_item(struct buf *b, const struct nfart_proto *p, uint32_t slot, uint64_t header);

/* The labels, or accepting lines, of r (NULL: none) as batch text has them between `[` and `]`. */
void text_labels(struct buf *b, const struct nfart_writer *w, const struct nfart_result *r);

#endif
