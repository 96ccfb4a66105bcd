/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * igraph_wrap.h: the one place that calls igraph. Its handlers are replaced during a call and put
 * back after it, so that nothing prints or aborts. They belong to the process: one call at a time.
 */
#ifndef NFACC_MAP_IGRAPH_WRAP_H
#define NFACC_MAP_IGRAPH_WRAP_H

#include "compiler/map/adj.h"

/* The connected component of every node, in member [g->n], numbered from 0; *count of them. Linear.
 * NFART_SYSTEM: out of memory; NFART_INTERNAL: igraph broke, and what it held is lost. */
enum nfart_status map_igraph_components(const struct map_graph *g, uint32_t *member,
					uint32_t *count);

#endif
