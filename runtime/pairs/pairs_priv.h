/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * pairs_priv.h: the inside of struct nfart_pairs.
 */
#ifndef NFART_PAIRS_PAIRS_PRIV_H
#define NFART_PAIRS_PAIRS_PRIV_H

#include "contract/proto/proto.h"
#include "runtime/pairs/pair_events.h"
#include "runtime/pairs/pair_table.h"
#include "runtime/pairs/pairs.h"
#include "runtime/pairs/queues.h"

enum {
	PAIRS_OUT = 256,  /* how many pairs the sink gets at once, at most */
	PAIRS_AHEAD = 12  /* so many events before it is joined, the place of an event is fetched */
};

/* Pairs for the sink. There is room for one more than PAIRS_OUT: pairs_join() writes a pair before
 * it knows whether there is one. */
struct pairs_out {
	struct nfart_pair at[PAIRS_OUT + 1];
	size_t n;
};

struct pairs_kinds;

struct nfart_pairs {
	const struct nfart_proto *proto;
	struct pairs_want want;
	pairs_sink *sink;
	void *ctx;
	nfart_pair_request *request; /* may be NULL */
	nfart_pair_sink *each;       /* of nfart_pairs_new(), with the context each_ctx */
	void *each_ctx;
	bool failed;                 /* memory was short, or the sink failed */
	bool special;                /* a rule is in order, or `request` is not NULL */
	struct pair_events events;
	struct pair_table *table;    /* [npairs]; of a rule in order only `n` is used */
	struct queues queues;        /* of the rules in order */
	uint64_t first_time, last_time; /* of all records; first_time > last_time: none came */
	struct pairs_out out;
	struct pairs_counts counts;  /* counts.n == NULL: no pairs are counted */
	struct pairs_kinds *kinds;   /* of pairs_count.c: else, unless groups are rules */
	uint64_t counted;            /* how many pairs were counted */
};

/* Events that come one after the other, or a loss. */
struct pairs_run {
	size_t events;        /* how many of pairs_piece.events.all */
	uint64_t first, last; /* the times of their batches; of a loss: its time, twice */
	bool loss;
};

struct pairs_piece {
	struct pair_events events;
	VEC(struct pairs_run) runs;
};

static inline bool pairs_in_order(const struct nfart_pairs *q, uint32_t rule)
{
	return q->proto->names.pairs[rule].in_order;
}

/* Hands the pairs of q->out to the sink. */
void pairs_flush(struct nfart_pairs *q);

/* Put in an event of a rule in order, and one of another rule whose place, i, is not as it is in
 * the ordinary case (pairs_join.c, Note [joining many events]), or whose request gets a mark. */
void pairs_put_in_order(struct nfart_pairs *q, const struct pair_event *x);
void pairs_put_rare(struct nfart_pairs *q, const struct pair_event *x, size_t i);

/* Joins n events, which are of batches at these times. False: memory is short, or the sink
 * failed. */
bool pairs_join_events(struct nfart_pairs *q, const struct pair_event *x, size_t n,
		       uint64_t first_time, uint64_t last_time);

/* Does the same where answered pairs are counted. */
void pairs_join_counting(struct nfart_pairs *q, const struct pair_event *x, size_t n);

/* Joins the events that were collected. */
static inline bool pairs_join_all(struct nfart_pairs *q)
{
	return pairs_join_events(q, q->events.all.at, q->events.all.n, q->events.first_time,
				 q->events.last_time);
}

void pairs_kinds_free(struct pairs_kinds *k);

/* Passes a pair on to the sink. False: that failed. */
bool pairs_pass_on(struct nfart_pairs *q, const struct nfart_pair *pair);

/* Takes all requests out of the tables. Returns them, *n of them, in the order of their times, to
 * be freed. NULL: out of memory, and *n is 0. */
struct open *pairs_take_open(struct nfart_pairs *q, size_t *n);

/* Of a rule that is not in order. pairs_open() puts in a request with its mark, as one that came
 * before. False: one with its key is open, or memory is short. pairs_take() takes out the one that
 * came at this time. False: there is none. pairs_close() ends the request with
 * the key of v, if one is open, by v: an answer, which *asked says, or a request, which replaces
 * it. False: the sink failed. */
bool pairs_open(struct nfart_pairs *q, const struct pair_event *v, uint32_t mark);
bool pairs_take(struct nfart_pairs *q, const struct pair_event *v);
bool pairs_close(struct nfart_pairs *q, const struct pair_event *v, bool *asked);

#endif
