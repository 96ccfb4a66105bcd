/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * mapped.h: a view of a file in the page cache, through a mapping that moves over the file. Other
 * processes may change the bytes at any time, even between two reads of the same byte. It owns the
 * mapping; it borrows the file and the caller's struct nfart_mapping.
 */
#ifndef NFART_MAPPED_H
#define NFART_MAPPED_H

#include <stdbool.h>
#include <stddef.h>

#include "include/nfart.h"

enum { MAPPED_WINDOW = 1 << 23, MAPPED_ALIGN = 1 << 21, MAPPED_AHEAD = 1 << 16 };

struct mapped {
	struct nfart_mapping *guard; /* belongs to the caller; NULL: nothing is mapped */
	unsigned char *base;         /* MAPPED_WINDOW bytes of addresses, or NULL */
	uint64_t at;                 /* the place in the file of base[0] */
	bool filled;                 /* part of the file is mapped at base */
};

/* Returns the n bytes at `place` of the file, valid until the next call. The file is said to have
 * `left` >= n bytes from there on. A byte MAPPED_AHEAD after the n bytes is read at once, if the
 * file has one. If the file now ends before any of these bytes, reading them raises SIGBUS. A
 * handler of this signal can fill the mapping with zeros (nfart_mapping_fill()). NULL: the bytes
 * can't be mapped. */
const unsigned char *mapped_view(struct mapped *m, int fd, uint64_t place, size_t n,
				 uint64_t left);

/* Unmaps everything. */
void mapped_close(struct mapped *m);

#endif
