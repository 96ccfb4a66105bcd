/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads raw bytes, for protocol `bytes`: every byte is a batch, and its time is its offset.
 */
#include "runtime/trace/format.h"

enum { MOST_BLOCK = 1 << 16 };

bool trace_is_bytes(const struct nfart_proto *p)
{
	return p->nslots == 1 && p->header_bits == 8 && p->op_lsb == 0 && p->op_bits == 8 &&
	       p->idle == PROTO_NO_IDLE;
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
	if (!input_need(&r->in, 1))
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
	if (!input_need(&r->in, 1))
		return no_more(r, b, e);
	block->n = r->in.n < MOST_BLOCK ? r->in.n : MOST_BLOCK;
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
	return true;
}
