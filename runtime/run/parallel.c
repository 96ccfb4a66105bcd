/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * A run in several threads (piece.h, Note [pieces]).
 *
 * There is one queue of slots, each with a piece, in the order of the trace:
 *
 *   head … accepted   read, and known to be what a single reader would read; being run, or done
 *   accepted … tail   being read, from guessed borders
 *
 * The thread that calls joins the piece at the head when it is done and hands its slot out anew;
 * while it is not, that thread works like all others. Whoever works takes what is nearest to the
 * head: a piece to run (by line: a part of one, if that part has run the piece before), else a range
 * to read. A trace that is no seekable file in chunks is read by the calling thread alone.
 *
 * The lock guards the queue, not the pieces: a piece belongs to who takes it, and is handed on under
 * the lock. Memory is bounded by the number of slots.
 *
 * The file is long because all of it is about this queue, and who holds its lock.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/run/combine.h"

enum slot_state { SLOT_READING, SLOT_READ, SLOT_AGAIN, SLOT_READY, SLOT_RUNNING, SLOT_DONE };

struct slot {
	struct piece piece;
	enum slot_state state;
	uint32_t parts_left; /* by line: to run */
	bool exact;          /* piece.entry is no guess */
};

struct task {
	struct slot *slot; /* NULL: nothing to do */
	bool run;          /* else read */
	uint32_t part;     /* by line */
};

struct worker {
	struct parallel *px;
	uint32_t number; /* 0: the calling thread */
	pthread_t thread;
	struct nfart_reader *reader; /* of ranges */
	struct nfart_filter *decoder; /* for piece_decode(); NULL: pieces are read */
	struct stepper stepper;      /* by line: of part `number`, else of this thread */
};

struct parallel {
	struct run *r;
	struct join join;
	bool by_line, ranges;
	size_t piece_bytes;
	struct worker *worker; /* [n] */
	uint32_t n, started;   /* threads, the calling one included; of the others, begun */
	bool no_threads;

	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool quit;
	struct slot *slot; /* [nslots] */
	size_t nslots;
	uint64_t head, accepted, tail;
	uint64_t *next; /* [n], by line: the piece that a part runs next */
	bool *busy;     /* [n]: it is running one */
	struct piece_state recent; /* by time: the true state after the last piece joined */
	struct trace_border border; /* the true one behind the last piece accepted */
	uint64_t batches;           /* before it */

	/* ranges */
	struct trace_index index;
	struct trace_border cut; /* where the next range begins */
	bool cut_exact, all_out;

	/* the calling thread alone reads */
	bool filling;                  /* the piece behind the tail has been cleared */
	struct nfart_reader_stats read; /* when it was */
	enum nfart_status status;      /* of what was joined while input was waited for */
	struct nfart_error error;
};

static struct slot *slot_at(const struct parallel *px, uint64_t i)
{
	return &px->slot[i % px->nslots];
}

/* ---- the queue, under the lock ---- */

static bool take_part(struct parallel *px, uint32_t first, struct task *t)
{
	for (uint32_t i = 0; i < px->n; i++) {
		uint32_t k = (first + i) % px->n;
		if (px->busy[k] || px->next[k] >= px->accepted)
			continue;
		px->busy[k] = true;
		*t = (struct task){ slot_at(px, px->next[k]), true, k };
		return true;
	}
	return false;
}

static bool take_piece(struct parallel *px, struct task *t)
{
	for (uint64_t i = px->head; i < px->accepted; i++) {
		struct slot *s = slot_at(px, i);
		struct piece *p = &s->piece;
		bool second = px->r->second != NULL && p->before >= px->r->swap_at;
		if (s->state != SLOT_READY)
			continue;
		s->state = SLOT_RUNNING;
		if (second && !px->recent.second) { /* the best guess is a new engine */
			p->guess.second = true;
			p->guess.engine.words.n = 0;
		} else if (!piece_state_copy(&p->guess, &px->recent)) {
			p->failed = true;
		}
		*t = (struct task){ s, true, 0 };
		return true;
	}
	return false;
}

/* The next range of the trace into the slot at the tail. */
static void cut_range(struct parallel *px, struct slot *s)
{
	uint64_t offset;

	s->piece.entry = px->cut;
	s->piece.until = UINT64_MAX;
	s->exact = px->cut_exact;
	px->cut_exact = false;
	while (s->piece.until == UINT64_MAX && trace_index_next(&px->index, &offset))
		if (offset >= px->cut.offset + px->piece_bytes)
			s->piece.until = offset;
	if (s->piece.until == UINT64_MAX)
		px->all_out = true;
	else
		px->cut = trace_border_guess(offset, px->index.n - 1);
}

