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
 * once, after all that takes something in, with what nfart_pairs_end() tells left out, and before
 * it is asked what is known. False: out of memory. */
bool in_flight_end(struct in_flight *f, uint64_t first, uint64_t last);

/* ---- stretches of a trace ---- */

/* What is known of a rule, or of all together, over a stretch of the trace: how many requests were
 * open at its begin and its end, and at most, and when these came first. */
struct in_flight_stretch {
	uint64_t level, time, most, most_time;
};

/* Counts the cycles up to `time`, which is not before the latest change. False: out of memory. */
bool in_flight_count(struct in_flight *f, uint64_t time);

/* Says that from the time up to which cycles were counted on a stretch begins; what was before it
 * is forgotten, but how many are open. */
void in_flight_begin(struct in_flight *f);

/* Says that at `time` all that is open is given up. False: out of memory. */
bool in_flight_drop(struct in_flight *f, uint64_t time);

/* Returns what is known of a rule, or of all together. */
struct in_flight_stretch in_flight_now(const struct in_flight *f, uint32_t rule);

/* Adds a stretch that another one counted: for how many cycles n requests were open, and then how
 * it ended. The cycles up to its begin were counted. False: out of memory. */
bool in_flight_add(struct in_flight *f, uint32_t rule, uint64_t n, uint64_t cycles);
void in_flight_go_on(struct in_flight *f, uint32_t rule, const struct in_flight_stretch *end);

/* The following functions tell of rule `rule`; if that is the number of rules, of all together. */

/* Returns for how many cycles n requests were open, for every n below *size. */
const uint64_t *in_flight_cycles(const struct in_flight *f, uint32_t rule, size_t *size);

/* Returns the most requests that were open at once. *time is when that was so first. */
uint64_t in_flight_most(const struct in_flight *f, uint32_t rule, uint64_t *time);

/* Returns how many requests were open in the mean of all cycles from the first to the last time. 0:
 * there is no such cycle. */
double in_flight_mean(const struct in_flight *f, uint32_t rule);

#endif
