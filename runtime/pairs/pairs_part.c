/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Joins within a part, and joins parts (pairs_part.h, Note [parts of pairs]). Which keys have had
 * an event is in a table for each rule, in which nothing but the keys matters.
 */
#include "runtime/pairs/pairs_part.h"

#include <stdlib.h>

#include "runtime/pairs/pairs_priv.h"

enum { MOST_EVENTS = 1 << 12 }; /* so many entries of events are joined at once */

struct pairs_part {
	const struct nfart_proto *proto;
	struct nfart_pairs *inner;   /* joins within the part */
	struct pair_table *seen;     /* [npairs]: keys that have had an event */
	pairs_sink *pairs;
	pairs_entry_sink *entries;
	uint32_t (*mark)(void *ctx, uint64_t time); /* may be NULL */
	void *ctx;
	bool asked;      /* levels are asked for */
	uint64_t prefix; /* the switch comes with so many more events; UINT64_MAX: never */
	bool lost; /* there was a loss: nothing that was open before the part is open any more */
};

/* ---- making ---- */

static bool inner_take(void *ctx, const struct nfart_pair *pairs, size_t n)
{
	struct pairs_part *x = ctx;
	bool ok = true;

	for (size_t i = 0; i < n && ok; i++) {
		bool replaced = pairs[i].outcome == NFART_PAIR_REPLACED;
		if (replaced && x->prefix == 0)
			ok = x->entries(x->ctx, &(struct pairs_entry){ PAIRS_REPLACED,
					pairs[i].rule, pairs[i].slot, pairs[i].time,
					pairs[i].header, pairs[i].mark });
		if (!replaced || x->asked)
			ok = ok && x->pairs(x->ctx, &pairs[i], 1);
	}
	return ok;
}

struct pairs_part *pairs_part_new(const struct nfart_proto *p, struct pairs_want want,
				  pairs_sink *pairs, pairs_entry_sink *entries, void *ctx)
{
	struct pairs_part *x = calloc(1, sizeof *x);
	bool ok = x != NULL;

	if (!ok)
		return NULL;
	x->proto = p;
	x->pairs = pairs;
	x->entries = entries;
	x->ctx = ctx;
	x->asked = want.asked;
	x->prefix = want.asked ? (uint64_t)want.prefix + 1 : 0;
	for (uint32_t i = 0; want.asked && i < p->names.npairs; i++)
		if (p->names.pairs[i].in_order)
			x->prefix = UINT64_MAX;
	x->inner = pairs_new(p, (struct pairs_want){ .details = true, .asked = want.asked },
			     inner_take, x, NULL);
	x->seen = calloc((size_t)p->names.npairs + 1, sizeof *x->seen);
	ok = x->inner != NULL && x->seen != NULL;
	for (uint32_t i = 0; ok && i < p->names.npairs; i++)
		ok = pair_table_init(&x->seen[i], PAIR_TABLE_PLAIN);
	if (ok)
		return x;
	pairs_part_free(x);
	return NULL;
}

void pairs_part_free(struct pairs_part *x)
{
	if (x == NULL)
		return;
	for (uint32_t i = 0; x->seen != NULL && i < x->proto->names.npairs; i++)
		pair_table_free(&x->seen[i]);
	free(x->seen);
	nfart_pairs_free(x->inner);
	free(x);
}

static uint32_t mark_inner(void *ctx, const struct nfart_pair *pair)
{
	struct pairs_part *x = ctx;

	return x->mark(x->ctx, pair->time);
}

void pairs_part_mark(struct pairs_part *x, uint32_t (*mark)(void *ctx, uint64_t time))
{
	x->mark = mark;
	nfart_pairs_on_request(x->inner, mark_inner);
}

/* ---- a part ---- */

