/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * graph_file.h: reads raw mapping problems, files NAME.g:
 *
 *	C L R N n m     the overlay, and how many states and edges there are
 *	u v             m of them, 0 <= u < v < n, none twice
 *
 * Numbers are decimal, with blanks or line ends between them. The text is hostile: memory grows with
 * its length, not with the numbers in it. The one exception is the number of states, which is bounded.
 */
#ifndef NFACC_MAP_GRAPH_FILE_H
#define NFACC_MAP_GRAPH_FILE_H

#include "backends/overlay/map/adj.h"
#include "contract/contract.h"
#include "support/diag.h"

enum { GRAPH_MOST_STATES = 1 << 22 };

struct graph_file {
	struct overlay overlay; /* C, L, R, N; the rest is that of the default overlay */
	struct map_graph graph; /* its edges are owned */
};

/* Reads n bytes of text, of the file `name`. NFART_OK: free *f with graph_file_free(). NFART_INPUT:
 * the first error is in d, with its place. NFART_SYSTEM. m * log m steps. */
enum nfart_status graph_file_read(struct graph_file *f, struct diags *d, const char *name,
				  const char *text, size_t n);
void graph_file_free(struct graph_file *f);

#endif
