/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * task.h: the input of the search: an NFA without isolated states, and one connected overlay.
 *
 * A task is one part of a mapping problem (parts.h), with states and cliques renumbered. It owns
 * nothing: its arrays live in an arena of the code that made it.
 */
#ifndef NFACC_MAP_TASK_H
#define NFACC_MAP_TASK_H

#include "backends/overlay/map/problem.h"

struct map_task {
	const struct map_problem *p; /* only its limits and its report are used */
	struct map_adj nfa;          /* every state has an edge */
	struct map_adj cliques;      /* vertex transitive and connected; c is in N[c] */
	uint32_t kinds;              /* kinds of nodes; at least 1 */
	const uint32_t *room;        /* [kinds]: nodes of each kind in a clique */
	const uint32_t *kind;        /* [n]: the kind of node that each state needs */
	uint32_t length;             /* cliques c and d are in one column where c = d modulo it;
	                              * 0: not known */
	uint64_t steps;              /* the search ends at so many steps in the report */
};

#endif
