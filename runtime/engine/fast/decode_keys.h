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

/* What decode_rows() keeps from call to call of a trace; zeros at first. It changes no key. */
struct rows_pace {
	size_t ahead; /* memory so many bytes after each row is fetched meanwhile; 0: none */
	bool few;     /* few of the last rows had slots whose keys were looked up */
};

/* Makes the keys of n dense rows. If `more`, at least 8 bytes after the rows can be read: the last
 * row then takes no longer than the others. The caller sets pace->ahead. */
void decode_rows(const struct key_table *t, const unsigned char *rows, size_t n, bool more,
		 struct rows_pace *pace, uint64_t *key);

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
