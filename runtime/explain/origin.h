/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * origin.h: where in the source the states of an image and the parts of its machines come from. The
 * image's sections `names` and `source` say so. Either may be missing, and neither is trusted: what
 * can't be read is ignored.
 */
#ifndef NFART_ORIGIN_H
#define NFART_ORIGIN_H

#include "contract/image/image.h"
#include "support/vec.h"

struct origin_place {
	uint32_t node;        /* the state's number, as in image_state.node */
	uint32_t name_size, counter_size;
	const char *name;     /* the file's name: inside the image, without a 0 at its end */
	/* The counter's name, also without a 0 at its end; counter_size 0: the state is no
	 * counter. */
	const char *counter;
	uint64_t line, column; /* place in the file; both count from 1 */
};

enum origin_kind {
	ORIGIN_MACHINE,
	ORIGIN_STATE,
	ORIGIN_COUNTER,
	ORIGIN_COUNT, /* a condition that counts */
	ORIGIN_RESET, /* a condition that resets */
	ORIGIN_MOVE   /* a transition */
};

/* A part of a machine. */
struct origin_part {
	enum origin_kind kind;
	uint32_t name_size;        /* 0: the name is not known */
	const char *name;          /* inside the image, without a 0 at its end */
	struct origin_place place; /* place.line 0: the place is not known */
};

struct origin {
	const struct nfart_image *im;
	VEC(struct origin_place) places; /* ordered by `node`; no node is there twice */
	/* Each machine is followed by its states, its counters (each followed by its conditions)
	 * and its transitions. */
	VEC(struct origin_part) parts;
};

/* Finds the places of all states of the image, which must outlive *o. False: out of memory. Call
 * origin_free() in either case. */
bool origin_init(struct origin *o, const struct nfart_image *im);
void origin_free(struct origin *o);

/* Returns the place of state number `state` of the image, or NULL if no place is known. Cost:
 * logarithmic in the places. */
const struct origin_place *origin_find(const struct origin *o, uint32_t state);

/* Returns part number i of a kind of a machine of the image. Conditions are numbered through all
 * counters of the machine. Cost: linear in the parts. */
const struct origin_part *origin_part(const struct origin *o, uint32_t machine,
				      enum origin_kind kind, uint32_t i);

/* Returns the line of source at a place: *n bytes inside the image, without the newline. NULL: the
 * image has no source, or two of its files have the name. Cost: linear in the source. */
const char *origin_line(const struct origin *o, const struct origin_place *p, size_t *n);

/* Appends the n bytes at s to b. A tab or carriage return becomes a blank, and each byte that
 * can't be shown becomes a `?`. */
void origin_text(struct buf *b, const char *s, size_t n);

/* ---- for origin_init() ---- */

/* Parses FILE:LINE:COLUMN, which ends before `end`. False: it does not have this form. */
bool origin_parse_place(const char *s, const char *end, struct origin_place *p);

/* Adds the parts of all machines, without names and places. False: out of memory. */
bool origin_add_parts(struct origin *o);

/* Parses the line of a part of this kind, which ends before `end`. False: it is no such line. */
bool origin_parse_part(const char *s, const char *end, struct origin_part *p);

#endif
