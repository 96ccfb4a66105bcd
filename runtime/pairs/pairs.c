/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Joins requests to their answers, as the protocol's rules say (contract/proto/proto.h, Note
 * [pairs]).
 *
 * Messages become events (pair_events.h), and these are joined in order. What is open of a rule
 * stands in a hash table of its own (pair_table.h). Requests of rules in order stand in queues
 * instead (queues.h).
 */
#include "runtime/pairs/pairs.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/pairs/pairs_priv.h"
#include "runtime/trace/batch.h"
#include "support/order.h"

/* ---- the sink ---- */

void pairs_flush(struct nfart_pairs *q)
{
	size_t n = q->out.n;

	q->out.n = 0;
	if (n != 0 && !q->failed && !q->sink(q->ctx, q->out.at, n))
		q->failed = true;
}

/* Passes a pair to the sink. */
static void pass_on(struct nfart_pairs *q, const struct nfart_pair *pair)
{
	q->out.at[q->out.n++] = *pair;
	if (q->out.n == PAIRS_OUT)
		pairs_flush(q);
}

/* The sink of nfart_pairs_new(): hands the pairs over one by one. */
static bool pairs_each(void *ctx, const struct nfart_pair *pairs, size_t n)
{
	const struct nfart_pairs *q = ctx;
	bool ok = true;

	for (size_t i = 0; i < n && ok; i++)
		ok = q->each(q->each_ctx, &pairs[i]);
	return ok;
}

/* ---- events ---- */

/* Passes on a request of which something became at `time` other than an answer. */
static void pass_on_request(struct nfart_pairs *q, const struct open *o,
			    enum nfart_pair_outcome outcome, uint64_t time)
{
	struct nfart_pair pair = { .rule = o->rule_plus_1 - 1u, .outcome = outcome, .time = o->time,
				   .slot = o->slot, .header = o->header, .mark = o->mark };

	pair.answer_time = q->want.asked ? time : 0;
	pass_on(q, &pair);
}

/* Passes on an answer; o is its request, or NULL if there is none. */
static void pass_on_answer(struct nfart_pairs *q, const struct pair_event *x, const struct open *o)
{
	struct nfart_pair pair = { .rule = x->rule, .outcome = NFART_PAIR_UNASKED,
				   .answer_time = x->time, .answer_slot = x->slot,
				   .answer_header = x->header };

	if (o != NULL) {
		pair.outcome = NFART_PAIR_ANSWERED;
		pair.time = o->time;
		pair.slot = o->slot;
		pair.header = o->header;
		pair.mark = o->mark;
	}
	pass_on(q, &pair);
}

/* Returns the request of an event, with its mark. */
static struct open ask(struct nfart_pairs *q, const struct pair_event *x)
{
	struct open o = { x->key, x->time, x->header, (uint16_t)(x->rule + 1), x->slot, 0 };

	if (q->request != NULL) {
		struct nfart_pair pair = { .rule = x->rule, .outcome = NFART_PAIR_OPEN,
					   .time = x->time, .slot = x->slot, .header = x->header };
		pairs_flush(q);
		o.mark = q->request(q->each_ctx, &pair);
	}
	if (q->want.asked)
		pass_on_request(q, &o, PAIRS_ASKED, x->time);
	return o;
}

/* Returns the request in place i of a rule's table. */
static struct open open_at(const struct nfart_pairs *q, uint32_t rule, size_t i)
{
	const struct pair_table *t = &q->table[rule];
	struct open o = { .key = t->at[i].key, .time = pair_table_time(t, i),
			  .rule_plus_1 = (uint16_t)(rule + 1) };

	if (t->detail != NULL) {
		o.header = t->detail[i].header;
		o.slot = t->detail[i].slot;
		o.mark = t->detail[i].mark;
	}
	return o;
}

/* Gives up the request that has waited longest in all queues, at `time`. */
static void drop_oldest(struct nfart_pairs *q, enum nfart_pair_outcome outcome, uint64_t time)
{
	struct open o = *queues_oldest(&q->queues);

	queues_take(&q->queues, o.rule_plus_1, o.key, &o);
	q->table[o.rule_plus_1 - 1].n--;
	pass_on_request(q, &o, outcome, time);
}

