/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * window.h: what a caller has to know of a window to leave out batches that it would drop anyway.
 */
#ifndef NFART_WINDOW_H
#define NFART_WINDOW_H

#include "include/nfart.h"

/* How many of the next logged batches go straight out. While it is 0 a logged batch is held back,
 * the last window_size() of them; what is neither logged nor accepted is dropped. */
uint64_t window_after(const struct nfart_window *w);
uint64_t window_size(const struct nfart_window *w);

#endif
