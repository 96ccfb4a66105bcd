/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Starts and stops the threads of a parallel run, and drives it from the calling thread
 * (parallel.h, Note [the queue]).
 */
#include "runtime/run/parallel.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* ---- work ---- */

/* Does task t in thread `number`. The caller does not hold the lock. False: out of memory. */
static bool perform(struct parallel *px, uint32_t number, const struct task *t)
{
	struct worker *w = &px->worker[number];

	if (!t->run) {
		piece_fill(&t->slot->piece, w->reader, w->decoder);
		return true;
	}
	if (px->by_line)
		return runner_run_share(&px->worker[t->share].runner, &t->slot->piece);
	return runner_run(&w->runner, &t->slot->piece);
}

/* Takes a task and does it. The caller holds the lock, which is released while the task is done.
 * False: there is no task. */
static bool parallel_work(struct parallel *px, uint32_t number)
{
	struct task t;
	bool ok;

	if (!queue_take(px, number, &t))
		return false;
	pthread_mutex_unlock(&px->lock);
	ok = perform(px, number, &t);
	pthread_mutex_lock(&px->lock);
	queue_finish(px, &t, ok);
	pthread_cond_broadcast(&px->changed);
	return true;
}

static void *thread_main(void *ctx)
{
	struct worker *w = ctx;
	struct parallel *px = w->px;

	pthread_mutex_lock(&px->lock);
	while (!px->quit)
		if (!parallel_work(px, w->number))
			pthread_cond_wait(&px->changed, &px->lock);
	pthread_mutex_unlock(&px->lock);
	return NULL;
}

void parallel_start(struct parallel *px)
{
	sigset_t all, old;

	if (px->started != 0 || px->no_threads)
		return;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	while (px->started + 1 < px->n &&
	       pthread_create(&px->worker[px->started + 1].thread, NULL, thread_main,
			      &px->worker[px->started + 1]) == 0)
		px->started++;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	px->no_threads = px->started == 0;
}

static void stop_threads(struct parallel *px)
{
	pthread_mutex_lock(&px->lock);
	px->quit = true;
	pthread_cond_broadcast(&px->changed);
	pthread_mutex_unlock(&px->lock);
	for (uint32_t i = 1; i <= px->started; i++)
		pthread_join(px->worker[i].thread, NULL);
	px->started = 0;
}

enum nfart_status parallel_combine(struct parallel *px, struct nfart_error *e)
{
	struct slot *s = slot_at(px, px->queue.head);
	enum nfart_status status = combiner_add(&px->combiner, &s->piece, e);

	pthread_mutex_lock(&px->lock);
	if (status == NFART_OK && !px->by_line &&
	    !piece_state_copy(&px->queue.recent, &px->combiner.truth))
		status = NFART_SYSTEM;
	px->queue.head++;
	pthread_cond_broadcast(&px->changed);
	pthread_mutex_unlock(&px->lock);
	if (px->r->progress != NULL)
		px->r->progress(px->r->progress_ctx, px->r);
	return status;
}

/* Works, or waits for other threads, until the piece at the head has been run. False: no piece is
 * left. */
static bool wait_head(struct parallel *px)
{
	const struct piece_queue *q = &px->queue;
	bool any;

	pthread_mutex_lock(&px->lock);
	for (;;) {
		if (*px->r->stop != 0 && px->seekable && !px->cutting.done) {
			px->r->result.interrupted = true;
			px->cutting.done = true;
		}
		any = q->head != q->tail || (px->seekable && !px->cutting.done);
		if (!any || (q->head != q->tail && slot_at(px, q->head)->state == SLOT_DONE))
			break;
		if (!parallel_work(px, 0))
			pthread_cond_wait(&px->changed, &px->lock);
	}
	pthread_mutex_unlock(&px->lock);
	return any;
}

enum nfart_status parallel_combine_all(struct parallel *px, size_t room, struct nfart_error *e)
{
	enum nfart_status status = NFART_OK;

	while (status == NFART_OK && !run_finished(px->r) &&
	       px->queue.n - (px->queue.tail - px->queue.head) < room && wait_head(px))
		status = parallel_combine(px, e);
	return status;
}

/* ---- a trace that all threads read ---- */

static enum nfart_status loop_file(struct parallel *px, struct nfart_error *e)
{
	enum nfart_status status = NFART_OK;

	parallel_start(px);
	while (status == NFART_OK && !run_finished(px->r) && wait_head(px))
		status = parallel_combine(px, e);
	if (status != NFART_OK && *px->r->stop != 0) {
		/* Reading failed because the run was interrupted. */
		px->r->result.interrupted = true;
		status = NFART_OK;
	}
	return status;
}

/* ---- setting up ---- */

static bool by_line(const struct run *r)
{
	return r->engine.has_substream || r->image->substreams.by_line ||
	       (r->second != NULL && r->second->substreams.by_line);
}

