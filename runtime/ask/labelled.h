/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * labelled.h: which labels a filter gives to the batches of a piece of a trace. The filter runs
 * over the piece in any thread, from a guessed state; what was found is made right when the pieces
 * before it are known (runtime/run/piece.h, Note [pieces]).
 */
#ifndef NFART_ASK_LABELLED_H
#define NFART_ASK_LABELLED_H

#include "include/nfart.h"
#include "runtime/run/piece.h"

struct labelled;

/* Can the filter of an image run over pieces? Not with substreams, whose states are too many to
 * guess; nor with ticks or a limit, which depend on all batches before them. */
bool labelled_can_be(const struct nfart_image *im);

/* Makes an empty piece for the filter of an image, which must outlive it. NULL: *e says why. Free
 * with labelled_free(). */
struct labelled *labelled_new(const struct nfart_image *im, struct nfart_error *e);
void labelled_free(struct labelled *x);

/* Makes x what a reader has from where it is up to its end, and puts the reader back there. False:
 * memory is short. An error of the trace ends the piece, and comes again when it is read again. */
bool labelled_fill(struct labelled *x, struct nfart_reader *r);

/* Makes right what was found: *truth is the state of the filter before the piece, and becomes that
 * after it. A state of zeroes is that before a trace. The next piece of x is run from there. False:
 * memory is short. */
bool labelled_settle(struct labelled *x, struct piece_state *truth);

/* Can `state` be a state of the filter? One from a file may not be. */
bool labelled_fits(const struct labelled *x, const struct piece_state *state);

/* Makes *time and *labels, a set of bits, those of the next batch that is accepted, from the first
 * one on after labelled_settle(). The last labels of an image may be outputs of machines. *labels
 * is valid until the next call. False: there is no more. */
bool labelled_next(struct labelled *x, uint64_t *time, const uint64_t **labels);

#endif
