/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * igraph_wrap.h: the graph algorithms of igraph. No other file calls igraph. During a call igraph's
 * handlers are replaced, so that igraph neither prints nor aborts; after the call they are put
 * back. The handlers belong to the process, so only one call may run at a time.
 */
#ifndef NFACC_MAP_IGRAPH_WRAP_H
#define NFACC_MAP_IGRAPH_WRAP_H

#include <stdbool.h>

#include "backends/overlay/map/adj.h"

/* Finds the connected components of g. member [g->n] becomes the component of every node;
 * components are numbered from 0, and *count is how many there are. Linear. NFART_SYSTEM: out of
 * memory. NFART_INTERNAL: igraph failed, and its memory is lost. */
enum nfart_status map_igraph_components(const struct map_graph *g, uint32_t *member,
					uint32_t *count);

/* Finds generators of the automorphisms of g, without its loops, that leave node `fixed` where it
 * is. *generators becomes *count consecutive arrays in `arena`; entry v of an array is the image of
 * node v. As far as is known the worst case is exponential; on overlays it is about linear.
 * NFART_SYSTEM, NFART_INTERNAL: as above. */
enum nfart_status map_igraph_automorphisms(const struct map_adj *g, uint32_t fixed,
					   struct arena *arena, uint32_t **generators,
					   uint32_t *count);

/* Are two components of g isomorphic? `a` and `b` list the n nodes of each; number [g->n] is the
 * place of a node in its list. Nodes may only be mapped to nodes of the same color [g->n]. If
 * *equal, the node in place i of a goes to the node in place image[i] of b. NFART_SYSTEM,
 * NFART_INTERNAL: as above. */
enum nfart_status map_igraph_isomorphic(const struct map_adj *g, const uint32_t *a,
					const uint32_t *b, uint32_t n, const uint32_t *number,
					const uint32_t *color, uint32_t *image, bool *equal);

#endif
