/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * columns.h: recognises the columns of an overlay: the cliques in the same place of all rings.
 *
 * An edge of the NFA goes to the same or to a neighbouring column, and to another column only on
 * the same ring. Proofs that rest on this (hubs.h, sat.h) read it off the table here, and do not
 * trust the number of columns that the caller gives.
 */
#ifndef NFACC_MAP_COLUMNS_H
#define NFACC_MAP_COLUMNS_H

#include "backends/overlay/map/adj.h"

/* Is clique r * length + l of the graph in place l of ring r, adjacent to its neighbours on a ring
 * of at least three cliques, and to those cliques of its column that are on rings at certain
 * distances? Then rotating the rings among each other, and reflecting all of them, keeps adjacency.
 * False if the length is 0. Takes K * |N[c]|^2 steps. */
bool columns_known(const struct map_adj *cliques, uint32_t length);

#endif
