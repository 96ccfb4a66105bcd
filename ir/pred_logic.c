/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * A conjunction of predicates asks two things of a batch. It must not have a message of a forbidden
 * set: the set of a None that holds, or of an Any that does not. And it must have a message out of
 * each demanded set: the sets of all other predicates. Forbidden codes are removed from the
 * demanded sets. Then a search with backtracking chooses a code, in a slot that is still free, for
 * each demanded set that no chosen code hits. There are no empty batches, so one code must be
 * allowed even if no set is demanded.
 */
#include "ir/pred_logic.h"

#include <string.h>

enum { WORDS = (PROTO_SLOTS << PROTO_OP_BITS) / 64 };

struct set {
	uint64_t w[WORDS];
};

struct demand {
	const struct pred_table *t;
	struct set allowed;
	size_t n;
	const uint64_t *want[PRED_LOGIC_MOST]; /* [n]: the demanded sets */
	/* [n]: the code chosen for each demanded set. NOTHING: no code is needed, because one that
	 * was chosen for an earlier set is in this set, too. */
	uint32_t code[PRED_LOGIC_MOST];
};
enum { NOTHING = UINT32_MAX };

/* Adds a predicate that must hold (`holds`) or must not hold. False: too many sets are demanded. */
static bool demand(struct demand *d, pred_id_t p, bool holds)
{
	const struct pred *x = &d->t->preds.at[p];

	if (x->none == holds) {
		for (size_t i = 0; i < d->t->words; i++)
			d->allowed.w[i] &= ~x->ops[i];
		return true;
	}
	if (d->n == PRED_LOGIC_MOST)
		return false;
	d->want[d->n++] = x->ops;
	return true;
}

static bool is_hit(const struct demand *d, size_t k)
{
	for (size_t i = 0; i < k; i++)
		if (d->code[i] != NOTHING && bits_get(d->want[k], d->code[i]))
			return true;
	return false;
}

/* Returns the first allowed code at or after `from` that is in demanded set k and whose slot is
 * still free, or ncodes if there is none. */
static uint32_t next_code(const struct demand *d, size_t k, uint32_t from)
{
	uint32_t n = d->t->proto->ncodes, shift = d->t->proto->op_bits, c = from;

	while (c < n) {
		uint64_t w = (d->want[k][c / 64] & d->allowed.w[c / 64]) >> (c % 64);
		bool taken = false;
		if (w == 0) {
			c = (c / 64 + 1) * 64;
			continue;
		}
		c += (uint32_t)__builtin_ctzll(w);
		for (size_t i = 0; i < k; i++)
			taken |= d->code[i] != NOTHING && d->code[i] >> shift == c >> shift;
		if (!taken)
			return c;
		c++;
	}
	return n;
}

static enum pred_answer choose(struct demand *d)
{
	uint32_t steps = 0, n = d->t->proto->ncodes;
	uint32_t from = 0;
	size_t k = 0;

	while (k < d->n) {
		if (++steps > PRED_LOGIC_STEPS)
			return PRED_UNKNOWN;
		d->code[k] = from == 0 && is_hit(d, k) ? NOTHING : next_code(d, k, from);
		from = 0;
		if (d->code[k] != n) {
			k++;
			continue;
		}
		do { /* goes back to the last set for which a code was chosen */
			if (k-- == 0)
				return PRED_NO;
		} while (d->code[k] == NOTHING);
		from = d->code[k] + 1;
	}
	return PRED_YES;
}

enum pred_answer pred_satisfiable(const struct pred_table *t, const pred_id_t *yes, size_t nyes,
				  const pred_id_t *no, size_t nno)
{
	struct demand d = { .t = t };

	memcpy(d.allowed.w, t->visible, t->words * 8);
	for (size_t i = 0; i < nyes; i++)
		if (!demand(&d, yes[i], true))
			return PRED_UNKNOWN;
	for (size_t i = 0; i < nno; i++)
		if (!demand(&d, no[i], false))
			return PRED_UNKNOWN;
	if (!bits_any(d.allowed.w, t->words))
		return PRED_NO;
	return choose(&d);
}

bool pred_covered(const struct pred_table *t, pred_id_t p, const pred_id_t *q, size_t n)
{
	return pred_satisfiable(t, &p, 1, q, n) == PRED_NO;
}

/* Is it proved that c holds exactly where p or q holds? */
static bool says(const struct pred_table *t, pred_id_t c, pred_id_t p, pred_id_t q)
{
	pred_id_t both[2] = { p, q };

	return pred_implies(t, p, c) && pred_implies(t, q, c) && pred_covered(t, c, both, 2);
}

/*
 * The candidates depend on the modes, and each candidate is checked before it is used. Any P or Any
 * Q is Any of the union. None P or None Q fails only where both sets are hit; its candidate is None
 * of their intersection. Any P or None Q fails exactly where Q is hit and P is not. Its candidates
 * are None of Q without P, and Any of all codes outside that set.
 */
bool pred_or(struct pred_table *t, pred_id_t p, pred_id_t q, pred_id_t *or)
{
	struct pred x = t->preds.at[p], y = t->preds.at[q];
	struct set s, rest;
	pred_id_t c;

	*or = PRED_NONE;
	if (pred_implies(t, p, q) || pred_implies(t, q, p)) {
		*or = pred_implies(t, p, q) ? q : p;
		return true;
	}
	for (size_t i = 0; i < t->words; i++) {
		const uint64_t any = x.none ? y.ops[i] : x.ops[i];
		const uint64_t none = x.none ? x.ops[i] : y.ops[i];
		s.w[i] = x.none == y.none ? (x.none ? any & none : x.ops[i] | y.ops[i])
					  : none & ~any;
		rest.w[i] = t->visible[i] & ~s.w[i];
	}
	c = pred_intern(t, x.none || y.none, s.w);
	if (c == PRED_NONE)
		return false;
	if (says(t, c, p, q))
		*or = c;
	else if (x.none != y.none) {
		c = pred_intern(t, false, rest.w);
		if (c == PRED_NONE)
			return false;
		if (says(t, c, p, q))
			*or = c;
	}
	return true;
}
