/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * backtrack.h: exact search by backtracking over the cliques of one connected overlay.
 *
 * Each state has a domain: the cliques it may still go to. Propagation shrinks domains:
 *
 *   - domains are kept arc consistent (domain.h);
 *   - a state whose domain is a single clique is placed there;
 *   - a full clique leaves the domains of all other states;
 *   - a clique leaves the domain of a state if the cliques around it have no room for the state's
 *     neighbours;
 *   - a clique leaves a domain if no assignment with room for all states uses it (matching.h,
 *     all_different.h);
 *   - when a placement is refuted, its images under symmetries are refuted too (symmetry.h).
 *
 * The search decides only on states that still have unplaced neighbours. Once there is no such state,
 * the matching is a mapping.
 *
 * Order of decisions. The state with the fullest surroundings is fixed in one clique. If no state is
 * farther from it than cliques are from each other, the farthest state is placed next, as far away as
 * possible. If the NFA winds around the overlay, that leaves little freedom to the states in between;
 * if it cannot, the matching fails at once. After that come states with small domains that often had
 * nowhere to go. Each goes where it was last; otherwise to the clique with the most room, or, in every
 * second run, with the least.
 *
 * After a number of failures the search starts again with what it has learnt, and allows itself more
 * failures, so that proofs terminate. A run that ends without a mapping proves that there is none.
 */
#ifndef NFACC_MAP_SEARCH_H
#define NFACC_MAP_SEARCH_H

#include "backends/overlay/map/task.h"

/* Writes the clique of every state to clique [n]. NFART_OK; NFART_NOFIT: the search was complete;
 * NFART_GAVEUP: a limit of steps, time or size; NFART_SYSTEM; NFART_INTERNAL. Deterministic unless there
 * is a time limit. A step costs n plus the changes it makes. Memory: n * K bits, K * min(C, n) words, and
 * the changes along one path; n * K and K * K are bounded. */
enum nfart_status search_run(const struct map_task *task, uint32_t *clique);

#endif
