/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Computes the checksums that tell traces apart without reading all of them (shard.h, Note [which
 * trace]).
 *
 * The CRC of bytes that end in their own CRC is a constant. So the checksums leave out the CRCs in
 * the file header, the trailer and the chunk headers.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "contract/crc.h"
#include "runtime/run/shard.h"

/* Reads up to n bytes at `offset`. Returns how many there were, or 0 if they can't be read. */
static size_t read_at(const struct input *in, uint64_t offset, unsigned char *p, size_t n)
{
	size_t have = 0;
	ssize_t got = 1;

	if (offset >= in->size)
		return 0;
	n = in->size - offset < n ? (size_t)(in->size - offset) : n;
	if (in->from.fd < 0) {
		memcpy(p, in->from.memory + offset, n);
		return n;
	}
	while (have < n && got > 0) {
		got = pread(in->from.fd, p + have, n - have,
			    (off_t)(in->from.base + offset + have));
		if (got < 0 && errno == EINTR)
			got = 1;
		else if (got > 0)
			have += (size_t)got;
	}
	return got < 0 ? 0 : have;
}

bool shard_trace_crc(const struct nfart_reader *r, uint64_t *crc)
{
	unsigned char head[HEAD_TEXT], trailer[TRAILER_CRC], entry[8];
	struct trace_index ix;
	uint64_t offset;
	uint32_t c;
	bool ok = trace_index_open(&ix, r) &&
		  read_at(&r->in, 0, head, sizeof head) == sizeof head &&
		  read_at(&r->in, r->in.size - TRAILER_SIZE, trailer, sizeof trailer) ==
			  sizeof trailer;

	c = ok ? crc32c(crc32c(0, head, sizeof head), trailer, sizeof trailer) : 0;
	while (ok && trace_index_next(&ix, &offset)) {
		put_le64(entry, offset);
		c = crc32c(c, entry, sizeof entry);
	}
	trace_index_close(&ix);
	*crc = c;
	return ok;
}

bool shard_chunks_crc(const struct nfart_reader *r, uint64_t from, uint64_t until, uint64_t *crc)
{
	unsigned char head[CHUNK_HEAD_CRC];
	struct trace_index ix;
	uint64_t offset = 0;
	uint32_t c = 0;
	bool ok = trace_index_open(&ix, r);

	while (ok && offset < until && trace_index_next(&ix, &offset)) {
		size_t n = sizeof head;
		if (offset < from || offset >= until)
			continue;
		n = read_at(&r->in, offset, head, n);
		ok = n != 0;
		c = crc32c(c, head, n);
	}
	trace_index_close(&ix);
	*crc = c;
	return ok;
}

uint64_t shard_target(uint64_t begin, uint64_t end, uint64_t i, uint64_t total)
{
	uint64_t n = end - begin;

	return begin + n / total * i + n % total * i / total;
}

bool shard_part(const struct nfart_reader *r, uint64_t number, uint64_t total,
		struct trace_border *entry, uint64_t *until)
{
	uint64_t begin, end, offset = 0;
	struct trace_index ix;
	bool any = trace_index_open(&ix, r);

	reader_border(r, entry);
	*until = UINT64_MAX;
	begin = shard_target(entry->offset, ix.end, number, total);
	end = shard_target(entry->offset, ix.end, number + 1, total);
	while (any && number != 0 && offset < begin)
		any = trace_index_next(&ix, &offset);
	if (any && number != 0)
		*entry = trace_border_guess(offset, ix.n - 1);
	any = any && (number + 1 == total || offset < end);
	while (any && number + 1 < total && *until == UINT64_MAX && trace_index_next(&ix, &offset))
		if (offset >= end)
			*until = offset;
	trace_index_close(&ix);
	return any;
}
