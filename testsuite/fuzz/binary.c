/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Fuzzes records, compact files and dense files. It reads the bytes as they are. It also reads them
 * with correct checksums, so that the fuzzer gets past these.
 */
#include <string.h>

#include "contract/crc.h"
#include "runtime/trace/binary.h"
#include "testsuite/fuzz/fuzz.h"

/* Repairs the checksums of the chunk at p. Returns the bytes of the chunk, or 0 if it ends the
 * file. */
static size_t repair_chunk(uint8_t *p, size_t n, uint32_t sequence)
{
	uint32_t bytes;

	if (n >= TRAILER_SIZE && p[TRAILER_OFFSET - 1] == (uint8_t)TRAILER_MAGIC[7]) {
		memcpy(p, TRAILER_MAGIC, 8);
		put_le32(p + TRAILER_CRC, crc32c(0, p, TRAILER_CRC));
		return 0;
	}
	if (n < CHUNK_HEAD)
		return 0;
	bytes = get_le32(p + CHUNK_BYTES) % (TRACE_MOST_CHUNK + 1);
	if (bytes > n - CHUNK_HEAD)
		bytes = (uint32_t)(n - CHUNK_HEAD);
	memcpy(p, CHUNK_MAGIC, 8);
	put_le32(p + CHUNK_BYTES, bytes);
	put_le32(p + CHUNK_CRC, crc32c(0, p + CHUNK_HEAD, bytes));
	/* One sequence number in sixteen is left as it is, so that wrong ones are tried, too. */
	if (sequence % 16 != 15)
		put_le32(p + CHUNK_SEQUENCE, sequence);
	put_le32(p + CHUNK_HEAD_CRC, crc32c(0, p, CHUNK_HEAD_CRC));
	return CHUNK_HEAD + bytes;
}

static void binary_repair(uint8_t *p, size_t n, uint32_t kind, const struct nfart_proto *proto)
{
	uint32_t size = get_le32(p + HEAD_SIZE) & ~7u;
	struct trace_form form;
	size_t at, step = 1;

	if (size < HEAD_TEXT + 8 || size > n)
		size = HEAD_TEXT + 8;
	memcpy(p, TRACE_MAGIC, 8);
	if (!trace_form(get_le32(p + HEAD_VERSION), &form))
		put_le32(p + HEAD_VERSION, TRACE_VERSION);
	put_le32(p + HEAD_KIND, kind);
	put_le32(p + HEAD_SIZE, size);
	put_le32(p + HEAD_NSLOTS, proto->nslots);
	put_le32(p + HEAD_HEADER_BITS, proto->header.bits);
	put_le32(p + HEAD_OP_LSB, proto->header.op_lsb);
	put_le32(p + HEAD_OP_BITS, proto->header.op_bits);
	put_le64(p + HEAD_FINGERPRINT, proto->fp.hardware);
	put_le32(p + size - 4, crc32c(0, p, size - 4));
	at = size;
	for (uint32_t i = 0; kind != TRACE_RECORDS && step != 0; i++) {
		step = repair_chunk(p + at, n - at, i);
		at += step;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const enum nfart_format formats[] = { [TRACE_RECORDS] = NFART_FORMAT_RECORDS,
		[TRACE_COMPACT] = NFART_FORMAT_COMPACT, [TRACE_DENSE] = NFART_FORMAT_DENSE };
	struct nfart_reader_options o = { .format = NFART_FORMAT_AUTO };
	uint8_t *copy = malloc(n + 1);
	uint32_t kind;

	fuzz_trace(data, n, "eci", &o);
	if (copy != NULL && n >= HEAD_TEXT + 8) {
		memcpy(copy, data, n);
		kind = 1 + get_le32(data + HEAD_KIND) % 3;
		binary_repair(copy, n, kind, fuzz_proto("eci"));
		o.format = formats[kind];
		fuzz_trace(copy, n, "eci", &o);
		o.strict = true;
		fuzz_trace(copy, n, "eci", &o);
	}
	free(copy);
	return 0;
}
