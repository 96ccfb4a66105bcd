/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * protobuf.h: appends fields of Protocol Buffers messages to a buffer. `field` is the number that
 * the schema gives a field. A message within a message is built in a buffer of its own, or its
 * length is computed first.
 */
#ifndef NFART_TRACE_PROTOBUF_H
#define NFART_TRACE_PROTOBUF_H

#include "support/buf.h"

/* Returns how many bytes x takes as a varint: 1 to 10. */
static inline size_t protobuf_size(uint64_t x)
{
	return (size_t)(63 - __builtin_clzll(x | 1)) / 7 + 1;
}

/* Appends a field of any integer type, of an enumeration, or a bool. */
void protobuf_number(struct buf *b, uint32_t field, uint64_t x);

/* Appends a field of type fixed64. */
void protobuf_fixed64(struct buf *b, uint32_t field, uint64_t x);

/* Appends the beginning of a field with n bytes: a string, or a message. The caller appends the
 * bytes. */
void protobuf_begin(struct buf *b, uint32_t field, size_t n);

/* Append a field with a string, and one with a message that was built in `message`. */
void protobuf_string(struct buf *b, uint32_t field, const char *s);
void protobuf_message(struct buf *b, uint32_t field, const struct buf *message);

#endif
