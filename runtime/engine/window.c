/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Note [window]
 * A window decides which batches are output, by the rule in nfacc-filter(5) and as early as
 * possible. A window of b, a has two sizes. A batch is within reach of a later accepted batch if
 * fewer than b other logged or accepted batches are between the two, and within reach of an earlier
 * one if there are fewer than a.
 *
 *   accepted:  all batches held back are within reach of this batch. They are output, and then
 *              the batch itself. The next a logged batches are within reach as well (after = a).
 *   logged:    while after > 0, the batch is output, and `after` counts down. Otherwise the batch
 *              is held back. If more than b batches are held, the oldest is dropped: b others
 *              are between it and any later accepted batch.
 *
 *   2, 1:      logged   logged   logged   accepted   logged   logged   logged
 *              dropped  output   output   output     output   held, then dropped
 *
 * So batches are held back only while after = 0. Those still held at the end of the stream are
 * dropped. A loss record keeps its place: it waits with the batches that are held, or is output at
 * once if there are none.
 *
 * The queue is a ring of 64-bit words. An entry begins with its time, its mask, and damaged | 2 *
 * when | 8 * payload_words. The headers and the payload of a batch follow, or the number of
 * messages that a loss record stands for. */
#include <stdlib.h>
#include <string.h>

#include "runtime/engine/window.h"
#include "runtime/trace/batch.h"
#include "support/bits.h"

enum { ENTRY = 3 }; /* how many words an entry of the queue has before its headers */

struct nfart_window {
	uint64_t before_size, after_size; /* the window's sizes, b and a */
	uint64_t limit, output;
	uint64_t after;          /* how many logged batches are still output (Note [window]) */
	uint64_t held;           /* how many batches are in the queue, without loss records */
	uint64_t *ring;
	size_t cap,              /* how many words the ring has room for: a power of two */
	       head,             /* the index of the ring's first word that is in use */
	       used;             /* how many words of the ring are in use */
	nfart_sink *sink;
	void *ctx;
	struct nfart_batch batch; /* the entry that window_release() took out last */
	uint64_t *payload;        /* its payload; NULL until a batch with payload is held */
};

struct nfart_window *nfart_window_new_sides(uint64_t before, uint64_t after, uint64_t limit,
					    nfart_sink *sink, void *ctx)
{
	struct nfart_window *w = calloc(1, sizeof *w);

	if (w != NULL) {
		w->before_size = before;
		w->after_size = after;
		w->limit = limit;
		w->sink = sink;
		w->ctx = ctx;
	}
	return w;
}

struct nfart_window *nfart_window_new(uint64_t window, uint64_t limit, nfart_sink *sink, void *ctx)
{
	return nfart_window_new_sides(window, window, limit, sink, ctx);
}

void nfart_window_free(struct nfart_window *w)
{
	if (w == NULL)
		return;
	free(w->ring);
	free(w->payload);
	free(w);
}

static uint64_t *window_word(struct nfart_window *w, size_t i)
{
	return &w->ring[(w->head + i) & (w->cap - 1)];
}

static bool window_grow(struct nfart_window *w, size_t words)
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
		ring[i] = *window_word(w, i);
	free(w->ring);
	w->ring = ring;
	w->cap = cap;
	w->head = 0;
	return true;
}

static bool window_hold(struct nfart_window *w, const struct nfart_batch *b)
{
	size_t at = w->used, messages = bits_count(b->mask), words = messages * b->payload_words;

	if (!window_grow(w, ENTRY + 1 + messages + words))
		return false;
	if (words != 0 && w->payload == NULL) {
		w->payload = malloc(NFART_SLOTS * NFART_PAYLOAD_WORDS * sizeof *w->payload);
		if (w->payload == NULL)
			return false;
	}
	*window_word(w, at++) = b->time;
	*window_word(w, at++) = b->mask;
	*window_word(w, at++) = (uint64_t)b->damaged | (uint64_t)b->when << 1 |
				(words != 0 ? (uint64_t)b->payload_words << 3 : 0);
	if (batch_is_loss(b))
		*window_word(w, at++) = b->lost;
	for (uint64_t m = b->mask; m != 0; m &= m - 1)
		*window_word(w, at++) = b->header[__builtin_ctzll(m)];
	for (size_t i = 0; i < words; i++)
		*window_word(w, at++) = b->payload[i];
	w->used = at;
	w->held += !batch_is_loss(b);
	return true;
}

/* Takes the oldest entry out of the queue and puts it into w->batch. */
static void window_release(struct nfart_window *w)
{
	struct nfart_batch *b = &w->batch;
	size_t at = ENTRY, words;

	b->time = *window_word(w, 0);
	b->mask = *window_word(w, 1);
	b->damaged = (*window_word(w, 2) & 1) != 0;
	b->when = *window_word(w, 2) >> 1 & 3;
	b->payload_words = (uint8_t)(*window_word(w, 2) >> 3);
	b->payload = w->payload;
	b->lost = batch_is_loss(b) ? *window_word(w, at++) : 0;
	for (uint64_t m = b->mask; m != 0; m &= m - 1)
		b->header[__builtin_ctzll(m)] = *window_word(w, at++);
	words = bits_count(b->mask) * b->payload_words;
	for (size_t i = 0; i < words; i++)
		w->payload[i] = *window_word(w, at++);
	w->head = (w->head + at) & (w->cap - 1);
	w->used -= at;
	w->held -= !batch_is_loss(b);
}

static bool pass_on(struct nfart_window *w, const struct nfart_batch *b,
		    const struct nfart_result *r)
{
	if (nfart_window_full(w))
		return true;
	if (!batch_is_loss(b))
		w->output++;
	return w->sink(w->ctx, b, r);
}

/* Passes on the loss records at the front of the queue. Nothing before them is held any more.
 * `none` is the empty result that goes with them. False: the sink failed. */
static bool pass_losses(struct nfart_window *w, const struct nfart_result *none)
{
	while (w->used != 0 && *window_word(w, 1) == 0 && *window_word(w, 2) >> 1 == 0) {
		window_release(w);
		if (!pass_on(w, &w->batch, none))
			return false;
	}
	return true;
}

bool nfart_window_put(struct nfart_window *w, const struct nfart_batch *b,
		      const struct nfart_result *r)
{
	struct nfart_result none = { .nlabels = 0 };

	if (batch_is_loss(b))
		return w->used == 0 ? pass_on(w, b, &none) : window_hold(w, b);
	if (r->accepted) {
		while (w->used != 0) {
			window_release(w);
			if (!pass_on(w, &w->batch, &none))
				return false;
		}
		w->after = w->after_size;
		return pass_on(w, b, r);
	}
	if (!r->logged)
		return true;
	/* A batch that only the window lets through is output with an empty result. */
	if (w->after != 0) {
		w->after--;
		return pass_on(w, b, &none);
	}
	if (w->before_size == 0)
		return true;
	if (!window_hold(w, b))
		return false;
	if (w->held <= w->before_size)
		return true;
	window_release(w);
	return pass_losses(w, &none);
}

uint64_t window_after(const struct nfart_window *w)
{
	return w->after;
}

uint64_t window_before(const struct nfart_window *w)
{
	return w->before_size;
}

bool nfart_window_full(const struct nfart_window *w)
{
	return w->limit != 0 && w->output >= w->limit;
}

bool nfart_window_end(struct nfart_window *w)
{
	struct nfart_result none = { .nlabels = 0 };

	while (w->used != 0) {
		window_release(w);
		if (batch_is_loss(&w->batch) && !pass_on(w, &w->batch, &none))
			return false;
	}
	return true;
}
