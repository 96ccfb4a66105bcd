/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Finds the chunks of a part of a trace (border.h, reader.h Note [parts]).
 */
#include <string.h>

#include "contract/crc.h"
#include "runtime/trace/border.h"

/* Is there a good header of chunk `sequence` at `offset`? *first becomes the time of its first
 * record. */
static bool look_at_chunk(struct input *in, uint64_t offset, uint32_t sequence, uint64_t *first)
{
	const unsigned char *h;

	in->buffer.until = offset + CHUNK_HEAD;
	if (!input_seek(in, offset) || !input_need(in, CHUNK_HEAD))
		return false;
	h = in->at;
	*first = get_le64(h + CHUNK_FIRST);
	return memcmp(h, CHUNK_MAGIC, 8) == 0 &&
	       crc32c(0, h, CHUNK_HEAD_CRC) == get_le32(h + CHUNK_HEAD_CRC) &&
	       get_le32(h + CHUNK_TYPE) != CHUNK_INDEX &&
	       get_le32(h + CHUNK_SEQUENCE) == sequence;
}

void trace_part_find(const struct nfart_reader *r, uint64_t after, struct trace_border *entry,
		     uint64_t *until)
{
	uint64_t offset, first, before = after, end = UINT64_MAX;
	uint32_t number = 0, end_number = 0;
	struct trace_index ix;
	struct input in;
	bool more = trace_index_open(&ix, r);

	*entry = trace_border_guess(after, 0);
	*until = UINT64_MAX;
	while (more && end == UINT64_MAX && trace_index_next(&ix, &offset)) {
		/* A chunk that begins at options.begin is too late: a loss record may stand before
		 * it and have the same time. */
		if (ix.time < r->o.begin) {
			before = offset;
			number = ix.n - 1;
		}
		if (r->o.end != 0 && ix.time >= r->o.end) {
			end = offset;
			end_number = ix.n - 1;
		}
	}
	trace_index_close(&ix);
	if (!more)
		return;
	input_share(&in, &r->in);
	if (before > after && look_at_chunk(&in, before, number, &first) && first < r->o.begin)
		*entry = trace_border_guess(before, number);
	if (end != UINT64_MAX && end > entry->offset && in.error == 0 &&
	    look_at_chunk(&in, end, end_number, &first) && first >= r->o.end)
		*until = end;
	input_close(&in);
}
