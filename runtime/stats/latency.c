/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Groups and counts stand in hash tables with open addressing and linear probing while pairs come.
 * latency_finish() sorts them.
 */
#include "runtime/stats/latency.h"

#include <stdlib.h>

#include "support/hash.h"
#include "support/order.h"
#include "support/vec.h"

enum { FIRST_PLACES = 1024, KEPT_BITS = 12, CODE_BITS = 32, RECENT = 256 };

/* The group of the pairs of a rule whose messages have these codes. */
struct recent {
	bool known;
	uint32_t rule, request, answer, group;
};

/* How often a latency came in a group. The key is the number of the group, and below it in
 * CODE_BITS bits the latency as code_of() puts it. */
struct place {
	uint64_t key, n;
};

struct latency {
	const struct nfart_proto *p;
	enum latency_by by;
	VEC(struct latency_group) groups;
	struct hash_ids hash; /* finds groups */
	struct place *counts; /* [ncounts]: hash table; a free place has n = 0 */
	size_t ncounts, used;
	struct latency_count *sorted; /* [used], after latency_finish() */
	size_t *first; /* [groups + 1], after latency_finish(): the first count of each group */
	/* With LATENCY_BY_TYPE and LATENCY_BY_GROUP, the groups found last: a place for
	 * each hash of the codes. */
	struct recent recent[RECENT];
	size_t nslowest, most_slowest;
	struct nfart_pair slowest[]; /* [nslowest] of `most_slowest`: the slowest pairs first */
};

/* Returns a latency in few bits: its KEPT_BITS highest bits, and above them how many bits are left
 * out. */
static uint64_t code_of(uint64_t latency)
{
	unsigned bits = latency == 0 ? 0 : 64 - (unsigned)__builtin_clzll(latency);
	unsigned out = bits <= KEPT_BITS ? 0 : bits - KEPT_BITS;

	return (uint64_t)out << KEPT_BITS | latency >> out;
}

/* Returns the latency that code_of() made `code` of, rounded down. */
static uint64_t latency_of_code(uint64_t code)
{
	return (code & ((1u << KEPT_BITS) - 1)) << (code >> KEPT_BITS);
}

/* ---- groups ---- */

static uint64_t group_hash(const struct latency_group *g)
{
	uint64_t a = (uint64_t)g->rule << 56 ^ (uint64_t)g->request << 28 ^ g->answer;

	return (a * 0x9e3779b97f4a7c15u ^ g->address * 0xc2b2ae3d27d4eb4fu) >> 20;
}

static uint64_t hash_of_group(const void *latency, uint32_t i)
{
	return group_hash(&((const struct latency *)latency)->groups.at[i]);
}

static bool is_group(const void *latency, uint32_t i, const void *key)
{
	const struct latency_group *a = &((const struct latency *)latency)->groups.at[i], *b = key;

	return a->rule == b->rule && a->request == b->request && a->answer == b->answer &&
	       a->address == b->address;
}

/* Finds the group of a pair in the table, and makes it if it is not there. Returns what
 * find_group() does. */
static enum nfart_status look_up(struct latency *l, struct latency_group g, uint32_t *index)
{
	size_t place;

	if (!hash_room(&l->hash, hash_of_group, l))
		return NFART_SYSTEM;
	place = hash_find(&l->hash, group_hash(&g), is_group, l, &g);
	*index = hash_id(&l->hash, place);
	if (*index != HASH_NONE)
		return NFART_OK;
	g.number = (uint32_t)l->groups.n;
	if (l->groups.n == UINT32_MAX - 1 || !vec_push(&l->groups, g))
		return NFART_SYSTEM;
	hash_put(&l->hash, place, g.number);
	*index = g.number;
	return NFART_OK;
}

/* Finds the group of a pair by its types, or by its groups of slots. Returns what find_group()
 * does. */
static enum nfart_status find_by_codes(struct latency *l, const struct nfart_pair *pair,
				      uint32_t *index)
{
	uint32_t request = proto_code(l->p, pair->slot, pair->header);
	uint32_t answer = proto_code(l->p, pair->answer_slot, pair->answer_header);
	struct recent *x = &l->recent[(request * 37 + answer) % RECENT];
	struct latency_group g = { .rule = pair->rule, .request = l->p->codes.type_of[request],
				   .answer = l->p->codes.type_of[answer], .least = UINT64_MAX };
	enum nfart_status status = NFART_OK;

	if (l->by == LATENCY_BY_GROUP) {
		g.request = l->p->slots[pair->slot].group + 1;
		g.answer = l->p->slots[pair->answer_slot].group + 1;
	}
	if (!x->known || x->rule != pair->rule || x->request != request || x->answer != answer) {
		*x = (struct recent){ true, pair->rule, request, answer, 0 };
		status = look_up(l, g, &x->group);
	}
	*index = x->group;
	return status;
}

