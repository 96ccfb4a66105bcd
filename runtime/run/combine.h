/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * combine.h: makes the result of a trace out of its pieces, in order, once they were run (piece.h,
 * Note [pieces]).
 */
#ifndef NFART_COMBINE_H
#define NFART_COMBINE_H

#include "include/nfart.h"
#include "runtime/run/piece_runner.h"
#include "runtime/run/run.h"

/* Goes over the entries that were found in one share of a piece. */
struct combiner_cursor {
	const struct piece_found *found;
	size_t at, end; /* words of *found: the current entry, and the end */
};

struct combiner {
	struct run *r;
	bool by_line;                   /* there are substreams: pieces have shares of the lines */
	struct piece_runner runner;     /* without substreams: runs pieces again */
	struct piece_state truth;       /* without substreams: the true state so far */
	struct piece_found repaired;
	struct combiner_cursor *cursor; /* [shares] */
	uint64_t *labels;               /* set of the labels that accept the current batch */
	VEC(struct nfart_line) lines;
};

/* Sets the fields of a runner of r for share number `share` of `shares`. The caller opens it. */
void combiner_setup_runner(const struct run *r, struct piece_runner *s, uint32_t share,
			   uint32_t shares);

/* Makes a combiner that feeds r. `decoded`: pieces come decoded, if a filter has a cache for the
 * image. False: *e says why. Call combiner_close() in either case. */
bool combiner_open(struct combiner *c, struct run *r, bool by_line, bool decoded, uint32_t shares,
		   struct nfart_error *e);
void combiner_close(struct combiner *c);

/* Adds the next piece: r's counters, statistics, window and writer advance. Returns NFART_OK, or
 * the error with which reading the piece ended, or NFART_SYSTEM. Once run_finished(r), whatever
 * follows the last batch is left out. */
enum nfart_status combiner_add(struct combiner *c, struct piece *p, struct nfart_error *e);

#endif