void pairs_put_in_order(struct nfart_pairs *q, const struct pair_event *x)
{
	struct open o;

	if (!x->request) {
		bool found = queues_take(&q->queues, (uint16_t)(x->rule + 1), x->key, &o);
		q->table[x->rule].n -= found;
		pass_on_answer(q, x, found ? &o : NULL);
		return;
	}
	if (q->queues.waiting == QUEUES_MOST)
		drop_oldest(q, NFART_PAIR_LOST, x->time);
	o = ask(q, x);
	q->table[x->rule].n++;
	q->failed |= !queues_put(&q->queues, &o);
}

void pairs_put_rare(struct nfart_pairs *q, const struct pair_event *x, size_t i)
{
	struct pair_table *t = &q->table[x->rule];
	struct open o;

	if (!x->request) {
		pass_on_answer(q, x, NULL);
		return;
	}
	if (t->at[i].since != 0) {
		o = open_at(q, x->rule, i);
		pass_on_request(q, &o, NFART_PAIR_REPLACED, x->time);
		t->n--;
	}
	o = ask(q, x);
	t->at[i] = (struct pair_place){ o.key, pair_table_since(o.time) };
	if (t->detail != NULL)
		t->detail[i] = (struct pair_detail){ o.header, o.mark, (uint8_t)o.slot,
						     o.time == UINT64_MAX };
	t->n++;
}

/* ---- giving up ---- */

static int by_time(const void *x, const void *y)
{
	const struct open *a = x, *b = y;

	return order_3(a->time, b->time, a->slot, b->slot, a->rule_plus_1, b->rule_plus_1);
}

/* Returns how many requests are open in tables. */
static size_t tables_count(const struct nfart_pairs *q)
{
	size_t n = 0;

	for (uint32_t i = 0; i < q->proto->names.npairs; i++)
		n += pairs_in_order(q, i) ? 0 : q->table[i].n;
	return n;
}

/* Takes all requests out of the tables and writes them to `all`, in the order of their times.
 * Returns how many there are. */
static size_t tables_take_all(struct nfart_pairs *q, struct open *all)
{
	size_t n = 0;

	for (uint32_t rule = 0; rule < q->proto->names.npairs; rule++) {
		struct pair_table *t = &q->table[rule];
		if (pairs_in_order(q, rule))
			continue;
		for (size_t i = 0; t->n != 0 && i < t->places; i++)
			if (t->at[i].since != 0) {
				all[n++] = open_at(q, rule, i);
				t->at[i].since = 0;
				t->n--;
			}
	}
	if (n > 1)
		qsort(all, n, sizeof *all, by_time);
	return n;
}

/* ---- parts (pairs_part.h) ---- */

bool pairs_pass_on(struct nfart_pairs *q, const struct nfart_pair *pair)
{
	pass_on(q, pair);
	pairs_flush(q);
	return !q->failed;
}

struct open *pairs_take_open(struct nfart_pairs *q, size_t *n)
{
	struct open *all = malloc((tables_count(q) + 1) * sizeof *all);

	*n = all != NULL ? tables_take_all(q, all) : 0;
	return all;
}

bool pairs_open(struct nfart_pairs *q, const struct pair_event *v, uint32_t mark)
{
	struct pair_table *t = &q->table[v->rule];
	size_t i;

	if (t->n == t->most && !pair_table_grow(t)) {
		q->failed = true;
		return true;
	}
	i = pair_table_find(t, v->key);
	if (t->at[i].since != 0)
		return false;
	t->at[i] = (struct pair_place){ v->key, pair_table_since(v->time) };
	if (t->detail != NULL)
		t->detail[i] = (struct pair_detail){ v->header, mark, v->slot,
						     v->time == UINT64_MAX };
	t->n++;
	return true;
}

bool pairs_take(struct nfart_pairs *q, const struct pair_event *v)
{
	struct pair_table *t = &q->table[v->rule];
	size_t i = pair_table_find(t, v->key);

	if (t->at[i].since != pair_table_since(v->time))
		return false;
	pair_table_close(t, i);
	t->n--;
	return true;
}

bool pairs_close(struct nfart_pairs *q, const struct pair_event *v, bool *asked)
{
	struct pair_table *t = &q->table[v->rule];
	size_t i = pair_table_find(t, v->key);
	struct open o;

	*asked = t->at[i].since != 0 && !v->request;
	if (t->at[i].since == 0)
		return true;
	o = open_at(q, v->rule, i);
	pair_table_close(t, i);
	t->n--;
	if (v->request)
		pass_on_request(q, &o, NFART_PAIR_REPLACED, v->time);
	else
		pass_on_answer(q, v, &o);
	pairs_flush(q);
	return !q->failed;
}

