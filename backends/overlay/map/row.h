/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * row.h: a first placement: states in a row along a path through all cliques.
 *
 * Components one after the other, each in the order of Cuthill and McKee, fill clique after clique.
 * Edges that are no longer in that order than a clique is large are then within neighbouring
 * cliques, however full the overlay is. Nothing is searched: no answer is not a proof.
 */
#ifndef NFACC_MAP_ROW_H
#define NFACC_MAP_ROW_H

#include "backends/overlay/map/task.h"

/* NFART_OK: clique [n] is a mapping; NFART_NOFIT: this way there is none; NFART_SYSTEM. Linear but
 * for sorting neighbours. */
enum nfart_status row_place(const struct map_task *task, uint32_t *clique);

#endif
