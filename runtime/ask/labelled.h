/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * labelled.h: which labels a filter gives to the batches of a piece of a trace. Where its states
 * can be guessed, the filter runs over the piece in any thread; what was found is made right when
 * the pieces before it are known (runtime/run/piece.h, Note [pieces]). Else any thread reads the
 * piece, and the filter runs over the pieces in their order.
 *
 * Note [limits of labels]
 * A filter with a limit gives labels until so many batches came out of it. What it finds does not
 * depend on the limit. So it runs as if there were none, and what came out is counted in the order
 * of the trace, by a window that has none either.
 */
#ifndef NFART_ASK_LABELLED_H
#define NFART_ASK_LABELLED_H

#include "include/nfart.h"
#include "runtime/run/piece_runner.h"

struct labelled;

/* How the filter of an image runs over pieces. */
enum labelled_way {
	LABELLED_GUESSED, /* over each by itself, from a guessed state */
	/* In their order: the states of substreams are too many to guess, and what an engine that
	 * follows rules knows is in no state. */
	LABELLED_FOLLOWED
};

enum labelled_way labelled_way(const struct nfart_image *im);

/* The filter after the pieces that were settled, zeroed before the first one. Free with
 * labelled_truth_free(). */
struct labelled_truth {
	struct piece_state state;    /* LABELLED_GUESSED; of zeroes: that before a trace */
	struct piece_runner runner;  /* LABELLED_FOLLOWED */
	bool begun;                  /* what is below, and `runner`, was made */
	struct nfart_window *window; /* NULL: the image has no limit */
	uint64_t output;             /* with a limit: how many batches came out */
	bool unlimited;              /* set by the caller: all batches may come out */
};

void labelled_truth_free(struct labelled_truth *t);

/* Makes an empty piece for the filter of an image, which must outlive it. With substreams, if no
 * tick comes, it may be for `share` of so many shares of the lines (copies.h); else for 0 of 1.
 * NULL: *e says why. Free with labelled_free(). */
struct labelled *labelled_new(const struct nfart_image *im, uint32_t share, uint32_t shares,
			      struct nfart_error *e);
void labelled_free(struct labelled *x);

/* Makes x what a reader has from where it is up to its end. False: memory is short. An error of the
 * trace ends the piece; *e then says so, and else e->status is NFART_OK. */
bool labelled_fill(struct labelled *x, struct nfart_reader *r, struct nfart_error *e);

/* Puts the reader back to where the piece begins, so that it is read once more. */
void labelled_rewind(const struct labelled *x, struct nfart_reader *r);

/* Makes right what was found, or finds it: *truth is the filter before the piece, and becomes that
 * after it. The next piece of x is run from there. False: memory is short. */
bool labelled_settle(struct labelled *x, struct labelled_truth *truth);

/* Is the limit of an image reached? Then no batch has a label any more. */
bool labelled_is_over(const struct nfart_image *im, const struct labelled_truth *truth);

/* Can `state` be a state of a filter whose states are guessed? One from a file may not be. */
bool labelled_fits(const struct labelled *x, const struct piece_state *state);

/* Makes *time and *labels, a set of bits, those of the next batch that is accepted, from the first
 * one on after labelled_settle() with the same truth. The last labels of an image may be outputs of
 * machines. *labels is valid until the next call. Returns 1; 0: there is no more; -1: memory is
 * short. */
int labelled_next(struct labelled *x, struct labelled_truth *truth, uint64_t *time,
		  const uint64_t **labels);

#endif
