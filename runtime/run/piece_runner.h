/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * piece_runner.h: runs automata over pieces (piece.h, Note [pieces]).
 */
#ifndef NFART_PIECE_RUNNER_H
#define NFART_PIECE_RUNNER_H

#include "runtime/run/piece.h"

/* Runs one of several shares of the lines, or all of a trace. */
struct piece_runner {
	const struct nfart_image *image[2];
	struct nfart_engine_options o;
	uint64_t swap_at;            /* the first batch of the second image; 0: never */
	uint32_t share, shares;
	bool keep_logged;            /* logged batches matter to a window or a limit */
	bool decoded;                /* pieces are decoded, if a filter has a cache for the image */
	struct nfart_engine *en[2];
	struct nfart_filter *filter; /* instead of the engines; or NULL */
	bool second;                 /* the second image runs */
};

/* Makes the engines, or the filter. False: *e says why; runner_close() in every case. */
bool runner_open(struct piece_runner *s, struct nfart_error *e);
void runner_close(struct piece_runner *s);

/* Makes a filter for piece_fill(); *decoder is NULL if pieces are to be read. False: *e says
 * why. */
bool runner_decoder(const struct piece_runner *s, struct nfart_filter **decoder,
		    struct nfart_error *e);

/* Runs the runner's share of the piece, from the states in which its automata are. False: out of
 * memory. */
bool runner_run_share(struct piece_runner *s, struct piece *p);

/* Runs all of the piece, from p->guess to p->last, and sets marks. False: out of memory. */
bool runner_run(struct piece_runner *s, struct piece *p);

/* Runs the piece again from the state `from`, up to the first mark whose state is the same. *found
 * is right up to that mark, p->found after it. If there is none, *mark is p->nmarks, *found is
 * right for the whole piece, and p->last is corrected. False: out of memory. */
bool runner_repair(struct piece_runner *s, struct piece *p, const struct piece_state *from,
		   struct piece_found *found, uint32_t *mark);

/* Can this be a state of what s runs? */
bool runner_fits(const struct piece_runner *s, const struct piece_state *state);

#endif
