/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * portfolio.h: maps a connected NFA, or parts that share a ring, by several methods in turn.
 *
 * The search comes first, and alone where it soon answers or where the NFA is not well connected.
 * An NFA that is well connected, such as a random regular graph, defeats the search: no state is
 * near enough to all others. Annealing then finds most mappings that exist, and unrolling the rings
 * refutes the others (sat.h). Both get a small share of the limit first and a large one later,
 * since either may need little.
 */
#ifndef NFACC_MAP_PORTFOLIO_H
#define NFACC_MAP_PORTFOLIO_H

#include "backends/overlay/map/task.h"

/* Looks for a mapping of the task, and writes the clique of every state to clique [n]. All methods
 * together are limited by the options' steps, of which each other method takes shares that are
 * counts, too. Answers as propagate_run() does. */
enum nfart_status portfolio_run(const struct map_task *task, uint32_t *clique);

#endif
