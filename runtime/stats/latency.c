/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Groups and counts stand in hash tables with open addressing and linear probing while pairs come.
 * latency_finish() sorts them. Most pairs are of few groups, and most latencies are short: these
 * counts stand in an array, in which nothing is searched. This is one file, because all of it knows
 * how the counts are laid out.
 */
#include "runtime/stats/latency.h"

#include <stdlib.h>

#include "support/hash.h"
#include "support/order.h"
#include "support/vec.h"

enum { FIRST_PLACES = 1024, KEPT_BITS = 12, CODE_BITS = 32, RECENT_BITS = 10 };
enum { DIRECT = 256 }; /* so many groups have counts in the array */

/* The group of the pairs of a rule whose messages have the codes, or whose request has the line, of
 * this key. rule_plus_1 is 0 if the place is free. */
struct recent {
	uint64_t key;
	uint32_t rule_plus_1, group;
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
	/* [DIRECT << KEPT_BITS]: how often a latency below 1 << KEPT_BITS came in one of the first
	 * DIRECT groups, at (number of the group) << KEPT_BITS | latency. The groups themselves get
	 * these counts in sort_counts(). A page of it takes memory once it is written. */
	uint64_t *direct;
	struct place *counts; /* [ncounts]: hash table; a free place has n = 0 */
	size_t ncounts, used;
	uint64_t added; /* pairs of all counts that were added */
	struct latency_count *sorted; /* [used], after latency_finish() */
	size_t *first; /* [groups + 1], after latency_finish(): the first count of each group */
	/* The groups found last: a place for each hash of the rule and the codes, or with
	 * LATENCY_BY_LINE of the rule and the line. */
	struct recent recent[1 << RECENT_BITS];
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
static __attribute__((noinline)) enum nfart_status
look_up(struct latency *l, struct latency_group g, uint32_t *index)
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

/* Returns the place of a rule and a key among the groups found last. */
static inline struct recent *recent_of(struct latency *l, uint32_t rule, uint64_t key)
{
	uint64_t hash = key * 0x9e3779b97f4a7c15u + rule * 0xc2b2ae3d27d4eb4fu;

	return &l->recent[hash >> (64 - RECENT_BITS)];
}

static inline bool is_recent(const struct recent *x, uint32_t rule, uint64_t key)
{
	return (x->rule_plus_1 == rule + 1) & (x->key == key);
}

/* Looks a group up that is not in its place x, and puts it there. Returns what find_group()
 * does. */
static __attribute__((noinline)) enum nfart_status
find_again(struct latency *l, struct latency_group g, uint64_t key, struct recent *x)
{
	enum nfart_status status;

	g.least = UINT64_MAX;
	*x = (struct recent){ .key = key };
	status = look_up(l, g, &x->group);
	x->rule_plus_1 = status == NFART_OK ? g.rule + 1 : 0;
	return status;
}

/* Names the types, or the groups of slots, of messages with these codes. */
static void name_types(const struct latency *l, struct latency_group *g, uint32_t request,
		       uint32_t answer)
{
	const struct nfart_proto *p = l->p;
	bool by_group = l->by == LATENCY_BY_GROUP;

	g->request = by_group ? p->slots[request >> p->header.op_bits].group + 1u
			      : p->codes.type_of[request];
	g->answer = by_group ? p->slots[answer >> p->header.op_bits].group + 1u
			     : p->codes.type_of[answer];
}

/* Finds the group of a pair by its types, or by its groups of slots. Returns what find_group()
 * does. */
static inline enum nfart_status find_by_codes(struct latency *l, const struct nfart_pair *pair,
				      uint32_t *index)
{
	uint32_t request = proto_code(l->p, pair->slot, pair->header);
	uint32_t answer = proto_code(l->p, pair->answer_slot, pair->answer_header);
	uint64_t key = (uint64_t)request << 32 | answer;
	struct recent *x = recent_of(l, pair->rule, key);
	enum nfart_status status = NFART_OK;

	if (!is_recent(x, pair->rule, key)) {
		struct latency_group g = { .rule = pair->rule };
		name_types(l, &g, request, answer);
		status = find_again(l, g, key, x);
	}
	*index = x->group;
	return status;
}

/* Finds the group of a pair by the line of its request. Returns what find_group() does. */
static inline enum nfart_status find_by_line(struct latency *l, const struct nfart_pair *pair,
				      uint32_t *index)
{
	uint64_t line = proto_line(l->p, pair->header);
	struct recent *x = recent_of(l, pair->rule, line);
	enum nfart_status status = NFART_OK;

	if (!bits_get(l->p->codes.has_addr, proto_code(l->p, pair->slot, pair->header)))
		return NFART_NO;
	if (!is_recent(x, pair->rule, line)) {
		struct latency_group g = { .rule = pair->rule,
					   .address = line << l->p->header.line_shift };
		status = find_again(l, g, line, x);
	}
	*index = x->group;
	return status;
}

/* Finds the group of a pair, which it makes if need be. Returns NFART_OK and its index in *index,
 * NFART_NO if the pair belongs to none, or NFART_SYSTEM if memory is short. */
static inline enum nfart_status find_group(struct latency *l, const struct nfart_pair *pair,
				    uint32_t *index)
{
	if (l->by == LATENCY_BY_PAIR) {
		*index = pair->rule;
		return NFART_OK;
	}
	return l->by == LATENCY_BY_LINE ? find_by_line(l, pair, index)
					: find_by_codes(l, pair, index);
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

/* Is a latency of this group counted in the array? */
static inline bool is_direct(uint32_t group, uint64_t latency)
{
	return (group < DIRECT) & (latency < (uint64_t)1 << KEPT_BITS);
}

/* Counts a latency that came n times in this group, of which it may be the least or the most.
 * False: out of memory. */
static inline bool latency_count(struct latency *l, uint32_t group, uint64_t latency, uint64_t n)
{
	uint64_t key = (uint64_t)group << CODE_BITS | code_of(latency);
	struct latency_group *g;
	struct place *c;

	if (is_direct(group, latency)) {
		l->direct[(size_t)group << KEPT_BITS | latency] += n;
		return true;
	}
	g = &l->groups.at[group];
	g->n += n;
	g->least = latency < g->least ? latency : g->least;
	g->most = latency > g->most ? latency : g->most;
	if (2 * l->used >= l->ncounts && !grow_counts(l))
		return false;
	c = &l->counts[hash_probe(l->ncounts, hash_key(key), ends_count, l, &key)];
	c->key = key;
	l->used += c->n == 0;
	c->n += n;
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

/* Does a come before b? The slowest are first, and of equal ones
 * those that were answered first; events of a batch are in the order of their slots and rules. */
static bool is_slower(const struct nfart_pair *a, const struct nfart_pair *b)
{
	if (latency_of(a) != latency_of(b))
		return latency_of(a) > latency_of(b);
	return order_3(a->answer_time, b->answer_time, a->answer_slot, b->answer_slot,
		       a->rule, b->rule) < 0;
}

void latency_keep(struct latency *l, const struct nfart_pair *pair)
{
	size_t i = l->nslowest;

	if (l->most_slowest == 0 ||
	    (i == l->most_slowest && !is_slower(pair, &l->slowest[i - 1])))
		return;
	if (i == l->most_slowest)
		i--;
	else
		l->nslowest++;
	for (; i > 0 && is_slower(pair, &l->slowest[i - 1]); i--)
		l->slowest[i] = l->slowest[i - 1];
	l->slowest[i] = *pair;
}

const struct nfart_pair *latency_slowest(const struct latency *l, size_t *n)
{
	*n = l->nslowest;
	return l->slowest;
}

/* ---- all of it ---- */

static inline bool add_pair(struct latency *l, const struct nfart_pair *pair)
{
	uint32_t index;
	enum nfart_status status = find_group(l, pair, &index);

	if (status != NFART_OK)
		return status == NFART_NO;
	return latency_count(l, index, latency_of(pair), 1);
}

bool latency_add(struct latency *l, const struct nfart_pair *pair)
{
	keep_slowest(l, pair);
	return add_pair(l, pair);
}

bool latency_add_many(struct latency *l, const struct nfart_pair *pairs, size_t n)
{
	bool ok = true;

	for (size_t i = 0; i < n && l->most_slowest != 0; i++)
		if (pairs[i].outcome == NFART_PAIR_ANSWERED)
			keep_slowest(l, &pairs[i]);
	for (size_t i = 0; i < n && ok; i++)
		if (pairs[i].outcome == NFART_PAIR_ANSWERED)
			ok = add_pair(l, &pairs[i]);
	return ok;
}

/* For pairs_count(): finds the group of a pair, and counts a latency. */
static bool counting_find(void *ctx, const struct pairs_member *x, uint32_t *group)
{
	struct latency *l = ctx;
	struct latency_group g = { .rule = x->rule, .least = UINT64_MAX };

	if (l->by == LATENCY_BY_LINE)
		g.address = x->line << l->p->header.line_shift;
	else
		name_types(l, &g, x->request, x->answer);
	return look_up(l, g, group) == NFART_OK;
}

static bool counting_add(void *ctx, uint32_t group, uint64_t latency)
{
	return latency_count(ctx, group, latency, 1);
}

bool latency_counting(struct latency *l, struct pairs_counts *c)
{
	*c = (struct pairs_counts){
		.by = l->by == LATENCY_BY_PAIR   ? PAIRS_BY_RULE
		      : l->by == LATENCY_BY_LINE ? PAIRS_BY_LINE
						 : PAIRS_BY_TYPES,
		.n = l->direct, .bits = KEPT_BITS, .groups = DIRECT, .find = counting_find,
		.add = counting_add, .ctx = l
	};
	return l->by != LATENCY_BY_LABEL && l->most_slowest == 0;
}

bool latency_add_labels(struct latency *l, const struct nfart_pair *pair, const uint32_t *labels,
			size_t n)
{
	struct latency_group g = { .rule = pair->rule, .least = UINT64_MAX };
	uint32_t index;

	keep_slowest(l, pair);
	for (size_t i = 0; i < n; i++) {
		g.request = labels[i];
		if (look_up(l, g, &index) != NFART_OK ||
		    !latency_count(l, index, latency_of(pair), 1))
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

/* Returns how many elements of the array of counts are in use: those of the groups there are. */
static size_t direct_size(const struct latency *l)
{
	return (l->groups.n < DIRECT ? l->groups.n : DIRECT) << KEPT_BITS;
}

/* Appends the counts of the array to the n counts in `sorted`, and adds them to their groups.
 * Returns how many there are then. */
static size_t take_direct(struct latency *l, size_t n)
{
	for (size_t i = 0; i < direct_size(l); i++) {
		struct latency_group *g = &l->groups.at[i >> KEPT_BITS];
		uint64_t latency = i & ((1u << KEPT_BITS) - 1);
		if (l->direct[i] == 0)
			continue;
		g->n += l->direct[i];
		g->least = latency < g->least ? latency : g->least;
		g->most = latency > g->most ? latency : g->most;
		l->sorted[n++] = (struct latency_count){ (uint32_t)(i >> KEPT_BITS), latency,
							 l->direct[i] };
	}
	return n;
}

/* Fills `sorted` with the counts, and `first`. False: out of memory. */
static bool sort_counts(struct latency *l)
{
	size_t n = 0, at = 0;

	for (size_t i = 0; i < direct_size(l); i++)
		l->used += l->direct[i] != 0;
	l->first = calloc(l->groups.n + 1, sizeof *l->first);
	l->sorted = calloc(l->used + 1, sizeof *l->sorted);
	if (l->first == NULL || l->sorted == NULL)
		return false;
	n = take_direct(l, n);
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

bool latency_each(struct latency *l, latency_count_sink *take, void *ctx)
{
	bool ok = sort_counts(l);

	for (size_t g = 0; g < l->groups.n && ok; g++)
		for (size_t i = l->first[g]; i < l->first[g + 1] && ok; i++)
			ok = take(ctx, &l->groups.at[g], &l->sorted[i]);
	return ok;
}

bool latency_can_be(const struct latency *l, const struct latency_group *g,
		    const struct latency_count *c)
{
	uint32_t most = l->by == LATENCY_BY_TYPE    ? l->p->names.ntypes
			: l->by == LATENCY_BY_GROUP ? l->p->names.ngroups
			: l->by == LATENCY_BY_LABEL ? UINT32_MAX
						    : 0;

	return g->rule < l->p->names.npairs && g->request <= most && g->answer <= most &&
	       (l->by != LATENCY_BY_GROUP || (g->request != 0 && g->answer != 0)) &&
	       (l->by != LATENCY_BY_LABEL || g->answer == 0) &&
	       (l->by == LATENCY_BY_LINE || g->address == 0) && g->least <= g->most &&
	       c->n != 0 && c->n < ((uint64_t)1 << 62) - l->added;
}

bool latency_add_count(struct latency *l, const struct latency_group *g,
		       const struct latency_count *c)
{
	struct latency_group new = { .rule = g->rule, .request = g->request, .answer = g->answer,
				     .address = g->address, .least = UINT64_MAX };
	uint32_t index = g->rule;
	struct latency_group *to;

	if (l->by != LATENCY_BY_PAIR && look_up(l, new, &index) != NFART_OK)
		return false;
	to = &l->groups.at[index];
	l->added += c->n;
	to->least = g->least < to->least ? g->least : to->least;
	to->most = g->most > to->most ? g->most : to->most;
	return latency_count(l, index, c->latency, c->n);
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
	l->direct = calloc((size_t)DIRECT << KEPT_BITS, sizeof *l->direct);
	if (l->direct == NULL || !add_rules(l)) {
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
	free(l->direct);
	free(l->counts);
	free(l->sorted);
	free(l->first);
	free(l);
}
