/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * combine.h: makes the result of a trace of its pieces, which were run (piece.h, Note [pieces]), in
 * order.
 */
#ifndef NFART_COMBINE_H
#define NFART_COMBINE_H

#include "include/nfart.h"
#include "runtime/run/piece_runner.h"
#include "runtime/run/run.h"

/* Goes over what was found in a share. */
struct combiner_cursor {
	const struct piece_found *found;
	size_t at, end; /* words */
};

struct combiner {
	struct run *r;
	bool by_line;
	struct piece_runner runner;     /* without substreams: for repairs */
	struct piece_state truth;       /* without substreams: after the pieces so far */
	struct piece_found repaired;
	struct combiner_cursor *cursor; /* [shares] */
	uint64_t *labels;               /* of the current batch */
	VEC(struct nfart_line) lines;
};

/* Prepares a runner of r for one of `shares` shares. */
void combiner_setup_runner(const struct run *r, struct piece_runner *s, uint32_t share,
			   uint32_t shares);

/* decoded: pieces are decoded where they can be. False: *e says why; combiner_close() in every
 * case. */
bool combiner_open(struct combiner *c, struct run *r, bool by_line, bool decoded, uint32_t shares,
		   struct nfart_error *e);
void combiner_close(struct combiner *c);

/* Adds the next piece: r's counters, statistics, window and writer advance. Returns NFART_OK, how
 * reading the piece ended, or NFART_SYSTEM. Once run_finished(r), whatever follows the last batch
 * is left out. */
enum nfart_status combiner_add(struct combiner *c, struct piece *p, struct nfart_error *e);

#endif
