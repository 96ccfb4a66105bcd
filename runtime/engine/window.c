/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Note [window]. The rule of language.md 5 as a controller that decides as early as can be:
 *
 *   accepted:  everything held back is within reach of it and goes out, then the batch itself; the
 *              next n logged batches are within reach as well (after = n).
 *   logged:    while after > 0 it goes out and counts down; else it is held back, and if more than n
 *              are held the oldest is dropped: n others stand between it and any later accepted one.
 *
 * So what is held back is never behind an open window, and at the end of the stream it is dropped.
 * Loss records keep their places: behind held batches they wait with them, else they go straight out.
 *
 * The queue is a ring of 64-bit words, an entry of each record: time, mask, damaged or (of a loss
 * record, whose mask is 0) the count, then the headers.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/engine/window.h"

enum { ENTRY = 3 }; /* words before the headers */

struct nfart_window {
	uint64_t n, limit, output;
	uint64_t after;          /* logged batches that are still within reach */
	uint64_t held;           /* batches in the queue */
	uint64_t *ring;
	size_t cap, head, used;  /* in words; cap is a power of two */
	nfart_sink *sink;
	void *ctx;
	struct nfart_batch batch; /* the entry that is being passed on */
};

struct nfart_window *nfart_window_new(uint64_t window, uint64_t limit, nfart_sink *sink, void *ctx)
{
	struct nfart_window *w = calloc(1, sizeof *w);

	if (w != NULL) {
		w->n = window;
		w->limit = limit;
		w->sink = sink;
		w->ctx = ctx;
	}
	return w;
}

void nfart_window_free(struct nfart_window *w)
{
	if (w == NULL)
		return;
	free(w->ring);
	free(w);
}

static uint64_t *word(struct nfart_window *w, size_t i)
{
	return &w->ring[(w->head + i) & (w->cap - 1)];
}

static bool grow(struct nfart_window *w, size_t words)
{
	size_t cap = w->cap == 0 ? 256 : w->cap;
	uint64_t *ring;

	while (cap - w->used < words)
		cap *= 2;
	if (cap == w->cap)
		return true;
	ring = malloc(cap * sizeof *ring);
	if (ring == NULL)
		return false;
	for (size_t i = 0; i < w->used; i++)
		ring[i] = *word(w, i);
	free(w->ring);
	w->ring = ring;
	w->cap = cap;
	w->head = 0;
	return true;
}

static bool hold(struct nfart_window *w, const struct nfart_batch *b)
{
	size_t at = w->used;

	if (!grow(w, ENTRY + (size_t)__builtin_popcountll(b->mask)))
		return false;
	*word(w, at++) = b->time;
	*word(w, at++) = b->mask;
	*word(w, at++) = b->mask == 0 ? b->lost : b->damaged;
	for (uint64_t m = b->mask; m != 0; m &= m - 1)
		*word(w, at++) = b->header[__builtin_ctzll(m)];
	w->used = at;
	w->held += b->mask != 0;
	return true;
}

/* Takes the oldest entry out of the queue, into w->batch. */
static void release(struct nfart_window *w)
{
	struct nfart_batch *b = &w->batch;
	size_t at = ENTRY;

	b->time = *word(w, 0);
	b->mask = *word(w, 1);
	b->lost = b->mask == 0 ? *word(w, 2) : 0;
	b->damaged = b->mask != 0 && *word(w, 2) != 0;
	for (uint64_t m = b->mask; m != 0; m &= m - 1)
		b->header[__builtin_ctzll(m)] = *word(w, at++);
	w->head = (w->head + at) & (w->cap - 1);
	w->used -= at;
	w->held -= b->mask != 0;
}

static bool pass_on(struct nfart_window *w, const struct nfart_batch *b,
		    const struct nfart_result *r)
{
	if (nfart_window_full(w))
		return true;
	if (b->mask != 0)
		w->output++;
	return w->sink(w->ctx, b, r);
}

/* Passes on loss records at the front of the queue: nothing before them is undecided any more. */
static bool pass_losses(struct nfart_window *w, const struct nfart_result *none)
{
	while (w->used != 0 && *word(w, 1) == 0) {
		release(w);
		if (!pass_on(w, &w->batch, none))
			return false;
	}
	return true;
}

bool nfart_window_put(struct nfart_window *w, const struct nfart_batch *b,
		      const struct nfart_result *r)
{
	struct nfart_result none = { .nlabels = 0 };

	if (b->mask == 0)
		return w->used == 0 ? pass_on(w, b, &none) : hold(w, b);
	if (r->accepted) {
		while (w->used != 0) {
			release(w);
			if (!pass_on(w, &w->batch, &none))
				return false;
		}
		w->after = w->n;
		return pass_on(w, b, r);
	}
	if (!r->logged)
		return true;
	if (w->after != 0) { /* without a result, as those that were held back */
		w->after--;
		return pass_on(w, b, &none);
	}
	if (w->n == 0)
		return true;
	if (!hold(w, b))
		return false;
	if (w->held <= w->n)
		return true;
	release(w);
	return pass_losses(w, &none);
}

uint64_t window_after(const struct nfart_window *w)
{
	return w->after;
}

uint64_t window_size(const struct nfart_window *w)
{
	return w->n;
}

bool nfart_window_full(const struct nfart_window *w)
{
	return w->limit != 0 && w->output >= w->limit;
}

bool nfart_window_end(struct nfart_window *w)
{
	struct nfart_result none = { .nlabels = 0 };

	while (w->used != 0) {
		release(w);
		if (w->batch.mask == 0 && !pass_on(w, &w->batch, &none))
			return false;
	}
	return true;
}
