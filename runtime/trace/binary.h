/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * binary.h: the binary trace formats, byte by byte.
 *
 * Note [binary traces]
 * All integers are little-endian, and everything is a multiple of 8 bytes long. A file begins with
 * a file header. In a file of kind RECORDS, records follow to its end. In a file of kind COMPACT or
 * DENSE, chunks, an index and a trailer follow. A CRC is the CRC-32C of everything before it in its
 * structure.
 *
 * A record consists of 64-bit words: the time; the mask of the slots that have a message; the label
 * set, in (nlabels + 63) / 64 words, with label l as bit l % 64 of word l / 64; then one header for
 * each bit of the mask, lowest slot first. A record with mask 0 is a loss record. Its label set is
 * empty, and one word follows it: the number of messages lost, or all ones if that is not known. A
 * batch of a tick or the end alone has mask 0, too, and may have labels. The word that follows is
 * TRACE_MARK. Readers skip such a record.
 *
 * If the version has TRACE_NAMES, records name lines (contract/image/record.h, Note [names of
 * lines]), and the words of names stand between a record's labels and its headers. Readers skip
 * them. A reader that does not know this extension refuses the version.
 *
 * If the version has TRACE_PAYLOAD, messages have a payload of W words: 1 to NFART_PAYLOAD_WORDS,
 * the number in the version's bits TRACE_PAYLOAD_AT and up. After all headers of a record come the
 * W words of each of its messages, lowest slot first, word 0 (bits 63 to 0) before word 1. Records
 * with mask 0 have none. In a compact file the chunks of such records are of a kind of their own. A
 * dense file has no payload. A reader that does not know this extension refuses the version.
 *
 * A dense row consists of the time and one header for each slot. In a slot without a message, the
 * header has the idle opcode; its other bits are written as ones, and ignored when read. A row
 * without messages is no batch.
 *
 * A chunk is a chunk header and its payload. The payload is one of five kinds: records; dense rows;
 * pairs (time, count), which are the loss records of a dense file; entries of the index; or records
 * whose messages have a payload. An
 * index entry has the file offset of a chunk, its first time and its number of records. The index
 * has an entry for each data chunk, in their order, in as many index chunks as needed. The headers
 * of the index chunks may state the stream's last time: that at which the recording was stopped,
 * though no batch came then.
 *
 * A chunk's `sequence` is the number of chunks before it, and shows when a chunk is missing. Its
 * `messages` is the number of messages in the payload, lost ones included (all ones: not known). It
 * says how many messages are lost if the payload is damaged. The trailer says where the index is.
 * If a file has no trailer, it was cut off.
 *
 * Times rise from record to record. Only a loss record may have the same time as the record before
 * or after it. The record of an end may have the time of the batch before it if that is the latest
 * time there is.
 */
#ifndef NFART_TRACE_BINARY_H
#define NFART_TRACE_BINARY_H

#include "contract/image/record.h"
#include "contract/proto/proto.h"
#include "include/nfart.h"
#include "support/buf.h"

#define CHUNK_MAGIC "\211nfchunk"
#define TRAILER_MAGIC "\211nfindex"

enum {
	TRACE_VERSION = 1,
	TRACE_NAMES = 1 << 17,       /* added to the version: records name lines */
	TRACE_PAYLOAD = 1 << 18,     /* added to the version: messages have a payload */
	TRACE_PAYLOAD_AT = 20,       /* the lowest of the four bits of the version that say how many
				      * words it has */
	TRACE_MOST_HEADER = 1 << 24, /* bytes of a file header, at most */
	TRACE_MOST_LABELS = 1 << 20,
	TRACE_MOST_NAMED = 1 << 16,  /* labels, at most, where records name lines */
	/* A chunk ends before a record would make its payload longer than TRACE_CHUNK bytes. A
	 * chunk of one record may be longer, but no chunk has a payload above TRACE_MOST_CHUNK
	 * bytes. */
	TRACE_CHUNK = 1 << 16,
	TRACE_MOST_CHUNK = 1 << 18
};

enum trace_kind { TRACE_RECORDS = 1, TRACE_COMPACT, TRACE_DENSE };
enum chunk_type { CHUNK_RECORDS = 1, CHUNK_DENSE, CHUNK_LOSS, CHUNK_INDEX, CHUNK_PAYLOAD };

/* Where the fields of a file header are, in bytes from its beginning. */
enum trace_head_at {
	HEAD_MAGIC = 0,
	HEAD_VERSION = 8,      /* 32 bits, like all fields up to HEAD_NLABELS */
	HEAD_KIND = 12,
	HEAD_SIZE = 16,        /* bytes of the whole file header */
	HEAD_NSLOTS = 20,
	HEAD_HEADER_BITS = 24,
	HEAD_OP_LSB = 28,
	HEAD_OP_BITS = 32,
	HEAD_NLABELS = 36,
	HEAD_FINGERPRINT = 40, /* 64 bits: the protocol's hardware fingerprint */
	HEAD_NAME_SIZE = 48,   /* 32 bits: bytes of the protocol's name */
	HEAD_LABELS_SIZE = 52, /* 32 bits: bytes of the labels' names, a zero byte after each */
	HEAD_TEXT = 56         /* the protocol's name, then those of the labels, then zeros up to
			        * HEAD_SIZE - 4, where the CRC of 32 bits stands */
};

