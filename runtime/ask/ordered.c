/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * There is a ring of slots. Pieces from `head` on up to `tail` are in it. Every thread fills the
 * piece at the tail; the calling thread also takes the piece at the head, as soon as that is
 * filled. The lock guards the ring and the index, not the pieces.
 */
#include "runtime/ask/ordered.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/trace/border.h"

/* Reading stops after this many times the usual bytes of a piece, so that a damaged index can't
 * make it grow without bound. */
enum { ORDERED_MOST_USUAL = 8 };

struct ordered_piece {
	struct trace_border entry, exit;
	uint64_t until;
	struct nfart_reader_stats stats;
	struct nfart_error error;
	int got;      /* what `fill` returned */
	bool exact;   /* `entry` is the true border, not a guess */
	bool rest;    /* reading stopped before `until` */
	bool filled;
};

struct ordered;

struct ordered_thread {
	struct ordered *x;
	pthread_t id;
	struct nfart_reader *reader;
};

struct ordered {
	const struct ordered_use *use;
	size_t usual;
	const volatile sig_atomic_t *stop;
	struct ordered_thread *thread;  /* [jobs]: number 0 is the calling one */
	uint32_t jobs, started, slots;
	struct trace_border border;     /* the true one, after the last piece that was taken */
	struct nfart_reader_stats *sum;

	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct ordered_piece *piece;    /* [slots] */
	uint64_t head, tail;
	struct trace_index index;
	struct trace_border next;       /* where the next piece begins */
	bool exact;                     /* `next` is the true border */
	bool done;                      /* no more pieces are cut */
	bool quit;
};

/* ---- pieces, under the lock ---- */

static struct ordered_piece *piece_at(const struct ordered *x, uint64_t i)
{
	return &x->piece[i % x->slots];
}

/* Cuts the next piece, and puts it at the tail. False: there is none, or no room. */
static bool ordered_cut(struct ordered *x)
{
	struct ordered_piece *p = piece_at(x, x->tail);
	uint64_t offset;

	if (x->done || x->quit || x->tail - x->head == x->slots)
		return false;
	p->entry = x->next;
	p->exact = x->exact;
	p->until = UINT64_MAX;
	p->filled = false;
	x->exact = false;
	while (p->until == UINT64_MAX && trace_index_next(&x->index, &offset))
		if (offset >= x->next.offset + x->usual)
			p->until = offset;
	if (p->until == UINT64_MAX)
		x->done = true;
	else
		x->next = trace_border_guess(offset, x->index.n - 1);
	x->tail++;
	return true;
}

/* ---- pieces, without the lock ---- */

/* Reads the piece in a slot. */
static void ordered_fill(struct ordered *x, uint32_t slot, struct nfart_reader *r)
{
	struct ordered_piece *p = &x->piece[slot];
	uint64_t end = p->entry.offset + ORDERED_MOST_USUAL * (uint64_t)x->usual;

	memset(&p->error, 0, sizeof p->error);
	reader_enter(r, &p->entry, p->until < end ? p->until : end);
	p->got = x->use->fill(x->use->ctx, slot, r, &p->error);
	p->stats = *nfart_reader_stats(r);
	reader_border(r, &p->exit);
	p->rest = p->exit.offset >= end && p->exit.offset < p->until;
}

/* Cuts a piece and fills it. The caller holds the lock, which is released meanwhile. False: there
 * is none to cut. */
static bool fill_next(struct ordered *x, struct nfart_reader *r)
{
	uint32_t slot = (uint32_t)(x->tail % x->slots);

	if (!ordered_cut(x))
		return false;
	pthread_mutex_unlock(&x->lock);
	ordered_fill(x, slot, r);
	pthread_mutex_lock(&x->lock);
	x->piece[slot].filled = true;
	pthread_cond_broadcast(&x->changed);
	return true;
}

/* Takes the piece in a slot, which is filled and at the head. Returns ORDERED_ALL if there may be
 * more. */
static enum ordered_end ordered_take(struct ordered *x, uint32_t slot, struct nfart_error *e)
{
	struct ordered_piece *p = &x->piece[slot];

	if (!p->exact && !trace_border_follows(&x->border, &p->entry, &p->exit)) {
		if (x->use->once)
			return ORDERED_AGAIN;
		p->entry = x->border;
		ordered_fill(x, slot, x->thread[0].reader);
	}
	x->border = p->exit;
	reader_stats_add(x->sum, &p->stats);
	x->sum->bytes += p->stats.bytes;
	if (!x->use->take(x->use->ctx, slot, x->sum))
		return ORDERED_SHORT;
	if (p->got >= 0)
		return ORDERED_ALL;
	*e = p->error;
	return *x->stop != 0 ? ORDERED_STOPPED : ORDERED_ERROR;
}

/* ---- threads ---- */