/* Finds the group of a pair, which it makes if need be. Returns NFART_OK and its index in *index,
 * NFART_NO if the pair belongs to none, or NFART_SYSTEM if memory is short. */
static enum nfart_status find_group(struct latency *l, const struct nfart_pair *pair,
				    uint32_t *index)
{
	uint32_t code = proto_code(l->p, pair->slot, pair->header);
	struct latency_group g = { .rule = pair->rule, .least = UINT64_MAX };

	if (l->by == LATENCY_BY_PAIR) {
		*index = pair->rule;
		return NFART_OK;
	}
	if (l->by == LATENCY_BY_TYPE || l->by == LATENCY_BY_GROUP)
		return find_by_codes(l, pair, index);
	if (!bits_get(l->p->codes.has_addr, code))
		return NFART_NO;
	g.address = proto_line(l->p, pair->header) << l->p->header.line_shift;
	return look_up(l, g, index);
}

/* ---- counts ---- */

static uint64_t hash_key(uint64_t key)
{
	return key * 0x9e3779b97f4a7c15u >> 32;
}

static bool hash_of_count(const void *entry, uint64_t *h)
{
	const struct place *c = entry;

	*h = hash_key(c->key);
	return c->n != 0;
}

static bool ends_count(const void *latency, size_t place, const void *key)
{
	const struct place *c = &((const struct latency *)latency)->counts[place];

	return c->n == 0 || c->key == *(const uint64_t *)key;
}

static bool grow_counts(struct latency *l)
{
	return hash_widen((void **)&l->counts, &l->ncounts, sizeof *l->counts, FIRST_PLACES,
			  hash_of_count);
}

static bool latency_count_one(struct latency *l, uint32_t group, uint64_t latency)
{
	uint64_t key = (uint64_t)group << CODE_BITS | code_of(latency);
	struct place *c;

	if (2 * l->used >= l->ncounts && !grow_counts(l))
		return false;
	c = &l->counts[hash_probe(l->ncounts, hash_key(key), ends_count, l, &key)];
	c->key = key;
	if (c->n++ == 0)
		l->used++;
	return true;
}

/* ---- the slowest ---- */

static uint64_t latency_of(const struct nfart_pair *pair)
{
	return pair->answer_time - pair->time;
}

/* Inserts a pair behind those that took at least as long, unless there are enough of them. */
static void keep_slowest(struct latency *l, const struct nfart_pair *pair)
{
	size_t i = l->nslowest;

	if (l->most_slowest == 0 ||
	    (i == l->most_slowest && latency_of(&l->slowest[i - 1]) >= latency_of(pair)))
		return;
	if (i == l->most_slowest)
		i--;
	else
		l->nslowest++;
	for (; i > 0 && latency_of(&l->slowest[i - 1]) < latency_of(pair); i--)
		l->slowest[i] = l->slowest[i - 1];
	l->slowest[i] = *pair;
}

const struct nfart_pair *latency_slowest(const struct latency *l, size_t *n)
{
	*n = l->nslowest;
	return l->slowest;
}

/* ---- all of it ---- */

/* Counts a latency in the group with this index. False: out of memory. */
static bool add_to(struct latency *l, uint32_t index, uint64_t latency)
{
	struct latency_group *g = &l->groups.at[index];

	g->n++;
	if (latency < g->least)
		g->least = latency;
	if (latency > g->most)
		g->most = latency;
	return latency_count_one(l, index, latency);
}

bool latency_add(struct latency *l, const struct nfart_pair *pair)
{
	uint32_t index;
	enum nfart_status status = find_group(l, pair, &index);

	keep_slowest(l, pair);
	if (status != NFART_OK)
		return status == NFART_NO;
	return add_to(l, index, latency_of(pair));
}

bool latency_add_labels(struct latency *l, const struct nfart_pair *pair, const uint32_t *labels,
			size_t n)
{
	struct latency_group g = { .rule = pair->rule, .least = UINT64_MAX };
	uint32_t index;

	keep_slowest(l, pair);
	for (size_t i = 0; i < n; i++) {
		g.request = labels[i];
		if (look_up(l, g, &index) != NFART_OK || !add_to(l, index, latency_of(pair)))
			return false;
	}
	return true;
}

