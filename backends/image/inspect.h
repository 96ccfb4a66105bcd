/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * inspect.h: what the bits of an image say. Both functions read a loaded image, not the automaton it
 * was made from, so they show what an engine sees.
 */
#ifndef NFACC_BACKENDS_INSPECT_H
#define NFACC_BACKENDS_INSPECT_H

#include "contract/image.h"
#include "ir/nfa.h"

/* Turns the automaton of an image back into a spec (labels, window, substream; no expressions) and a
 * homogeneous NFA over it. The image must outlive both. False: out of memory. */
bool inspect_nfa(const struct nfart_image *im, struct spec *s, struct nfa *a);

/* Explains every bit range of the image: sections, then element by element, repetition by
 * repetition, where its bits stand in the device words and what they mean (--emit=map). */
void explain_image(const struct nfart_image *im, struct buf *b);

#endif
