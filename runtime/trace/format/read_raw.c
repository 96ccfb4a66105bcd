/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads raw bytes, for protocol `bytes`: every byte is a batch, and its time is its offset.
 */
#include "runtime/trace/format.h"

enum { MOST_BLOCK = 1 << 16 };

bool trace_is_bytes(const struct nfart_proto *p)
{
	return p->nslots == 1 && p->header.bits == 8 && p->header.op_lsb == 0 &&
	       p->header.op_bits == 8 && p->header.idle == PROTO_NO_IDLE;
}

/* Skips the bytes before the part that is wanted (reader.h, Note [parts]). Is a byte of the part
 * next? */
static bool has_byte(struct nfart_reader *r)
{
	struct input *in = &r->in;

	while (input_need(in, 1) && in->offset < r->o.begin) {
		uint64_t before = r->o.begin - in->offset;
		input_take(in, before < in->n ? (size_t)before : in->n);
	}
	return in->n != 0 && in->error == 0 && reader_wants(r, in->offset);
}

/* Handles the end of the input, or an error of the input. Returns what nfart_reader_next() is to
 * return. */
static int no_more(struct nfart_reader *r, struct nfart_batch *b, struct nfart_error *e)
{
	if (r->in.error != 0)
		return reader_fail_input(r, e);
	r->clock.last = r->in.offset != 0 ? r->in.offset - 1 : 0;
	return reader_end(r, b, e);
}

static int raw_next(struct nfart_reader *r, struct nfart_batch *b, struct nfart_error *e)
{
	if (!has_byte(r))
		return no_more(r, b, e);
	b->time = r->in.offset;
	b->mask = 1;
	b->lost = 0;
	b->damaged = false;
	b->header[0] = *r->in.at;
	input_take(&r->in, 1);
	return 1;
}

int read_raw_block(struct nfart_reader *r, struct trace_block *block, const bool *plain,
		   struct nfart_batch *b, struct nfart_error *e)
{
	(void)plain;
	if (!has_byte(r))
		return no_more(r, b, e);
	block->n = r->in.n < MOST_BLOCK ? r->in.n : MOST_BLOCK;
	if (r->o.end != 0 && r->o.end - r->in.offset < block->n)
		block->n = (size_t)(r->o.end - r->in.offset);
	block->at = r->in.at;
	block->count = (uint32_t)block->n;
	block->messages = block->n;
	block->time = r->in.offset;
	input_take(&r->in, block->n);
	return READER_BLOCK;
}

bool read_raw_open(struct nfart_reader *r, struct nfart_error *e)
{
	if (!trace_is_bytes(r->proto)) {
		nfart_fail(e, NFART_USAGE, "raw bytes are for protocol bytes, this is %s",
			   r->proto->name);
		return false;
	}
	r->next = raw_next;
	if (r->in.seekable && r->in.decompressor == NULL && r->o.begin <= r->in.size)
		input_seek(&r->in, r->o.begin);
	return true;
}
