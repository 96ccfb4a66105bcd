/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * parallel.h: a run in several threads (piece.h, Note [pieces]), for the files that implement it.
 *
 * Note [the queue]
 * There is one queue of slots, in the order of the trace. Each slot has a piece. Three counters cut
 * the queue into two parts:
 *
 *   head … accepted   Pieces that are filled, and known to hold what a single reader would read.
 *                     They wait to be run, are being run, or have been run.
 *   accepted … tail   Pieces that are being filled, from guessed borders.
 *
 * When the piece at the head has been run, the calling thread combines it, and its slot is free
 * again. Until then the calling thread works like all others. A thread that looks for work takes
 * the first piece that waits to be run, else one to fill. With substreams it takes one share of a
 * piece; each share is run on all pieces in order. If the trace is not a seekable file in chunks,
 * only the calling thread reads, and fills the piece at the tail.
 *
 * The lock guards the queue, not the pieces. A piece belongs to the thread that took it, and passes
 * from one thread to another under the lock. The number of slots bounds the memory.
 */
#ifndef NFART_PARALLEL_H
#define NFART_PARALLEL_H

#include <pthread.h>

#include "runtime/run/combine.h"

enum slot_state {
	SLOT_FILLING,
	SLOT_FILLED,
	/* the border of the piece was guessed wrong, so the piece is to be filled again */
	SLOT_AGAIN,
	SLOT_READY,   /* the piece is accepted, and waits to be run */
	SLOT_RUNNING,
	SLOT_DONE
};

struct slot {
	struct piece piece;
	enum slot_state state;
	/* with substreams: how many shares of the piece are still to be run */
	uint32_t shares_left;
	bool exact;           /* the border where the piece begins is the true one, not a guess */
};

struct task {
	struct slot *slot; /* NULL: there is no task */
	bool run;          /* true: the piece is to be run; false: to be filled */
	uint32_t share;    /* with substreams: the share to run */
};

struct worker {
	struct parallel *px;
	uint32_t number;              /* number of the thread; 0 is the calling thread */
	pthread_t thread;
	struct nfart_reader *reader;  /* reads pieces, for piece_fill() */
	struct nfart_filter *decoder; /* decodes pieces, for piece_fill() */
	/* With substreams: the runner of share `number`, which any thread may use. Without
	 * substreams: the runner of this thread. */
	struct piece_runner runner;
};

/* The queue of pieces; all fields are guarded by the lock. */
struct piece_queue {
	struct slot *slot;           /* [n]; slot_at() says which slot a piece has */
	size_t n;
	uint64_t head, accepted, tail;
	/* With substreams, [workers]: for each share, the number of the piece in which it runs
	 * next. */
	uint64_t *next;
	/* With substreams, [workers]: for each share, whether a thread is running it. */
	bool *busy;
	/* Without substreams: the true state after the last piece that was combined. */
	struct piece_state recent;
	struct trace_border border;  /* the true border after the last piece accepted */
	uint64_t batches;            /* number of batches in all accepted pieces */
};

/* How a trace in a file is cut into pieces; all fields are guarded by the lock. */
struct cutting {
	struct trace_index index;
	struct trace_border next; /* the border where the next piece begins */
	bool exact;               /* `next` is the true border, not a guess */
	bool done;                /* all pieces are in the queue */
};

/* The piece that the calling thread fills where it alone reads the trace. */
struct filling {
	bool any;                       /* the piece at the tail is being filled */
	struct nfart_reader_stats read; /* statistics of the reader before the piece */
	/* What combining returned while the reader waited for input. */
	enum nfart_status status;
	struct nfart_error error;
};

struct parallel {
	struct run *r;
	struct combiner combiner;
	bool by_line;          /* there are substreams: pieces are run by share of the lines */
	bool seekable;         /* the trace is a seekable file in chunks: all threads read */
	size_t piece_bytes;
	struct worker *worker; /* [n]: one for each thread */
	uint32_t n;            /* number of threads, the calling one included */
	uint32_t started;      /* how many of the other threads have been started */
	bool no_threads;       /* no other thread could be started */

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

/* Takes a task for thread `number`. False: there is none. */
bool queue_take(struct parallel *px, uint32_t number, struct task *t);

/* Takes back a task that is done. ok is false if memory ran out. */
void queue_finish(struct parallel *px, const struct task *t, bool ok);

/* Accepts the next piece of the queue, which is in slot s and holds what a single reader would
 * read. */
void queue_accept(struct parallel *px, struct slot *s);

/* ---- threads (parallel.c), without the lock ---- */

/* Starts the other threads, as many as can be had. They block all signals, so that the calling
 * thread gets them. */
void parallel_start(struct parallel *px);

/* Combines the piece at the head, which has been run. Returns what combiner_add() does. */
enum nfart_status parallel_combine(struct parallel *px, struct nfart_error *e);

/* Waits for pieces and combines them, until the queue has room for `room` more pieces or no more
 * output is possible. Returns what combiner_add() does. */
enum nfart_status parallel_combine_all(struct parallel *px, size_t room, struct nfart_error *e);

/* ---- a trace that the calling thread reads (parallel_pipe.c) ---- */

enum nfart_status parallel_pipe(struct parallel *px, struct nfart_error *e);

#endif
