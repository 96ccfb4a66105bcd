/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * plot_read.h: reads a trace, in one thread or in several, and sums it up for a plot. Threads give
 * what one thread gives, byte for byte.
 */
#ifndef NFART_NFAPLOT_PLOT_READ_H
#define NFART_NFAPLOT_PLOT_READ_H

#include "tools/nfaplot/plot.h"

/* Prepares *x, in which only the options and the protocol are set, and reads the whole trace, of
 * which nothing was read. *stats becomes its statistics. Returns NFART_OK; NFART_PARTIAL if it was
 * interrupted or is damaged; or what went wrong, and *e says more. plot_free() is called in any
 * case. */
enum nfart_status plot_read(struct plot *x, struct nfart_reader *r,
			    struct nfart_reader_stats *stats, struct nfart_error *e);
void plot_free(struct plot *x);

#endif
