/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * sat.h: decides the mapping of a well-connected NFA by unrolling the rings, as clauses and
 * cardinality constraints.
 *
 * Why it exists: it refutes well-connected graphs, such as 72 states of degree 4, on which
 * propagate/ runs into its limit and anneal proves nothing (doc/develop/mapping.md has the
 * figures).
 *
 * A column of the overlay is the cliques in the same place of all rings. Every edge of the NFA goes
 * to the same or to a neighbouring column.
 *
 * Note [unrolling]. Take a breadth-first tree of the NFA whose root has eccentricity e, and a
 * mapping. Each edge beside the tree closes a cycle of at most 2e + 1 edges, and all cycles are
 * sums of these. A closed walk that winds around rings of L columns has L edges at least. So where
 * 2e + 1 < L no cycle winds around the rings, and columns can be numbered by integers such that an
 * edge changes the number by at most one. A shortest path from the leftmost to the rightmost state
 * has at most diameter edges, so the states take at most diameter + 1 columns, which is fewer than
 * L. The mapping is one onto a line of columns, whose ends do not meet.
 *
 * For each number of columns the line is tried, and for each number each state as the leftmost one.
 * Rotating the rings puts that state on ring 0. Where all mappings with a state at the left end are
 * refuted, reflection refutes those with the state at the right end. The rest is left to a search
 * that learns from conflicts (clauses.h).
 */
#ifndef NFACC_MAP_SAT_H
#define NFACC_MAP_SAT_H

#include "backends/overlay/map/sat/line_model.h"

/* Fills *in, whose arrays are in `arena`, and which borrows the task. NFART_GAVEUP: the method does
 * not decide the task, because its NFA is not connected or not well connected, it needs kinds of
 * nodes besides STEs, the columns of the overlay are not known, or it is large. NFART_SYSTEM: out
 * of memory. Takes n * m steps. */
enum nfart_status sat_measure(const struct map_task *task, struct arena *arena,
			       struct line_input *in);

/* Looks for a mapping, and writes the clique of every state to clique [n]. Lowers *work by what was
 * done: literals and constraints that were looked at. NFART_OK. NFART_NOFIT: there is no mapping.
 * NFART_GAVEUP: *work is 0, or the time limit was reached. NFART_SYSTEM: out of memory. */
enum nfart_status sat_run(const struct line_input *in, uint32_t *clique, uint64_t *work);

#endif
