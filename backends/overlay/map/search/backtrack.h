/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * search.h: exact search by backtracking over the cliques of one connected overlay.
 *
 * Domains of states are kept arc consistent (domain.h); a state whose domain has come down to one
 * clique is in it, a full clique leaves all other domains, a clique whose surroundings have no room
 * for a state's neighbours leaves its domain, and the domains must leave room for all states at
 * once (matching.h); what leaves none is taken out (filter.h). What is refuted takes its images by
 * symmetry with it (symmetry.h). Only states with neighbours that are nowhere yet are decided on:
 * when none is left, the matching is a mapping.
 *
 * The state with the fullest surroundings is fixed in one clique. If no state is farther from it than
 * cliques are from each other, the farthest one is decided on first and goes as far as can be: where
 * the NFA winds around the overlay that leaves little freedom to all states between them, and where
 * it can't be so the matching fails at once. Then come states with a small domain that often had
 * nowhere to go; each goes where it was last, or else where most room is, or, in every other run,
 * where least room is. After some failures the search begins again with what it learnt, and with
 * more patience, so that proofs end. A run that ends without a mapping is a proof that there is none.
 */
#ifndef NFACC_MAP_SEARCH_H
#define NFACC_MAP_SEARCH_H

#include "backends/overlay/map/task.h"

/* Places all states, in clique [n]. NFART_OK; NFART_NOFIT: the search was complete; NFART_GAVEUP: a
 * limit of steps, time or size; NFART_SYSTEM; NFART_INTERNAL. Deterministic without a time limit. A
 * step costs n plus what changes. Memory: n * K bits, K * min(C, n) words and the changes on one path, with n * K and K * K
 * bounded. */
enum nfart_status search_run(const struct map_task *task, uint32_t *clique);

#endif
