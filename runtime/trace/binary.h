/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * binary.h: the binary trace formats, byte by byte.
 *
 * Note [binary traces]
 * All integers are little-endian and everything is a multiple of 8 bytes long. A file is a file
 * header, then (kind RECORDS) records to its end, or (COMPACT, DENSE) chunks, an index and a
 * trailer. A CRC is the CRC-32C of everything before it in its structure.
 *
 * A record is 64-bit words: the time; the mask of the slots present; (nlabels + 63) / 64 words of
 * labels, where label l is bit l % 64 of word l / 64; then one header for each bit of the mask, lowest
 * slot first. A record with mask 0 is a loss record: its labels are 0, and one word follows them, the
 * number of messages lost, or all ones if that is not known.
 *
 * A dense row is the time and one header per slot. A slot without a message has a header with the idle
 * opcode; the other bits are written as ones and ignored when read. A row without messages is no batch.
 *
 * A chunk is a chunk header and its payload: records; dense rows; pairs (time, count), which are the loss
 * records of a dense file; or index entries (file offset of a chunk, its first time, its number of
 * records). There is an entry for each data chunk, in order, in as many index chunks as needed. `sequence`
 * is the number of chunks before this one: it shows that a chunk is missing. `messages` is the number of
 * messages in the payload, lost ones included (all ones: not known): it says how many a damaged payload
 * loses. The trailer gives the index's place. A file without its trailer was cut off.
 *
 * Times rise from record to record; only a loss record's may equal its neighbour's.
 */
#ifndef NFART_TRACE_BINARY_H
#define NFART_TRACE_BINARY_H

#include "contract/proto.h"
#include "include/nfart.h"
#include "support/buf.h"

#define TRACE_MAGIC "\211nftrace"
#define CHUNK_MAGIC "\211nfchunk"
#define TRAILER_MAGIC "\211nfindex"

enum {
	TRACE_VERSION = 1,
	TRACE_MOST_HEADER = 1 << 24, /* bytes of a file header */
	TRACE_MOST_LABELS = 1 << 20,
	TRACE_CHUNK = 1 << 16,       /* bytes of payload that a chunk grows to; a single record may be larger */
	TRACE_MOST_CHUNK = 1 << 18   /* bytes of payload at most */
};

enum trace_kind { TRACE_RECORDS = 1, TRACE_COMPACT, TRACE_DENSE };
enum chunk_type { CHUNK_RECORDS = 1, CHUNK_DENSE, CHUNK_LOSS, CHUNK_INDEX };

/* Offsets in bytes. */
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

/* Copies the headers of a dense row, which are at `at`, to `out`. Bit s of the result: slot s has a message. */
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

/* The dense row, or the record of a batch, at p; b->lost and b->damaged are left alone. */
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

/* Can a message have this header: no bits above the protocol's, not the idle opcode? */
static inline bool trace_header_ok(const struct nfart_proto *p, uint64_t header)
{
	return (header & ~proto_header_mask(p)) == 0 && (int32_t)proto_opcode(p, header) != p->idle;
}

#endif
