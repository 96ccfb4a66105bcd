/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * map_view.h: makes of an overlay what the mapper sees of it. The contract alone computes which
 * cliques are adjacent. The mapper reads that from a table, which is made here.
 */
#ifndef NFACC_COMPILER_MAP_VIEW_H
#define NFACC_COMPILER_MAP_VIEW_H

#include "backends/overlay/map/map.h"
#include "contract/contract.h"

/* Fills *v with the mapper's view of o. *neighbours becomes the table that v->neighbours points to;
 * the caller frees it in any case. False: out of memory. */
bool map_view(const struct overlay *o, struct map_overlay *v, uint32_t **neighbours);

#endif
