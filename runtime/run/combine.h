/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * combine.h: makes the result of a trace from its pieces, in order, after they were run (piece.h,
 * Note [pieces]).
 */
#ifndef NFART_COMBINE_H
#define NFART_COMBINE_H

#include "include/nfart.h"
#include "runtime/run/piece_runner.h"
#include "runtime/run/run.h"

/* A position among the entries that were found in one share of a piece. */
struct combiner_cursor {
	const struct piece_found *found;
	/* Indices into found->words: `at` is where the current entry begins, `end` is where the
	 * last one ends. */
	size_t at, end;
};

struct combiner {
	struct run *r;
	bool by_line;                   /* there are substreams: pieces have shares of the lines */
	/* Without substreams: runs a piece again if its first state was guessed wrong. */
	struct piece_runner runner;
	/* Without substreams: the true state after the last piece that was added. */
	struct piece_state truth;
	struct piece_found repaired;
	uint64_t until;                 /* the stream's last time, as pieces stated it */
	struct combiner_cursor *cursor; /* [shares]: one cursor for each share */
	struct copies map[2];           /* the copies of both images */
	uint64_t *labels;               /* set of the labels that accept the current batch */
	VEC(struct nfart_line) lines;
};

/* Sets the fields of s, the runner of share number `share` of `shares` in run r. The caller opens
 * it with runner_open(). */
void combiner_setup_runner(const struct run *r, struct piece_runner *s, uint32_t share,
			   uint32_t shares);

/* Makes a combiner that adds pieces to run r. If `decoded` is set, and a filter has a cache for the
 * image, the pieces are decoded. False: *e says why. Call combiner_close() in either case. */
bool combiner_open(struct combiner *c, struct run *r, bool by_line, bool decoded, uint32_t shares,
		   struct nfart_error *e);
void combiner_close(struct combiner *c);

/* Adds the next piece of the trace to the counters and statistics of the run, and passes its
 * records to window and writer. Stops in the middle of the piece if run_finished() becomes true.
 * Returns NFART_OK, or the error with which reading the piece ended, or NFART_SYSTEM. */
enum nfart_status combiner_add(struct combiner *c, struct piece *p, struct nfart_error *e);

/* Ends the stream after its last piece: with the ticks up to the stated last time, and the end.
 * Does nothing to an image without a time slot. False: memory is short, or the output failed. */
bool combiner_end(struct combiner *c);

#endif