/* Tells an event as an entry, of the kind for answers or the one after it. */
static bool tell_event(struct pairs_part *x, enum pairs_entry_kind kind, const struct pair_event *v)
{
	return x->entries(x->ctx, &(struct pairs_entry){
		(enum pairs_entry_kind)(kind + v->request), v->rule, v->slot, v->time, v->header,
		x->mark != NULL ? x->mark(x->ctx, v->time) : 0 });
}

/* Notes that the key of an event has had one. Returns 1 if this is the first, 0 if not, and -1 if
 * memory is short. */
static int part_see(struct pair_table *t, const struct pair_event *v)
{
	size_t i;

	if (2 * (t->n + 1) > t->places && !pair_table_grow(t))
		return -1;
	i = pair_table_find(t, v->key);
	if (t->at[i].since != 0)
		return 0;
	t->at[i] = (struct pair_place){ v->key, 1 };
	t->n++;
	return 1;
}

/* Tells a request that is open. */
static bool tell_request(struct pairs_part *x, enum pairs_entry_kind kind, const struct open *o)
{
	return x->entries(x->ctx, &(struct pairs_entry){ kind, o->rule_plus_1 - 1u, o->slot,
							 o->time, o->header, o->mark });
}

/* Ends the prefix. */
static bool part_switch(struct pairs_part *x, uint64_t time)
{
	size_t n;
	struct open *all = pairs_take_open(x->inner, &n);
	bool ok = all != NULL;

	for (size_t i = 0; i < n && ok; i++) {
		struct pair_event v = { .key = all[i].key, .time = all[i].time,
					.header = all[i].header, .slot = (uint8_t)all[i].slot,
					.rule = (uint16_t)(all[i].rule_plus_1 - 1u) };
		ok = tell_request(x, PAIRS_TAKEN, &all[i]) &&
		     pairs_open(x->inner, &v, all[i].mark) && !x->inner->failed;
	}
	free(all);
	return ok &&
	       x->entries(x->ctx, &(struct pairs_entry){ .kind = PAIRS_SWITCH, .time = time });
}

static bool part_event(struct pairs_part *x, const struct pair_event *v)
{
	int first = 0;
	bool all;

	if (x->prefix == UINT64_MAX || x->proto->names.pairs[v->rule].in_order)
		return tell_event(x, PAIRS_EVENT_ANSWER, v);
	if (x->prefix != 0 && --x->prefix == 0 && !part_switch(x, v->time))
		return false;
	all = x->prefix != 0;
	if (!x->lost)
		first = part_see(&x->seen[v->rule], v);
	if (first < 0 ||
	    ((all || first == 1) &&
	     !tell_event(x, all ? PAIRS_EVENT_ANSWER : PAIRS_FIRST_ANSWER, v)))
		return false;
	return pairs_join_events(x->inner, v, 1, v->time, v->time);
}

/* Tells what is open, unless entries tell every event, and forgets it. */
static bool part_tell_open(struct pairs_part *x)
{
	size_t n;
	struct open *all = pairs_take_open(x->inner, &n);
	bool ok = all != NULL;

	for (size_t i = 0; i < n && ok && x->prefix == 0; i++)
		ok = tell_request(x, PAIRS_OPEN, &all[i]);
	free(all);
	return ok;
}

static bool part_loss(struct pairs_part *x, uint64_t time)
{
	if (!part_tell_open(x) ||
	    !x->entries(x->ctx, &(struct pairs_entry){ .kind = PAIRS_LOSS, .time = time }))
		return false;
	x->lost = true;
	return true;
}

bool pairs_part_put(struct pairs_part *x, const struct pairs_piece *piece)
{
	const struct pair_event *at = piece->events.all.at;
	bool ok = true;

	for (size_t i = 0; i < piece->runs.n && ok; i++) {
		const struct pairs_run *run = &piece->runs.at[i];
		pairs_put_span(x->inner, run->first, run->last);
		if (run->loss)
			ok = part_loss(x, run->first);
		for (size_t k = 0; k < run->events && ok; k++)
			ok = part_event(x, at++);
	}
	return ok;
}

