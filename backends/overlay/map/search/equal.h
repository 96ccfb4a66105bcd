/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * equal.h: finds states and components that can be exchanged (symmetry.h uses them).
 */
#ifndef NFACC_MAP_EQUAL_H
#define NFACC_MAP_EQUAL_H

#include "backends/overlay/map/search/symmetry.h"

/* Links states that can be exchanged into rings: they have the same kind and, apart from themselves, the
 * same neighbours. Two exchanges share a state only if they are in the same ring. NFART_SYSTEM. n log n
 * comparisons. */
enum nfart_status equal_twins(const struct map_task *task, uint32_t *next);

/* Fills component, role, member, begin and next_equal. igraph compares components of the same shape, up
 * to a limit; components that were not compared count as different. NFART_SYSTEM, NFART_INTERNAL. */
enum nfart_status equal_components(const struct map_task *task, struct symmetry *s,
				   struct arena *arena);

#endif