enum chunk_head_at {
	CHUNK_TYPE = 8,        /* comes after the magic; 32 bits, like all fields up to CHUNK_CRC */
	CHUNK_BYTES = 12,      /* bytes of the payload */
	CHUNK_COUNT = 16,      /* how many records, rows, pairs or entries the payload has */
	CHUNK_CRC = 20,        /* the CRC of the payload */
	CHUNK_FIRST = 24,      /* 64 bits: the time of the first record; 0 in an index */
	CHUNK_LAST = 32,       /* 64 bits: the time of the last record; in an index the stream's
				* last time, or 0 if it is not stated */
	CHUNK_MESSAGES = 40,   /* 64 bits: how many messages the payload has, lost ones included */
	CHUNK_SEQUENCE = 48,   /* 32 bits: how many chunks are before this one, modulo 2^32 */
	CHUNK_HEAD_CRC = 52,   /* 32 bits: the CRC of the chunk header */
	CHUNK_HEAD = 56
};

enum trailer_at {
	TRAILER_OFFSET = 8,    /* 64 bits: where the first index chunk begins, or the trailer if
			        * there is none */
	TRAILER_ENTRIES = 16,  /* 64 bits: how many entries the whole index has */
	TRAILER_SEQUENCE = 24, /* 32 bits: how many chunks are before the trailer */
	TRAILER_CRC = 28,
	TRAILER_SIZE = 32
};

enum { INDEX_ENTRY = 24 };

/* Returns how many words of names a record has that has so many words of labels. */
static inline uint32_t trace_name_words(uint32_t label_words)
{
	return 1 + RECORD_MOST_NAMES * (1 + label_words);
}

/* What a version says of the records of a trace. */
struct trace_form {
	bool names;             /* they name lines */
	uint32_t payload_words; /* words of payload of a message */
};

/* Takes a version apart. False: it is not known. */
static inline bool trace_form(uint32_t version, struct trace_form *form)
{
	form->names = (version & TRACE_NAMES) != 0;
	form->payload_words = version >> TRACE_PAYLOAD_AT;
	return (version & 0xfffff & ~(uint32_t)(TRACE_NAMES | TRACE_PAYLOAD)) == TRACE_VERSION &&
	       form->payload_words <= NFART_PAYLOAD_WORDS &&
	       (form->payload_words != 0) == ((version & TRACE_PAYLOAD) != 0);
}

/* Appends the file header of a trace to b, whose records have this form. False: the header would be
 * longer than TRACE_MOST_HEADER bytes, or there are more labels than TRACE_MOST_LABELS, if records
 * name lines than TRACE_MOST_NAMED. */
bool trace_head_write(struct buf *b, const struct nfart_proto *p, enum trace_kind kind,
		      struct trace_form form, const char *const *labels, uint32_t nlabels);

/* Returns the header that stands for an absent message in a dense row. */
static inline uint64_t trace_absent(const struct nfart_proto *p)
{
	uint64_t op = ((uint64_t)1 << p->header.op_bits) - 1;

	return (UINT64_MAX & ~(op << p->header.op_lsb)) | (uint64_t)(uint32_t)p->header.idle
								  << p->header.op_lsb;
}

/* Copies the headers of a dense row, which begin at `at`, to `out`. Returns the set of slots that
 * have a message. */
static inline uint64_t trace_slots(const struct nfart_proto *p, const unsigned char *at,
				   uint64_t *out)
{
	uint64_t op = (((uint64_t)1 << p->header.op_bits) - 1) << p->header.op_lsb;
	uint64_t idle = (uint64_t)(uint32_t)p->header.idle << p->header.op_lsb, mask = 0;

	for (uint32_t s = 0; s < p->nslots; s++) {
		out[s] = get_le64(at + 8 * s);
		mask |= (uint64_t)((out[s] & op) != idle) << s;
	}
	return mask;
}

/* trace_row() fills in *b from the dense row at p. trace_record() fills in *b from the record at p,
 * which must be that of a batch. Both leave b->lost and b->damaged alone. */
static inline void trace_row(const struct nfart_proto *proto, const unsigned char *p,
			     struct nfart_batch *b)
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

/* Can a message have this header? It must have no bit above those of the protocol, and not the idle
 * opcode. */
static inline bool trace_header_ok(const struct nfart_proto *p, uint64_t header)
{
	return (header & ~proto_header_mask(p)) == 0 &&
	       (int32_t)proto_opcode(p, header) != p->header.idle;
}

#endif
