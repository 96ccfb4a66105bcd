/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Joins requests to their answers, as the protocol's rules say (contract/proto/proto.h, Note
 * [pairs]).
 *
 * What is open stands in one hash table for all rules, with open addressing and linear probing. The
 * key of a request is at most 64 bits: the values of the rule's keys, one after the other. Requests
 * of rules in order stand in queues instead (runtime/pairs/queues.h).
 *
 * The messages of a batch are simultaneous, so its answers are handled before its requests: an
 * answer never belongs to a request of its own batch.
 */
#include <stdlib.h>
#include <string.h>

#include "contract/proto/proto.h"
#include "include/nfart.h"
#include "runtime/pairs/pairs.h"
#include "runtime/pairs/queues.h"
#include "runtime/trace/batch.h"
#include "support/hash.h"
#include "support/order.h"
#include "support/vec.h"

enum { FIRST_PLACES = 64 };

/* A part of a key: where its value is in the header, and where it goes in the key. */
struct part {
	uint8_t lsb, shift;
	uint64_t mask; /* of the value, which begins at bit 0 */
};

/* What messages of a code are to a rule. */
struct role {
	uint32_t rule;
	bool request; /* false: they are answers */
	bool in_order; /* the rule's requests stand in queues */
	/* The key is what the header has under `mask`, if it has its keys in the same place in all
	 * messages of the rule: then `nparts` is 0. Else it is put together from these parts. */
	uint64_t mask;
	uint32_t part, nparts;
};

struct nfart_pairs {
	const struct nfart_proto *proto;
	nfart_pair_sink *sink;
	nfart_pair_request *request; /* may be NULL */
	void *ctx;
	bool failed;              /* memory was short, or the sink failed */
	/* [ncodes + 1]: the first role of each code. Roles as answer come before those as
	 * request. */
	uint32_t *first;
	VEC(struct role) roles;
	VEC(struct part) parts;
	struct open *at;          /* [places]: the table; `places` is a power of two */
	size_t places, n;
	struct queues queues;     /* of the rules in order */
	uint64_t *open_of;        /* [npairs]: how many requests of each rule are open */
};

/* ---- roles ---- */

/* Returns the bits of the header that are keys, if these are the same bits in all messages of the
 * rule; else 0. */
static uint64_t key_mask(const struct proto_pair *r)
{
	uint64_t mask = 0;

	for (uint32_t k = 0; k < r->nkeys; k++) {
		const struct proto_place *x = &r->keys[k].places[0];
		if (r->keys[k].nplaces != 1)
			return 0;
		mask |= (((uint64_t)1 << x->bits) - 1) << x->lsb;
	}
	return mask;
}

/* Appends the parts of the rule's key in messages of this code. */
static bool add_parts(struct nfart_pairs *q, const struct proto_pair *r, uint32_t code)
{
	uint32_t shift = 0;

	for (uint32_t k = 0; k < r->nkeys; k++) {
		const struct proto_place *x = proto_key_place(&r->keys[k], code);
		struct part part = { (uint8_t)x->lsb, (uint8_t)shift,
				     ((uint64_t)1 << x->bits) - 1 };
		if (!vec_push(&q->parts, part))
			return false;
		shift += proto_key_bits(&r->keys[k]);
	}
	return true;
}

/* Appends the roles of a code as request, or those as answer. */
static bool add_roles_as(struct nfart_pairs *q, uint32_t code, bool request)
{
	for (uint32_t i = 0; i < q->proto->names.npairs; i++) {
		const struct proto_pair *r = &q->proto->names.pairs[i];
		struct role role = { .rule = i, .request = request, .in_order = r->in_order,
				     .mask = key_mask(r), .part = (uint32_t)q->parts.n };
		if (!bits_get(request ? r->requests : r->answers, code))
			continue;
		role.nparts = role.mask == 0 ? r->nkeys : 0;
		if ((role.nparts != 0 && !add_parts(q, r, code)) || !vec_push(&q->roles, role))
			return false;
	}
	return true;
}

