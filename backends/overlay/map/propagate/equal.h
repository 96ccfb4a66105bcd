/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * equal.h: finds states, and components of the NFA, that can be exchanged. symmetry.h uses them.
 */
#ifndef NFACC_MAP_EQUAL_H
#define NFACC_MAP_EQUAL_H

#include "backends/overlay/map/propagate/symmetry.h"

/* Links twins into rings: next [n] becomes the next state in each ring. Twins are states of the
 * same kind that have, apart from each other, the same neighbours, so they can be exchanged. Any
 * two states of a ring are twins. NFART_SYSTEM: out of memory. Takes n log n comparisons. */
enum nfart_status equal_twins(const struct map_task *task, uint32_t *next);

/* Fills component, role, member, begin and next_equal of *s. igraph decides which components are
 * equal. Only a limited number is compared; components that were not compared count as different.
 * NFART_SYSTEM: out of memory. NFART_INTERNAL: igraph failed. */
enum nfart_status equal_components(const struct map_task *task, struct symmetry *s,
				   struct arena *arena);

#endif
