/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Joins events, and counts answered pairs where they are joined.
 *
 * Note [counting pairs]
 * Most questions about latencies only want to know how often each one came in each group of pairs.
 * join_counting() does what pairs_join() does (pairs_join.c, Note [joining many events]), but where
 * that writes a pair, it writes which count is to be added to. (Adding to the counts at once takes
 * longer: processors let a load wait that often reads what was stored just before.) It goes by
 * blocks of events, and looks before each whether the tables have room for it.
 *
 * So the group of a pair must be known without a search, and from little: a request leaves a tag of
 * 32 bits in the table. By types, a table of groups has a row for each rule and kind of request,
 * and a column for each kind of answer; the tag is where the row begins. By line, it is the group
 * itself, plus 1. A small hash table has the lines that came last. What is not in these tables is
 * asked for, which is rare unless there are very many lines.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/pairs/pairs_priv.h"

enum {
	RECENT_BITS = 10,
	KINDS_MOST = 256, /* rows, and columns */
	BLOCK = 128       /* events: the first tables have room for twice as many requests */
};

#define INLINE static inline __attribute__((always_inline))

/* The group of the pairs of a rule whose request has this line. rule_plus_1 is 0 if the place is
 * free. */
struct recent {
	uint64_t line;
	uint32_t rule_plus_1, group_plus_1;
};

struct pairs_kinds {
	struct recent recent[1 << RECENT_BITS];
	uint32_t rows, columns;
	/* [rows * columns]: where the counts of the group of a pair begin; UINT32_MAX: not known
	 * yet, or they are not in counts.n. There is a row even if there are no requests. */
	uint32_t *at;
	/* [roles]: of a request where its row begins, of an answer its column. By line: 1 if its
	 * messages have an address */
	uint32_t of[];
};

void pairs_kinds_free(struct pairs_kinds *k)
{
	if (k != NULL)
		free(k->at);
	free(k);
}

static uint32_t find_group(struct nfart_pairs *q, const struct pairs_member *x)
{
	uint32_t group = 0;

	q->failed |= !q->counts.find(q->counts.ctx, x, &group);
	return group;
}

/* ---- by types ---- */

/* Returns the group of a pair whose answer is x and whose request has this tag, and notes where its
 * counts begin. */
static __attribute__((noinline)) uint32_t learn_types(struct nfart_pairs *q,
						      const struct pair_event *x, uint32_t tag)
{
	const struct pairs_kinds *k = q->kinds;
	const struct pair_role *role = q->events.roles.at, *request = role + 1;
	struct pairs_member member = { .rule = x->rule, .answer = role[x->role].code };
	uint32_t group;

	while (!request->request || k->of[request->role] != tag)
		request++;
	member.request = request->code;
	group = find_group(q, &member);
	if (group < q->counts.groups)
		k->at[tag + k->of[x->role]] = group << q->counts.bits;
	return group;
}

/* ---- by line ---- */

static inline struct recent *recent_of(const struct nfart_pairs *q, uint32_t rule, uint64_t line)
{
	uint64_t hash = (line ^ (uint64_t)rule << 40) * 0x9e3779b97f4a7c15u;

	return &q->kinds->recent[hash >> (64 - RECENT_BITS)];
}

/* Notes the group of a line, and returns it, plus 1. */
static __attribute__((noinline)) uint32_t learn_line(struct nfart_pairs *q, uint32_t rule,
						     uint64_t line)
{
	struct pairs_member member = { .rule = rule, .line = line };
	uint32_t group = find_group(q, &member);

	*recent_of(q, rule, line) = (struct recent){ line, rule + 1, group + 1 };
	return group + 1;
}

/* Returns the tag of a request; of an answer, any number. */
INLINE uint32_t line_tag(struct nfart_pairs *q, const struct pair_event *x)
{
	bool has_line = q->kinds->of[x->role] != 0, known;
	uint64_t line = proto_line(q->proto, x->header);
	const struct recent *r = recent_of(q, x->rule, line);

	known = (r->line == line) & (r->rule_plus_1 == x->rule + 1u);
	if (!known & has_line & x->request)
		return learn_line(q, x->rule, line);
	return r->group_plus_1 & -(uint32_t)has_line;
}

/* ---- both ---- */