static bool add_roles(struct nfart_pairs *q)
{
	const struct nfart_proto *p = q->proto;

	for (uint32_t c = 0; c < p->codes.n; c++) {
		q->first[c] = (uint32_t)q->roles.n;
		if (!add_roles_as(q, c, false) || !add_roles_as(q, c, true))
			return false;
	}
	q->first[p->codes.n] = (uint32_t)q->roles.n;
	return true;
}

static uint64_t key_of(const struct nfart_pairs *q, const struct role *r, uint64_t header)
{
	const struct part *part = &q->parts.at[r->part];
	uint64_t key = header & r->mask;

	for (uint32_t i = 0; i < r->nparts; i++)
		key |= (header >> part[i].lsb & part[i].mask) << part[i].shift;
	return key;
}

/* ---- the table ---- */

static bool hash_of(const void *entry, uint64_t *h)
{
	const struct open *o = entry;

	*h = queues_hash(o->rule_plus_1, o->key);
	return o->rule_plus_1 != 0;
}

static bool pairs_ends(const void *open, size_t place, const void *wanted)
{
	const struct open *o = (const struct open *)open + place, *w = wanted;

	return o->rule_plus_1 == 0 || (o->key == w->key && o->rule_plus_1 == w->rule_plus_1);
}

/* Returns the place of an open request, or the free one where it would stand. */
static size_t place_of(const struct nfart_pairs *q, uint32_t rule, uint64_t key)
{
	struct open wanted = { .key = key, .rule_plus_1 = (uint16_t)(rule + 1) };
	uint64_t hash = queues_hash(wanted.rule_plus_1, key);

	return hash_probe(q->places, hash, pairs_ends, q->at, &wanted);
}

/* Makes room for one more request: at most half of the places are taken. */
static bool pairs_grow(struct nfart_pairs *q)
{
	return 2 * (q->n + 1) <= q->places ||
	       hash_widen((void **)&q->at, &q->places, sizeof *q->at, FIRST_PLACES, hash_of);
}

static void take_out(struct nfart_pairs *q, size_t i)
{
	q->n--;
	hash_take_out(q->at, q->places, sizeof *q->at, i, hash_of);
}

/* ---- batches ---- */

/* Passes a pair to the sink. */
static void pass_on(struct nfart_pairs *q, const struct nfart_pair *pair)
{
	if (!q->failed && !q->sink(q->ctx, pair))
		q->failed = true;
}

/* Returns a request that gets no answer, as the sink gets it. */
static struct nfart_pair unanswered(const struct open *o, enum nfart_pair_outcome outcome)
{
	return (struct nfart_pair){ .rule = o->rule_plus_1 - 1u, .outcome = outcome, .time = o->time,
				    .slot = o->slot, .header = o->header, .mark = o->mark };
}

/* Returns an answer with the request that it belongs to, if there is one: `o` is not free. */
static inline struct nfart_pair answer_to(struct nfart_pairs *q, const struct role *r,
					  const struct nfart_batch *b, uint32_t slot,
					  const struct open *o)
{
	struct nfart_pair pair = { .rule = r->rule, .outcome = NFART_PAIR_UNASKED,
				   .answer_time = b->time, .answer_slot = slot,
				   .answer_header = b->header[slot] };

	if (o->rule_plus_1 != 0) {
		q->open_of[r->rule]--;
		pair.outcome = NFART_PAIR_ANSWERED;
		pair.time = o->time;
		pair.slot = o->slot;
		pair.header = o->header;
		pair.mark = o->mark;
	}
	return pair;
}

static void put_answer_in_order(struct nfart_pairs *q, const struct role *r,
				const struct nfart_batch *b, uint32_t slot)
{
	struct open first = { .rule_plus_1 = 0 };
	struct nfart_pair pair;

	queues_take(&q->queues, (uint16_t)(r->rule + 1), key_of(q, r, b->header[slot]), &first);
	pair = answer_to(q, r, b, slot, &first);
	pass_on(q, &pair);
}

