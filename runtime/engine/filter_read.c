/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Lets a filter read a trace. It reads a chunk at a time if the format has chunks, a buffer at a
 * time if the trace is raw bytes, and otherwise a record at a time.
 */
#include "runtime/engine/filter.h"

bool filter_check_records(void *ctx, const struct nfart_reader *r, struct trace_clock *clock,
			  const unsigned char *p, size_t n, uint32_t count)
{
	struct filter_records *x = ctx;
	struct record_keys out = { .plain = true };
	bool ok;

	if (count > n / 24)
		return false;
	if (!vec_reserve(&x->key, count) || !vec_reserve(&x->offset, count)) {
		x->failed = true;
		return false;
	}
	out.key = x->key.at + x->key.n;
	out.offset = x->offset.at + x->offset.n;
	ok = decode_records(x->keys, r, clock, p, n, count, &out);
	x->plain = out.plain;
	return ok;
}

bool filter_check_rows(void *ctx, const unsigned char *p, uint32_t from, uint32_t to,
		       uint32_t count)
{
	struct filter_records *x = ctx;
	size_t row = row_bytes(x->keys);

	if (from == 0 && !vec_reserve(&x->key, count)) {
		x->failed = true;
		return false;
	}
	/* All rows at once were not read from memory yet. */
	x->pace.ahead = from == 0 && to == count ? count * row : 0;
	decode_rows(x->keys, p + from * row, to - from, to < count, &x->pace,
		    x->key.at + x->key.n + from);
	return true;
}

/* Counts the batches, and their messages, among the first n items of the block. */
static uint64_t count_messages(struct nfart_filter *f, const struct trace_block *block, size_t n,
			       uint64_t *batches)
{
	uint64_t messages = 0;

	f->in.block.at = block->at;
	f->in.block.offset = f->in.records.offset.at;
	*batches = 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t mask = filter_batch(f, i)->mask;
		messages += (unsigned)__builtin_popcountll(mask);
		*batches += mask != 0;
	}
	return messages;
}

static bool read_block(struct nfart_filter *f, struct nfart_reader *r,
		       const struct trace_block *block)
{
	uint64_t before = f->to.stats.batches, messages = block->messages, batches;
	enum nfart_format format = nfart_reader_format(r);
	size_t end;

	f->in.block.form = format == NFART_FORMAT_RAW   ? BLOCK_BYTES :
			format == NFART_FORMAT_DENSE ? BLOCK_ROWS : BLOCK_RECORDS;
	f->in.block.label_words = r->label_words;
	f->in.block.time = block->time;
	if (!filter_take(f, block->at, block->count,
			 format != NFART_FORMAT_RAW ? f->in.records.key.at : NULL, &end))
		return false;
	batches = f->to.stats.batches - before;
	if (nfart_window_full(f->to.window) || messages == NFART_LOST_UNKNOWN)
		messages = count_messages(f, block, end, &batches);
	reader_delivered(r, batches, messages);
	return true;
}

int nfart_filter_read(struct nfart_filter *f, struct nfart_reader *r, struct nfart_error *e)
{
	struct trace_block block;
	bool ok;
	int got;

	if (r->proto->fp.hardware != f->en->im->proto->fp.hardware) {
		nfart_fail(e, NFART_USAGE, "the reader has protocol '%s', the image '%s'",
			   r->proto->name, f->en->im->proto->name);
		return -1;
	}
	if (r->payload.words < f->en->im->alphabet.payload_words) {
		nfart_fail(e, NFART_USAGE, "the image looks at %u bits of payload, and messages of "
			   "the trace have %u", 64 * f->en->im->alphabet.payload_words,
			   64 * r->payload.words);
		return -1;
	}
	if (nfart_window_full(f->to.window))
		return 0;
	if (f->dfa == NULL) {
		got = nfart_reader_next(r, &f->in.batch, e);
	} else {
		r->check = filter_check_records;
		r->rows = filter_check_rows;
		r->check_ctx = &f->in.records;
		f->in.records.plain = true;
		got = reader_block(r, &block, &f->in.records.plain, &f->in.batch, e);
		r->check = NULL;
		r->rows = NULL;
	}
	if (got <= 0)
		return got;
	ok = !f->in.records.failed &&
	     (got == 2 ? read_block(f, r, &block) : nfart_filter_put(f, &f->in.batch));
	if (!ok)
		filter_failed(f, e);
	return ok ? 1 : -1;
}
