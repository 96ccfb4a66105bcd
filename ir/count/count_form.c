/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "ir/count/count_form.h"

/* up to TAIL copies of one predicate cost less than a second counter */
enum { TAIL = 4 };

/* Returns the form with a counter that is right for r, or the reason why there is none. */
static enum count_how counted_form(struct count_prover *c, const struct count_options *o,
				   const struct count_repetition *r, struct diag_range *other)
{
	if (o->max_k == 0)
		return COUNT_NO_COUNTERS;
	if (!count_disjoint(c, &r->body, other))
		return COUNT_OVERLAP;
	if (!r->closed && r->hi != RX_INF &&
	    !count_unambiguous(c, r->a, &r->body, other))
		return COUNT_AMBIGUOUS;
	if (r->lo == 0)
		return COUNT_EMPTY;
	if (r->lo > o->max_k)
		return COUNT_TOO_HIGH;
	if (r->closed || r->hi == RX_INF)
		return r->body.n == 1 ? COUNT_LATCH : COUNT_STAR;
	if (r->lo == r->hi)
		return COUNT_PULSE;
	if (r->body.n == 1 && r->hi - r->lo > TAIL && r->hi <= o->max_k)
		return COUNT_RANGE;
	return r->lo >= o->threshold ? COUNT_TAIL : COUNT_LITTLE;
}

enum count_how count_form(struct count_prover *c, const struct count_options *o,
			  struct count_repetition *r, struct diag_range *other)
{
	int why = count_flatten(c, r->x, &r->body);
	enum count_how how;

	if (why >= 0)
		return (enum count_how)why;
	r->closed = count_closed(c, r->a, &r->body);
	r->why = COUNT_LITTLE;
	if (r->closed && r->lo < o->threshold)
		return COUNT_LOWER;
	r->why = how = counted_form(c, o, r, other);
	return how > COUNT_LOWER && r->closed && r->lo < r->hi && r->hi != RX_INF ? COUNT_LOWER
										   : how;
}

/* Builds the reset expression of Note [counting repetitions], true* (p1 !p2 | … | pl !p1) or, for
 * one predicate, true* !p1. It matches where a chain of copies of X breaks. */
static rx_id_t broken(struct count_maker *m, const struct count_body *x, struct diag_range range)
{
	struct pred_table *t = &m->s->preds;
	rx_id_t breaks[COUNT_MOST_BODY], anything;

	anything = make_repeat(m, make_pred(m, pred_true(t), range), 0, RX_INF, range);
	for (uint32_t i = 0; i < x->n && !m->failed; i++) {
		uint32_t k = i + 1 < x->n ? i + 1 : 0;
		breaks[i] = make_pred(m, pred_not(t, x->pred[k]), x->range[k]);
		if (x->n > 1)
			breaks[i] = make_pair(m, make_pred(m, x->pred[i], x->range[i]), breaks[i],
					      range);
	}
	return m->failed ? RX_NONE
			 : make_pair(m, anything, make_list(m, RX_ALT, breaks, x->n, range), range);
}

rx_id_t count_rewrite(struct count_maker *m, uint64_t *steps, const struct count_repetition *r,
		      enum count_how how, uint32_t *counter)
{
	struct diag_range range = r->range;
	struct spec_counter n = { .k = r->hi, .mode = COUNTER_LATCH, .range = range };
	rx_id_t head;

	if (how == COUNT_LOWER)
		return make_prefix(m, r->a,
				   r->lo != 0 ? make_repeat(m, r->x, r->lo, r->lo, range) : RX_NONE,
				   range, steps);
	n.count = make_prefix(m, r->a, make_repeat(m, r->x, 1, RX_INF, range), range, steps);
	n.reset = broken(m, &r->body, range);
	if (how == COUNT_RANGE) {
		counter[1] = make_counter(m, n);
		head = make_active(m, counter[1], range);
		rx_id_t either[] = { n.reset, make_pair(m, head, r->x, range) };
		n.reset = make_list(m, RX_ALT, either, 2, range);
	}
	n.k = r->lo;
	n.mode = how == COUNT_LATCH || how == COUNT_RANGE ? COUNTER_LATCH : COUNTER_PULSE;
	counter[0] = make_counter(m, n);
	head = make_active(m, counter[0], range);
	if (how == COUNT_STAR)
		head = make_pair(m, head, make_repeat(m, r->x, 0, RX_INF, range), range);
	if (how == COUNT_TAIL)
		head = make_pair(m, head, make_repeat(m, r->x, 0, r->hi - r->lo, range), range);
	return head;
}