/* ---- giving up at a loss, and at the end ---- */

/* Gives up all open requests at `time`, in the order of their times. */
static bool give_up(struct nfart_pairs *q, enum nfart_pair_outcome outcome, uint64_t time)
{
	struct open *all = malloc((tables_count(q) + 1) * sizeof *all);
	const struct open *oldest;
	size_t n, i = 0;

	if (all == NULL) {
		q->failed = true;
		return false;
	}
	n = tables_take_all(q, all);
	for (;;) {
		oldest = queues_oldest(&q->queues);
		if (oldest != NULL && (i == n || by_time(oldest, &all[i]) < 0))
			drop_oldest(q, outcome, time);
		else if (i < n)
			pass_on_request(q, &all[i++], outcome, time);
		else
			break;
	}
	free(all);
	pairs_flush(q);
	return !q->failed;
}

/* ---- batches ---- */

bool nfart_pairs_put(struct nfart_pairs *q, const struct nfart_batch *b)
{
	uint64_t slots = b->mask & (UINT64_MAX >> (64 - q->proto->nslots));

	pair_events_clear(&q->events);
	if (!batch_is_loss(b)) {
		if (!pair_events_add(&q->events, b->time, slots, b->header))
			q->failed = true;
		return pairs_join_all(q);
	}
	q->first_time = b->time < q->first_time ? b->time : q->first_time;
	q->last_time = b->time > q->last_time ? b->time : q->last_time;
	return !q->failed && ((tables_count(q) == 0 && q->queues.waiting == 0) ||
			      give_up(q, NFART_PAIR_LOST, b->time));
}

bool pairs_span(const struct nfart_pairs *q, uint64_t *first, uint64_t *last)
{
	*first = q->first_time;
	*last = q->last_time;
	return q->first_time <= q->last_time;
}

void nfart_pairs_on_request(struct nfart_pairs *q, nfart_pair_request *request)
{
	q->request = request;
	q->special = request != NULL;
	for (uint32_t i = 0; i < q->proto->names.npairs; i++)
		q->special |= pairs_in_order(q, i);
}

bool nfart_pairs_end(struct nfart_pairs *q)
{
	return q->failed ? false : give_up(q, NFART_PAIR_OPEN, 0);
}

uint64_t nfart_pairs_in_flight(const struct nfart_pairs *q, uint32_t rule)
{
	return rule < q->proto->names.npairs ? q->table[rule].n : 0;
}

/* ---- making and freeing ---- */

static bool tables_init(struct nfart_pairs *q)
{
	uint32_t n = q->proto->names.npairs;

	q->table = calloc((size_t)n + 1, sizeof *q->table);
	for (uint32_t i = 0; q->table != NULL && i < n; i++)
		if (!pairs_in_order(q, i) &&
		    !pair_table_init(&q->table[i], q->want.details ? PAIR_TABLE_DETAILS
								   : PAIR_TABLE_PLAIN))
			return false;
	return q->table != NULL;
}

struct nfart_pairs *pairs_new(const struct nfart_proto *p, struct pairs_want want, pairs_sink *sink,
			      void *ctx, struct nfart_error *e)
{
	struct nfart_pairs *q = calloc(1, sizeof *q);
	bool ok = q != NULL;

	if (ok) {
		q->proto = p;
		q->want = want;
		q->sink = sink;
		q->ctx = q->each_ctx = ctx;
		q->first_time = UINT64_MAX;
		nfart_pairs_on_request(q, NULL);
		ok = pair_events_init(&q->events, p) && tables_init(q);
	}
	if (ok)
		return q;
	nfart_fail(e, NFART_SYSTEM, "out of memory");
	nfart_pairs_free(q);
	return NULL;
}

struct nfart_pairs *nfart_pairs_new(const struct nfart_proto *p, nfart_pair_sink *sink, void *ctx,
				    struct nfart_error *e)
{
	struct nfart_pairs *q = pairs_new(p, (struct pairs_want){ .details = true }, pairs_each,
					  ctx, e);

	if (q != NULL) {
		q->each = sink;
		q->ctx = q;
	}
	return q;
}

void nfart_pairs_free(struct nfart_pairs *q)
{
	if (q == NULL)
		return;
	for (uint32_t i = 0; q->table != NULL && i < q->proto->names.npairs; i++)
		pair_table_free(&q->table[i]);
	free(q->table);
	pair_events_free(&q->events);
	queues_free(&q->queues);
	pairs_kinds_free(q->kinds);
	free(q);
}
