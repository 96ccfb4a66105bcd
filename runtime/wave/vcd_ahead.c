/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The queue of pieces, and the threads that read them. See Note [pieces of a VCD].
 */
#include "runtime/wave/vcd_ahead.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

enum { PIECE = 1 << 19, LEAST_PIECES = 4, MOST_JOBS = 64 };

struct slot {
	struct vcd_piece piece;
	bool done;
};

struct worker {
	struct vcd_ahead *ahead;
	struct vcd_piece_reader reader;
	pthread_t thread;
};

struct vcd_ahead {
	struct worker *worker;    /* [n]; 0 is the calling thread */
	unsigned n, started;      /* how many there are; how many threads run besides the caller */
	size_t bytes;             /* of a piece */
	uint64_t end;             /* the number behind that of the last piece */
	struct vcd_replay replay; /* of the piece at the head */

	pthread_mutex_t lock;
	pthread_cond_t changed;
	/* Guarded by the lock: the pieces head … tail are being read or wait to be replayed. Piece
	 * i is in slot i % slots. */
	struct slot *slot;
	size_t slots;
	uint64_t head, tail;
	bool quit;
};

/* Reads a piece, if there is one to read and a slot for it. The caller holds the lock, which is
 * released meanwhile. */
static bool work(struct vcd_ahead *a, struct worker *by)
{
	struct slot *s = &a->slot[a->tail % a->slots];
	uint64_t number = a->tail;

	if (a->quit || a->tail == a->end || a->tail - a->head == a->slots)
		return false;
	a->tail++;
	s->done = false;
	pthread_mutex_unlock(&a->lock);
	vcd_piece_read(&s->piece, &by->reader, number, a->bytes);
	pthread_mutex_lock(&a->lock);
	s->done = true;
	pthread_cond_broadcast(&a->changed);
	return true;
}

static void *thread_main(void *ctx)
{
	struct worker *by = ctx;
	struct vcd_ahead *a = by->ahead;

	pthread_mutex_lock(&a->lock);
	while (!a->quit && a->tail != a->end)
		if (!work(a, by))
			pthread_cond_wait(&a->changed, &a->lock);
	pthread_mutex_unlock(&a->lock);
	return NULL;
}

/* The piece at the head, when it has been read. NULL: there are no more. */
static struct vcd_piece *head_piece(struct vcd_ahead *a)
{
	struct slot *s = &a->slot[a->head % a->slots];

	if (a->head == a->end)
		return NULL;
	pthread_mutex_lock(&a->lock);
	while (a->head == a->tail || !s->done)
		if (!work(a, &a->worker[0]))
			pthread_cond_wait(&a->changed, &a->lock);
	pthread_mutex_unlock(&a->lock);
	return &s->piece;
}

void vcd_ahead_drop(struct vcd_ahead *a)
{
	pthread_mutex_lock(&a->lock);
	a->head++;
	pthread_cond_broadcast(&a->changed);
	pthread_mutex_unlock(&a->lock);
	a->replay = (struct vcd_replay){ 0 };
}

uint64_t vcd_ahead_distance(struct vcd *v)
{
	struct vcd_ahead *a = v->ahead;
	uint64_t here = v->w->in->offset;
	const struct vcd_piece *p;

	while ((p = head_piece(a)) != NULL) {
		bool open = v->mode != VCD_CHANGES || !v->newline;
		if (p->plain && p->begin > here)
			return p->begin - here;
		if (p->plain && p->begin == here &&
		    (a->replay.begun || (!open && p->first >= v->w->now.time)))
			return 0;
		vcd_ahead_drop(a);
	}
	return UINT64_MAX;
}

enum vcd_outcome vcd_ahead_replay(struct vcd *v)
{
	struct vcd_ahead *a = v->ahead;
	const struct vcd_piece *p = &a->slot[a->head % a->slots].piece;

	if (!vcd_piece_replay(p, &a->replay, v))
		return VCD_STEP;
	v->line += p->lines;
	v->newline = true;
	input_skip(v->w->in, p->end - p->begin);
	vcd_ahead_drop(a);
	return VCD_MORE;
}

/* ---- starting and ending ---- */

/* Starts the threads. They block all signals, so that the calling thread gets them. */
static void start(struct vcd_ahead *a)
{
	sigset_t all, old;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	while (a->started + 1 < a->n &&
	       pthread_create(&a->worker[a->started + 1].thread, NULL, thread_main,
			      &a->worker[a->started + 1]) == 0)
		a->started++;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

struct vcd_ahead *vcd_ahead_start(struct vcd *v, unsigned jobs, size_t piece)
{
	const struct input *in = v->w->in;
	struct vcd_ahead *a;

	if (piece == 0)
		piece = PIECE;
	if (jobs < 2 || !in->seekable || in->decompressor != NULL || in->follow.stop != NULL ||
	    in->size / piece < in->offset / piece + LEAST_PIECES)
		return NULL;
	a = calloc(1, sizeof *a);
	if (a == NULL)
		return NULL;
	a->n = jobs < MOST_JOBS ? jobs : MOST_JOBS;
	a->bytes = piece;
	a->head = a->tail = in->offset / piece + 1;
	a->end = in->size / piece;
	a->slots = 2 * (size_t)a->n + 2;
	a->slot = calloc(a->slots, sizeof *a->slot);
	a->worker = calloc(a->n, sizeof *a->worker);
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->changed, NULL);
	for (unsigned i = 0; a->worker != NULL && i < a->n; i++) {
		a->worker[i].ahead = a;
		if (!vcd_piece_reader_open(&a->worker[i].reader, v)) {
			a->n = i;
			break;
		}
	}
	if (a->slot == NULL || a->worker == NULL || a->n < 2) {
		vcd_ahead_free(a);
		return NULL;
	}
	start(a);
	return a;
}

void vcd_ahead_free(struct vcd_ahead *a)
{
	if (a == NULL)
		return;
	pthread_mutex_lock(&a->lock);
	a->quit = true;
	pthread_cond_broadcast(&a->changed);
	pthread_mutex_unlock(&a->lock);
	for (unsigned i = 1; i <= a->started; i++)
		pthread_join(a->worker[i].thread, NULL);
	for (unsigned i = 0; a->worker != NULL && i < a->n; i++)
		vcd_piece_reader_close(&a->worker[i].reader);
	for (size_t i = 0; a->slot != NULL && i < a->slots; i++)
		vec_free(&a->slot[i].piece.log);
	pthread_cond_destroy(&a->changed);
	pthread_mutex_destroy(&a->lock);
	free(a->worker);
	free(a->slot);
	free(a);
}
