/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * parts.h: splits a mapping problem. Each component of the NFA goes to one
 * connected part of the overlay.
 *
 * The overlay is vertex transitive, so all its parts are alike. Choosing a part for each component
 * is bin packing with an additional condition: what a part gets must not only fit by its number of
 * states, but must also have a mapping. Backtracking deals out components, the largest first, each
 * to the fullest part that has room. Then the share of each part is mapped (portfolio.h). Shares
 * without a mapping are remembered, and so are numbers of states that can't be packed. The search
 * is complete: it finds a mapping if there is one.
 */
#ifndef NFACC_MAP_PARTS_H
#define NFACC_MAP_PARTS_H

#include "backends/overlay/map/problem.h"

/* Places all states that have edges: clique [n] receives their cliques. NFART_OK.
 * NFART_NOFIT: proved that there is no mapping. NFART_GAVEUP: a limit of steps, time or size.
 * NFART_SYSTEM: out of memory. NFART_INTERNAL: igraph failed. */
enum nfart_status parts_place(const struct map_problem *p, uint32_t *clique);

#endif
