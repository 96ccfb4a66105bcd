/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "ir/pred.h"

#include <string.h>

bool pred_table_init(struct pred_table *t, const struct nfart_proto *p, bool by_line)
{
	memset(t, 0, sizeof *t);
	t->proto = p;
	t->words = bits_words(p->ncodes);
	t->visible = arena_array(&t->arena, t->words, 8);
	if (t->visible == NULL)
		return false;
	memcpy(t->visible, by_line ? p->has_addr : p->valid, t->words * 8);
	return true;
}

void pred_table_free(struct pred_table *t)
{
	arena_free(&t->arena);
	vec_free(&t->preds);
	free(t->hash);
	t->hash = NULL;
	t->nhash = 0;
}

static uint64_t hash(bool none, const uint64_t *ops, size_t words)
{
	uint64_t h = none ? 0x9e3779b97f4a7c15u : 1;

	for (size_t i = 0; i < words; i++) {
		h = (h ^ ops[i]) * 0xff51afd7ed558ccdu;
		h ^= h >> 32;
	}
	return h;
}

/* Returns an index into the hash table: that of the entry of the predicate (none, ops), or that of
 * the free entry where it belongs if it has none. */
static size_t place(const struct pred_table *t, bool none, const uint64_t *ops)
{
	size_t i = hash(none, ops, t->words) & (t->nhash - 1);

	for (; t->hash[i] != 0; i = (i + 1) & (t->nhash - 1)) {
		const struct pred *p = &t->preds.at[t->hash[i] - 1];
		if (p->none == none && memcmp(p->ops, ops, t->words * 8) == 0)
			break;
	}
	return i;
}

static bool grow(struct pred_table *t)
{
	size_t n = t->nhash == 0 ? 64 : t->nhash * 2;
	uint32_t *h = calloc(n, sizeof *h);

	if (h == NULL)
		return false;
	free(t->hash);
	t->hash = h;
	t->nhash = n;
	for (size_t i = 0; i < t->preds.n; i++)
		h[place(t, t->preds.at[i].none, t->preds.at[i].ops)] = (uint32_t)i + 1;
	return true;
}

pred_id_t pred_intern(struct pred_table *t, bool none, const uint64_t *ops)
{
	struct pred p = { none, NULL };
	uint64_t *copy;
	size_t i;

	if (t->preds.n * 2 >= t->nhash && !grow(t))
		return PRED_NONE;
	i = place(t, none, ops);
	if (t->hash[i] != 0)
		return t->hash[i] - 1;
	copy = arena_array(&t->arena, t->words, 8);
	if (copy == NULL)
		return PRED_NONE;
	memcpy(copy, ops, t->words * 8);
	p.ops = copy;
	if (t->preds.n >= PRED_EPS || !vec_push(&t->preds, p))
		return PRED_NONE;
	t->hash[i] = (uint32_t)t->preds.n;
	return (pred_id_t)(t->preds.n - 1);
}

/* A set of codes on the stack, large enough for the widest protocol. */
struct set {
	uint64_t w[(PROTO_SLOTS << PROTO_OP_BITS) / 64];
};

pred_id_t pred_true(struct pred_table *t)
{
	struct set s;

	memset(s.w, 0, t->words * 8);
	return pred_intern(t, true, s.w);
}

pred_id_t pred_not(struct pred_table *t, pred_id_t p)
{
	return pred_intern(t, !t->preds.at[p].none, t->preds.at[p].ops);
}

pred_id_t pred_join(struct pred_table *t, pred_id_t p, pred_id_t q)
{
	const struct pred *x = &t->preds.at[p], *y = &t->preds.at[q];
	struct set s;

	if (x->none != y->none)
		return PRED_NONE;
	for (size_t i = 0; i < t->words; i++)
		s.w[i] = x->ops[i] | y->ops[i];
	return pred_intern(t, x->none, s.w);
}

/* Does the set contain every visible code? */
static bool covers(const struct pred_table *t, const uint64_t *ops)
{
	for (size_t i = 0; i < t->words; i++)
		if ((t->visible[i] & ~ops[i]) != 0)
			return false;
	return true;
}

/* Does the set contain any visible code? */
static bool meets(const struct pred_table *t, const uint64_t *ops)
{
	for (size_t i = 0; i < t->words; i++)
		if ((t->visible[i] & ops[i]) != 0)
			return true;
	return false;
}

/* A batch may consist of any one visible code alone. So Any holds on every batch exactly if its set
 * covers all visible codes, and None exactly if its set contains none of them. */
bool pred_always(const struct pred_table *t, pred_id_t p)
{
	const struct pred *x = &t->preds.at[p];

	return x->none ? !meets(t, x->ops) : covers(t, x->ops);
}

bool pred_never(const struct pred_table *t, pred_id_t p)
{
	const struct pred *x = &t->preds.at[p];

	return x->none ? covers(t, x->ops) : !meets(t, x->ops);
}

/* Returns a mask of the slots that have a visible code in set a but not in set b. b may be NULL for
 * the empty set. */
static uint64_t slots_with(const struct pred_table *t, const uint64_t *a, const uint64_t *b)
{
	uint64_t slots = 0;

	for (size_t i = 0; i < t->words; i++) {
		uint64_t w = t->visible[i] & a[i] & ~(b != NULL ? b[i] : 0);
		while (w != 0) {
			size_t code = i * 64 + (size_t)__builtin_ctzll(w);
			slots |= (uint64_t)1 << (code >> t->proto->op_bits);
			w &= w - 1;
		}
	}
	return slots;
}

/*
 * p implies q if no batch satisfies p and not q. P and Q are the visible codes of the two sets. The
 * implication holds exactly if:
 *   Any P  => Any Q:   P is within Q (a code of P outside Q, alone, would be a counterexample)
 *   None P => None Q:  Q is within P
 *   Any P  => None Q:  no batch has a code of P and a code of Q. So P or Q is empty, or both lie in
 *                      one slot and have no code in common.
 *   None P => Any Q:   every code outside P is in Q (such a code may be alone in a batch)
 */
bool pred_implies(const struct pred_table *t, pred_id_t p, pred_id_t q)
{
	const struct pred *x = &t->preds.at[p], *y = &t->preds.at[q];
	uint64_t a, b;

	if (!x->none && !y->none)
		return slots_with(t, x->ops, y->ops) == 0;
	if (x->none && y->none)
		return slots_with(t, y->ops, x->ops) == 0;
	if (x->none) {
		for (size_t i = 0; i < t->words; i++)
			if ((t->visible[i] & ~(x->ops[i] | y->ops[i])) != 0)
				return false;
		return true;
	}
	a = slots_with(t, x->ops, NULL);
	b = slots_with(t, y->ops, NULL);
	if (a == 0 || b == 0)
		return true;
	if (a != b || (a & (a - 1)) != 0)
		return false;
	for (size_t i = 0; i < t->words; i++)
		if ((t->visible[i] & x->ops[i] & y->ops[i]) != 0)
			return false;
	return true;
}

bool pred_holds(const struct pred_table *t, pred_id_t p, const uint32_t *codes, size_t n)
{
	const struct pred *x = &t->preds.at[p];

	for (size_t i = 0; i < n; i++)
		if (bits_get(x->ops, codes[i]))
			return !x->none;
	return x->none;
}

void pred_print(const struct pred_table *t, pred_id_t id, struct buf *b)
{
	proto_print_pred(t->proto, t->preds.at[id].none, t->preds.at[id].ops, b);
}
