/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * pack.h: a placed NFA to cfg.bin. The only packer: every other output prints what it made.
 */
#ifndef NFACC_BACKENDS_PACK_H
#define NFACC_BACKENDS_PACK_H

#include "contract/contract.h"
#include "ir/nfa.h"

struct pack_input {
	const struct nfa *nfa;         /* homogeneous, edges sorted */
	const struct spec *spec;
	const struct overlay *overlay; /* slots and op_bits set, or none */
	const char *overlay_name;
	const uint32_t *ste;           /* [states]: the node of each state; NULL for overlay none */
	const struct diags *diags;     /* its sources, for the names and source sections */
	const uint32_t *files;         /* which of them are filter files, nfiles */
	size_t nfiles;
	bool names, source;            /* write those sections */
};

/* Appends the image to b. The caller has checked that labels, lines and window fit the overlay.
 * False: out of memory, or a section of 2^30 bytes. The same input gives the same bytes. */
bool pack_image(const struct pack_input *in, struct buf *b);

/* The configuration words alone (contract.h, Note [configuration words]), as little-endian halves. */
bool pack_device(const struct pack_input *in, struct buf *words);

/* The words of one element of a sparse image, for pack_device(). `number` has room for a number of
 * each predicate. False: out of memory. */
bool pack_sparse(const struct nfa *a, const struct element *el, uint32_t *number, struct buf *b);

/* The text of the names section; b->failed where memory is short. And the last part of a path: where a
 * file lies must not change the image. */
void pack_names(const struct pack_input *in, struct buf *b);
const char *pack_base_name(const char *path);

#endif
