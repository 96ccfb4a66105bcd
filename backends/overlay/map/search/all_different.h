/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * all_different.h: removes from domains every clique that no assignment with room for all states uses
 * (Régin, "Generalized arc consistency for global cardinality constraint", 1996).
 *
 * The matching is one assignment with room for all states. State v can move from its clique c to c' in
 * another such assignment in two cases only: c' has room, or can get room by moving one of its own
 * states on, and so forth; or these moves lead back to c, which v has just left.
 *
 * As a graph: draw an arc from c to c' where some state in c has c' in its domain. v can move from c to
 * c' exactly if c' reaches a clique with room, or if c' and c are in the same strong component.
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
