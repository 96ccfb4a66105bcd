/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "ir/count/count_prove.h"

static bool prover_push(struct count_prover *c, rx_id_t id)
{
	if (!vec_push(&c->todo, id))
		c->failed = true;
	return !c->failed;
}

/* Pushes the operands of x, the last one first, so that prover_next() takes the first one first. */
static void push_all(struct count_prover *c, const struct rx *x)
{
	for (uint32_t i = x->n; i-- > 0;)
		prover_push(c, x->sub[i]);
}

/* Takes the next node from the list. NULL: the list is empty, or no steps or memory are left. */
static const struct rx *prover_next(struct count_prover *c)
{
	if (c->todo.n == 0 || c->failed || c->steps == 0)
		return NULL;
	c->steps--;
	return &c->s->nodes.at[c->todo.at[--c->todo.n]];
}

static bool finished(struct count_prover *c)
{
	bool all = c->todo.n == 0 && !c->failed && c->steps != 0;

	c->todo.n = 0;
	return all;
}

static bool implies(struct count_prover *c, pred_id_t p, pred_id_t q)
{
	if (c->steps == 0)
		return false;
	c->steps--;
	return pred_implies(&c->s->preds, p, q);
}

static pred_id_t negate(struct count_prover *c, pred_id_t p)
{
	pred_id_t q = pred_not(&c->s->preds, p);

	c->failed = c->failed || q == PRED_NONE;
	return q;
}

static bool prover_disjoint(struct count_prover *c, pred_id_t p, pred_id_t q)
{
	pred_id_t not_q = negate(c, q);

	return not_q != PRED_NONE && implies(c, p, not_q);
}

/* ---- the body ------------------------------------------------------------------------------- */

/* Returns a predicate that holds where p or q does, or PRED_NONE if none is found. */
static pred_id_t either(struct count_prover *c, pred_id_t p, pred_id_t q)
{
	const struct pred_table *t = &c->s->preds;
	pred_id_t not_p;

	if (implies(c, p, q))
		return q;
	if (implies(c, q, p))
		return p;
	if (!t->preds.at[p].none && !t->preds.at[q].none) {
		pred_id_t both = pred_join(&c->s->preds, p, q);
		c->failed = c->failed || both == PRED_NONE;
		return both;
	}
	not_p = negate(c, p);
	if (not_p == PRED_NONE || !implies(c, not_p, q))
		return PRED_NONE;
	p = pred_true(&c->s->preds);
	c->failed = c->failed || p == PRED_NONE;
	return p;
}

/* Returns the one predicate that the alternatives of `alt` mean, or PRED_NONE if none is found.
 * Nodes that were on the list before stay there. */
static pred_id_t prover_join(struct count_prover *c, const struct rx *alt)
{
	size_t bottom = c->todo.n;
	pred_id_t all = PRED_NONE;

	push_all(c, alt);
	while (c->todo.n > bottom) {
		const struct rx *x = prover_next(c);
		if (x == NULL)
			return PRED_NONE;
		if (x->kind == RX_ALT || (x->kind == RX_REP && x->lo == 1 && x->hi == 1))
			push_all(c, x);
		else if (x->kind != RX_PRED)
			return PRED_NONE;
		else if ((all = all == PRED_NONE ? x->pred : either(c, all, x->pred)) == PRED_NONE)
			return PRED_NONE;
	}
	return all;
}

int count_flatten(struct count_prover *c, rx_id_t id, struct count_body *out)
{
	const struct rx *x;
	int why = -1;

	out->n = 0;
	prover_push(c, id);
	while (why < 0 && (x = prover_next(c)) != NULL) {
		struct diag_range range = x->range;
		pred_id_t p = x->pred;
		if (x->kind == RX_EPS)
			continue;
		if (x->kind == RX_CAT || (x->kind == RX_REP && x->lo == 1 && x->hi == 1)) {
			push_all(c, x);
			continue;
		}
		if (x->kind == RX_ALT)
			p = prover_join(c, x);
		else if (x->kind != RX_PRED)
			p = PRED_NONE;
		if (p == PRED_NONE) {
			why = COUNT_BODY;
		} else if (out->n == COUNT_MOST_BODY) {
			why = COUNT_LONG;
		} else {
			out->range[out->n] = range;
			out->pred[out->n++] = p;
		}
	}
	if (!finished(c) || out->n == 0)
		return why < 0 ? COUNT_BODY : why;
	return why;
}

