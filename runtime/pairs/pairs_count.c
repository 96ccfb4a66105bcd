/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Joins events, and counts answered pairs where they are joined.
 *
 * Note [counting pairs]
 * Most questions about latencies only want to know how often each one came in each group of pairs.
 * join_counting() does what pairs_join() does (pairs_join.c, Note [joining many events]), but where
 * that writes a pair, it writes which count is to be added to. (Adding to the counts at once takes
 * longer: processors let a load wait that often reads what was stored just before.)
 *
 * So the group of a pair must be known without a search, and from little: a request leaves a tag of
 * 32 bits in the table. By types, that is the kind of its code, and the kinds of request and answer
 * give the group by a table. By line, it is the group itself, plus 1. A small hash table has the
 * lines that came last. What is not in these tables is asked for, which is rare unless there are
 * very many lines.
 */
#include <stdlib.h>

#include "runtime/pairs/pairs_priv.h"

enum { RECENT_BITS = 10, KINDS_MOST = 256 };

#define INLINE static inline __attribute__((always_inline))

/* The group of the pairs of a rule whose request has this line. rule_plus_1 is 0 if the place is
 * free. */
struct recent {
	uint64_t line;
	uint32_t rule_plus_1, group_plus_1;
};

struct pairs_kinds {
	struct recent recent[1 << RECENT_BITS];
	uint32_t n;       /* how many kinds there are */
	uint32_t *group;  /* [rules][n][n]: the group of a pair whose request and answer have these
			     kinds, plus 1; 0: not known yet */
	uint16_t of[];    /* [codes]: the kind of a message. By line: 1 if it has an address */
};

void pairs_kinds_free(struct pairs_kinds *k)
{
	if (k != NULL)
		free(k->group);
	free(k);
}

static uint32_t find_group(struct nfart_pairs *q, const struct pairs_member *x)
{
	uint32_t group = 0;

	q->failed |= !q->counts.find(q->counts.ctx, x, &group);
	return group;
}

/* ---- by types ---- */

static inline uint32_t *group_place(const struct nfart_pairs *q, const struct pair_event *x,
				    uint32_t request)
{
	const struct pairs_kinds *k = q->kinds;

	return &k->group[((size_t)x->rule * k->n + request) * k->n + k->of[x->code]];
}