static bool take_range(struct parallel *px, struct task *t)
{
	struct slot *s = slot_at(px, px->accepted);

	if (px->accepted == px->tail || s->state != SLOT_AGAIN) {
		if (!px->ranges || px->all_out || px->tail - px->head == px->nslots)
			return false;
		s = slot_at(px, px->tail++);
		cut_range(px, s);
	}
	s->state = SLOT_READING;
	*t = (struct task){ s, false, 0 };
	return true;
}

static bool take(struct parallel *px, uint32_t number, struct task *t)
{
	t->slot = NULL;
	return (px->by_line ? take_part(px, number, t) : take_piece(px, t)) || take_range(px, t);
}

/* The piece at `accepted` is what it should be. */
static void accept(struct parallel *px, struct slot *s)
{
	s->piece.before = px->batches;
	px->batches += s->piece.stats.batches;
	s->state = SLOT_READY;
	s->parts_left = px->n;
	px->accepted++;
}

/* Accepts ranges whose borders were guessed right; one that was not is to be read again. */
static void accept_ranges(struct parallel *px)
{
	while (px->accepted < px->tail && slot_at(px, px->accepted)->state == SLOT_READ) {
		struct slot *s = slot_at(px, px->accepted);
		struct piece *p = &s->piece;
		if (!s->exact && !trace_border_follows(&px->border, &p->entry, &p->exit)) {
			p->entry = px->border;
			s->exact = true;
			s->state = SLOT_AGAIN;
			return;
		}
		px->border = p->exit;
		accept(px, s);
		if (p->status != NFART_OK)
			px->all_out = true;
		if (p->rest && px->accepted == px->tail && !px->r->interrupted) {
			px->cut = px->border;
			px->cut_exact = true;
			px->all_out = false;
		}
	}
}

static void finish(struct parallel *px, const struct task *t, bool ok)
{
	struct slot *s = t->slot;

	if (!t->run) {
		s->state = SLOT_READ;
		accept_ranges(px);
		return;
	}
	s->piece.failed |= !ok;
	if (!px->by_line) {
		s->state = SLOT_DONE;
		return;
	}
	px->busy[t->part] = false;
	px->next[t->part]++;
	if (--s->parts_left == 0)
		s->state = SLOT_DONE;
}

/* ---- work ---- */

/* Does the task, without the lock. False: out of memory. */
static bool perform(struct parallel *px, uint32_t number, const struct task *t)
{
	struct worker *w = &px->worker[number];

	if (!t->run) {
		piece_take(&t->slot->piece, w->reader, w->decoder);
		return true;
	}
	if (px->by_line)
		return step_part(&px->worker[t->part].stepper, &t->slot->piece);
	return step_piece(&w->stepper, &t->slot->piece);
}

/* Takes a task and does it; under the lock, which is given back meanwhile. False: there is none. */
static bool work(struct parallel *px, uint32_t number)
{
	struct task t;
	bool ok;

	if (!take(px, number, &t))
		return false;
	pthread_mutex_unlock(&px->lock);
	ok = perform(px, number, &t);
	pthread_mutex_lock(&px->lock);
	finish(px, &t, ok);
	pthread_cond_broadcast(&px->changed);
	return true;
}

static void *thread_main(void *ctx)
{
	struct worker *w = ctx;
	struct parallel *px = w->px;

	pthread_mutex_lock(&px->lock);
	while (!px->quit)
		if (!work(px, w->number))
			pthread_cond_wait(&px->changed, &px->lock);
	pthread_mutex_unlock(&px->lock);
	return NULL;
}

/* Begins the other threads, as many as can be had. Signals stay the calling thread's. */
static void start_threads(struct parallel *px)
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

/* Joins the piece at the head, which is done. */
static enum nfart_status join_head(struct parallel *px, struct nfart_error *e)
{
	struct slot *s = slot_at(px, px->head);
	enum nfart_status status = join_piece(&px->join, &s->piece, e);

	pthread_mutex_lock(&px->lock);
	if (status == NFART_OK && !px->by_line &&
	    !piece_state_copy(&px->recent, &px->join.truth))
		status = NFART_SYSTEM;
	px->head++;
	pthread_cond_broadcast(&px->changed);
	pthread_mutex_unlock(&px->lock);
	if (px->r->progress != NULL)
		px->r->progress(px->r->progress_ctx, px->r);
	return status;
}

