/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * map_graph.h: nfacc --map-graph: maps a raw graph (graph_file.h), without any filter.
 */
#ifndef NFACC_COMPILER_MAP_GRAPH_H
#define NFACC_COMPILER_MAP_GRAPH_H

#include "backends/overlay/map/map.h"
#include "support/buf.h"
#include "support/diag.h"

/* Maps the problem in n bytes of text and appends the answer to out: a line `status seconds nodes`
 * (fits, no-fit or gave-up; CPU seconds of the mapper; placements tried by the search and nodes of
 * branch and bound), then `v r l` for every state: its ring and its place on that. With NFART_OK,
 * NFART_NOFIT, which gets its reason in d, and NFART_GAVEUP, the same. Otherwise as map_place(),
 * and NFART_INPUT where the text is wrong. */
enum nfart_status map_graph(const char *name, const char *text, size_t n,
			    const struct map_options *options, struct diags *d, struct buf *out);

#endif
