/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * map_graph.h: nfacc --map-graph, which maps a raw graph (graph_file.h) without any filter.
 */
#ifndef NFACC_COMPILER_MAP_GRAPH_H
#define NFACC_COMPILER_MAP_GRAPH_H

#include "backends/overlay/map/map.h"
#include "support/buf.h"
#include "support/diag.h"

/* Maps the problem that n bytes of text describe; `name` is the file's name in messages. Appends
 * the answer to `out`: a line `STATUS SECONDS NODES`, then for every state v its ring and its place
 * on the ring, `v r l`. STATUS is fits, no-fit or gave-up; SECONDS is CPU time of the mapper; NODES
 * are placements that the search tried plus nodes of branch and bound.
 *
 * NFART_OK, NFART_NOFIT (the reason is in d) and NFART_GAVEUP come with such an answer.
 * NFART_INPUT: the text is wrong. NFART_SYSTEM, NFART_INTERNAL: as from map_place(). */
enum nfart_status map_graph(const char *name, const char *text, size_t n,
			    const struct map_options *options, struct diags *d, struct buf *out);

#endif
