/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/explain/timed.h"

#include <string.h>

#include "runtime/trace/batch.h"

void timed_init(struct timed *t, const struct nfart_image *im,
		const struct nfart_engine_options *o, struct nfart_reader *reader, uint64_t until)
{
	memset(t, 0, sizeof *t);
	t->reader = reader;
	t->ticker.period = im->stream.tick != 0 && o->tick != 0 ? o->tick : im->stream.tick;
	t->end = im->stream.end;
	t->until = until;
}

void timed_free(struct timed *t)
{
	vec_free(&t->waiting);
}

void timed_give(struct timed *t, const struct nfart_batch *b)
{
	t->given = b;
}

void timed_until(struct timed *t, uint64_t time)
{
	if (time > t->until)
		t->until = time;
}

void timed_close(struct timed *t)
{
	t->closed = true;
}

/* The trace is over. If the stream has an end, makes it the batch that comes next. */
static void timed_finish(struct timed *t)
{
	uint64_t stated = t->reader != NULL ? nfart_reader_until(t->reader) : 0;

	t->over = true;
	if (stated > t->until)
		t->until = stated;
	if (!t->end || !t->any)
		return;
	t->latest = t->until > t->latest ? t->until : t->latest;
	t->batch = (struct nfart_batch){ .when = NFART_END };
	t->batch.time = t->latest != UINT64_MAX ? t->latest + 1 : t->latest;
	t->has_batch = true;
}

/* Does the stream wait for what the caller says next? */
static bool timed_waits(const struct timed *t)
{
	return t->reader == NULL && t->given == NULL && !t->closed && !t->has_batch;
}

/* Fills t->batch with the next record. 1: there is one. 0: the trace is over. -1: *e says why
 * not. */
static int timed_read(struct timed *t, struct nfart_error *e)
{
	if (t->reader != NULL)
		return nfart_reader_next(t->reader, &t->batch, e);
	if (t->given == NULL)
		return 0;
	t->batch = *t->given;
	t->given = NULL;
	return 1;
}

/* Reads on until it is known which ticks come next. Sets *loss, and fills *b, if a loss record can
 * be passed on at once. False: *e says why not. */
static bool timed_look(struct timed *t, struct nfart_batch *b, bool *loss, struct nfart_error *e)
{
	*loss = false;
	while (!t->has_batch && !t->over && !timed_waits(t)) {
		int got = timed_read(t, e);
		if (got < 0)
			return false;
		if (got == 0) {
			timed_finish(t);
			break;
		}
		t->latest = t->batch.time;
		t->has_batch = !batch_is_loss(&t->batch);
		t->any |= t->has_batch;
		if (t->has_batch)
			break;
		if (t->waiting.n == 0 &&
		    (t->batch.time == 0 || !ticker_is_due(&t->ticker, t->batch.time - 1))) {
			*b = t->batch;
			*loss = true;
			break;
		}
		if (!vec_push(&t->waiting, t->batch)) {
			nfart_fail(e, NFART_SYSTEM, "out of memory");
			return false;
		}
	}
	return true;
}

/* Finds the latest time at which a tick alone may come next: before the next record, and not after
 * the stream. False: none may. */
static bool timed_room(const struct timed *t, uint64_t *last)
{
	uint64_t before = UINT64_MAX;

	*last = t->has_batch ? UINT64_MAX : t->until;
	if (t->taken < t->waiting.n)
		before = t->waiting.at[t->taken].time;
	else if (t->has_batch)
		before = t->batch.time;
	else
		return true;
	if (before != 0 && before - 1 < *last)
		*last = before - 1;
	return before != 0;
}

static void take_tick(struct timed *t, struct nfart_batch *b)
{
	memset(b, 0, sizeof *b);
	b->time = t->ticker.due;
	b->when = NFART_TICK;
	ticker_take(&t->ticker, 1);
}

int timed_next(struct timed *t, struct nfart_batch *b, struct nfart_error *e)
{
	uint64_t last;
	bool loss;

	if (!timed_look(t, b, &loss, e))
		return -1;
	if (loss)
		return 1;
	if (t->any && timed_room(t, &last) && ticker_is_due(&t->ticker, last)) {
		take_tick(t, b);
		return 1;
	}
	if (t->taken < t->waiting.n) {
		/* Ticks before a loss record come only with what follows it. */
		uint64_t time = t->waiting.at[t->taken].time;
		if (timed_waits(t) && time != 0 && ticker_is_due(&t->ticker, time - 1))
			return 0;
		*b = t->waiting.at[t->taken++];
		return 1;
	}
	t->waiting.n = t->taken = 0;
	if (!t->has_batch)
		return 0;
	t->has_batch = false;
	*b = t->batch;
	if (ticker_batch(&t->ticker, b->time))
		b->when |= NFART_TICK;
	return 1;
}

uint64_t timed_skip(struct timed *t, uint64_t last, uint64_t *time)
{
	uint64_t most, n;

	if ((!t->has_batch && !t->over) || !timed_room(t, &most))
		return 0;
	most = most < last ? most : last;
	if (!ticker_is_due(&t->ticker, most))
		return 0;
	n = (most - t->ticker.due) / t->ticker.period;
	if (n == 0)
		return 0;
	*time = t->ticker.due + (n - 1) * t->ticker.period;
	ticker_take(&t->ticker, n);
	return n;
}
