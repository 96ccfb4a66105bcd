/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * counted.h: pairs that are counted where they are joined, beside pairs that are told one by one.
 */
#ifndef NFACC_PROPERTY_COUNTED_H
#define NFACC_PROPERTY_COUNTED_H

#include "runtime/stats/latency.h"

/* Draws a trace of a protocol with several rules, types and groups, and some messages without an
 * address, and counts its latencies in both ways. False: they differ, or nothing was counted. */
bool counted_pairs(uint64_t seed, enum latency_by by);

#endif
