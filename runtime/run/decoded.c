/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <stdlib.h>
#include <string.h>

#include "runtime/run/piece.h"

enum { CACHE_LINE = 64 };

bool decoded_init(struct decoded *d, uint32_t total, uint32_t first, uint32_t n)
{
	/* The shares are written at every visit. So they have cache lines of their own, to which no
	 * other thread writes. */
	size_t size = ((size_t)n * sizeof *d->shares.share / CACHE_LINE + 1) * CACHE_LINE;

	d->shares.share = aligned_alloc(CACHE_LINE, size);
	if (d->shares.share != NULL)
		memset(d->shares.share, 0, size);
	d->shares.n = d->shares.share != NULL ? n : 0;
	d->shares.first = first;
	d->shares.total = total;
	return d->shares.share != NULL;
}

void decoded_free(struct decoded *d)
{
	for (uint32_t i = 0; i < d->shares.n; i++) {
		vec_free(&d->shares.share[i].visits);
		vec_free(&d->shares.share[i].end);
	}
	free(d->shares.share);
	free(d->buffer);
	vec_free(&d->records.key);
	vec_free(&d->records.offset);
	vec_free(&d->source);
	vec_free(&d->block);
}

void decoded_clear(struct decoded *d)
{
	d->records.key.n = d->records.offset.n = d->source.n = d->block.n = 0;
	for (uint32_t i = 0; i < d->shares.n; i++)
		d->shares.share[i].visits.n = d->shares.share[i].end.n = 0;
}

/* ---- items as batches ---- */

static const struct decoded_source *source_of(const struct decoded *d, size_t item)
{
	size_t low = 0, high = d->source.n;

	while (high - low > 1) {
		size_t mid = (low + high) / 2;
		if (d->source.at[mid].first <= item)
			low = mid;
		else
			high = mid;
	}
	return &d->source.at[low];
}

void piece_item(const struct piece_records *r, size_t item, struct nfart_batch *b)
{
	const struct decoded *d = &r->decoded;
	const struct decoded_source *s = source_of(d, item);
	size_t row = 8 + (size_t)d->proto->nslots * 8;

	if (s->single) {
		piece_word_record(r, s->word, b);
		return;
	}
	b->lost = 0;
	b->damaged = false;
	b->when = 0;
	b->payload_words = 0;
	if (d->rows)
		trace_row(d->proto, d->base + s->bytes + (item - s->first) * row, b);
	else
		trace_record(d->base + s->bytes + d->records.offset.at[item], d->label_words, b);
}

size_t piece_items_block(const struct piece_records *r, size_t item, struct filter_block *k)
{
	const struct decoded *d = &r->decoded;
	const struct decoded_source *s = source_of(d, item);
	size_t skip = item - s->first, row = 8 + (size_t)d->proto->nslots * 8;

	if (s->single)
		return 0;
	*k = (struct filter_block){ .form = d->rows ? BLOCK_ROWS : BLOCK_RECORDS,
				    .at = d->base + s->bytes + (d->rows ? skip * row : 0),
				    .offset = d->rows ? NULL : d->records.offset.at + item,
				    .label_words = d->label_words,
				    .key = d->records.key.at + item };
	return (s + 1 < d->source.at + d->source.n ? s[1].first : d->records.key.n) - item;
}

void piece_count_items(const struct piece_records *r, size_t end, struct nfart_reader_stats *s)
{
	const struct decoded *d = &r->decoded;
	struct nfart_batch b;

	for (size_t i = 0; i < end; i++) {
		piece_item(r, i, &b);
		if (b.mask != 0 || source_of(d, i)->single)
			piece_count_record(s, (size_t)__builtin_popcountll(b.mask), b.lost,
					   b.damaged);
	}
	s->bad_chunks += end != 0 ? source_of(d, end - 1)->bad : 0;
}

/* ---- reading ---- */

struct decoder {
	struct piece *p;
	struct nfart_filter *f; /* only its keys and its memory are used, not its state */
	struct nfart_reader *r;
};

/* Adds the next n items, whose keys are there already, as a block of the piece. Without substreams
 * small blocks are united. With substreams the items must also be in the filter's block; their
 * visits are dealt out. False: out of memory. */
static bool add_block(struct decoder *x, size_t n, bool loss)
{
	struct decoded *d = &x->p->records.decoded;
	struct decoded_block b = { d->records.key.n, (uint32_t)n, loss };
	struct decoded_block *last = d->block.n != 0 ? &d->block.at[d->block.n - 1] : NULL;

	d->records.key.n += n;
	if (d->shares.total == 0 && last != NULL && !loss && !last->loss &&
	    last->n + n <= FILTER_BLOCK) {
		last->n += (uint32_t)n;
		return true;
	}
	if (!vec_push(&d->block, b) || (!loss && !visits_deal(x->f, n, &d->shares)))
		return false;
	for (uint32_t i = 0; i < d->shares.n; i++) {
		struct share_visits *share = &d->shares.share[i];
		if (!vec_push(&share->end, share->visits.n))
			return false;
	}
	return true;
}

