/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * piece_runner.h: runs automata over the records of a piece, and appends what they find to the
 * piece (piece.h, Note [pieces]).
 */
#ifndef NFART_PIECE_RUNNER_H
#define NFART_PIECE_RUNNER_H

#include "runtime/run/piece.h"

/* Runs over the messages of one share of the lines or, without substreams, over all messages. */
struct piece_runner {
	const struct nfart_image *image[2];
	struct nfart_engine_options o;
	enum nfart_simd simd;        /* as in struct nfart_filter_options */
	uint64_t swap_at;            /* the number of the second image's first batch; 0: no swap */
	uint32_t share, shares;
	bool keep_logged;            /* note logged batches too: a window or a limit needs them */
	bool keep_ticks;             /* note ticks alone and losses, too, if there are ticks */
	uint64_t most_ticks;         /* struct filter_notes, `most` */
	/* The caller sets this if pieces can be decoded. They are decoded if a filter has a cache
	 * for the image. Then that filter runs over them. */
	bool decoded;
	struct nfart_engine *en[2];
	/* Runs in place of the engines, if not NULL. It always does for an image with a time slot:
	 * it gives the stream its ticks. */
	struct nfart_filter *filter;
	bool second;                 /* the second image has taken over */
};

/* Makes the engines, or the filter, of a runner whose fields up to `decoded` are set. False: *e
 * says why. Call runner_close() in either case. */
bool runner_open(struct piece_runner *s, struct nfart_error *e);
void runner_close(struct piece_runner *s);

/* Makes the filter with which piece_fill() decodes pieces for this runner. *decoder becomes NULL if
 * the runner takes pieces in words. False: *e says why. */
bool runner_decoder(const struct piece_runner *s, struct nfart_filter **decoder,
		    struct nfart_error *e);

/* Runs the runner's share of the piece. The automata continue from the states in which the piece
 * before left them. False: out of memory. */
bool runner_run_share(struct piece_runner *s, struct piece *p);

/* Runs all of the piece from the state p->guess, sets marks on the way, and puts the state after it
 * into p->last. False: out of memory. */
bool runner_run(struct piece_runner *s, struct piece *p);

/* Runs the piece again from the state `from`, up to the first mark whose state is reached again.
 * The number of the mark becomes *mark. Then *found is right for the part before the mark, and
 * p->found is right for the part after it. If no mark's state is reached again, *mark is p->nmarks,
 * *found is right for the whole piece, and p->last is corrected. False: out of memory. */
bool runner_repair(struct piece_runner *s, struct piece *p, const struct piece_state *from,
		   struct piece_found *found, uint32_t *mark);

/* Of an image with a time slot: ends the stream in the state `from`, with the ticks up to `until`
 * and with the end. *found becomes what they bring. False: out of memory. */
bool runner_end(struct piece_runner *s, const struct piece_state *from, uint64_t until,
		struct piece_found *found);

/* Can `state` be a state of the automata that s runs? A state from a file may not be. */
bool runner_fits(const struct piece_runner *s, const struct piece_state *state);

#endif
