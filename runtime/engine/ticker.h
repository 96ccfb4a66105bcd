/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ticker.h: says when a stream has ticks (nfacc-filter(5), Time).
 *
 * There is a tick at every multiple of the period that is later than the first batch and not later
 * than the stream's last time. So whether there is a tick is only known when a later batch comes,
 * or the stream ends.
 */
#ifndef NFART_TICKER_H
#define NFART_TICKER_H

#include <stdbool.h>
#include <stdint.h>

struct ticker {
	uint64_t period; /* 0: there are no ticks */
	uint64_t due;    /* the time of the next tick */
	bool any,        /* a batch came */
	     over;       /* the next tick would be later than the latest time there is */
};

/* Returns a ticker whose next tick is the first one at `time` or later; before it a batch came. */
static inline struct ticker ticker_from(uint64_t period, uint64_t time)
{
	uint64_t wait = time % period != 0 ? period - time % period : 0;
	bool over = wait > UINT64_MAX - time;

	return (struct ticker){ .period = period, .due = over ? 0 : time + wait, .any = true,
				.over = over };
}

/* Do these two, which have the same period, say the same of all ticks to come? */
static inline bool ticker_same(const struct ticker *a, const struct ticker *b)
{
	return a->any == b->any && (!a->any || a->over == b->over) &&
	       (!a->any || a->over || a->due == b->due);
}

static inline void ticker_take(struct ticker *t, uint64_t n)
{
	if (n > (UINT64_MAX - t->due) / t->period)
		t->over = true;
	else
		t->due += n * t->period;
}

/* Is a tick due at `time` or before? */
static inline bool ticker_is_due(const struct ticker *t, uint64_t time)
{
	return t->any && !t->over && t->due <= time;
}

/* Takes the ticks that are due at `time` or before. Returns how many these are; *first becomes the
 * time of the first of them. */
static inline uint64_t ticker_upto(struct ticker *t, uint64_t time, uint64_t *first)
{
	uint64_t n;

	if (!ticker_is_due(t, time))
		return 0;
	*first = t->due;
	n = (time - t->due) / t->period + 1;
	ticker_take(t, n);
	return n;
}

/* Notes that a batch came at `time`. The caller must have taken all ticks before that time. Returns
 * whether the batch has a tick. */
static inline bool ticker_batch(struct ticker *t, uint64_t time)
{
	bool tick = ticker_is_due(t, time);

	if (t->period == 0)
		return false;
	if (tick)
		ticker_take(t, 1);
	if (!t->any) {
		t->any = true;
		t->due = time - time % t->period;
		ticker_take(t, 1);
	}
	return tick;
}

#endif
