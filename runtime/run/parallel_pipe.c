/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * A run in several threads of which only the calling one reads, since the trace comes from a pipe
 * or has no chunks (parallel.h, Note [the queue]).
 */
#include <errno.h>
#include <poll.h>

#include "runtime/run/parallel.h"

static struct piece *begin_piece(struct parallel *px)
{
	struct piece *p = &slot_at(px, px->queue.tail)->piece;

	if (!px->filling.any) {
		piece_clear(p);
		px->filling.any = true;
		px->filling.read = *nfart_reader_stats(px->r->reader);
	}
	return p;
}

/* Hands the piece at the tail to the threads. */
static void submit(struct parallel *px)
{
	const struct nfart_reader_stats *now = nfart_reader_stats(px->r->reader);
	struct slot *s = slot_at(px, px->queue.tail);

	if (!px->filling.any)
		return;
	s->piece.stats.bad_chunks = now->bad_chunks - px->filling.read.bad_chunks;
	s->piece.stats.bytes = now->bytes - px->filling.read.bytes;
	px->filling.any = false;
	pthread_mutex_lock(&px->lock);
	px->queue.tail++;
	queue_accept(px, s);
	pthread_cond_broadcast(&px->changed);
	pthread_mutex_unlock(&px->lock);
}

static bool head_done(struct parallel *px)
{
	bool done;

	pthread_mutex_lock(&px->lock);
	done = px->queue.head != px->queue.tail && slot_at(px, px->queue.head)->state == SLOT_DONE;
	pthread_mutex_unlock(&px->lock);
	return done;
}

/* Submits the piece at the tail, which is full. Combines the pieces that are done, and makes room
 * for the next piece. */
static enum nfart_status pass_full(struct parallel *px, struct nfart_error *e)
{
	enum nfart_status status = NFART_OK;

	submit(px);
	parallel_start(px);
	while (status == NFART_OK && !run_finished(px->r) && head_done(px))
		status = parallel_combine(px, e);
	return status == NFART_OK ? parallel_combine_all(px, 1, e) : status;
}

void run_parallel_wait(struct run *r)
{
	struct parallel *px = r->work.parallel;
	struct pollfd f = { .fd = r->reader->in.from.fd, .events = POLLIN };

	if (px->seekable || px->filling.status != NFART_OK ||
	    (r->reader->in.from.pipe && poll(&f, 1, 0) > 0))
		return;
	submit(px);
	px->filling.status = parallel_combine_all(px, px->queue.n, &px->filling.error);
	if (px->filling.status != NFART_OK || run_finished(r))
		r->reader->in.error = EINTR; /* makes the reader return at once: the run is over */
	else
		begin_piece(px);
}

enum nfart_status parallel_pipe(struct parallel *px, struct nfart_error *e)
{
	enum nfart_status status = NFART_OK, end = NFART_OK;
	struct run *r = px->r;
	struct nfart_error why;
	struct nfart_batch b;

	while (status == NFART_OK && end == NFART_OK && !run_finished(r)) {
		uint64_t bad;
		struct piece *p;
		int got;
		begin_piece(px);
		if (*r->stop != 0) {
			r->result.interrupted = true;
			break;
		}
		got = nfart_reader_next(r->reader, &b, &why);
		if (px->filling.status != NFART_OK) {
			*e = px->filling.error;
			return px->filling.status;
		}
		if (got < 0 && (*r->stop != 0 || run_finished(r)))
			continue;
		if (got < 0)
			end = why.status;
		if (got <= 0)
			break;
		p = begin_piece(px); /* run_parallel_wait() may have submitted the old piece */
		bad = nfart_reader_stats(r->reader)->bad_chunks - px->filling.read.bad_chunks;
		if (!piece_add(p, &b, bad))
			return NFART_SYSTEM;
		if (p->records.words.n * 8 >= px->piece_bytes)
			status = pass_full(px, e);
	}
	if (status == NFART_OK && !run_finished(r)) {
		begin_piece(px);
		submit(px);
		status = parallel_combine_all(px, px->queue.n, e);
	}
	if (status == NFART_OK && end != NFART_OK && !run_finished(r)) {
		*e = why;
		status = end;
	}
	return status;
}