/* Replaces the tag of a place by that of the event; an answer has no tag, by types 0. Returns the
 * one that was there. *at becomes where the counts of the pair begin, if x is an answer. */
INLINE uint32_t take_tag(struct nfart_pairs *q, const struct pair_event *x, uint32_t *tag,
			 uint32_t *at, enum pairs_group_by by)
{
	uint32_t old = *tag, of, group = old - 1;

	if (by == PAIRS_BY_LINE) {
		*tag = line_tag(q, x);
		*at = group << q->counts.bits | -(uint32_t)(group >= q->counts.groups);
	} else {
		of = q->kinds->of[x->role];
		*tag = of & -(uint32_t)x->request;
		*at = q->kinds->at[old + of - *tag];
	}
	return old;
}

/* Counts a latency in a group in which it has no place in q->counts.n. */
static void count_other(struct nfart_pairs *q, uint32_t group, uint64_t latency)
{
	if (group >= q->counts.groups || latency >> q->counts.bits != 0)
		q->failed |= !q->counts.add(q->counts.ctx, group, latency);
	else
		q->counts.n[(size_t)group << q->counts.bits | latency]++;
}

/* Counts an answer x that is not counted as in the ordinary case. Its request has this tag. */
static __attribute__((noinline)) void count_rare(struct nfart_pairs *q, const struct pair_event *x,
						 uint32_t tag, uint64_t latency)
{
	enum pairs_group_by by = q->counts.by;

	q->counted++;
	if (by != PAIRS_BY_LINE || tag != 0)
		count_other(q, by == PAIRS_BY_RULE   ? x->rule
			       : by == PAIRS_BY_LINE ? tag - 1
						     : learn_types(q, x, tag), latency);
}

/* Joins at most BLOCK events, for which the tables have room. `far`: their places are fetched
 * beforehand, and there are `left` events. */
INLINE void join_counting(struct nfart_pairs *q, const struct pair_event *x, uint32_t n,
			  size_t left, bool far, enum pairs_group_by by)
{
	struct pair_table *tables = q->table;
	uint32_t which[BLOCK], nwhich = 0;
	uint64_t *count = q->counts.n;
	unsigned bits = q->counts.bits;

	for (uint32_t k = 0; k < n; k++, x++) {
		struct pair_table *t = &tables[x->rule];
		uint64_t keep = -(uint64_t)x->request, latency;
		size_t i = pair_table_find(t, x->key);
		struct pair_place *place = &t->at[i];
		uint32_t old = 0, at = (uint32_t)x->rule << bits;
		if (far && k + PAIRS_AHEAD < left)
			pair_table_fetch(&tables[x[PAIRS_AHEAD].rule], x[PAIRS_AHEAD].key);
		if (by != PAIRS_BY_RULE)
			old = take_tag(q, x, &t->tag[i], &at, by);
		if ((place->since != 0) == x->request) {
			pairs_put_rare(q, x, i);
			continue;
		}
		latency = x->time + 1 - place->since;
		if (((latency >> bits | at >> 31) & ~keep) != 0) {
			count_rare(q, x, old, latency);
		} else {
			which[nwhich] = at | (uint32_t)latency;
			nwhich += !x->request;
		}
		*place = (struct pair_place){ x->key, pair_table_since(x->time) & keep };
		t->n += 2 * (size_t)x->request - 1;
		if ((t->at[(i + 1) & (t->places - 1)].since & ~keep) != 0)
			pair_table_close(t, i);
	}
	for (uint32_t i = 0; i < nwhich; i++)
		count[which[i]]++;
	q->counted += nwhich;
}

/* Lets each table have room for n more requests. False: memory is short. *far becomes whether the
 * places of some table are not near. */
static bool make_room(struct nfart_pairs *q, uint32_t n, bool *far)
{
	*far = false;
	for (uint32_t i = 0; i < q->proto->names.npairs; i++) {
		struct pair_table *t = &q->table[i];
		while (t->most - t->n < n)
			if (!pair_table_grow(t))
				return false;
		*far |= t->places > PAIR_TABLE_NEAR;
	}
	return true;
}

