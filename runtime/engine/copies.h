/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * copies.h: for which copy of the automaton a message is.
 *
 * With substreams there is a copy for each observed line, or for each observed value of a field.
 * Copies are numbered by their place: those of the first range come first, from 0 on, then those of
 * the second, and so on. Without substreams there is one copy, number 0.
 */
#ifndef NFART_COPIES_H
#define NFART_COPIES_H

#include "contract/image/image.h"
#include "include/nfart.h"

struct copies {
	bool any;                        /* there are substreams */
	const struct image_key *key;     /* [ncodes], borrowed from the image */
	uint32_t nranges;
	const struct image_range *ranges; /* [nranges]: the image's, or NULL: the range `own` */
	struct image_range own;
	uint64_t n;                      /* how many copies there are; without substreams 1 */
	/* What is shown of a copy is its line or value, shifted by this many bits. */
	unsigned shift;
};

/* Finds out which copies an engine with these options has. False: *e says why they can't be
 * (NFART_NOFIT: more than the overlay provides). */
bool copies_init(struct copies *c, const struct nfart_image *im,
		 const struct nfart_engine_options *o, struct nfart_error *e);

static inline const struct image_range *copies_ranges(const struct copies *c)
{
	return c->ranges != NULL ? c->ranges : &c->own;
}

/* Finds the copy of a line or value. False: it is not observed. */
static inline bool copies_find(const struct copies *c, uint64_t value, uint64_t *number)
{
	const struct image_range *r = copies_ranges(c);
	uint64_t before = 0;

	for (uint32_t i = 0; i < c->nranges; i++) {
		if (value - r[i].first < r[i].count) {
			*number = before + (value - r[i].first);
			return true;
		}
		before += r[i].count;
	}
	return false;
}

/* Finds the copy that a message belongs to. False: it belongs to none; it may be for all of them
 * (image_key.broadcast), or for no one. */
static inline bool copies_of_message(const struct copies *c, uint32_t code, uint64_t header,
				     uint64_t *number)
{
	const struct image_key *k = &c->key[code];

	return k->has && copies_find(c, header >> k->lsb & (((uint64_t)1 << k->bits) - 1), number);
}

/* Returns what is shown of a copy: the byte address of its line, or its value. */
uint64_t copies_shown(const struct copies *c, uint64_t number);

/* Returns the number of the copy of which this is shown. */
uint64_t copies_number(const struct copies *c, uint64_t shown);

/* Puts copies of one label into their order. Each of the n lines has in `address` what is shown of
 * a copy. */
void copies_sort(const struct copies *c, struct nfart_line *line, size_t n);

#endif
