/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/trace/format/protobuf.h"

#include <string.h>

#include "support/bits.h"

/* How the bytes after the number of a field are to be read. */
enum wire { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2 };
enum { MOST_VARINT = 10 };

/* Puts x at p, 7 bits a byte, lowest first; the top bit says that another byte follows. Returns the
 * end. */
static unsigned char *put_varint(unsigned char *p, uint64_t x)
{
	for (; x >= 128; x >>= 7)
		*p++ = (unsigned char)(x | 128);
	*p++ = (unsigned char)x;
	return p;
}

static unsigned char *put_tag(unsigned char *p, uint32_t field, enum wire wire)
{
	return put_varint(p, (uint64_t)field << 3 | wire);
}

void protobuf_number(struct buf *b, uint32_t field, uint64_t x)
{
	unsigned char at[2 * MOST_VARINT];

	buf_add(b, at, (size_t)(put_varint(put_tag(at, field, WIRE_VARINT), x) - at));
}

void protobuf_fixed64(struct buf *b, uint32_t field, uint64_t x)
{
	unsigned char at[MOST_VARINT + 8], *p = put_tag(at, field, WIRE_FIXED64);

	put_le64(p, x);
	buf_add(b, at, (size_t)(p + 8 - at));
}

void protobuf_begin(struct buf *b, uint32_t field, size_t n)
{
	unsigned char at[2 * MOST_VARINT];

	buf_add(b, at, (size_t)(put_varint(put_tag(at, field, WIRE_BYTES), n) - at));
}

void protobuf_string(struct buf *b, uint32_t field, const char *s)
{
	size_t n = strlen(s);

	protobuf_begin(b, field, n);
	buf_add(b, s, n);
}

void protobuf_message(struct buf *b, uint32_t field, const struct buf *message)
{
	protobuf_begin(b, field, message->n);
	buf_add(b, message->at, message->n);
	b->failed |= message->failed;
}