void pairs_join_counting(struct nfart_pairs *q, const struct pair_event *x, size_t n)
{
	while (n > 0 && !q->failed) {
		uint32_t block = n < BLOCK ? (uint32_t)n : BLOCK;
		bool far;
		if (!make_room(q, block, &far))
			q->failed = true;
		else if (q->counts.by == PAIRS_BY_RULE)
			join_counting(q, x, block, n, far, PAIRS_BY_RULE);
		else if (q->counts.by == PAIRS_BY_TYPES)
			join_counting(q, x, block, n, far, PAIRS_BY_TYPES);
		else
			join_counting(q, x, block, n, far, PAIRS_BY_LINE);
		x += block;
		n -= block;
	}
}

/* ---- before ---- */

/* Do messages of these codes have the same type and group of slots? */
static bool same_types(const struct nfart_proto *p, uint32_t a, uint32_t b)
{
	return p->codes.type_of[a] == p->codes.type_of[b] &&
	       p->slots[a >> p->header.op_bits].group == p->slots[b >> p->header.op_bits].group;
}

/* Are two roles of the same row, or of the same column? */
static bool same_kind(const struct nfart_proto *p, const struct pair_role *a,
		      const struct pair_role *b)
{
	return a->request == b->request && (!a->request || a->rule == b->rule) &&
	       same_types(p, a->code, b->code);
}

/* Numbers the rows of all requests and the columns of all answers. False: there are too many. */
static bool number_kinds(struct pairs_kinds *k, const struct nfart_proto *p,
			 const struct pair_role *roles, uint32_t n)
{
	uint32_t first[2 * KINDS_MOST], nfirst = 0; /* a role of each row and column */

	for (uint32_t r = 1; r < n; r++) {
		uint32_t i = 0;
		while (i < nfirst && !same_kind(p, &roles[first[i]], &roles[r]))
			i++;
		if (i < nfirst) {
			k->of[r] = k->of[first[i]];
			continue;
		}
		k->of[r] = roles[r].request ? k->rows++ : k->columns++;
		if (k->rows > KINDS_MOST || k->columns > KINDS_MOST)
			return false;
		first[nfirst++] = r;
	}
	for (uint32_t r = 1; r < n; r++)
		k->of[r] *= roles[r].request ? k->columns : 1;
	return true;
}

/* Lets tables have tags in place of details. False: memory is short. */
static bool tag_tables(struct nfart_pairs *q, enum pairs_group_by by)
{
	for (uint32_t i = 0; i < q->proto->names.npairs; i++) {
		pair_table_free(&q->table[i]);
		if (!pair_table_init(&q->table[i], by == PAIRS_BY_RULE ? PAIR_TABLE_PLAIN
								       : PAIR_TABLE_TAGS))
			return false;
	}
	return true;
}

/* Makes q->kinds. False: memory is short. *good becomes whether there are not too many kinds. */
static bool make_kinds(struct nfart_pairs *q, enum pairs_group_by by, bool *good)
{
	uint32_t n = (uint32_t)q->events.roles.n;
	const struct pair_role *roles = q->events.roles.at;
	struct pairs_kinds *k = calloc(1, sizeof *k + n * sizeof k->of[0]);
	size_t size;

	q->kinds = k;
	if (k == NULL)
		return false;
	*good = by == PAIRS_BY_LINE || number_kinds(k, q->proto, roles, n);
	for (uint32_t r = 1; by == PAIRS_BY_LINE && r < n; r++)
		k->of[r] = bits_get(q->proto->codes.has_addr, roles[r].code);
	size = (size_t)(k->rows != 0 ? k->rows : 1) * k->columns * sizeof *k->at;
	k->at = malloc(size + 1);
	if (k->at != NULL)
		memset(k->at, 0xff, size); /* all UINT32_MAX */
	return k->at != NULL;
}

bool pairs_count(struct nfart_pairs *q, const struct pairs_counts *c)
{
	bool good = c->by != PAIRS_BY_RULE || q->proto->names.npairs <= c->groups;

	if (q->special || q->want.asked || !good)
		return true;
	if (c->by != PAIRS_BY_RULE && !make_kinds(q, c->by, &good))
		return false;
	if (!good)
		return true;
	q->counts = *c;
	q->want.details = false;
	return tag_tables(q, c->by);
}

uint64_t pairs_counted(const struct nfart_pairs *q)
{
	return q->counted;
}
