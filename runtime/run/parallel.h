/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * parallel.h: the inside of a run in several threads (piece.h, Note [pieces]).
 *
 * Note [the queue]
 * There is one queue of slots, each with a piece, in the order of the trace:
 *
 *   head … accepted   filled, and known to hold what a single reader would read; being run, or done
 *   accepted … tail   being filled, from guessed borders
 *
 * The calling thread combines the piece at the head when it is done, and then its slot is free
 * again. While that piece is not done, the calling thread works like all others. Whoever works
 * takes the task nearest to the head: a piece to run (by line: a share of one, if that share has
 * been run on the piece before), else a piece to fill. If the trace is not a seekable file in
 * chunks, only the calling thread reads, and fills the piece at the tail.
 *
 * The lock guards the queue, not the pieces. A piece belongs to whoever took it, and passes from
 * one thread to another under the lock. The number of slots bounds the memory.
 */
#ifndef NFART_PARALLEL_H
#define NFART_PARALLEL_H

#include <pthread.h>

#include "runtime/run/combine.h"

enum slot_state {
	SLOT_FILLING,
	SLOT_FILLED,
	SLOT_AGAIN,   /* its border was guessed wrong: it is to be filled again */
	SLOT_READY,   /* accepted, to be run */
	SLOT_RUNNING,
	SLOT_DONE
};

struct slot {
	struct piece piece;
	enum slot_state state;
	uint32_t shares_left; /* by line: to run */
	bool exact;           /* where it begins is no guess */
};

struct task {
	struct slot *slot; /* NULL: there is nothing to do */
	bool run;          /* else to fill */
	uint32_t share;    /* by line */
};

struct worker {
	struct parallel *px;
	uint32_t number;              /* 0: the calling thread */
	pthread_t thread;
	struct nfart_reader *reader;  /* for piece_fill() */
	struct nfart_filter *decoder; /* likewise */
	struct piece_runner runner;   /* by line: of share `number`; else of this thread */
};

/* Under the lock. */
struct piece_queue {
	struct slot *slot;           /* [n] */
	size_t n;
	uint64_t head, accepted, tail;
	uint64_t *next;              /* [workers], by line: the piece that a share runs next */
	bool *busy;                  /* [workers]: it is running one */
	struct piece_state recent;   /* not by line: the true state after the last piece combined */
	struct trace_border border;  /* the true one after the last piece accepted */
	uint64_t batches;            /* before it */
};

/* How a trace in a file is cut into pieces. Under the lock. */
struct cutting {
	struct trace_index index;
	struct trace_border next; /* where the next piece begins */
	bool exact;               /* that is no guess */
	bool done;                /* all pieces are in the queue */
};

/* Where the calling thread alone reads. */
struct filling {
	bool any;                       /* the piece at the tail has been cleared */
	struct nfart_reader_stats read; /* when it was */
	enum nfart_status status;       /* of what was combined while input was waited for */
	struct nfart_error error;
};

struct parallel {
	struct run *r;
	struct combiner combiner;
	bool by_line;
	bool seekable;         /* all threads read the trace, a file in chunks */
	size_t piece_bytes;
	struct worker *worker; /* [n] */
	uint32_t n;            /* threads, the calling one included */
	uint32_t started;      /* of the others, how many run */
	bool no_threads;       /* none could be had */

	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool quit;
	struct piece_queue queue;
	struct cutting cutting;
	struct filling filling;
};

static inline struct slot *slot_at(const struct parallel *px, uint64_t i)
{
	return &px->queue.slot[i % px->queue.n];
}

/* ---- the queue, under the lock (piece_queue.c) ---- */

/* Takes a task for a thread. False: there is none. */
bool queue_take(struct parallel *px, uint32_t number, struct task *t);

/* The task is done. ok: there was memory for it. */
void queue_finish(struct parallel *px, const struct task *t, bool ok);

/* The piece at `accepted` is what a single reader would read. */
void queue_accept(struct parallel *px, struct slot *s);

/* ---- threads (parallel.c), without the lock ---- */

/* Begins the other threads, as many as can be had. Signals remain the calling thread's. */
void parallel_start(struct parallel *px);

/* Combines the piece at the head, which is done. */
enum nfart_status parallel_combine(struct parallel *px, struct nfart_error *e);

/* Combines pieces until the queue has room for `room` more. */
enum nfart_status parallel_combine_all(struct parallel *px, size_t room, struct nfart_error *e);

/* ---- a trace that the calling thread reads (parallel_pipe.c) ---- */

enum nfart_status parallel_pipe(struct parallel *px, struct nfart_error *e);

#endif
