/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * propagate.h: maps an NFA onto one connected overlay by exact search, with backtracking.
 *
 * Why it exists: it is the only solver that is complete on every graph. It finds mappings of nearly
 * full overlays, and proves that one more edge does not fit, where the others fail
 * (doc/develop/mapping.md has the figures).
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
 * The search decides only on states that still have unplaced neighbours. Once there is no such
 * state, the matching, which has a clique for every state, is a mapping.
 *
 * Order of decisions. The state with the fullest surroundings is fixed in one clique. If no state
 * is farther from it than cliques are from each other, the farthest state is placed next, as far
 * away as possible. If the NFA winds around the overlay, this leaves little freedom to the states
 * in between. If the NFA can't wind around it, the matching fails at once. After that come states
 * with small domains for which there often was no clique. Each goes to its last clique if possible.
 * Otherwise it goes to the clique with the fewest states or, in every second run, to the one with
 * the least room around it.
 *
 * After a number of failures the search starts again with what it has learnt. Each run may have
 * more failures than the one before, so that one of them gets through a proof. A run that ends
 * without a mapping proves that there is none.
 */
#ifndef NFACC_MAP_PROPAGATE_H
#define NFACC_MAP_PROPAGATE_H

#include "backends/overlay/map/task.h"

/* Looks for a mapping of the task and writes the clique of every state to clique [n]. NFART_OK.
 * NFART_NOFIT: the search was complete, so there is no mapping. NFART_GAVEUP: a limit of steps,
 * time or size. NFART_SYSTEM: out of memory. NFART_INTERNAL: igraph failed. The answer is
 * deterministic unless there is a time limit. A step takes time for n states and for the
 * changes it makes. Memory: n * K bits, K * min(C, n) words, and the changes along one path;
 * n * K and K * K are bounded. */
enum nfart_status propagate_run(const struct map_task *task, uint32_t *clique);

#endif
