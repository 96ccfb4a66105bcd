/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * in_flight.h: how many requests were open, and for how long. A request is in flight from its own
 * cycle to that of its answer. Memory grows with the most requests that are open at once.
 */
#ifndef NFART_STATS_IN_FLIGHT_H
#define NFART_STATS_IN_FLIGHT_H

#include "include/nfart.h"

struct in_flight;

/* Makes an empty one for `rules` rules. NULL: out of memory. Free with in_flight_free(). */
struct in_flight *in_flight_new(uint32_t rules);
void in_flight_free(struct in_flight *f);

/* Takes n pairs, which pairs_new() tells with pairs_want.asked. False: out of memory. Cost:
 * constant for each pair. */
bool in_flight_take(struct in_flight *f, const struct nfart_pair *pairs, size_t n);

/* Counts up to the time of the last record, and nothing before the time of the first one. Call this
 * once, after all of the above, with what nfart_pairs_end() tells left out, and before all of the
 * below. False: out of memory. */
bool in_flight_end(struct in_flight *f, uint64_t first, uint64_t last);

/* The following functions tell of rule `rule`; if that is the number of rules, of all together. */

/* Returns for how many cycles n requests were open, for every n below *size. */
const uint64_t *in_flight_cycles(const struct in_flight *f, uint32_t rule, size_t *size);

/* Returns the most requests that were open at once. *time is when that was so first. */
uint64_t in_flight_most(const struct in_flight *f, uint32_t rule, uint64_t *time);

/* Returns how many requests were open in the mean of all cycles from the first to the last time. 0:
 * there is no such cycle. */
double in_flight_mean(const struct in_flight *f, uint32_t rule);

#endif
