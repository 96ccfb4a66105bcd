/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/engine/filter_time.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/engine/filter.h"
#include "runtime/engine/filter_note.h"
#include "runtime/trace/batch.h"

enum { FEW_TICKS = 64 }; /* the value of filter_time.few, except in tests */

bool filter_time_init(struct nfart_filter *f)
{
	f->time.ticker.period = f->en->tick;
	f->time.few = FEW_TICKS;
	if (f->dfa == NULL)
		return true;
	f->time.timed = calloc(1, sizeof *f->time.timed);
	return f->time.timed != NULL;
}

void filter_time_free(struct nfart_filter *f)
{
	vec_free(&f->time.waiting);
	leap_free(f->time.leap);
	free(f->time.timed);
}

/* ---- states ---- */

static bool copy_losses(struct filter_time_state *to, const struct filter_loss *at, size_t n)
{
	to->waiting.n = 0;
	if (n == 0)
		return true;
	if (!vec_reserve(&to->waiting, n))
		return false;
	memcpy(to->waiting.at, at, n * sizeof *at);
	to->waiting.n = n;
	return true;
}

bool filter_time_save(const struct nfart_filter *f, struct filter_time_state *s)
{
	s->ticker = f->time.ticker;
	s->any = f->time.any;
	s->latest = f->time.latest;
	return copy_losses(s, f->time.waiting.at, f->time.waiting.n);
}

bool filter_time_load(struct nfart_filter *f, const struct filter_time_state *s)
{
	f->time.ticker = s->ticker;
	f->time.ticker.period = f->en->tick;
	f->time.any = s->any;
	f->time.latest = s->latest;
	f->time.waiting.n = 0;
	for (size_t i = 0; i < s->waiting.n; i++)
		if (!vec_push(&f->time.waiting, s->waiting.at[i]))
			return false;
	return true;
}

bool filter_time_copy(struct filter_time_state *to, const struct filter_time_state *from)
{
	to->ticker = from->ticker;
	to->any = from->any;
	to->latest = from->latest;
	return copy_losses(to, from->waiting.at, from->waiting.n);
}

bool filter_time_same(const struct filter_time_state *a, const struct filter_time_state *b)
{
	bool same = ticker_same(&a->ticker, &b->ticker) && a->any == b->any &&
		    a->latest == b->latest && a->waiting.n == b->waiting.n;

	for (size_t i = 0; i < a->waiting.n && same; i++)
		same = a->waiting.at[i].time == b->waiting.at[i].time &&
		       a->waiting.at[i].lost == b->waiting.at[i].lost;
	return same;
}

/* ---- timed blocks ---- */

/* Filters the items of the timed block and empties it. *done becomes the number of items up to the
 * one that reached the limit. */
static bool filter_time_flush(struct nfart_filter *f, size_t *done)
{
	struct timed_block *t = f->time.timed;
	bool ok;

	f->in.block.form = BLOCK_TIMED;
	f->in.block.key = t->key;
	ok = filter_run_block(f, t->n, done);
	return ok;
}

static void add_item(struct timed_block *t, uint64_t key, struct timed_item item)
{
	t->key[t->n] = key;
	t->item[t->n++] = item;
}

/* Adds n ticks alone to the timed block, which has room for them. */
static void add_ticks(struct nfart_filter *f, uint64_t first, uint64_t n)
{
	uint64_t key = f->dfa->keys.of_time[NFART_TICK] | 1;

	for (uint64_t i = 0; i < n; i++)
		add_item(f->time.timed, key,
			 (struct timed_item){ first + i * f->time.ticker.period, TIMED_ALONE,
					      NFART_TICK });
}

/* ---- ticks alone ---- */

/* Steps n <= FILTER_BLOCK ticks alone, the first of them at `first`. */
static bool step_ticks(struct nfart_filter *f, uint64_t first, uint64_t n)
{
	struct nfart_batch *b = &f->in.batch;
	size_t done;

	if (f->dfa != NULL) {
		f->time.timed->n = 0;
		add_ticks(f, first, n);
		return filter_time_flush(f, &done);
	}
	for (uint64_t i = 0; i < n && !nfart_window_full(f->to.window); i++) {
		b->time = first + i * f->time.ticker.period;
		b->mask = b->lost = 0;
		b->damaged = false;
		b->when = NFART_TICK;
		if (!filter_put_record(f, b))
			return false;
	}
	return true;
}

/* Calls leap_quiet() for all copies of the engine. Returns the least result. */
static uint64_t quiet(struct nfart_filter *f, struct leap_limits limits)
{
	struct nfart_engine *en = f->en;
	size_t ncounters = en->im->nfa.ncounts + 1u;
	uint64_t *active;
	uint32_t *counts;

	for (size_t i = 0; i < en->pool.copies.n && limits.most != 0; i++)
		if (en->pool.copies.at[i].epoch == en->pool.epoch)
			limits.most = leap_quiet(f->time.leap, en->pool.active + i * en->words,
						 en->pool.counts + i * ncounters, &limits);
	if (en->pool.live == en->map.n || limits.most == 0)
		return limits.most;
	engine_rest(en, &active, &counts);
	return leap_quiet(f->time.leap, active, counts, &limits);
}

