/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * tap_names.h: finds variables of a waveform by the names that people write (nfacc-protocol(5),
 * Names of signals). It owns an index of the names, and borrows the waveform.
 */
#ifndef NFART_TAP_NAMES_H
#define NFART_TAP_NAMES_H

#include "runtime/wave/wave.h"
#include "support/buf.h"

/* All variables with one name: one, the same in several kinds, or a vector bit by bit. */
struct tap_name {
	const char *path; /* n bytes: names of scopes and its own, without a range */
	size_t n;
	uint32_t scope;   /* how many of these bytes are the scope, without the dot after it */
	uint32_t first;   /* the variables are [first, first + count) of `order` */
	uint32_t count;
	uint32_t place;   /* the number of its first variable in the file */
};

struct tap_names {
	const struct wave_variable *variables;
	uint32_t *order;        /* the variables of logic, sorted by name and place */
	size_t nvariables;      /* how many `order` has */
	struct tap_name *names; /* [n]: sorted by path */
	uint32_t *folded;       /* [n]: the names, sorted without regard to case */
	size_t n;
};

/* Bits of a value: a part of a signal. */
struct tap_part {
	uint32_t value, width;
};

/* What a name stands for. */
struct tap_found {
	const struct tap_name *name;
	uint32_t nparts, width; /* the width is that of all parts */
	struct tap_part *parts; /* [nparts]: highest bits first. The caller frees it. */
};

/* Makes the index. False: out of memory. The caller frees it with tap_names_free() in every case.
 * Cost: n log n in the number of variables. */
bool tap_names_make(struct tap_names *x, const struct wave *w);
void tap_names_free(struct tap_names *x);

/* Finds the variable that `name` means: one with this name; or else one with it without regard to
 * case; or else one, in any scope, that ends with a dot and this name, in its case or any. Returns
 * how many there are, where names of one variable are one, and the best in *f if that is 1;
 * SIZE_MAX: out of memory. The text of what is wrong is appended to `why` if the result is not 1:
 * the nearest names, or up to 20 of those that were found. Cost: linear in the number of names if
 * the first two ways fail. */
size_t tap_names_find(const struct tap_names *x, const char *name, struct tap_found *f,
		      struct buf *why);

/* Finds `name` in the scope (n bytes), or in the nearest one around it, in its case or any. Returns
 * what tap_names_find() does. */
size_t tap_names_outwards(const struct tap_names *x, const char *name, const char *scope, size_t n,
			  struct tap_found *f);

/* Finds the name of these n bytes, in its case or else in any. NULL: there is none, or there are
 * several. */
const struct tap_name *tap_names_exactly(const struct tap_names *x, const char *path, size_t n);

#endif