/* Waits, working, until the piece at the head is done. False: there is none, nor will be. */
static bool wait_head(struct parallel *px)
{
	bool any;

	pthread_mutex_lock(&px->lock);
	for (;;) {
		if (*px->r->stop != 0 && px->ranges && !px->all_out) {
			px->r->interrupted = true;
			px->all_out = true;
		}
		any = px->head != px->tail || (px->ranges && !px->all_out);
		if (!any || (px->head != px->tail && slot_at(px, px->head)->state == SLOT_DONE))
			break;
		if (!work(px, 0))
			pthread_cond_wait(&px->changed, &px->lock);
	}
	pthread_mutex_unlock(&px->lock);
	return any;
}

/* Joins all that is there, or only what keeps the queue from having room for `room` more. */
static enum nfart_status join_all(struct parallel *px, size_t room, struct nfart_error *e)
{
	enum nfart_status status = NFART_OK;

	while (status == NFART_OK && !run_finished(px->r) &&
	       px->nslots - (px->tail - px->head) < room && wait_head(px))
		status = join_head(px, e);
	return status;
}

/* ---- a trace in ranges ---- */

static enum nfart_status loop_ranges(struct parallel *px, struct nfart_error *e)
{
	enum nfart_status status = NFART_OK;

	start_threads(px);
	while (status == NFART_OK && !run_finished(px->r) && wait_head(px))
		status = join_head(px, e);
	if (status != NFART_OK && *px->r->stop != 0) {
		px->r->interrupted = true; /* reading was */
		status = NFART_OK;
	}
	return status;
}

/* ---- a trace that the calling thread reads ---- */

static struct piece *begin_piece(struct parallel *px)
{
	struct piece *p = &slot_at(px, px->tail)->piece;

	if (!px->filling) {
		piece_clear(p);
		px->filling = true;
		px->read = *nfart_reader_stats(px->r->reader);
	}
	return p;
}

/* Hands the piece that was filled to the threads. */
static void submit(struct parallel *px)
{
	const struct nfart_reader_stats *now = nfart_reader_stats(px->r->reader);
	struct slot *s = slot_at(px, px->tail);

	if (!px->filling)
		return;
	s->piece.stats.bad_chunks = now->bad_chunks - px->read.bad_chunks;
	s->piece.stats.bytes = now->bytes - px->read.bytes;
	px->filling = false;
	pthread_mutex_lock(&px->lock);
	px->tail++;
	accept(px, s);
	pthread_cond_broadcast(&px->changed);
	pthread_mutex_unlock(&px->lock);
}

static bool head_done(struct parallel *px)
{
	bool done;

	pthread_mutex_lock(&px->lock);
	done = px->head != px->tail && slot_at(px, px->head)->state == SLOT_DONE;
	pthread_mutex_unlock(&px->lock);
	return done;
}

/* Submits a full piece, and joins what is done and what has to make room for the next. */
static enum nfart_status pass_full(struct parallel *px, struct nfart_error *e)
{
	enum nfart_status status = NFART_OK;

	submit(px);
	start_threads(px);
	while (status == NFART_OK && !run_finished(px->r) && head_done(px))
		status = join_head(px, e);
	return status == NFART_OK ? join_all(px, 1, e) : status;
}

void run_parallel_wait(struct run *r)
{
	struct parallel *px = r->parallel;
	struct pollfd f = { .fd = r->reader->in.fd, .events = POLLIN };

	if (px->ranges || px->status != NFART_OK || poll(&f, 1, 0) > 0)
		return;
	submit(px);
	px->status = join_all(px, px->nslots, &px->error);
	if (px->status != NFART_OK || run_finished(r))
		r->reader->in.error = EINTR; /* no need to wait any more */
	else
		begin_piece(px);
}

static enum nfart_status loop_reader(struct parallel *px, struct nfart_error *e)
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
			r->interrupted = true;
			break;
		}
		got = nfart_reader_next(r->reader, &b, &why);
		if (px->status != NFART_OK) {
			*e = px->error;
			return px->status;
		}
		if (got < 0 && (*r->stop != 0 || run_finished(r)))
			continue;
		if (got < 0)
			end = why.status;
		if (got <= 0)
			break;
		p = begin_piece(px); /* the one before may have been submitted meanwhile */
		bad = nfart_reader_stats(r->reader)->bad_chunks - px->read.bad_chunks;
		if (!piece_add(p, &b, bad))
			return NFART_SYSTEM;
		if (p->words.n * 8 >= px->piece_bytes)
			status = pass_full(px, e);
	}
	if (status == NFART_OK && !run_finished(r)) {
		begin_piece(px);
		submit(px);
		status = join_all(px, px->nslots, e);
	}
	if (status == NFART_OK && end != NFART_OK && !run_finished(r)) {
		*e = why;
		status = end;
	}
	return status;
}

