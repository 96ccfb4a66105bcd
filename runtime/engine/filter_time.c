/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/engine/filter_time.h"

#include "runtime/batch.h"
#include "runtime/engine/filter.h"

/* Takes n batches of a tick alone, the first of them at `first`. */
static bool ticks(struct nfart_filter *f, uint64_t first, uint64_t n)
{
	struct nfart_batch *b = &f->batch;

	for (uint64_t i = 0; i < n && !nfart_window_full(f->window); i++) {
		b->time = first + i * f->time.ticker.period;
		b->mask = b->lost = 0;
		b->damaged = false;
		b->when = NFART_TICK;
		if (!filter_put_record(f, b))
			return false;
	}
	return true;
}

/* Takes the ticks that are due before the time `before`, and not after the time `last`. */
static bool ticks_before(struct nfart_filter *f, uint64_t before, uint64_t last)
{
	uint64_t first = 0, n;

	if (before == 0)
		return true;
	n = ticker_upto(&f->time.ticker, before - 1 < last ? before - 1 : last, &first);
	return ticks(f, first, n);
}

static bool put_loss(struct nfart_filter *f, const struct filter_loss *l)
{
	struct nfart_batch *b = &f->batch;

	b->time = l->time;
	b->lost = l->lost;
	b->mask = 0;
	b->damaged = false;
	b->when = 0;
	return filter_put_record(f, b);
}

/* Passes on the loss records that wait, each after the ticks before it, up to the time `last`. */
static bool put_waiting(struct nfart_filter *f, uint64_t last)
{
	bool ok = true;

	for (size_t i = 0; ok && i < f->time.waiting.n; i++) {
		struct filter_loss l = f->time.waiting.at[i];
		ok = ticks_before(f, l.time, last) && put_loss(f, &l);
	}
	f->time.waiting.n = 0;
	return ok;
}

/* Takes a batch, which may be that of the end. */
static bool put_batch(struct nfart_filter *f, const struct nfart_batch *b)
{
	struct filter_time *t = &f->time;

	if (!put_waiting(f, UINT64_MAX) || !ticks_before(f, b->time, UINT64_MAX))
		return false;
	t->any = true;
	if (b != &f->batch)
		f->batch = *b;
	if (ticker_batch(&t->ticker, b->time))
		f->batch.when |= NFART_TICK;
	return filter_put_record(f, &f->batch);
}

bool filter_time_put(struct nfart_filter *f, const struct nfart_batch *b)
{
	struct filter_time *t = &f->time;
	struct filter_loss l = { b->time, b->lost };

	t->latest = b->time;
	if (!batch_is_loss(b)) {
		struct nfart_batch x = *b;
		return put_batch(f, &x);
	}
	if (t->waiting.n != 0 || (b->time != 0 && ticker_is_due(&t->ticker, b->time - 1)))
		return vec_push(&t->waiting, l);
	return filter_put_record(f, b);
}

bool filter_time_end(struct nfart_filter *f)
{
	struct filter_time *t = &f->time;
	uint64_t last = t->until > t->latest ? t->until : t->latest, first = 0, n;
	struct nfart_batch end = { .when = NFART_END };

	if (!t->any)
		return filter_time_cut(f);
	if (f->en->im->end) {
		end.time = last != UINT64_MAX ? last + 1 : last;
		return put_batch(f, &end);
	}
	if (!put_waiting(f, t->until))
		return false;
	n = ticker_upto(&t->ticker, t->until, &first);
	return ticks(f, first, n);
}

bool filter_time_cut(struct nfart_filter *f)
{
	bool ok = true;

	for (size_t i = 0; ok && i < f->time.waiting.n; i++) {
		struct filter_loss l = f->time.waiting.at[i];
		ok = put_loss(f, &l);
	}
	f->time.waiting.n = 0;
	return ok;
}
