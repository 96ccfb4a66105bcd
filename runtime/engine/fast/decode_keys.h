/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * decode_keys.h: makes keys (keys.h) of batches that lie in memory as they stand in a trace.
 */
#ifndef NFART_DECODE_KEYS_H
#define NFART_DECODE_KEYS_H

#include "runtime/engine/fast/keys.h"
#include "runtime/trace/reader.h"

/* Returns the size of a dense row, in bytes. */
static inline size_t row_bytes(const struct key_table *t)
{
	return 8 + (size_t)t->nslots * 8;
}

/* Makes the keys of n dense rows. Meanwhile it prefetches the memory that lies `ahead` bytes after
 * each row: the next chunk is there, and its CRC is computed next. */
void decode_rows(const struct key_table *t, const unsigned char *rows, size_t n, size_t ahead,
		 uint64_t *key);

/* What decode_records() fills in. */
struct record_keys {
	uint64_t *key;
	uint32_t *offset; /* the offset of each record in the payload, in bytes */
	bool plain;       /* becomes false if a record has no messages */
};

/* Makes the keys of the `count` records in a chunk's payload of n bytes, and checks the payload as
 * a reader does. The clock moves over the records. The arrays of `out` have room for `count`
 * records. False: the payload is malformed. */
bool decode_records(const struct key_table *t, const struct nfart_reader *r,
		    struct trace_clock *clock, const unsigned char *p, size_t n, uint32_t count,
		    struct record_keys *out);

#endif