static void put_answer(struct nfart_pairs *q, const struct role *r, const struct nfart_batch *b,
		       uint32_t slot)
{
	struct nfart_pair pair;
	size_t place;

	if (r->in_order) {
		put_answer_in_order(q, r, b, slot);
		return;
	}
	place = place_of(q, r->rule, key_of(q, r, b->header[slot]));
	pair = answer_to(q, r, b, slot, &q->at[place]);
	if (pair.outcome == NFART_PAIR_ANSWERED)
		take_out(q, place);
	pass_on(q, &pair);
}

/* Gives up the request that has waited longest in all queues. */
static void drop_oldest(struct nfart_pairs *q, enum nfart_pair_outcome outcome)
{
	struct open o = *queues_oldest(&q->queues);
	struct nfart_pair pair = unanswered(&o, outcome);

	queues_take(&q->queues, o.rule_plus_1, o.key, &o);
	q->open_of[pair.rule]--;
	pass_on(q, &pair);
}

/* Returns the place of the table where a request of this rule and key goes. A request that is there
 * is replaced. NULL: out of memory. */
static struct open *table_place(struct nfart_pairs *q, uint32_t rule, uint64_t key)
{
	struct nfart_pair pair;
	struct open *o;

	if (!pairs_grow(q))
		return NULL;
	o = &q->at[place_of(q, rule, key)];
	if (o->rule_plus_1 != 0) {
		pair = unanswered(o, NFART_PAIR_REPLACED);
		pass_on(q, &pair);
		q->open_of[rule]--;
		q->n--;
	}
	return o;
}

static void put_request(struct nfart_pairs *q, const struct role *r, const struct nfart_batch *b,
			uint32_t slot)
{
	struct open o = { key_of(q, r, b->header[slot]), b->time, b->header[slot],
			  (uint16_t)(r->rule + 1), (uint16_t)slot, 0 };
	struct open *place = NULL;
	struct nfart_pair pair;

	if (r->in_order && q->queues.waiting == QUEUES_MOST)
		drop_oldest(q, NFART_PAIR_LOST);
	if (!r->in_order && (place = table_place(q, r->rule, o.key)) == NULL) {
		q->failed = true;
		return;
	}
	if (q->request != NULL) {
		pair = unanswered(&o, NFART_PAIR_OPEN);
		o.mark = q->request(q->ctx, &pair);
	}
	q->open_of[r->rule]++;
	if (r->in_order) {
		q->failed |= !queues_put(&q->queues, &o);
	} else {
		*place = o;
		q->n++;
	}
}

/* Handles the roles of one kind of all messages. Returns the slots whose messages have a role of
 * the other kind. */
static uint64_t put_roles(struct nfart_pairs *q, const struct nfart_batch *b, uint64_t slots,
			  bool requests)
{
	uint64_t others = 0;

	for (; slots != 0; slots &= slots - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(slots);
		uint32_t code = proto_code(q->proto, slot, b->header[slot]);
		for (uint32_t i = q->first[code]; i < q->first[code + 1]; i++) {
			const struct role *r = &q->roles.at[i];
			if (r->request != requests)
				others |= (uint64_t)1 << slot;
			else if (requests)
				put_request(q, r, b, slot);
			else
				put_answer(q, r, b, slot);
		}
	}
	return others;
}

static int by_time(const void *x, const void *y)
{
	const struct open *a = x, *b = y;

	return order_3(a->time, b->time, a->slot, b->slot, a->rule_plus_1, b->rule_plus_1);
}

/* Takes all requests out of the table and writes them to `all`, in the order of their times.
 * Returns how many there are. */
static size_t table_take_all(struct nfart_pairs *q, struct open *all)
{
	size_t n = 0;

	for (size_t i = 0; q->n != 0 && i < q->places; i++)
		if (q->at[i].rule_plus_1 != 0) {
			all[n++] = q->at[i];
			q->open_of[q->at[i].rule_plus_1 - 1]--;
			q->at[i].rule_plus_1 = 0;
		}
	q->n = 0;
	if (n > 1)
		qsort(all, n, sizeof *all, by_time);
	return n;
}

