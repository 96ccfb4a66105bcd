/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * parts.h: splits a mapping problem: components of the NFA onto connected parts of the overlay.
 *
 * The overlay is vertex transitive, so all its parts are alike. A component goes to one part as a whole.
 * Choosing the part is bin packing with a twist: a share that fits by its number of states must also have
 * a mapping. Backtracking deals out components, largest first, each to the fullest part that has room.
 * Then each part's share is mapped (row.h, search/backtrack.h). Shares without a mapping are remembered,
 * and so are counts that can't be packed. The procedure is complete.
 */
#ifndef NFACC_MAP_PARTS_H
#define NFACC_MAP_PARTS_H

#include "backends/overlay/map/problem.h"

/* Places all states that have edges, in clique [n]. NFART_OK; NFART_NOFIT: proved; NFART_GAVEUP: a
 * limit of steps, time or size; NFART_SYSTEM; NFART_INTERNAL. */
enum nfart_status parts_place(const struct map_problem *p, uint32_t *clique);

#endif
