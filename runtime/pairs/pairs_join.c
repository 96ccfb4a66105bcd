/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Joins events in the order of the stream.
 *
 * Note [joining many events]
 * What the next event is can't be predicted: a request, or an answer. So pairs_join() has the same
 * instructions for both where all is in order. A request has a free place, and takes it; an answer
 * has a taken place, and frees it; and a pair is written either way, but counted only if it is one.
 * All else, such as an answer without a request, is rare, and goes to a function. Where there are
 * many open requests, each place is a cache miss; the places of later events are therefore fetched
 * beforehand. The function is compiled once for each kind of question.
 */
#include "runtime/pairs/pairs_priv.h"

#define INLINE static inline __attribute__((always_inline))

/* Handles an event that finds its place, i, as it is in the ordinary case. */
INLINE void put_usual(struct pair_table *t, const struct pair_event *x, size_t i,
		      struct nfart_pair *out, struct pairs_want want)
{
	uint64_t since = t->at[i].since, keep = -(uint64_t)x->request;

	out->rule = x->rule;
	out->outcome = NFART_PAIR_ANSWERED;
	out->answer_time = x->time;
	out->time = since - 1;
	if (want.asked) {
		out->outcome = x->request ? PAIRS_ASKED : NFART_PAIR_ANSWERED;
		out->time = x->request ? x->time : since - 1;
	}
	if (want.details) {
		struct pair_detail *d = &t->detail[i];
		out->time += d->latest & !x->request;
		out->slot = d->slot;
		out->header = d->header;
		out->mark = d->mark;
		out->answer_slot = x->slot;
		out->answer_header = x->header;
		*d = (struct pair_detail){ x->header, 0, x->slot, x->time == UINT64_MAX };
	}
	t->at[i] = (struct pair_place){ x->key, pair_table_since(x->time) & keep };
	t->n += 2 * (size_t)x->request - 1;
	if ((t->at[(i + 1) & (t->places - 1)].since & ~keep) != 0)
		pair_table_close(t, i);
}

/* Joins n events (Note [joining many events]). */
INLINE void pairs_join(struct nfart_pairs *q, const struct pair_event *x, size_t n,
		       struct pairs_want want, bool special)
{
	for (size_t k = 0; k < n && !q->failed; k++, x++) {
		struct pair_table *t = &q->table[x->rule];
		size_t i;
		if (k + PAIRS_AHEAD < n)
			pair_table_fetch(&q->table[x[PAIRS_AHEAD].rule], x[PAIRS_AHEAD].key);
		if (special && pairs_in_order(q, x->rule)) {
			pairs_put_in_order(q, x);
			continue;
		}
		if (t->n == t->most && !pair_table_grow(t)) {
			q->failed = true;
			break;
		}
		i = pair_table_find(t, x->key);
		if ((t->at[i].since != 0) == x->request ||
		    (special && x->request && q->request != NULL)) {
			pairs_put_rare(q, x, i);
			continue;
		}
		put_usual(t, x, i, &q->out.at[q->out.n], want);
		q->out.n += want.asked || !x->request;
		if (q->out.n == PAIRS_OUT)
			pairs_flush(q);
	}
}

bool pairs_join_events(struct nfart_pairs *q, const struct pair_event *x, size_t n,
		       uint64_t first_time, uint64_t last_time)
{
	if (first_time < q->first_time)
		q->first_time = first_time;
	if (last_time > q->last_time)
		q->last_time = last_time;
	if (q->special)
		pairs_join(q, x, n, q->want, true);
	else if (q->counts.n != NULL)
		pairs_join_counting(q, x, n);
	else if (q->want.asked && q->want.details)
		pairs_join(q, x, n, (struct pairs_want){ .asked = true, .details = true }, false);
	else if (q->want.asked)
		pairs_join(q, x, n, (struct pairs_want){ .asked = true }, false);
	else if (q->want.details)
		pairs_join(q, x, n, (struct pairs_want){ .details = true }, false);
	else
		pairs_join(q, x, n, (struct pairs_want){ .details = false }, false);
	pairs_flush(q);
	return !q->failed;
}
