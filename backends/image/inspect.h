/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * inspect.h: reads back what the bits of an image mean. Both functions take a loaded image, not the
 * automaton it was made from, so they show what an engine sees.
 */
#ifndef NFACC_BACKENDS_INSPECT_H
#define NFACC_BACKENDS_INSPECT_H

#include "contract/image/image.h"
#include "ir/nfa.h"

/* Turns the automaton of an image back into a homogeneous NFA *a, and into a spec *s with the
 * labels, the window and the substream but without expressions. Predicates get the letters of
 * `like`, none of which may have headers of two letters of the image; if it is NULL, those of the
 * image. *s and *a borrow from the image and from `like`. False: out of memory, or the image's
 * tests are beyond the limits of alphabet.h. The caller frees *s and *a in any case. */
bool inspect_nfa(const struct nfart_image *im, const struct pred_table *like, struct spec *s,
		 struct nfa *a);

/* Appends what every range of bits in the image means (--emit=map): the sections first, then each
 * element, then each repetition in it with the place of its bits in the device words. */
void explain_image(const struct nfart_image *im, struct buf *b);

#endif
