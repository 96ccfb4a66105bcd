/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * window.h: lets a caller leave out the batches that a window would drop anyway (filter.c, Note
 * [batches nobody asks for]).
 */
#ifndef NFART_WINDOW_H
#define NFART_WINDOW_H

#include "include/nfart.h"

/* window_after() says how many of the next logged batches are output at once. While it is 0, logged
 * batches are held back; only the last window_before() of them can still be output. A batch that is
 * neither logged nor accepted is never output. */
uint64_t window_after(const struct nfart_window *w);
uint64_t window_before(const struct nfart_window *w);

#endif
