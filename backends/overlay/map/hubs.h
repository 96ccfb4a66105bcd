/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * hubs.h: an exact test for states with many neighbours.
 *
 * Note [hubs]. Take q states, the hubs, no two of which are adjacent or share a neighbour, and let
 * each have s - 1 neighbours at least. A column of the overlay, the cliques in the same place of
 * all R rings, has A * R places, A in each clique. The states of a hub are in the hub's column and,
 * on the hub's ring, in the two next ones.
 *
 *   - x hubs in one column are on min(x, R) rings at most, so x * s <= A * R + 2 * A * min(x, R).
 *     Let X be the largest such x.
 *   - y hubs in t > 1 columns one after the other, with hubs in the first and the last one, have
 *     A * R * t places there, and A * min(X, R) on each side:
 *     y * s <= A * R * t + 2 * A * min(X, R).
 *
 * So y hubs one after the other are in T(y) columns at least, and the last one is T(y) - 1 columns
 * after the first. Number the hubs in the order of their columns around the rings. For each of them
 * the way to the j-th hub after it is T(j + 1) - 1 columns at least. All these ways together go
 * around the L columns j times, so q * (T(j + 1) - 1) <= j * L for each j < q. Where that fails for
 * one j, there is no mapping.
 */
#ifndef NFACC_MAP_HUBS_H
#define NFACC_MAP_HUBS_H

#include "backends/overlay/map/problem.h"

/* Are there too many hubs? NFART_NOFIT: yes; the report says how many and for how many there may be
 * room. NFART_OK: not by this test. NFART_SYSTEM: out of memory. Takes n * log(n) + m + h^3 steps
 * for h hubs, of which there are fewer than K * C / 2 and a limited number is looked at. */
enum nfart_status hubs_test(const struct map_problem *p);

#endif
