/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * decode.h: what image_decode.c, image_mapped.c and image_sparse.c share. No
 * other file includes it.
 */
#ifndef NFART_DECODE_H
#define NFART_DECODE_H

#include "contract/image.h"

/* An image that is being decoded, with its elements: where each is and how long it is. */
struct decode {
	struct nfart_image *im;
	/* [id]: the element with this id; its el is NULL if the image lacks it */
	struct image_element at[64];
	/* set to a text that says what is malformed */
	const char **why;
};

/* Sets *d->why. Returns false. */
bool decode_fail(struct decode *d, const char *why);

/* Returns `width` bits of repetition i of an element, from bit `bit` on. The element must not be of
 * class ROWS or SPARSE. */
uint64_t decode_value(const struct decode *d, enum element_id id, uint32_t i, uint32_t bit,
		      uint32_t width);

/* Fills the image's successor lists from m pairs (from[i], to[i]) of
 * states. False: out of memory. */
bool decode_successors(struct nfart_image *im, const uint32_t *from, const uint32_t *to, size_t m);

/* Fill the image's automaton from its elements: decode_mapped() for an overlay, decode_sparse() for
 * a sparse image. False: *d->why says what is malformed, or is NULL if memory is short. */
bool decode_mapped(struct decode *d);
bool decode_sparse(struct decode *d);

#endif
