/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * latency.h: how long answers took. A latency is the number of cycles from a request to its answer.
 *
 * Answered pairs are counted in groups. A group has its least and its greatest latency, and how
 * often each latency came. For that, a latency of 4096 cycles or more is rounded down to its 12
 * highest bits, so that memory grows with the groups and not with the stream.
 */
#ifndef NFART_STATS_LATENCY_H
#define NFART_STATS_LATENCY_H

#include "contract/proto/proto.h"
#include "include/nfart.h"
#include "runtime/pairs/pairs.h"

enum latency_by {
	LATENCY_BY_PAIR, /* a group for each rule */
	LATENCY_BY_TYPE, /* for each rule, type of request and type of answer */
	LATENCY_BY_LINE, /* for each rule and line; requests without an address are in no group */
	LATENCY_BY_GROUP, /* for each rule, group of slots of the request, and that of the answer */
	LATENCY_BY_LABEL /* for each rule and label of a filter; see latency_add_labels() */
};

struct latency_group {
	uint32_t rule;
	/* With LATENCY_BY_TYPE, the index of the type, plus 1; 0: the opcode has no name. With
	 * LATENCY_BY_GROUP, the index of the group of slots, plus 1. With LATENCY_BY_LABEL,
	 * `request` is the label. */
	uint32_t request, answer;
	uint32_t number;  /* of the group, in the order in which groups came */
	uint64_t address; /* with LATENCY_BY_LINE: the byte address of the line */
	uint64_t n, least, most;
};

/* How often a latency came in a group. */
struct latency_count {
	uint32_t group;      /* the group's number */
	uint64_t latency, n; /* the latency after rounding */
};

struct latency;

/* Makes an empty one. It keeps the `slowest` pairs that took longest. The protocol must outlive it.
 * NULL: out of memory. Free with latency_free(). */
struct latency *latency_new(const struct nfart_proto *p, enum latency_by by, size_t slowest);
void latency_free(struct latency *l);

/* Counts an answered pair. False: out of memory. */
bool latency_add(struct latency *l, const struct nfart_pair *pair);

/* Counts those of n pairs that were answered, for all but LATENCY_BY_LABEL. */
bool latency_add_many(struct latency *l, const struct nfart_pair *pairs, size_t n);

/* Makes *c the counts that pairs may be added to at once (pairs_count()), in place of
 * latency_add_many(). False: not in this latency. */
bool latency_counting(struct latency *l, struct pairs_counts *c);

/* The same as latency_add() with LATENCY_BY_LABEL: the pair belongs to the groups of these n
 * labels, which may be none. */
bool latency_add_labels(struct latency *l, const struct nfart_pair *pair, const uint32_t *labels,
			size_t n);

/* ---- parts of a trace ---- */

/* Takes a count: `c->n` pairs of group g had c->latency. False: the call that led to it fails. */
typedef bool latency_count_sink(void *ctx, const struct latency_group *g,
				const struct latency_count *c);

/* Hands over all counts. `n` of a group is not of use, nor is its number. Call it in place of
 * latency_finish(). False: a call failed, or memory is short. */
bool latency_each(struct latency *l, latency_count_sink *take, void *ctx);

/* May latency_each() hand over such a count, of a latency like l? With LATENCY_BY_LABEL, whether
 * there is such a label is for the caller to say. */
bool latency_can_be(const struct latency *l, const struct latency_group *g,
		    const struct latency_count *c);

/* Adds a count that may be, of pairs that are not counted yet. False: memory is short. */
bool latency_add_count(struct latency *l, const struct latency_group *g,
		       const struct latency_count *c);

/* Keeps a pair if it is one of the slowest, as latency_add() does, though pairs that were answered
 * after it may have come. */
void latency_keep(struct latency *l, const struct nfart_pair *pair);

/* Puts the groups that have pairs in order: by rule, types and address. Call this once, after the
 * last pair. False: out of memory. Cost: that of sorting groups and counts. */
bool latency_finish(struct latency *l);

/* Return the groups, and the counts of a group by rising latency; *n says how many. Call them after
 * latency_finish(). */
const struct latency_group *latency_groups(const struct latency *l, size_t *n);
const struct latency_count *latency_counts(const struct latency *l, const struct latency_group *g,
					   size_t *n);

/* Returns the least latency that at least `percent` percent of the group's pairs don't exceed, as
 * far as latencies are kept. Cost: linear in the group's counts. */
uint64_t latency_percentile(const struct latency *l, const struct latency_group *g,
			    unsigned percent);

/* Bins for histograms. Up to 8 a bin is one latency; then each power of two begins four bins. The
 * bin of a latency begins with latency_bin_begin(), and latency_bin_end() is the first latency of
 * the next bin. */
uint64_t latency_bin_begin(uint64_t latency);
uint64_t latency_bin_end(uint64_t latency);

/* Returns the slowest pairs, the slowest first; of equal ones those answered first. */
const struct nfart_pair *latency_slowest(const struct latency *l, size_t *n);

#endif
