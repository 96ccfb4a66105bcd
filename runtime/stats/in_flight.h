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

/* Takes note that from `time` on as many requests are open as `q` says. Call this after every batch
 * and loss record. False: out of memory. Cost: linear in the rules. */
bool in_flight_at(struct in_flight *f, const struct nfart_pairs *q, uint64_t time);

/* Counts up to the last time. Call this once, after all of the above and before all of the below.
 * False: out of memory. */
bool in_flight_end(struct in_flight *f);

/* The following functions tell of rule `rule`; if that is the number of rules, of all together. */

/* Returns for how many cycles n requests were open, for every n below *size. */
const uint64_t *in_flight_cycles(const struct in_flight *f, uint32_t rule, size_t *size);

/* Returns the most requests that were open at once. *time is when that was so first. */
uint64_t in_flight_most(const struct in_flight *f, uint32_t rule, uint64_t *time);

/* Returns how many requests were open in the mean of all cycles from the first to the last time. 0:
 * there is no such cycle. */
double in_flight_mean(const struct in_flight *f, uint32_t rule);

#endif