/* Notes the group of a pair whose answer is x and whose request has this kind, and returns it. */
static __attribute__((noinline)) uint32_t learn_types(struct nfart_pairs *q,
						      const struct pair_event *x, uint32_t request)
{
	struct pairs_member member = { .rule = x->rule, .answer = x->code };
	uint32_t group;

	while (q->kinds->of[member.request] != request)
		member.request++;
	group = find_group(q, &member);
	*group_place(q, x, request) = group + 1;
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

/* ---- both ---- */

/* Returns the tag of a request; of an answer, any number. */
INLINE uint32_t tag_of(struct nfart_pairs *q, const struct pair_event *x, enum pairs_group_by by)
{
	bool has_line = q->kinds->of[x->code] != 0, known;
	const struct recent *r;
	uint64_t line;

	if (by == PAIRS_BY_TYPES)
		return q->kinds->of[x->code];
	line = proto_line(q->proto, x->header);
	r = recent_of(q, x->rule, line);
	known = (r->line == line) & (r->rule_plus_1 == x->rule + 1u);
	if (!known & has_line & x->request)
		return learn_line(q, x->rule, line);
	return r->group_plus_1 & -(uint32_t)has_line;
}

/* Counts a latency in a group in which it has no place in q->counts.n. */
static __attribute__((noinline)) void count_other(struct nfart_pairs *q, uint32_t group,
						  uint64_t latency)
{
	if (group >= q->counts.groups || latency >> q->counts.bits != 0)
		q->failed |= !q->counts.add(q->counts.ctx, group, latency);
	else
		q->counts.n[(size_t)group << q->counts.bits | latency]++;
	q->counted++;
}

/* Adds 1 to each of these n counts. */
static void add_counts(struct nfart_pairs *q, const uint32_t *which, uint32_t n)
{
	uint64_t *count = q->counts.n;

	for (uint32_t i = 0; i < n; i++)
		count[which[i]]++;
	q->counted += n;
}

/* Counts an answer x that is not counted as in the ordinary case. Its request has this tag. */
static void count_rare(struct nfart_pairs *q, const struct pair_event *x, uint32_t tag,
		       uint64_t latency)
{
	enum pairs_group_by by = q->counts.by;

	if (by == PAIRS_BY_LINE && tag == 0)
		q->counted++;
	else
		count_other(q, by == PAIRS_BY_RULE   ? x->rule
			       : by == PAIRS_BY_LINE ? tag - 1
						     : learn_types(q, x, tag), latency);
}

INLINE void join_counting(struct nfart_pairs *q, const struct pair_event *x, size_t n,
			  enum pairs_group_by by)
{
	struct pair_table *tables = q->table;
	uint32_t groups = q->counts.groups, which[PAIRS_OUT + 1], nwhich = 0;
	unsigned bits = q->counts.bits;

	for (size_t k = 0; k < n && !q->failed; k++, x++) {
		struct pair_table *t = &tables[x->rule];
		uint64_t keep = -(uint64_t)x->request, latency;
		uint32_t tag = 0, old = 0, group = x->rule;
		struct pair_place *place;
		size_t i;
		if (k + PAIRS_AHEAD < n)
			pair_table_fetch(&tables[x[PAIRS_AHEAD].rule], x[PAIRS_AHEAD].key);
		if (t->n == t->most && !pair_table_grow(t)) {
			q->failed = true;
			break;
		}
		i = pair_table_find(t, x->key);
		place = &t->at[i];
		if (by != PAIRS_BY_RULE) {
			tag = tag_of(q, x, by);
			old = t->tag[i];
			t->tag[i] = tag;
			group = by == PAIRS_BY_LINE ? old - 1 : *group_place(q, x, old) - 1;
		}
		if ((place->since != 0) == x->request) {
			pairs_put_rare(q, x, i);
			continue;
		}
		latency = x->time + 1 - place->since;
		if (((latency >> bits | (group >= groups)) & ~keep) != 0) {
			count_rare(q, x, old, latency);
		} else {
			which[nwhich] = group << bits | (uint32_t)latency;
			nwhich += !x->request;
		}
		if (nwhich == PAIRS_OUT) {
			add_counts(q, which, nwhich);
			nwhich = 0;
		}
		*place = (struct pair_place){ x->key, pair_table_since(x->time) & keep };
		t->n += 2 * (size_t)x->request - 1;
		if ((t->at[(i + 1) & (t->places - 1)].since & ~keep) != 0)
			pair_table_close(t, i);
	}
	add_counts(q, which, nwhich);
}

void pairs_join_counting(struct nfart_pairs *q, const struct pair_event *x, size_t n)
{
	if (q->counts.by == PAIRS_BY_RULE)
		join_counting(q, x, n, PAIRS_BY_RULE);
	else if (q->counts.by == PAIRS_BY_TYPES)
		join_counting(q, x, n, PAIRS_BY_TYPES);
	else
		join_counting(q, x, n, PAIRS_BY_LINE);
}

/* ---- before ---- */

/* Do messages of these codes have the same type and group of slots? */
static bool same_types(const struct nfart_proto *p, uint32_t a, uint32_t b)
{
	return p->codes.type_of[a] == p->codes.type_of[b] &&
	       p->slots[a >> p->header.op_bits].group == p->slots[b >> p->header.op_bits].group;
}

/* Gives each code its kind. False: there are too many kinds. */
static bool number_kinds(struct pairs_kinds *k, const struct nfart_proto *p, bool lines)
{
	uint32_t first[KINDS_MOST]; /* the first code of each kind */

	for (uint32_t c = 0; c < p->codes.n; c++) {
		uint32_t i = 0;
		if (lines) {
			k->of[c] = bits_get(p->codes.has_addr, c);
			continue;
		}
		while (i < k->n && !same_types(p, first[i], c))
			i++;
		if (i == KINDS_MOST)
			return false;
		first[i] = c;
		k->n += i == k->n;
		k->of[c] = (uint16_t)i;
	}
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

bool pairs_count(struct nfart_pairs *q, const struct pairs_counts *c)
{
	const struct nfart_proto *p = q->proto;
	struct pairs_kinds *k;

	if (q->special || q->want.asked)
		return true;
	if (c->by != PAIRS_BY_RULE) {
		k = q->kinds = calloc(1, sizeof *k + p->codes.n * sizeof k->of[0]);
		if (k == NULL)
			return false;
		if (!number_kinds(k, p, c->by == PAIRS_BY_LINE))
			return true;
		k->group = calloc((size_t)p->names.npairs * k->n * k->n + 1, sizeof *k->group);
		if (k->group == NULL)
			return false;
	}
	q->counts = *c;
	q->want.details = false;
	return tag_tables(q, c->by);
}

uint64_t pairs_counted(const struct nfart_pairs *q)
{
	return q->counted;
}
