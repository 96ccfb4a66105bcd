/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * parts.h: splits a mapping problem: components of the NFA onto connected parts of the overlay.
 *
 * All parts are alike, as the overlay is vertex transitive, and whole components go to each. Which
 * ones is bin packing with a twist: what fits by number must also be mapped. Components are dealt
 * out largest first, to the fullest part that has room, by backtracking; each part's share is then
 * mapped, by row.h or search.h; shares that can't be are remembered, and so are counts that can't
 * be packed. Complete.
 */
#ifndef NFACC_MAP_PARTS_H
#define NFACC_MAP_PARTS_H

#include "backends/overlay/map/problem.h"

/* Places all states that have edges, in clique [n]. NFART_OK; NFART_NOFIT: proved; NFART_GAVEUP: a
 * limit of steps, time or size; NFART_SYSTEM; NFART_INTERNAL. */
enum nfart_status parts_place(const struct map_problem *p, uint32_t *clique);

#endif