static int by_group(const void *x, const void *y)
{
	const struct latency_group *a = x, *b = y;

	return order_4(a->rule, b->rule, a->request, b->request,
		       a->answer, b->answer, a->address, b->address);
}

static int by_latency(const void *x, const void *y)
{
	const struct latency_count *a = x, *b = y;

	return order_2(a->group, b->group, a->latency, b->latency);
}

/* Fills `sorted` with the counts, and `first`. False: out of memory. */
static bool sort_counts(struct latency *l)
{
	size_t n = 0, at = 0;

	l->first = calloc(l->groups.n + 1, sizeof *l->first);
	l->sorted = calloc(l->used + 1, sizeof *l->sorted);
	if (l->first == NULL || l->sorted == NULL)
		return false;
	for (size_t i = 0; i < l->ncounts; i++) {
		const struct place *c = &l->counts[i];
		if (c->n != 0)
			l->sorted[n++] = (struct latency_count){
				(uint32_t)(c->key >> CODE_BITS), latency_of_code((uint32_t)c->key),
				c->n
			};
	}
	if (n > 1)
		qsort(l->sorted, n, sizeof *l->sorted, by_latency);
	for (size_t g = 0; g < l->groups.n; g++) {
		l->first[g] = at;
		while (at < n && l->sorted[at].group == g)
			at++;
	}
	l->first[l->groups.n] = at;
	return true;
}

bool latency_finish(struct latency *l)
{
	size_t full = 0;

	if (!sort_counts(l))
		return false;
	for (size_t g = 0; g < l->groups.n; g++)
		if (l->groups.at[g].n != 0)
			l->groups.at[full++] = l->groups.at[g];
	l->groups.n = full;
	if (full > 1)
		qsort(l->groups.at, full, sizeof *l->groups.at, by_group);
	return true;
}

const struct latency_group *latency_groups(const struct latency *l, size_t *n)
{
	*n = l->groups.n;
	return l->groups.at;
}

const struct latency_count *latency_counts(const struct latency *l, const struct latency_group *g,
					   size_t *n)
{
	*n = l->first[g->number + 1] - l->first[g->number];
	return l->sorted + l->first[g->number];
}

uint64_t latency_percentile(const struct latency *l, const struct latency_group *g,
			    unsigned percent)
{
	/* The pairs that may not exceed the result: percent % of g->n, rounded up. */
	uint64_t wanted = g->n / 100 * percent + (g->n % 100 * percent + 99) / 100;
	size_t n, i = 0;
	const struct latency_count *c = latency_counts(l, g, &n);

	for (uint64_t seen = c[0].n; seen < wanted && i + 1 < n; seen += c[i].n)
		i++;
	return c[i].latency < g->least ? g->least : c[i].latency;
}

static int bin_shift(uint64_t latency)
{
	return latency < 8 ? 0 : 61 - __builtin_clzll(latency);
}

uint64_t latency_bin_begin(uint64_t latency)
{
	return latency >> bin_shift(latency) << bin_shift(latency);
}

uint64_t latency_bin_end(uint64_t latency)
{
	return latency_bin_begin(latency) + ((uint64_t)1 << bin_shift(latency));
}

/* With LATENCY_BY_PAIR makes the groups, one for each rule. False: out of memory. */
static bool add_rules(struct latency *l)
{
	for (uint32_t i = 0; i < l->p->names.npairs && l->by == LATENCY_BY_PAIR; i++)
		if (!vec_push(&l->groups, ((struct latency_group){ .rule = i, .number = i,
								   .least = UINT64_MAX })))
			return false;
	return true;
}

struct latency *latency_new(const struct nfart_proto *p, enum latency_by by, size_t slowest)
{
	struct latency *l = calloc(1, sizeof *l + slowest * sizeof l->slowest[0]);

	if (l == NULL)
		return NULL;
	l->p = p;
	l->by = by;
	l->most_slowest = slowest;
	if (!add_rules(l)) {
		latency_free(l);
		return NULL;
	}
	return l;
}

void latency_free(struct latency *l)
{
	if (l == NULL)
		return;
	vec_free(&l->groups);
	hash_free(&l->hash);
	free(l->counts);
	free(l->sorted);
	free(l->first);
	free(l);
}