/* Cuts the items of a reader's block into blocks of the piece. False: out of memory. */
static bool cut_block(struct decoder *x, const struct trace_block *block)
{
	struct decoded *d = &x->p->records.decoded;
	struct filter_block *k = &x->f->in.block;
	size_t count = block->count, first = d->records.key.n;
	size_t bytes = d->rows ? row_bytes(&x->f->dfa->keys) : 0;

	k->form = d->rows ? BLOCK_ROWS : BLOCK_RECORDS;
	k->label_words = d->label_words;
	for (size_t done = 0, n; done < count; done += n) {
		n = count - done < FILTER_BLOCK ? count - done : FILTER_BLOCK;
		k->at = block->at + done * bytes;
		k->key = d->records.key.at + first + done;
		k->offset = d->rows ? NULL : d->records.offset.at + first + done;
		if (!add_block(x, n, false))
			return false;
	}
	return true;
}

/* Adds the items of a block that the reader handed out. False: out of memory. */
static bool add_items(struct decoder *x, const struct trace_block *block)
{
	struct decoded *d = &x->p->records.decoded;
	size_t count = block->count, first = d->records.key.n, end = first + count;
	const unsigned char *base =
		x->r->in.from.fd < 0 ? x->r->in.from.memory : x->r->in.buffer.at;
	struct decoded_source s = { .first = first, .bytes = (size_t)(block->at - base),
				    .bad = x->r->stats.bad_chunks };
	uint64_t batches = count, messages = block->messages;

	if (!vec_push(&d->source, s))
		return false;
	d->base = base;
	if (d->rows) {
		for (size_t i = first; i < end; i++)
			batches -= d->records.key.at[i] == 0;
	} else {
		d->records.offset.n += count;
	}
	if (!cut_block(x, block))
		return false;
	if (messages == NFART_LOST_UNKNOWN) {
		messages = 0;
		for (size_t i = first; i < end; i++) {
			piece_item(&x->p->records, i, &x->f->in.held);
			messages += (unsigned)__builtin_popcountll(x->f->in.held.mask);
		}
	}
	reader_delivered(x->r, batches, messages);
	return true;
}

/* Adds the record in f->batch, which the reader delivered by itself. False: out of memory. */
static bool add_single(struct decoder *x)
{
	struct decoded *d = &x->p->records.decoded;
	struct nfart_filter *f = x->f;
	struct decoded_source s = { .first = d->records.key.n, .single = true,
				    .word = x->p->records.words.n, .bad = x->r->stats.bad_chunks };

	if (!vec_push(&d->source, s) || !piece_add(x->p, &f->in.batch, s.bad) ||
	    !vec_reserve(&d->records.key, 1) || !vec_reserve(&d->records.offset, 1))
		return false;
	filter_take_one(f);
	d->records.key.at[d->records.key.n] = f->in.block.key[0];
	d->records.offset.at[d->records.offset.n++] = 0;
	return add_block(x, 1, f->in.batch.mask == 0);
}

/* Empties the piece and prepares it for the trace's format. */
static void decoder_begin(struct decoder *x)
{
	struct decoded *d = &x->p->records.decoded;

	piece_clear(x->p);
	x->p->records.form = PIECE_DECODED;
	d->proto = x->r->proto;
	d->rows = nfart_reader_format(x->r) == NFART_FORMAT_DENSE;
	d->label_words = x->r->label_words;
	d->records.keys = &x->f->dfa->keys;
	d->records.failed = false;
	if (d->shares.total != 0) {
		struct line_shares s = line_shares(x->f->en->map.n, d->shares.total);
		d->shares.shift = s.shift;
		d->shares.magic = s.magic;
	}
	if (x->r->in.from.fd >= 0)
		input_lend(&x->r->in, d->buffer, d->cap);
}

/* Adds what comes next from the reader, a block or a record. Returns a positive number, 0 at the
 * end of the piece, or -1 with an error in p->error. */
static int add_next(struct decoder *x)
{
	struct piece *p = x->p;
	struct decoded *d = &p->records.decoded;
	struct trace_block block;
	int got;

	d->records.plain = true;
	got = reader_block(x->r, &block, &d->records.plain, &x->f->in.batch, &p->error);
	if (!d->records.failed && (got != 2 || add_items(x, &block)) && (got != 1 || add_single(x)))
		return got;
	nfart_fail(&p->error, NFART_SYSTEM, "out of memory");
	decoded_clear(d); /* the last block may have been added in part */
	p->records.words.n = 0;
	return -1;
}

void piece_decode(struct piece *p, struct nfart_reader *r, struct nfart_filter *f)
{
	struct decoder x = { .p = p, .f = f, .r = r };
	struct piece_source *s = &p->source;
	struct decoded *d = &p->records.decoded;
	uint64_t end = s->entry.offset + PIECE_MOST_USUAL * s->usual;
	int got;

	decoder_begin(&x);
	reader_enter(r, &s->entry, s->until < end ? s->until : end);
	r->check = filter_check_records;
	r->rows = filter_check_rows;
	r->check_ctx = &d->records;
	do
		got = add_next(&x);
	while (got > 0);
	r->check = NULL;
	r->rows = NULL;
	p->status = got < 0 ? p->error.status : NFART_OK;
	p->stats = r->stats;
	reader_border(r, &s->exit);
	s->rest = s->exit.offset >= end && s->exit.offset < s->until;
	d->base = r->in.from.memory;
	if (r->in.from.fd >= 0)
		d->base = d->buffer = input_take_back(&r->in, &d->cap);
}
