/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * mapped.h: a file where the page cache has it, through a window that moves over it. What is seen is
 * the file's own memory, which other processes may change at any time, between two looks at the same
 * byte too. Owns the window, borrows the file and the caller's struct nfart_mapping.
 */
#ifndef NFART_MAPPED_H
#define NFART_MAPPED_H

#include <stdbool.h>
#include <stddef.h>

#include "include/nfart.h"

enum { MAPPED_WINDOW = 1 << 23, MAPPED_ALIGN = 1 << 21 };

struct mapped {
	struct nfart_mapping *guard; /* NULL: nothing is mapped */
	unsigned char *base;         /* MAPPED_WINDOW bytes, or NULL */
	uint64_t at;                 /* place in the file of base[0] */
	bool filled;                 /* there is a part of the file in the window */
};

/* The n bytes at `place` of the file, valid until the next call; zeros, after a SIGBUS, where the
 * file has none. NULL: they can't be had this way. */
const unsigned char *mapped_view(struct mapped *m, int fd, uint64_t place, size_t n);

/* Gives the window back; nothing is mapped any more. */
void mapped_close(struct mapped *m);

#endif