static bool open_worker(struct parallel *px, uint32_t i, struct nfart_error *e)
{
	struct worker *w = &px->worker[i];

	w->px = px;
	w->number = i;
	combiner_setup_runner(px->r, &w->runner, px->by_line ? i : 0, px->by_line ? px->n : 1);
	w->runner.decoded = px->seekable;
	if (!runner_open(&w->runner, e) || !runner_decoder(&w->runner, &w->decoder, e))
		return false;
	return !px->seekable || (w->reader = reader_another(px->r->reader)) != NULL;
}

static bool open_workers(struct parallel *px, struct nfart_error *e)
{
	uint32_t shares = px->by_line ? px->n : 0;

	for (uint32_t i = 0; i < px->n; i++)
		if (!open_worker(px, i, e))
			return false;
	for (size_t i = 0; i < px->queue.n; i++) {
		struct piece *p = &px->queue.slot[i].piece;
		if (!piece_init(p, px->by_line ? px->n : 1, px->piece_bytes) ||
		    !decoded_init(&p->records.decoded, shares, 0, shares))
			return false;
	}
	return true;
}

/* Does one thread filter faster than it reads? Then more threads help only if they read as well. */
static bool is_fast(const struct run *r)
{
	struct nfart_filter_options o = { .engine = r->engine };
	struct nfart_filter *f = r->second == NULL ? nfart_filter_new(r->image, &o, NULL) : NULL;
	bool fast = f != NULL && filter_is_fast(f);

	nfart_filter_free(f);
	return fast;
}

static bool open_queue(struct piece_queue *q, uint32_t workers)
{
	q->n = 2 * (size_t)workers + 2;
	q->slot = calloc(q->n, sizeof *q->slot);
	q->next = calloc(workers, sizeof *q->next);
	q->busy = calloc(workers, sizeof *q->busy);
	return q->slot != NULL && q->next != NULL && q->busy != NULL;
}

static bool open_parallel(struct parallel *px, struct run *r, struct nfart_error *e)
{
	px->r = r;
	px->n = r->how.jobs < RUN_MOST_JOBS ? r->how.jobs : RUN_MOST_JOBS;
	px->by_line = by_line(r);
	px->piece_bytes = r->how.piece_bytes != 0 ? r->how.piece_bytes : RUN_PIECE;
	px->seekable = trace_index_open(&px->cutting.index, r->reader);
	if (!px->seekable && is_fast(r))
		return false;
	if (px->seekable) {
		reader_border(r->reader, &px->queue.border);
		px->cutting.next = px->queue.border;
		px->cutting.exact = true;
	}
	px->worker = calloc(px->n, sizeof *px->worker);
	return open_queue(&px->queue, px->n) && px->worker != NULL &&
	       combiner_open(&px->combiner, r, px->by_line, px->seekable,
			     px->by_line ? px->n : 1, e) &&
	       open_workers(px, e);
}

static void close_parallel(struct parallel *px)
{
	for (size_t i = 0; px->queue.slot != NULL && i < px->queue.n; i++)
		piece_free(&px->queue.slot[i].piece);
	for (uint32_t i = 0; px->worker != NULL && i < px->n; i++) {
		runner_close(&px->worker[i].runner);
		nfart_reader_free(px->worker[i].reader);
		nfart_filter_free(px->worker[i].decoder);
	}
	combiner_close(&px->combiner);
	piece_state_free(&px->queue.recent);
	trace_index_close(&px->cutting.index);
	free(px->worker);
	free(px->queue.slot);
	free(px->queue.next);
	free(px->queue.busy);
}

enum nfart_status run_parallel(struct run *r, bool *ran, struct nfart_error *e)
{
	uint64_t size = nfart_reader_stats(r->reader)->size;
	size_t piece = r->how.piece_bytes != 0 ? r->how.piece_bytes : RUN_PIECE;
	enum nfart_status status = NFART_SYSTEM;
	struct parallel *px;

	*ran = false;
	if (size != 0 && size / 2 < piece)
		return NFART_OK;
	px = calloc(1, sizeof *px);
	*ran = px != NULL && open_parallel(px, r, e) && run_window_open(r, r->image, e) &&
	       pthread_mutex_init(&px->lock, NULL) == 0;
	if (*ran) {
		pthread_cond_init(&px->changed, NULL);
		r->work.parallel = px;
		r->work.combined = true;
		r->work.stats.size = size;
		status = px->seekable ? loop_file(px, e) : parallel_pipe(px, e);
		stop_threads(px);
		pthread_cond_destroy(&px->changed);
		pthread_mutex_destroy(&px->lock);
		if (status == NFART_OK && (!combiner_end(&px->combiner) || !run_window_end(r)))
			status = NFART_SYSTEM;
	}
	if (px != NULL)
		close_parallel(px);
	if (!*ran) {
		free(px);
		memset(e, 0, sizeof *e);
	}
	return status;
}
