/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ordered.h: reads a chunked trace in several threads, a piece each, and hands the pieces out in
 * the order of the trace.
 *
 * Most pieces are read before those in front of them, from a border that the index proposes
 * (runtime/trace/border.h, Note [borders]). When its turn comes, a piece is compared with the true
 * border. If that was guessed wrong, the piece is read again, or all of the trace is.
 */
#ifndef NFART_ASK_ORDERED_H
#define NFART_ASK_ORDERED_H

#include <signal.h>

#include "include/nfart.h"

enum {
	ORDERED_PIECE = 1 << 17, /* bytes of the trace in a piece, unless the caller says */
	ORDERED_MOST_JOBS = 256
};

/* What the caller has for each piece is in a slot; slots are numbered from 0. */
struct ordered_use {
	void *ctx;
	/* Makes `slot` what the reader has up to its end. Threads call this at the same time, for
	 * different slots. Returns 0 at the end of the piece; -1 on an error, which *e tells, and
	 * the slot has what came before. */
	int (*fill)(void *ctx, uint32_t slot, struct nfart_reader *r, struct nfart_error *e);
	/* Takes what is in `slot`. The calling thread calls this, in the order of the trace; *s is
	 * the statistics of all pieces up to this one. False: memory is short. */
	bool (*take)(void *ctx, uint32_t slot, const struct nfart_reader_stats *s);
	/* A slot that was filled can't be filled again in place: a wrong guess ends in
	 * ORDERED_AGAIN. */
	bool once;
};

enum ordered_end {
	ORDERED_NONE,   /* nothing was read: the trace is short, or has no index, or memory */
	ORDERED_ALL,    /* the whole trace was taken */
	ORDERED_STOPPED, /* *stop became other than 0: the trace was taken up to some place */
	ORDERED_AGAIN,  /* read again in one thread, and forget what was filled and taken */
	ORDERED_SHORT,  /* `take` failed */
	ORDERED_ERROR   /* reading failed, as it would in one thread, and *e says why */
};

/* Returns how many slots `jobs` threads need. */
static inline uint32_t ordered_slots(uint32_t jobs)
{
	return 2 * (jobs < ORDERED_MOST_JOBS ? jobs : ORDERED_MOST_JOBS) + 2;
}

/* Reads the trace that r reads, of which nothing was read yet, in `jobs` threads and in pieces of
 * `piece` bytes (0: ORDERED_PIECE). r itself is not moved. *sum becomes the statistics of what was
 * taken. Memory: what the slots hold. */
enum ordered_end ordered_read(const struct nfart_reader *r, const struct ordered_use *use,
			      uint32_t jobs, size_t piece, const volatile sig_atomic_t *stop,
			      struct nfart_reader_stats *sum, struct nfart_error *e);

#endif