bool pairs_part_end(struct pairs_part *x, uint64_t *first, uint64_t *last)
{
	*first = x->inner->first_time;
	*last = x->inner->last_time;
	return part_tell_open(x);
}

/* ---- joining parts ---- */

void pairs_put_span(struct nfart_pairs *q, uint64_t first, uint64_t last)
{
	if (first > last)
		return;
	q->first_time = first < q->first_time ? first : q->first_time;
	q->last_time = last > q->last_time ? last : q->last_time;
}

static bool is_event(const struct pairs_entry *x)
{
	return x->kind == PAIRS_EVENT_ANSWER || x->kind == PAIRS_EVENT_REQUEST;
}

static bool is_first(const struct pairs_entry *x)
{
	return x->kind == PAIRS_FIRST_ANSWER || x->kind == PAIRS_FIRST_REQUEST;
}

/* Makes *v the event of an entry, which is neither a loss nor a switch. False: there is none. */
static bool entry_event(const struct nfart_pairs *q, const struct pairs_entry *x,
			struct pair_event *v)
{
	bool request = x->kind != PAIRS_FIRST_ANSWER && x->kind != PAIRS_EVENT_ANSWER;

	if (!pair_events_find(&q->events, x->rule, x->slot, x->header, request, v))
		return false;
	v->time = x->time;
	return true;
}

bool pairs_entry_can_be(const struct nfart_pairs *q, const struct pairs_entry *x)
{
	struct pair_event v;

	if (x->kind == PAIRS_LOSS)
		return true;
	if (x->kind == PAIRS_SWITCH)
		return q->want.asked;
	if (x->kind >= PAIRS_KINDS || !entry_event(q, x, &v))
		return false;
	if (q->proto->names.pairs[x->rule].in_order || (is_event(x) && !q->want.asked))
		return is_event(x) && q->proto->names.pairs[x->rule].in_order;
	return x->kind != PAIRS_TAKEN || q->want.asked;
}

bool pairs_entry_meets(const struct nfart_pairs *q, const struct pairs_entry *x)
{
	const struct pair_table *t = &q->table[x->rule];
	struct pair_event v;

	return is_first(x) && entry_event(q, x, &v) && t->at[pair_table_find(t, v.key)].since != 0;
}

bool pairs_put_entries(struct nfart_pairs *q)
{
	bool ok = pairs_join_events(q, q->events.all.at, q->events.all.n, UINT64_MAX, 0);

	pair_events_clear(&q->events);
	return ok;
}

bool pairs_put_entry(struct nfart_pairs *q, const struct pairs_entry *x, bool *asked, bool *wrong)
{
	struct nfart_batch loss = { .time = x->time };
	struct nfart_pair pair = { .rule = x->rule, .outcome = NFART_PAIR_REPLACED,
				   .time = x->time, .slot = x->slot, .header = x->header };
	struct pair_event v;

	*asked = *wrong = false;
	if (x->kind == PAIRS_LOSS)
		return pairs_put_entries(q) && nfart_pairs_put(q, &loss);
	if (x->kind == PAIRS_SWITCH)
		return pairs_put_entries(q);
	*wrong = !entry_event(q, x, &v);
	if (*wrong)
		return false;
	if (is_event(x)) {
		q->failed |= !vec_push(&q->events.all, v);
		return q->events.all.n < MOST_EVENTS || pairs_put_entries(q);
	}
	if (!pairs_put_entries(q))
		return false;
	switch (x->kind) {
	case PAIRS_REPLACED:
		return pairs_pass_on(q, &pair);
	case PAIRS_OPEN:
		*wrong = !pairs_open(q, &v, x->mark);
		return !*wrong && !q->failed;
	case PAIRS_TAKEN:
		*wrong = !pairs_take(q, &v);
		return !*wrong;
	default:
		return pairs_close(q, &v, asked);
	}
}
