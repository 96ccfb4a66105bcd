/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * igraph_wrap.h: the one place that calls igraph. Its handlers are replaced during a call and put
 * back after it, so that nothing prints or aborts. They belong to the process: one call at a time.
 */
#ifndef NFACC_MAP_IGRAPH_WRAP_H
#define NFACC_MAP_IGRAPH_WRAP_H

#include <stdbool.h>

#include "backends/overlay/map/adj.h"

/* The connected component of every node, in member [g->n], numbered from 0; *count of them. Linear.
 * NFART_SYSTEM: out of memory; NFART_INTERNAL: igraph broke, and what it held is lost. */
enum nfart_status map_igraph_components(const struct map_graph *g, uint32_t *member,
					uint32_t *count);

/* Generators of the automorphisms of g (loops aside) that leave node `fixed` where it is: *count
 * consecutive arrays of g->n images, in `arena`. The worst case is exponential, as far as is known; on
 * overlays it is about linear. NFART_SYSTEM, NFART_INTERNAL. */
enum nfart_status map_igraph_automorphisms(const struct map_adj *g, uint32_t fixed,
					   struct arena *arena, uint32_t **generators,
					   uint32_t *count);

/* Are the components of g with the n nodes of list a, and those of b, isomorphic? number [g->n] is
 * the place of a node in its list; colours [g->n] must agree. If so, the node in place i of a goes
 * to the one in place image[i] of b. NFART_SYSTEM, NFART_INTERNAL. */
enum nfart_status map_igraph_isomorphic(const struct map_adj *g, const uint32_t *a,
					const uint32_t *b, uint32_t n, const uint32_t *number,
					const uint32_t *color, uint32_t *image, bool *equal);

#endif
