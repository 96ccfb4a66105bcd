/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * guards.h: the guards of an image's predicates as the filters have them, which the image's section
 * `guards` says (backends/image/pack_guards.c has its form). They only serve explanations: what a
 * predicate means, its letters say. The section is not trusted. If a line of it can't be read, none
 * of it is used.
 */
#ifndef NFART_GUARDS_H
#define NFART_GUARDS_H

#include "contract/image/image.h"
#include "support/vec.h"

struct guard_codes {
	uint32_t set;         /* the number of a set of codes */
	uint32_t first, last; /* codes that are in it */
};

/* A test of a field, or of bits of the payload. Its value, from the message's bits, under `mask` is
 * lo … hi, or with `not`, it is not. Bit `lsb` of a message is one of its header, from 64 on one of
 * its payload. */
struct guard_test {
	const char *name;     /* the name's name_size bytes, inside the image */
	uint32_t name_size;
	uint32_t lsb, bits, shift;
	uint64_t mask, lo, hi;
	bool not;
};

struct guard_term {
	uint32_t set;
	size_t first_test, ntests;
};

struct guard_node {
	uint32_t node;        /* as image_state.node */
	size_t first_term, nterms;
};

struct guards {
	const struct nfart_image *im;
	VEC(struct guard_codes) codes; /* by rising set */
	VEC(struct guard_node) nodes;  /* by rising node */
	VEC(struct guard_term) terms;
	VEC(struct guard_test) tests;
};

/* Reads the section of the image, which must outlive *g. False: out of memory. Call guards_free()
 * in either case. */
bool guards_init(struct guards *g, const struct nfart_image *im);
void guards_free(struct guards *g);

/* Appends which tests of the state's guards a message with this code failed, such as
 * `addr 0x8080 is not in 0x9000..0x9fff`; ` or ` stands between the guards that the message could
 * have passed. Returns false, and appends nothing, if no guard is for such messages. Cost: linear
 * in the guards of the state. */
bool guards_failed(const struct guards *g, uint32_t state, uint32_t code,
		   const struct record_message *m, struct buf *b);

#endif