/* Lets all copies of the engine take n ticks. */
static bool filter_time_take(struct nfart_filter *f, uint64_t n)
{
	struct nfart_engine *en = f->en;
	size_t ncounters = en->im->nfa.ncounts + 1u;
	uint64_t *active, logged, most = 0;
	uint32_t *counts;
	bool ok = true;

	for (size_t i = 0; ok && i < en->pool.copies.n; i++) {
		logged = 0;
		ok = en->pool.copies.at[i].epoch != en->pool.epoch ||
		     leap_take(f->time.leap, en->pool.active + i * en->words,
			       en->pool.counts + i * ncounters, n, &logged);
		most = logged > most ? logged : most;
	}
	if (ok && en->pool.live != en->map.n) {
		logged = 0;
		engine_rest(en, &active, &counts);
		ok = leap_take(f->time.leap, active, counts, n, &logged);
		most = logged > most ? logged : most;
	}
	/* What one copy logs, another one mostly logs, too. */
	f->to.stats.logged += most;
	if (f->notes != NULL)
		f->notes->left_out += most;
	return ok;
}

/* Lets all copies leap over up to `most` ticks. A tick was stepped before. *n becomes how many
 * ticks were leapt over. False: out of memory. */
static bool leap(struct nfart_filter *f, uint64_t most, uint64_t *n)
{
	struct leap_limits limits = { .most = most };
	bool table = f->dfa != NULL && !f->at.stepping;
	uint64_t *active;
	uint32_t *counts;

	limits.logs = (f->notes != NULL ? f->notes->after : window_after(f->to.window)) != 0;
	limits.keep = f->notes == NULL || f->notes->logged ? window_before(f->to.window) : 0;
	if (f->time.leap == NULL)
		f->time.leap = leap_new(f->en);
	if (f->time.leap == NULL)
		return false;
	if (table && f->en->map.any)
		return dfa_everyone_leap(f, limits, n);
	if (table) {
		if (!engine_copy(f->en, 0, &active, &counts))
			return false;
		memcpy(active, dfa_set(f->dfa, f->at.row), f->en->words * 8);
	}
	*n = quiet(f, limits);
	return *n == 0 || (filter_time_take(f, *n) && (!table || filter_enter(f)));
}

/* Does it not matter what comes from now on? */
static bool has_enough(const struct nfart_filter *f)
{
	return f->notes != NULL ? f->notes->most != 0 && f->notes->accepted >= f->notes->most
				: nfart_window_full(f->to.window);
}

