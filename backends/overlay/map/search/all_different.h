/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * filter.h: takes from domains what no assignment with room for all states has (Régin 1996).
 *
 * The matching is one such assignment. Moving state v from its clique c to c' is part of another one
 * exactly where c' has room, or can get it by moving one of its states on, and so forth; or where
 * such moves lead back to c, which v has left. With an arc from c to c' wherever a state in c has c'
 * in its domain: where c' reaches a clique with room, or is in the same strong component as c.
 */
#ifndef NFACC_MAP_FILTER_H
#define NFACC_MAP_FILTER_H

#include "backends/overlay/map/search/matching.h"

struct filter {
	struct matching *m;
	uint64_t *row;               /* [K * words]: arcs */
	uint64_t *fresh, *open;      /* [words]: cliques not visited; those that reach room */
	uint64_t *keep;              /* [words]: scratch */
	uint32_t *index, *low;       /* [K]: Tarjan's numbers */
	uint32_t *path, *stack;      /* [K]: where the walk is; visited, in no component yet */
	uint32_t *component, *begin; /* [K], [K + 1]: cliques by component, sinks first */
	uint32_t ncomponents;
};

/* Over m; arrays are in `arena`. False: out of memory. */
bool filter_init(struct filter *f, struct matching *m, struct arena *arena);

/* The matching must be complete. Domains keep at least the clique matched. False: no memory. */
bool filter_domains(struct filter *f);

#endif
