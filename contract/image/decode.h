/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * decode.h: what image_decode.c, image_mapped.c and image_sparse.c share. No
 * other file includes it.
 */
#ifndef NFART_DECODE_H
#define NFART_DECODE_H

#include "contract/image/image.h"

/* An image that is being decoded, and the places of its configuration elements. */
struct decode {
	struct nfart_image *im;
	/* [element id]: where the element is; field `el` is NULL if the image lacks the element */
	struct image_element at[ELEMENT_FIELDS];
	/* [letters but those of the time slot]: the row of each; NULL: the row of its code */
	uint32_t *row_of;
	/* where to store a text that says what is malformed */
	const char **why;
};

/* A cursor over the words of a list element. The n words at `at` are not read yet. `bad` says that
 * words were malformed or missing. */
struct cursor {
	const uint32_t *at;
	size_t n;
	bool bad;
};

/* Returns a cursor over the element. It has no words if the image lacks the element. */
static inline struct cursor cursor_open(const struct decode *d, enum element_id id)
{
	return (struct cursor){ d->im->device.halves + d->at[id].at, d->at[id].n, false };
}

/* Takes the next word, and the next two as a number of 64 bits. */
static inline uint32_t cursor_take(struct cursor *c)
{
	if (c->n == 0) {
		c->bad = true;
		return 0;
	}
	c->n--;
	return *c->at++;
}

static inline uint64_t cursor_take64(struct cursor *c)
{
	uint64_t low = cursor_take(c);

	return low | (uint64_t)cursor_take(c) << 32;
}

/* Sets *d->why to the text `why`, which says what is malformed. Always returns false. */
bool decode_fail(struct decode *d, const char *why);

/* Returns `width` bits of repetition i of element `id`, from bit `bit` of the repetition on. The
 * storage class of the element must not be ROWS or SPARSE. */
uint64_t decode_value(const struct decode *d, enum element_id id, uint32_t i, uint32_t bit,
		      uint32_t width);

/* Fills the lists of successors of all states of the image. There are m transitions: from state
 * from[i] to state to[i]. False: out of memory. */
bool decode_successors(struct nfart_image *im, const uint32_t *from, const uint32_t *to, size_t m);

/* Both functions fill the automaton of d->im from the elements: decode_mapped() for an overlay,
 * decode_sparse() for a sparse image. False: *d->why says what is malformed, or is NULL if memory
 * is short. */
bool decode_mapped(struct decode *d);
bool decode_sparse(struct decode *d);

/* Fills the machines of a sparse image. Its states, predicates and counters were decoded. False: as
 * above. */
bool decode_machines(struct decode *d);

/* decode_letters() fills what the image says of letters, tests and time, decode_copies() what it
 * says of substreams. The registers must have been decoded. False: as above. */
bool decode_letters(struct decode *d);
bool decode_copies(struct decode *d);

/* For an overlay whose slots have tests: fills the letters and tests of d->im, and d->row_of.
 * False: as above. */
bool decode_recode(struct decode *d);

#endif
