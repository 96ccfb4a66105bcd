/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * search.h: exact search by backtracking over cliques.
 *
 * Domains of states are kept arc consistent (domain.h), a full clique leaves all of them, and they
 * must leave room for all states at once (matching.h). The next state is one with a small domain
 * that often had nowhere to go; it goes where it was last, or else where most room is. After some
 * failures the search begins again with what it learnt, in Luby's rhythm. A run that ends without
 * a mapping is a proof that there is none.
 */
#ifndef NFACC_MAP_SEARCH_H
#define NFACC_MAP_SEARCH_H

#include "compiler/map/problem.h"

/* Places all states that have edges, in clique [n]. NFART_OK; NFART_NOFIT: the search was complete;
 * NFART_GAVEUP: a limit of steps, time or size; NFART_SYSTEM. Deterministic without a time limit.
 * A step costs n plus what changes. Memory: n * K bits, K * min(C, n) words and the changes on one
 * path, with n * K and K * K bounded. */
enum nfart_status search_place(const struct map_problem *p, uint32_t *clique);

#endif
