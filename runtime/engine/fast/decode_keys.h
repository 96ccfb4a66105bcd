/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * decode_keys.h: the keys (keys.h) of batches as they lie in a trace.
 */
#ifndef NFART_DECODE_KEYS_H
#define NFART_DECODE_KEYS_H

#include "runtime/engine/fast/keys.h"
#include "runtime/trace/reader.h"

/* Bytes of a dense row. */
static inline size_t row_bytes(const struct key_table *t)
{
	return 8 + (size_t)t->nslots * 8;
}

/* The keys of n dense rows. While it looks at them, it also asks for the memory `ahead` bytes
 * further on: the next chunk lies there, and its CRC is computed next. */
void decode_rows(const struct key_table *t, const unsigned char *rows, size_t n, size_t ahead,
		 uint64_t *key);

/* What decode_records() fills. */
struct record_keys {
	uint64_t *key;
	uint32_t *offset; /* of the record in the payload, in bytes */
	bool plain;       /* becomes false where a loss record is among them */
};

/* Checks the n bytes of a chunk's payload, `count` records, as a reader does. The clock moves over
 * the records, and `out`, which has room for `count`, is filled. False: the payload is
 * malformed. */
bool decode_records(const struct key_table *t, const struct nfart_reader *r,
		    struct trace_clock *clock, const unsigned char *p, size_t n, uint32_t count,
		    struct record_keys *out);

#endif
