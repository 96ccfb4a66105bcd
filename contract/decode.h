/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * decode.h: what the parts of image_decode.c share; private to them.
 */
#ifndef NFART_DECODE_H
#define NFART_DECODE_H

#include "contract/image.h"

/* The elements of an image, found and measured. */
struct decode {
	struct nfart_image *im;
	struct image_element at[64]; /* by id; el is NULL where it is absent */
	const char **why;
};

/* Sets *d->why; false. */
bool decode_fail(struct decode *d, const char *why);

/* `width` bits from bit `bit` of repetition `i` of a CHAIN or REGISTER element. */
uint64_t decode_value(const struct decode *d, enum element_id id, uint32_t i, uint32_t bit,
		      uint32_t width);

/* Fills the image's successor lists from m pairs (from, to). False: out of memory. */
bool decode_successors(struct nfart_image *im, const uint32_t *from, const uint32_t *to, size_t m);

/* The automaton of an overlay's STEs / of a sparse image. */
bool decode_mapped(struct decode *d);
bool decode_sparse(struct decode *d);

#endif
