/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * map_view.h: an overlay as the mapper sees it. The contract knows which cliques are adjacent; the mapper
 * reads that from a table, which is made here.
 */
#ifndef NFACC_COMPILER_MAP_VIEW_H
#define NFACC_COMPILER_MAP_VIEW_H

#include "backends/overlay/map/map.h"
#include "contract/contract.h"

/* Fills *v; *neighbours is what v->neighbours points at and is to be freed, even where the answer
 * is false (out of memory). */
bool map_view(const struct overlay *o, struct map_overlay *v, uint32_t **neighbours);

#endif