static void *ordered_thread_main(void *ctx)
{
	struct ordered_thread *t = ctx;
	struct ordered *x = t->x;

	pthread_mutex_lock(&x->lock);
	while (!x->quit)
		if (!fill_next(x, t->reader))
			pthread_cond_wait(&x->changed, &x->lock);
	pthread_mutex_unlock(&x->lock);
	return NULL;
}

/* Starts the other threads, as many as can be had. They block all signals. */
static void ordered_start(struct ordered *x)
{
	sigset_t all, old;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	while (x->started + 1 < x->jobs &&
	       pthread_create(&x->thread[x->started + 1].id, NULL, ordered_thread_main,
			      &x->thread[x->started + 1]) == 0)
		x->started++;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static void ordered_finish(struct ordered *x)
{
	pthread_mutex_lock(&x->lock);
	x->quit = true;
	pthread_cond_broadcast(&x->changed);
	pthread_mutex_unlock(&x->lock);
	for (uint32_t i = 1; i <= x->started; i++)
		pthread_join(x->thread[i].id, NULL);
}

/* Works, or waits for other threads, until the piece at the head is filled. False: no piece is
 * left. */
static bool ordered_wait(struct ordered *x)
{
	bool any;

	pthread_mutex_lock(&x->lock);
	for (;;) {
		x->done |= *x->stop != 0;
		any = x->head != x->tail || !x->done;
		if (!any || (x->head != x->tail && piece_at(x, x->head)->filled))
			break;
		if (!fill_next(x, x->thread[0].reader))
			pthread_cond_wait(&x->changed, &x->lock);
	}
	pthread_mutex_unlock(&x->lock);
	return any;
}

/* Frees the slot at the head. If reading its piece stopped early, and no other piece is there, the
 * next one begins where it stopped. */
static void ordered_pass(struct ordered *x)
{
	pthread_mutex_lock(&x->lock);
	if (piece_at(x, x->head)->rest && x->tail == x->head + 1 && *x->stop == 0) {
		x->next = x->border;
		x->exact = true;
		x->done = false;
	}
	x->head++;
	pthread_cond_broadcast(&x->changed);
	pthread_mutex_unlock(&x->lock);
}

static enum ordered_end ordered_loop(struct ordered *x, struct nfart_error *e)
{
	enum ordered_end end = ORDERED_ALL;

	while (end == ORDERED_ALL && ordered_wait(x)) {
		end = ordered_take(x, (uint32_t)(x->head % x->slots), e);
		ordered_pass(x);
	}
	return end == ORDERED_ALL && *x->stop != 0 ? ORDERED_STOPPED : end;
}

/* Prepares all. False: memory is short, or the trace is not one that threads can read. */
static bool ordered_open(struct ordered *x, const struct nfart_reader *r)
{
	if (!trace_index_open(&x->index, r))
		return false;
	reader_border(r, &x->border);
	x->next = x->border;
	x->exact = true;
	x->thread = calloc(x->jobs, sizeof *x->thread);
	x->piece = calloc(x->slots, sizeof *x->piece);
	if (x->thread == NULL || x->piece == NULL)
		return false;
	for (uint32_t i = 0; i < x->jobs; i++) {
		x->thread[i].x = x;
		x->thread[i].reader = reader_another(r);
		if (x->thread[i].reader == NULL)
			return false;
	}
	return true;
}

static void ordered_close(struct ordered *x)
{
	for (uint32_t i = 0; x->thread != NULL && i < x->jobs; i++)
		nfart_reader_free(x->thread[i].reader);
	trace_index_close(&x->index);
	free(x->thread);
	free(x->piece);
}

enum ordered_end ordered_read(const struct nfart_reader *r, const struct ordered_use *use,
			      uint32_t jobs, size_t piece, const volatile sig_atomic_t *stop,
			      struct nfart_reader_stats *sum, struct nfart_error *e)
{
	struct ordered x = { .use = use, .usual = piece != 0 ? piece : ORDERED_PIECE, .stop = stop,
			     .jobs = jobs < ORDERED_MOST_JOBS ? jobs : ORDERED_MOST_JOBS,
			     .slots = ordered_slots(jobs), .sum = sum };
	uint64_t size = nfart_reader_stats(r)->size;
	enum ordered_end end = ORDERED_NONE;

	*sum = (struct nfart_reader_stats){ .size = size };
	if (jobs < 2 || size / 2 < x.usual || r->o.follow != NULL)
		return ORDERED_NONE;
	if (ordered_open(&x, r) && pthread_mutex_init(&x.lock, NULL) == 0) {
		pthread_cond_init(&x.changed, NULL);
		ordered_start(&x);
		end = ordered_loop(&x, e);
		ordered_finish(&x);
		pthread_cond_destroy(&x.changed);
		pthread_mutex_destroy(&x.lock);
	}
	ordered_close(&x);
	return end;
}
