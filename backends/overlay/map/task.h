/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * task.h: what the search works on: states that all have edges, onto one connected overlay.
 *
 * A task is one part of a mapping problem, with states and cliques renumbered. It owns nothing: its
 * arrays live in an arena of the code that made it.
 */
#ifndef NFACC_MAP_TASK_H
#define NFACC_MAP_TASK_H

#include "backends/overlay/map/problem.h"

struct map_task {
	const struct map_problem *p; /* for limits and report only */
	struct map_adj nfa;          /* no state without edges */
	struct map_adj cliques;      /* vertex transitive, connected, c in N[c] */
	uint32_t kinds;              /* at least 1 */
	const uint32_t *room;        /* [kinds]: of one clique */
	const uint32_t *kind;        /* [n]: of each state */
};

#endif
