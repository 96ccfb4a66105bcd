/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Pieces that are decoded for filters (decoded.h).
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/run/piece.h"

enum { CACHE_LINE = 64 };

bool decoded_init(struct decoded *d, uint32_t parts, uint32_t first, uint32_t n)
{
	/* Written at every visit: in cache lines that no other thread writes to. */
	size_t size = ((size_t)n * sizeof *d->split.share / CACHE_LINE + 1) * CACHE_LINE;

	d->split.share = aligned_alloc(CACHE_LINE, size);
	if (d->split.share != NULL)
		memset(d->split.share, 0, size);
	d->split.n = d->split.share != NULL ? n : 0;
	d->split.first = first;
	d->split.parts = parts;
	return d->split.share != NULL;
}

void decoded_free(struct decoded *d)
{
	for (uint32_t i = 0; i < d->split.n; i++) {
		vec_free(&d->split.share[i].visits);
		vec_free(&d->split.share[i].end);
	}
	free(d->split.share);
	free(d->buffer);
	vec_free(&d->records.key);
	vec_free(&d->records.place);
	vec_free(&d->block);
	vec_free(&d->stretch);
}

void decoded_clear(struct decoded *d)
{
	d->records.key.n = d->records.place.n = d->block.n = d->stretch.n = 0;
	for (uint32_t i = 0; i < d->split.n; i++)
		d->split.share[i].visits.n = d->split.share[i].end.n = 0;
}

/* ---- items, as batches ---- */

static const struct decoded_block *block_of(const struct decoded *d, size_t item)
{
	size_t low = 0, high = d->block.n;

	while (high - low > 1) {
		size_t mid = (low + high) / 2;
		if (d->block.at[mid].first <= item)
			low = mid;
		else
			high = mid;
	}
	return &d->block.at[low];
}

void piece_item(const struct piece *p, size_t item, struct nfart_batch *b)
{
	const struct decoded *d = &p->decoded;
	const struct decoded_block *k = block_of(d, item);
	size_t at = k->at, row = 8 + (size_t)d->proto->nslots * 8;

	if (k->single) {
		piece_words(p, &at, b);
		return;
	}
	b->lost = 0;
	b->damaged = false;
	if (d->rows)
		trace_row(d->proto, d->base + at + (item - k->first) * row, b);
	else
		trace_record(d->base + at + d->records.place.at[item], d->label_words, b);
}

void piece_count_items(const struct piece *p, size_t end, struct nfart_reader_stats *s)
{
	const struct decoded *d = &p->decoded;
	struct nfart_batch b;

	for (size_t i = 0; i < end; i++) {
		piece_item(p, i, &b);
		if (b.mask != 0 || block_of(d, i)->single)
			piece_count_record(s, (size_t)__builtin_popcountll(b.mask), b.lost, b.damaged);
	}
	s->bad_chunks += end != 0 ? block_of(d, end - 1)->bad : 0;
}

/* ---- reading ---- */

struct decoder {
	struct piece *p;
	struct nfart_filter *f; /* its keys and its room are used, not its state */
	struct nfart_reader *r;
};

/* The n items behind those there become a stretch; by line they are taken apart, as they lie in f. */
static bool add_stretch(struct decoder *x, size_t n, bool loss)
{
	struct decoded *d = &x->p->decoded;
	struct decoded_stretch s = { d->records.key.n, (uint32_t)n, loss };
	struct decoded_stretch *last = d->stretch.n != 0 ? &d->stretch.at[d->stretch.n - 1] : NULL;

	d->records.key.n += n;
	if (d->split.parts == 0 && last != NULL && !loss && !last->loss && last->n + n <= PART) {
		last->n += (uint32_t)n;
		return true;
	}
	if (!vec_push(&d->stretch, s) ||
	    (d->split.parts != 0 && !loss && !filter_take_apart(x->f, n, &d->split)))
		return false;
	for (uint32_t i = 0; i < d->split.n; i++) {
		struct filter_share *share = &d->split.share[i];
		if (!vec_push(&share->end, share->visits.n))
			return false;
	}
	return true;
}