/* Gives up all open requests, in the order of their times. */
static bool give_up(struct nfart_pairs *q, enum nfart_pair_outcome outcome)
{
	struct open *all = malloc((q->n + 1) * sizeof *all);
	const struct open *oldest;
	size_t n, i = 0;

	if (all == NULL) {
		q->failed = true;
		return false;
	}
	n = table_take_all(q, all);
	for (;;) {
		oldest = queues_oldest(&q->queues);
		if (oldest != NULL && (i == n || by_time(oldest, &all[i]) < 0)) {
			drop_oldest(q, outcome);
		} else if (i < n) {
			struct nfart_pair pair = unanswered(&all[i++], outcome);
			pass_on(q, &pair);
		} else {
			break;
		}
	}
	free(all);
	return !q->failed;
}

/* Handles a batch of one message, in which the order of its roles is the right one. */
static void put_single(struct nfart_pairs *q, const struct nfart_batch *b, uint32_t slot)
{
	uint32_t code = proto_code(q->proto, slot, b->header[slot]);

	for (uint32_t i = q->first[code]; i < q->first[code + 1]; i++) {
		const struct role *r = &q->roles.at[i];
		if (r->request)
			put_request(q, r, b, slot);
		else
			put_answer(q, r, b, slot);
	}
}

bool nfart_pairs_put(struct nfart_pairs *q, const struct nfart_batch *b)
{
	uint64_t slots = b->mask & (UINT64_MAX >> (64 - q->proto->nslots));

	if (batch_is_loss(b))
		return !q->failed &&
		       ((q->n == 0 && q->queues.waiting == 0) || give_up(q, NFART_PAIR_LOST));
	if (slots != 0 && (slots & (slots - 1)) == 0) {
		put_single(q, b, (uint32_t)__builtin_ctzll(slots));
	} else {
		slots = put_roles(q, b, slots, false);
		put_roles(q, b, slots, true);
	}
	return !q->failed;
}

void nfart_pairs_on_request(struct nfart_pairs *q, nfart_pair_request *request)
{
	q->request = request;
}

bool nfart_pairs_end(struct nfart_pairs *q)
{
	return q->failed ? false : give_up(q, NFART_PAIR_OPEN);
}

uint64_t nfart_pairs_in_flight(const struct nfart_pairs *q, uint32_t rule)
{
	return rule < q->proto->names.npairs ? q->open_of[rule] : 0;
}

const uint64_t *pairs_open(const struct nfart_pairs *q)
{
	return q->open_of;
}

/* ---- making and freeing ---- */

struct nfart_pairs *nfart_pairs_new(const struct nfart_proto *p, nfart_pair_sink *sink, void *ctx,
				    struct nfart_error *e)
{
	struct nfart_pairs *q = calloc(1, sizeof *q);

	if (q != NULL) {
		q->proto = p;
		q->sink = sink;
		q->ctx = ctx;
		q->first = calloc((size_t)p->codes.n + 1, sizeof *q->first);
		q->open_of = calloc((size_t)p->names.npairs + 1, sizeof *q->open_of);
	}
	if (q == NULL || q->first == NULL || q->open_of == NULL || !add_roles(q) ||
	    !pairs_grow(q)) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		nfart_pairs_free(q);
		return NULL;
	}
	return q;
}

void nfart_pairs_free(struct nfart_pairs *q)
{
	if (q == NULL)
		return;
	vec_free(&q->roles);
	vec_free(&q->parts);
	free(q->first);
	free(q->open_of);
	queues_free(&q->queues);
	free(q->at);
	free(q);
}

/* ---- the rules ---- */

uint32_t nfart_proto_npairs(const struct nfart_proto *p)
{
	return p->names.npairs;
}

const char *nfart_proto_pair_name(const struct nfart_proto *p, uint32_t rule)
{
	return rule < p->names.npairs ? p->names.pairs[rule].name : NULL;
}
