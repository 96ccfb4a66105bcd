/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * anneal.h: looks for a mapping by simulated annealing (Kirkpatrick, Gelatt, Vecchi 1983).
 *
 * Why it exists: it finds mappings of well-connected graphs, such as 72 states of degree 3, on
 * which propagate/ runs into its limit and sat/ is slower (doc/develop/mapping.md has the figures).
 *
 * Every state has a place in a clique, so there always is room. The cost of an edge is how many
 * steps its ends are farther apart than adjacent cliques are. A move takes a state to a place near
 * one of its neighbours, and the state that is there, if any, to the place that became free. A move
 * that raises the cost is made with a probability that falls by the same factor for each unit of
 * cost; the factor falls during a run. A run that reaches cost 0 has found a mapping; others prove
 * nothing.
 *
 * There is no floating point, and the random numbers are the same on every machine, so the same
 * task gets the same answer.
 */
#ifndef NFACC_MAP_ANNEAL_H
#define NFACC_MAP_ANNEAL_H

#include "backends/overlay/map/task.h"

/* Makes `runs` runs at most, with random numbers from `seed`. NFART_OK: wrote a mapping to clique
 * [n]. NFART_GAVEUP: found none, reached the time limit, or the task is too large or needs kinds of
 * nodes besides STEs. NFART_SYSTEM: out of memory. */
enum nfart_status anneal_run(const struct map_task *task, uint64_t seed, uint32_t runs,
			     uint32_t *clique);

#endif
