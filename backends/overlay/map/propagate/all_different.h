/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * all_different.h: removes a clique from a state's domain if no assignment with room for
 * all states puts the state there (Régin, "Generalized arc consistency for global
 * cardinality constraint", 1996).
 *
 * The matching (matching.h) is one assignment with room for all states. State v can move
 * from its clique c to c' in another such assignment in two cases only: c' has room, or can
 * get room by moving one of its own states on, and so forth; or these moves lead back to c,
 * which v has just left.
 *
 * As a graph: draw an arc from c to c' where some state in c has c' in its domain. v can
 * move from c to c' exactly if c' reaches a clique with room, or if c' and c are in the
 * same strong component.
 */
#ifndef NFACC_MAP_FILTER_H
#define NFACC_MAP_FILTER_H

#include "backends/overlay/map/propagate/matching.h"

struct filter {
	struct matching *m;
	/* [K * words]: for each clique c the set of cliques to which it has an arc */
	uint64_t *row;
	/* [words]: cliques that were not visited; cliques that reach room */
	uint64_t *fresh, *open;
	uint64_t *keep;        /* [words]: what keep_components() leaves in a domain */
	uint32_t *index, *low; /* [K]: Tarjan's index and low link of each clique */
	/* [K]: the path of the walk; visited cliques that are in no component yet */
	uint32_t *path, *stack;
	/* [K], [K + 1]: cliques by component, and where each component begins; a component comes
	 * after those that it reaches */
	uint32_t *component, *begin;
	uint32_t ncomponents;
};

/* Fills *f, which works on matching m; its arrays are in `arena`. False: out of memory. */
bool filter_init(struct filter *f, struct matching *m, struct arena *arena);

/* Filters the domains of all states. The matching must be complete: every state has a clique, and
 * that clique stays in its domain. False: out of memory. */
bool filter_domains(struct filter *f);

#endif