/* ---- setting up ---- */

static bool by_line(const struct run *r)
{
	return r->engine.has_substream || r->image->by_line ||
	       (r->second != NULL && r->second->by_line);
}

static bool open_worker(struct parallel *px, uint32_t i, struct nfart_error *e)
{
	struct worker *w = &px->worker[i];

	w->px = px;
	w->number = i;
	join_stepper(px->r, &w->stepper, px->by_line ? i : 0, px->by_line ? px->n : 1);
	w->stepper.decoded = px->ranges;
	if (!step_open(&w->stepper, e) || !step_decoder(&w->stepper, &w->decoder, e))
		return false;
	return !px->ranges || (w->reader = reader_another(px->r->reader)) != NULL;
}

static bool open_workers(struct parallel *px, struct nfart_error *e)
{
	for (uint32_t i = 0; i < px->n; i++)
		if (!open_worker(px, i, e))
			return false;
	for (size_t i = 0; i < px->nslots; i++) {
		struct piece *p = &px->slot[i].piece;
		if (!piece_init(p, px->by_line ? px->n : 1, px->piece_bytes) ||
		    !decoded_init(&p->decoded, px->by_line ? px->n : 0, 0, px->by_line ? px->n : 0))
			return false;
	}
	return true;
}

/* Does one thread filter faster than it reads? Then others are of use only where they read, too. */
static bool is_fast(const struct run *r)
{
	struct nfart_filter_options o = { .engine = r->engine };
	struct nfart_filter *f = r->second == NULL ? nfart_filter_new(r->image, &o, NULL) : NULL;
	bool fast = f != NULL && filter_is_fast(f);

	nfart_filter_free(f);
	return fast;
}

static bool open_parallel(struct parallel *px, struct run *r, struct nfart_error *e)
{
	px->r = r;
	px->n = r->jobs < RUN_MOST_JOBS ? r->jobs : RUN_MOST_JOBS;
	px->nslots = 2 * (size_t)px->n + 2;
	px->by_line = by_line(r);
	px->piece_bytes = r->piece_bytes != 0 ? r->piece_bytes : RUN_PIECE;
	px->ranges = trace_index_open(&px->index, r->reader);
	if (!px->ranges && is_fast(r))
		return false;
	if (px->ranges) {
		reader_border(r->reader, &px->border);
		px->cut = px->border;
		px->cut_exact = true;
	}
	px->worker = calloc(px->n, sizeof *px->worker);
	px->slot = calloc(px->nslots, sizeof *px->slot);
	px->next = calloc(px->n, sizeof *px->next);
	px->busy = calloc(px->n, sizeof *px->busy);
	return px->worker != NULL && px->slot != NULL && px->next != NULL && px->busy != NULL &&
	       join_open(&px->join, r, px->by_line, px->ranges, px->by_line ? px->n : 1, e) &&
	       open_workers(px, e);
}

static void close_parallel(struct parallel *px)
{
	for (size_t i = 0; px->slot != NULL && i < px->nslots; i++)
		piece_free(&px->slot[i].piece);
	for (uint32_t i = 0; px->worker != NULL && i < px->n; i++) {
		step_close(&px->worker[i].stepper);
		nfart_reader_free(px->worker[i].reader);
		nfart_filter_free(px->worker[i].decoder);
	}
	join_close(&px->join);
	engine_state_free(&px->recent.engine);
	trace_index_close(&px->index);
	free(px->worker);
	free(px->slot);
	free(px->next);
	free(px->busy);
}

enum nfart_status run_parallel(struct run *r, bool *ran, struct nfart_error *e)
{
	uint64_t size = nfart_reader_stats(r->reader)->size;
	size_t piece = r->piece_bytes != 0 ? r->piece_bytes : RUN_PIECE;
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
		r->parallel = px;
		r->joined = true;
		r->stats.size = size;
		status = px->ranges ? loop_ranges(px, e) : loop_reader(px, e);
		stop_threads(px);
		pthread_cond_destroy(&px->changed);
		pthread_mutex_destroy(&px->lock);
		if (status == NFART_OK && !run_window_end(r))
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