static bool add_block(struct decoder *x, const struct trace_block *block)
{
	struct decoded *d = &x->p->decoded;
	struct nfart_filter *f = x->f;
	size_t count = block->count, size = d->rows ? fast_row_size(f->fast) : 0, first = d->records.key.n;
	const unsigned char *base = x->r->in.fd < 0 ? x->r->in.memory : x->r->in.buffer;
	struct decoded_block b = { first, (size_t)(block->at - base), false, x->r->stats.bad_chunks };
	uint64_t batches = count, messages = block->messages;

	if (!vec_push(&d->block, b) || !vec_reserve(&d->records.key, count))
		return false;
	d->base = base;
	if (d->rows) {
		fast_decode_rows(f->fast, block->at, count, count * size, d->records.key.at + first);
		for (size_t i = first; i < first + count; i++)
			batches -= d->records.key.at[i] == 0;
	} else {
		d->records.place.n += count;
	}
	f->size = size;
	f->label_words = d->label_words;
	for (size_t done = 0, n; done < count; done += n) {
		n = count - done < PART ? count - done : PART;
		f->at = block->at + done * size;
		f->key = d->records.key.at + first + done;
		f->place = d->rows ? NULL : d->records.place.at + first + done;
		if (!add_stretch(x, n, false))
			return false;
	}
	if (messages == NFART_LOST_UNKNOWN) {
		messages = 0;
		for (size_t i = first; i < first + count; i++) {
			piece_item(x->p, i, &f->held);
			messages += (unsigned)__builtin_popcountll(f->held.mask);
		}
	}
	reader_delivered(x->r, batches, messages);
	return true;
}

/* The record in f->batch. */
static bool add_single(struct decoder *x)
{
	struct decoded *d = &x->p->decoded;
	struct nfart_filter *f = x->f;
	struct decoded_block b = { d->records.key.n, x->p->words.n, true, x->r->stats.bad_chunks };
	bool ok = vec_push(&d->block, b) && piece_add(x->p, &f->batch, b.bad) && vec_reserve(&d->records.key, 1) &&
		  vec_reserve(&d->records.place, 1);

	if (!ok)
		return false;
	filter_single(f);
	d->records.key.at[d->records.key.n] = f->key[0];
	d->records.place.at[d->records.place.n++] = 0;
	ok = add_stretch(x, 1, f->batch.mask == 0);
	f->single = false;
	return ok;
}

void piece_take(struct piece *p, struct nfart_reader *r, struct nfart_filter *decoder)
{
	if (decoder != NULL)
		piece_decode(p, r, decoder);
	else
		piece_read(p, r);
}

void piece_decode(struct piece *p, struct nfart_reader *r, struct nfart_filter *f)
{
	struct decoder x = { .p = p, .f = f, .r = r };
	uint64_t end = p->entry.offset + DECODED_MOST * p->usual;
	struct decoded *d = &p->decoded;
	struct trace_block block;
	int got = 1;

	piece_clear(p);
	p->is_decoded = true;
	d->proto = r->proto;
	d->rows = nfart_reader_format(r) == NFART_FORMAT_DENSE;
	d->label_words = r->label_words;
	d->records.fast = f->fast;
	d->records.failed = false;
	if (d->split.parts != 0) {
		struct filter_split s = filter_split(f->en->nlines, d->split.parts);
		d->split.shift = s.shift;
		d->split.magic = s.magic;
	}
	if (r->in.fd >= 0)
		input_lend(&r->in, d->buffer, d->cap);
	reader_enter(r, &p->entry, p->until < end ? p->until : end);
	r->check = filter_check_records;
	r->check_ctx = &d->records;
	while (got > 0) {
		d->records.plain = true;
		got = reader_block(r, &block, &d->records.plain, &f->batch, &p->error);
		if (d->records.failed || (got == 2 && !add_block(&x, &block)) || (got == 1 && !add_single(&x))) {
			nfart_fail(&p->error, NFART_SYSTEM, "out of memory");
			decoded_clear(d); /* what is there may be half a stretch */
			p->words.n = 0;
			got = -1;
		}
	}
	r->check = NULL;
	p->status = got < 0 ? p->error.status : NFART_OK;
	p->stats = r->stats;
	reader_border(r, &p->exit);
	p->rest = p->exit.offset >= end && p->exit.offset < p->until;
	d->base = r->in.memory;
	if (r->in.fd >= 0)
		d->base = d->buffer = input_take_back(&r->in, &d->cap);
}
