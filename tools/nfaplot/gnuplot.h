/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * gnuplot.h: runs gnuplot as a child. The child gets commands and data on its standard input and
 * writes the picture to a file descriptor. What it says on standard error is for the user.
 */
#ifndef NFART_NFAPLOT_GNUPLOT_H
#define NFART_NFAPLOT_GNUPLOT_H

#include <sys/types.h>

#include "include/nfart_status.h"
#include "support/buf.h"

struct gnuplot {
	pid_t child;
	int in; /* the descriptor to which commands are written */
};

/* Starts gnuplot, which writes to the descriptor `out`. An interrupt from the terminal does not
 * reach gnuplot. NFART_SYSTEM: *e says why gnuplot did not start. Every gnuplot that was started
 * must be finished. */
enum nfart_status gnuplot_start(struct gnuplot *g, int out, struct nfart_error *e);

/* Gives gnuplot the script, which may be NULL, and waits until gnuplot has ended. NFART_SYSTEM:
 * gnuplot did not draw, and *e says so; e may be NULL. */
enum nfart_status gnuplot_finish(struct gnuplot *g, const struct buf *script,
				 struct nfart_error *e);

#endif