/* Takes n ticks alone, the first of them at `first`. */
static bool ticks(struct nfart_filter *f, uint64_t first, uint64_t n)
{
	uint64_t few = f->time.few, step = few != 0 ? few : FILTER_BLOCK, done = 0, leapt = 0;

	while (done < n && !has_enough(f)) {
		uint64_t m = n - done < step ? n - done : step;
		if (!step_ticks(f, first + done * f->time.ticker.period, m))
			return false;
		done += m;
		if (done == n || has_enough(f))
			break;
		/* Machines take every tick (leap.h is about the automaton). */
		if (few != 0 && f->en->im->nfa.nmachines == 0 && !leap(f, n - done, &leapt))
			return false;
		done += leapt;
		if (leapt > step)
			step = few;
		else
			step = 2 * step < FILTER_BLOCK ? 2 * step : FILTER_BLOCK;
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

/* ---- records ---- */

static bool put_loss(struct nfart_filter *f, const struct filter_loss *l)
{
	struct nfart_batch *b = &f->in.batch;

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
static bool put_batch(struct nfart_filter *f, struct nfart_batch *b)
{
	struct filter_time *t = &f->time;

	if (!put_waiting(f, UINT64_MAX) || !ticks_before(f, b->time, UINT64_MAX))
		return false;
	t->any = true;
	if (ticker_batch(&t->ticker, b->time))
		b->when |= NFART_TICK;
	return filter_put_record(f, b);
}

bool filter_time_put(struct nfart_filter *f, const struct nfart_batch *b)
{
	struct filter_time *t = &f->time;
	struct filter_loss l = { b->time, b->lost };
	struct nfart_batch x;

	t->latest = b->time;
	if (!batch_is_loss(b)) {
		x = *b; /* the ticks before it use f->batch */
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
	if (f->en->im->stream.end) {
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

/* ---- blocks ---- */

static uint64_t time_of(const struct nfart_filter *f, const struct filter_block *k, size_t i)
{
	return k->form == BLOCK_BYTES || k->form == BLOCK_MESSAGES ? k->time + i
	       : k->form == BLOCK_ROWS ? key_load(k->at + i * row_bytes(&f->dfa->keys))
				       : key_load(k->at + k->offset[i]);
}

static uint64_t key_of(const struct nfart_filter *f, const struct filter_block *k, size_t i)
{
	return k->form == BLOCK_BYTES ? f->dfa->keys.of_code[k->at[i]] : k->key[i];
}

/* Is no tick due before or in the n batches of block k? If so, adds to their keys what plain time
 * adds, notes their times, and returns true. */
static bool is_plain(struct nfart_filter *f, struct filter_block *k, size_t n)
{
	struct filter_time *t = &f->time;
	uint64_t plain = f->dfa->keys.of_time[0], last;

	while (k->form == BLOCK_ROWS && n != 0 && k->key[n - 1] == 0)
		n--;
	if (k->form == BLOCK_BYTES || n == 0 || t->waiting.n != 0 ||
	    (t->ticker.period != 0 && !t->ticker.any))
		return n == 0;
	last = time_of(f, k, n - 1);
	if (ticker_is_due(&t->ticker, last))
		return false;
	t->any = true;
	t->latest = last;
	for (size_t i = 0; i < n; i++)
		k->key[i] |= k->key[i] != 0 ? plain : 0;
	return true;
}

/* The progress through a source block. */
struct source {
	struct filter_block block;
	size_t at,  /* the batch whose turn it is */
		end; /* how many batches count as read when the limit is reached */
};

/* Filters the items of the timed block. If the limit is reached, s->end becomes the number of
 * batches up to the item that reached it. If that is a tick alone, the batch after it counts: it
 * had to be read before the tick was known to be due. */
static bool run_items(struct nfart_filter *f, struct source *s)
{
	struct timed_block *t = f->time.timed;
	size_t done;

	if (t->n == 0)
		return true;
	t->source = s->block;
	if (!filter_time_flush(f, &done))
		return false;
	for (done -= done != 0; done < t->n && t->item[done].source == TIMED_ALONE; done++)
		;
	s->end = (done < t->n ? t->item[done].source : s->at) + (size_t)1;
	t->n = 0;
	return true;
}

/* Takes what comes before the batch at `time`: the loss records that wait, and ticks. */
static bool before_batch(struct nfart_filter *f, struct source *s, uint64_t time)
{
	struct timed_block *t = f->time.timed;
	uint64_t first, n;

	if (f->time.waiting.n != 0) {
		if (!run_items(f, s))
			return false;
		if (nfart_window_full(f->to.window))
			return true;
		s->end = s->at + 1;
		if (!put_waiting(f, UINT64_MAX))
			return false;
		t->n = 0;
		if (nfart_window_full(f->to.window))
			return true;
	}
	if (time == 0 || !ticker_is_due(&f->time.ticker, time - 1))
		return true;
	n = ticker_upto(&f->time.ticker, time - 1, &first);
	if (n >= FILTER_BLOCK - t->n && !run_items(f, s))
		return false;
	if (nfart_window_full(f->to.window))
		return true;
	if (n <= FEW_TICKS && (n <= f->time.few || f->time.few == 0)) {
		add_ticks(f, first, n);
		return true;
	}
	if (!run_items(f, s))
		return false;
	if (nfart_window_full(f->to.window))
		return true;
	s->end = s->at + 1;
	if (!ticks(f, first, n))
		return false;
	t->n = 0;
	return true;
}

bool filter_time_block(struct nfart_filter *f, size_t n, size_t *end)
{
	struct filter_time *t = &f->time;
	struct source s = { .block = f->in.block };
	bool ok = true;

	if (is_plain(f, &f->in.block, n))
		return filter_run_block(f, n, end);
	t->timed->n = 0;
	for (size_t i = 0; ok && i < n && !nfart_window_full(f->to.window); i++) {
		uint64_t key = key_of(f, &s.block, i), time;
		uint8_t when;
		if (key == 0)
			continue;
		time = time_of(f, &s.block, i);
		s.at = i;
		ok = before_batch(f, &s, time);
		if (!ok || nfart_window_full(f->to.window))
			break;
		t->any = true;
		t->latest = time;
		when = ticker_batch(&t->ticker, time) ? NFART_TICK : 0;
		add_item(t->timed, key | f->dfa->keys.of_time[when],
			 (struct timed_item){ time, (uint32_t)i, when });
		if (ok && t->timed->n == FILTER_BLOCK)
			ok = run_items(f, &s);
	}
	ok = ok && run_items(f, &s);
	*end = nfart_window_full(f->to.window) ? s.end : n;
	f->in.block = s.block;
	return ok;
}
