/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * origin.h: where in the source the states of an image come from, by the image's sections `names`
 * and `source`. Either may be missing, and neither is trusted: what can't be read is ignored.
 */
#ifndef NFART_ORIGIN_H
#define NFART_ORIGIN_H

#include "contract/image.h"
#include "support/vec.h"

struct origin_place {
	uint32_t node;        /* as image_state.node */
	uint32_t name_size, counter_size;
	const char *name;     /* of the file, inside the image, no 0 at its end */
	const char *counter;  /* the name of a counter, likewise */
	uint64_t line, column; /* from 1 */
};

struct origin {
	const struct nfart_image *im;
	VEC(struct origin_place) places; /* by rising node, each once */
};

/* False: out of memory. origin_free() in any case. */
bool origin_init(struct origin *o, const struct nfart_image *im);
void origin_free(struct origin *o);

/* The place of a state (an index of the image's), or NULL. */
const struct origin_place *origin_find(const struct origin *o, uint32_t state);

/* The line of source at a place, without its newline: *n bytes, inside the image. NULL: the image
 * has no source, or has two files of that name. Linear in the source. */
const char *origin_line(const struct origin *o, const struct origin_place *p, size_t *n);

/* Appends n bytes. A tab or carriage return becomes a blank, another control character a `?`. */
void origin_text(struct buf *b, const char *s, size_t n);

#endif
