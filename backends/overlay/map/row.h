/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * row.h: a first try at a placement, without search: the states stand in a row along a
 * path through all cliques.
 *
 * Why it exists: most filters are chains. A row places thousands of such states a hundred
 * times faster than propagate/ (doc/develop/mapping.md has the figures).
 *
 * Component after component fills clique after clique, the states of each in the order of
 * Cuthill and McKee. If the two states of an edge are no further apart in that order than a
 * clique has places, they end up in neighbouring cliques, however full the overlay is. A
 * failure proves nothing.
 */
#ifndef NFACC_MAP_ROW_H
#define NFACC_MAP_ROW_H

#include "backends/overlay/map/task.h"

/* NFART_OK: clique [n] is a mapping. NFART_NOFIT: this method finds none. NFART_SYSTEM: out of
 * memory. Linear, except for sorting neighbours. */
enum nfart_status row_place(const struct map_task *task, uint32_t *clique);

#endif
