/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * window.h: what a caller must know of a window to leave out batches that the window would drop.
 */
#ifndef NFART_WINDOW_H
#define NFART_WINDOW_H

#include "include/nfart.h"

/* How many of the next logged batches are output at once. When it is 0 logged batches are held
 * back, the last window_size() of them. A batch that is neither logged nor accepted is dropped. */
uint64_t window_after(const struct nfart_window *w);
uint64_t window_size(const struct nfart_window *w);

#endif
