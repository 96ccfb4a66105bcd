/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The borders between pieces of a chunked trace, and its index (border.h).
 */
#include <string.h>

#include "contract/crc.h"
#include "runtime/trace/border.h"

struct trace_border trace_border_guess(uint64_t offset, uint32_t sequence)
{
	return (struct trace_border){ .offset = offset, .sequence = sequence };
}

/* May the records that x has seen follow those that b has seen? Only the first record and the first
 * batch of x need a check here: the clock x began empty, and so took any time for them. All later
 * records of x were checked against the records before them. */
static bool clocks_follow(const struct trace_clock *b, const struct trace_clock *x)
{
	if (!b->any || !x->any)
		return true;
	if (x->first_loss || b->after_loss ? x->first < b->last : x->first <= b->last)
		return false;
	return !b->any_batch || !x->any_batch || x->first_batch > b->last_batch;
}

bool trace_border_follows(const struct trace_border *before, const struct trace_border *entry,
			  struct trace_border *exit)
{
	const struct trace_clock *b = &before->clock;
	struct trace_clock *x = &exit->clock;

	if (before->offset != entry->offset || before->sequence != entry->sequence ||
	    before->closed || before->scanning || before->vague || !clocks_follow(b, x))
		return false;
	if (!x->any) {
		*x = *b;
		return true;
	}
	if (b->any) {
		x->first = b->first;
		x->first_loss = b->first_loss;
	}
	if (!b->any_batch)
		return true;
	x->first_batch = b->first_batch;
	if (!x->any_batch)
		x->last_batch = b->last_batch;
	x->any_batch = true;
	return true;
}

/* ---- the index ---- */

bool trace_index_open(struct trace_index *ix, const struct nfart_reader *r)
{
	const unsigned char *p;

	memset(ix, 0, sizeof *ix);
	ix->in.from.fd = -1;
	if ((r->o.format != NFART_FORMAT_COMPACT && r->o.format != NFART_FORMAT_DENSE) ||
	    !r->in.seekable || r->in.size < TRAILER_SIZE)
		return false;
	input_share(&ix->in, &r->in);
	if (!input_seek(&ix->in, ix->in.size - TRAILER_SIZE) ||
	    !input_need(&ix->in, TRAILER_SIZE))
		return false;
	p = ix->in.at;
	if (memcmp(p, TRAILER_MAGIC, 8) != 0 ||
	    crc32c(0, p, TRAILER_CRC) != get_le32(p + TRAILER_CRC))
		return false;
	ix->end = get_le64(p + TRAILER_OFFSET);
	return ix->end <= ix->in.size - TRAILER_SIZE && input_seek(&ix->in, ix->end);
}

void trace_index_close(struct trace_index *ix)
{
	input_close(&ix->in);
}

/* Is a whole and undamaged index chunk next? If so, the input moves past its header. */
static bool begin_chunk(struct trace_index *ix)
{
	const unsigned char *h;
	size_t n;

	if (!input_need(&ix->in, CHUNK_HEAD))
		return false;
	h = ix->in.at;
	n = get_le32(h + CHUNK_BYTES);
	if (memcmp(h, CHUNK_MAGIC, 8) != 0 || n > TRACE_MOST_CHUNK ||
	    crc32c(0, h, CHUNK_HEAD_CRC) != get_le32(h + CHUNK_HEAD_CRC) ||
	    get_le32(h + CHUNK_TYPE) != CHUNK_INDEX || !input_need(&ix->in, CHUNK_HEAD + n))
		return false;
	h = ix->in.at;
	ix->left = get_le32(h + CHUNK_COUNT);
	if (n != (size_t)ix->left * INDEX_ENTRY || ix->left == 0 ||
	    get_le32(h + CHUNK_CRC) != crc32c(0, h + CHUNK_HEAD, n))
		return false;
	input_take(&ix->in, CHUNK_HEAD);
	return true;
}

bool trace_index_next(struct trace_index *ix, uint64_t *offset)
{
	if (ix->left == 0 && !begin_chunk(ix))
		return false;
	*offset = get_le64(ix->in.at);
	ix->time = get_le64(ix->in.at + 8);
	input_take(&ix->in, INDEX_ENTRY);
	ix->left--;
	if (*offset >= ix->end || (ix->n != 0 && *offset <= ix->last) || ix->n == UINT32_MAX)
		return false;
	ix->last = *offset;
	ix->n++;
	return true;
}
