/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * portfolio.h: maps a connected NFA, or parts that share a ring, by several methods in turn.
 *
 * A row (row.h) comes first: it is fast, and answers chains. Then propagate works, alone where it
 * soon answers or where the NFA is not well connected. An NFA that is well connected, such as a
 * random regular graph, defeats propagate: no state is near enough to all others. Anneal then finds
 * most mappings that exist, and sat, which unrolls the rings, refutes the others (sat.h). Both get
 * a small share of the limit first and a large one later, since either may need little.
 */
#ifndef NFACC_MAP_PORTFOLIO_H
#define NFACC_MAP_PORTFOLIO_H

#include "backends/overlay/map/task.h"

/* Looks for a mapping of the task with the solvers that the options' model allows, and writes
 * the clique of every state to clique [n]. All solvers together are limited by the options' steps,
 * of which each other solver takes shares that are counts, too. Answers as propagate_run() does. */
enum nfart_status portfolio_run(const struct map_task *task, uint32_t *clique);

#endif
