/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Takes the input of a filter: records one by one, and the blocks that rows, bytes and readers give
 * it. Ends its stream.
 */
#include "runtime/engine/filter.h"
#include "runtime/engine/filter_note.h"
#include "runtime/trace/batch.h"

bool nfart_filter_full(const struct nfart_filter *f)
{
	return nfart_window_full(f->to.window);
}

void nfart_filter_until(struct nfart_filter *f, uint64_t time)
{
	if (time > f->time.until)
		f->time.until = time;
}

bool nfart_filter_end(struct nfart_filter *f)
{
	return filter_time_end(f) && nfart_window_end(f->to.window);
}

bool filter_cut(struct nfart_filter *f)
{
	return filter_time_cut(f) && nfart_window_end(f->to.window);
}

struct nfart_filter_stats nfart_filter_stats(const struct nfart_filter *f)
{
	return f->to.stats;
}

struct nfart_joins nfart_filter_joins(const struct nfart_filter *f)
{
	return f->en->joins.count;
}

bool filter_forgot(const struct nfart_filter *f)
{
	return judge_forgot(&f->en->judge);
}

static bool put_stepwise(struct nfart_filter *f, const struct nfart_batch *b)
{
	struct nfart_result r;

	if (!nfart_engine_step(f->en, b, &r))
		return false;
	if (f->notes != NULL)
		return filter_note_result(f, b, &r);
	if (!batch_is_loss(b)) {
		f->to.stats.batches += b->mask != 0;
		f->to.stats.accepted += r.accepted;
		f->to.stats.logged += r.logged;
		if (!filter_count_result(f, b->time, &r))
			return false;
	}
	return nfart_window_put(f->to.window, b, &r);
}

void filter_take_one(struct nfart_filter *f)
{
	f->in.block.key = f->said.own_key;
	f->in.block.key[0] = f->in.batch.when != 0 ? 1 : 0;
	f->in.block.form = BLOCK_ONE;
	for (uint64_t m = filter_mask(f, &f->in.batch); m != 0; m &= m - 1) {
		uint32_t s = (uint32_t)__builtin_ctzll(m);
		f->in.block.key[0] |= key_of_message(&f->dfa->keys, s, f->in.batch.header[s]);
	}
	if (f->in.block.key[0] != 0)
		f->in.block.key[0] |=
			f->dfa->keys.of_time[f->in.batch.when & (NFART_TICK | NFART_END)];
}

bool nfart_filter_put(struct nfart_filter *f, const struct nfart_batch *b)
{
	return f->en->im->alphabet.time == IMAGE_NO_TIME ? filter_put_record(f, b)
							 : filter_time_put(f, b);
}

bool filter_put_record(struct nfart_filter *f, const struct nfart_batch *b)
{
	struct nfart_result none = { .nlabels = 0 };
	size_t end;

	if (nfart_window_full(f->to.window))
		return true;
	if (f->dfa == NULL)
		return put_stepwise(f, b);
	if (filter_mask(f, b) == 0 && b->when == 0 && f->en->reset_on_loss && !filter_start(f))
		return false;
	if (batch_is_loss(b))
		return f->notes != NULL ? filter_note_result(f, b, &none)
					: nfart_window_put(f->to.window, b, &none);
	if (b != &f->in.batch)
		f->in.batch = *b;
	filter_take_one(f);
	return filter_run_block(f, 1, &end);
}

static void make_keys(const struct filter_block *k, const struct key_table *t, size_t n)
{
	for (size_t i = 0; i < n; i++)
		k->key[i] = key_of_message(t, k->slot[i], k->header[i]) & ~KEY_IDLE;
}

bool filter_take(struct nfart_filter *f, const unsigned char *at, size_t n, uint64_t *key,
		 size_t *end)
{
	struct filter_block *k = &f->in.block;
	size_t bytes = k->form == BLOCK_ROWS ? row_bytes(&f->dfa->keys) : k->form == BLOCK_BYTES,
	       took;

	for (*end = 0; *end < n && !nfart_window_full(f->to.window); *end += took) {
		size_t m = n - *end < f->in.most ? n - *end : f->in.most;
		k->at = at + *end * bytes;
		k->key = key != NULL ? key + *end : f->said.own_key;
		if (k->form == BLOCK_RECORDS) {
			k->offset = f->in.records.offset.at + *end;
		} else if (k->form == BLOCK_ROWS && key == NULL) {
			f->in.records.pace.ahead = n * bytes;
			decode_rows(&f->dfa->keys, k->at, m, *end + m < n, &f->in.records.pace,
				    k->key);
		} else if (k->form == BLOCK_MESSAGES) {
			make_keys(k, &f->dfa->keys, m);
		}
		if (!(f->en->im->alphabet.time == IMAGE_NO_TIME ? filter_run_block
								: filter_time_block)(f, m, &took))
			return false;
		k->time += took;
		if (k->form == BLOCK_MESSAGES) {
			k->header += took;
			k->slot += took;
		}
	}
	return true;
}

bool nfart_filter_rows(struct nfart_filter *f, const void *rows, size_t n)
{
	const struct nfart_proto *p = f->en->im->proto;
	size_t size = 8 + (size_t)p->nslots * 8, end;
	const unsigned char *at = rows;

	if (p->header.idle == PROTO_NO_IDLE)
		return false;
	if (f->dfa != NULL) {
		f->in.block.form = BLOCK_ROWS;
		return filter_take(f, at, n, NULL, &end);
	}
	for (; n > 0; n--, at += size) {
		f->in.batch = (struct nfart_batch){ .time = get_le64(at) };
		f->in.batch.mask = trace_slots(p, at + 8, f->in.batch.header);
		if (f->in.batch.mask != 0 && !nfart_filter_put(f, &f->in.batch))
			return false;
	}
	return true;
}

bool nfart_filter_messages(struct nfart_filter *f, const uint8_t *slot, const uint64_t *header,
			   size_t n, uint64_t time)
{
	size_t end;

	if (f->dfa != NULL) {
		f->in.block.form = BLOCK_MESSAGES;
		f->in.block.slot = slot;
		f->in.block.header = header;
		f->in.block.time = time;
		return filter_take(f, NULL, n, NULL, &end);
	}
	for (size_t i = 0; i < n; i++) {
		f->in.batch =
			(struct nfart_batch){ .time = time + i, .mask = (uint64_t)1 << slot[i] };
		f->in.batch.header[slot[i]] = header[i];
		if (!nfart_filter_put(f, &f->in.batch))
			return false;
	}
	return true;
}

bool nfart_filter_bytes(struct nfart_filter *f, const void *p, size_t n, uint64_t time)
{
	const unsigned char *at = p;
	size_t end;

	if (!trace_is_bytes(f->en->im->proto))
		return false;
	if (f->dfa != NULL) {
		f->in.block.form = BLOCK_BYTES;
		f->in.block.time = time;
		return filter_take(f, at, n, NULL, &end);
	}
	for (size_t i = 0; i < n; i++) {
		f->in.batch =
			(struct nfart_batch){ .time = time + i, .mask = 1, .header = { at[i] } };
		if (!nfart_filter_put(f, &f->in.batch))
			return false;
	}
	return true;
}