bool count_disjoint(struct count_prover *c, const struct count_body *x, struct diag_range *out)
{
	for (uint32_t i = 0; i < x->n; i++)
		for (uint32_t k = i + 1; k < x->n; k++)
			if (!prover_disjoint(c, x->pred[i], x->pred[k])) {
				out[0] = x->range[i];
				out[1] = x->range[k];
				return false;
			}
	return true;
}

/* ---- closed --------------------------------------------------------------------------------- */

/* Is it proved that every batch which satisfies p is in L(id), as a sequence of one batch? */
static bool holds_batch(struct count_prover *c, rx_id_t id, pred_id_t p)
{
	const struct rx *x;
	bool found = false;

	prover_push(c, id);
	while (!found && (x = prover_next(c)) != NULL) {
		if (x->kind == RX_PRED)
			found = implies(c, p, x->pred);
		else if (x->kind == RX_ALT || (x->kind == RX_REP && x->lo <= 1))
			push_all(c, x);
	}
	c->todo.n = 0;
	return found;
}

/* Proves that L(x) is in L(Y)+, in one of two ways. Either every batch of x alone is in L(Y). Or Y
 * is a sequence of as many predicates as x, and each predicate of x implies the one of Y in its
 * place. */
static bool absorbs(struct count_prover *c, rx_id_t y, const struct count_body *x)
{
	struct count_body body;
	uint32_t i = 0;

	while (i < x->n && holds_batch(c, y, x->pred[i]))
		i++;
	if (i == x->n)
		return true;
	if (count_flatten(c, y, &body) >= 0 || body.n != x->n)
		return false;
	for (i = 0; i < x->n; i++)
		if (!implies(c, x->pred[i], body.pred[i]))
			return false;
	return true;
}

/* Appends all predicates in node id to the list. False: the node contains a counter, the list is
 * full, or no steps are left. */
static bool add_predicates(struct count_prover *c, rx_id_t id, struct count_body *list)
{
	const struct rx *x;
	bool fits = true;

	prover_push(c, id);
	while (fits && (x = prover_next(c)) != NULL) {
		fits = x->kind != RX_COUNTER &&
		       (x->kind != RX_PRED || list->n != COUNT_MOST_BODY);
		if (x->kind == RX_PRED && fits)
			list->pred[list->n++] = x->pred;
		else if (fits && x->kind != RX_EPS)
			push_all(c, x);
	}
	return finished(c) && fits;
}

/* Proves the condition [closed] of Note [counting repetitions]: looks in A for B Y{k,} D, where Y
 * absorbs X, each predicate of D alone is a Y, and D can be empty. The search goes back from the
 * end of A. */
bool count_closed(struct count_prover *c, const struct count_prefix *a, const struct count_body *x)
{
	struct count_body behind = { .n = 0 };

	for (; a != NULL; a = a->before) {
		const struct rx *f = &c->s->nodes.at[a->factor];
		if (f->kind == RX_REP && f->hi == RX_INF) {
			rx_id_t y = f->sub[0];
			uint32_t i = 0;
			while (i < behind.n && holds_batch(c, y, behind.pred[i]))
				i++;
			if (i == behind.n && absorbs(c, y, x))
				return c->steps != 0 && !c->failed;
		}
		if (!a->nullable || !add_predicates(c, a->factor, &behind))
			return false;
	}
	return false;
}

/* ---- unambiguous ---------------------------------------------------------------------------- */

/* Pushes the factors that may end the concatenation x: the last one, and earlier ones as long as
 * all after them can be empty. */
static void push_last(struct count_prover *c, const struct rx *x)
{
	uint32_t i = x->n;

	while (i-- > 0 && prover_push(c, x->sub[i]))
		if (!c->nullable[x->sub[i]])
			break;
}

bool count_unambiguous(struct count_prover *c, const struct count_prefix *a,
		       const struct count_body *x, struct diag_range *out)
{
	pred_id_t last = x->pred[x->n - 1];
	const struct rx *y;
	bool apart = true;

	for (; a != NULL && prover_push(c, a->factor); a = a->before)
		if (!a->nullable)
			break;
	while (apart && (y = prover_next(c)) != NULL) {
		const struct spec_counter *k;
		*out = y->range;
		switch (y->kind) {
		case RX_EPS:
			break;
		case RX_PRED:
			apart = prover_disjoint(c, y->pred, last);
			break;
		case RX_CAT:
			push_last(c, y);
			break;
		case RX_ALT:
		case RX_REP:
			push_all(c, y);
			break;
		/* A counter is active after a batch that it counts, and a latch also later. */
		case RX_COUNTER:
			k = &c->s->counters.at[y->counter];
			apart = k->mode != COUNTER_LATCH;
			if (apart)
				prover_push(c, k->count);
			break;
		}
	}
	return finished(c) && apart;
}
