/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * graph_file.h: reads raw mapping problems, which stand in files NAME.g:
 *
 *     C L R N n m     the overlay, the number of states, the number of edges
 *     u v             an edge between states, 0 <= u < v < n; m of these, none twice
 *
 * Numbers are decimal, with blanks or line ends between them. The text is hostile: memory
 * grows with its length, not with the numbers in it. The one exception is the number of
 * states, which is bounded.
 */
#ifndef NFACC_MAP_GRAPH_FILE_H
#define NFACC_MAP_GRAPH_FILE_H

#include "backends/overlay/map/adj.h"
#include "contract/contract.h"
#include "support/diag.h"

enum { GRAPH_MOST_STATES = 1 << 22 };

struct graph_file {
	/* C, L, R and N from the file; the rest as in the default overlay */
	struct overlay overlay;
	struct map_graph graph; /* its edges are freed by graph_file_free() */
};

/* Reads *f from n bytes of text; `name` is the file's name in messages. NFART_OK: free *f with
 * graph_file_free(). NFART_INPUT: the first error is in d, with its place. NFART_SYSTEM: out of
 * memory. Takes m * log m steps. */
enum nfart_status graph_file_read(struct graph_file *f, struct diags *d, const char *name,
				  const char *text, size_t n);
void graph_file_free(struct graph_file *f);

#endif
