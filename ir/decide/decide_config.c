/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Explores the configurations of both sides one by one. A configuration is the counts of the
 * counters that matter and the set of active states, as one array with the counts first. Pairs of
 * configurations are visited breadth first, each once. A count is at most K, so there are finitely
 * many pairs, and the answer is proved when all were visited. But they may be too many: then all
 * streams of up to some length were covered.
 *
 * Counts don't unite as sets of states do. So batches that are unions of others (Note [unions of
 * batches]) are tried, too.
 */
#include "ir/decide/decide_int.h"

struct configs {
	struct decider *d;
	struct local l;
	struct stepper s;
	struct sets sets;
	struct pairs pairs;
	uint32_t *x, *y;  /* [counters + n]: the configurations that are being made */
	bool *count,      /* [counters]: is the port that counts active? */
		*reset;   /* [counters]: is the port that resets active? */
	bool contains;
};

/* Finds the counters of a side in c->l.counters: they have the indices *begin … *end - 1. */
static void counters_of(const struct configs *c, int side, uint32_t *begin, uint32_t *end)
{
	*begin = side == 0 ? 0 : c->l.nleft;
	*end = side == 0 ? c->l.nleft : (uint32_t)c->l.counters.n;
}

/* Sets count[] and reset[] for the ports that the states x[0 … n) carry. */
static void note_ports(struct configs *c, const uint32_t *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (uint32_t k = c->l.port_first[x[i]]; k < c->l.port_first[x[i] + 1]; k++) {
			uint32_t port = c->l.ports.at[k];
			(port % 2 != 0 ? c->reset : c->count)[port / 2] = true;
		}
}

/* Takes counter i, whose count is *n, through one batch (nfacc-filter(5), Counters). Returns
 * whether the counter is active after the batch. */
static bool configs_counts(const struct configs *c, uint32_t i, uint32_t *n)
{
	const struct local_counter *k = &c->l.counters.at[i];
	uint32_t before = *n;
	bool reached;

	if (c->reset[i])
		*n = 0;
	else if (c->count[i] && *n < k->k)
		++*n;
	reached = *n == k->k && before != k->k;
	if (k->mode == COUNTER_ROLL && reached)
		*n = 0;
	return k->mode == COUNTER_LATCH ? *n == k->k : reached;
}

/* Writes into `out` the configuration that batch i makes of the configuration `from`. Returns its
 * length plus one, or 0: at the limit, or out of memory. */
static size_t configs_advance(struct configs *c, const struct batches *b, uint32_t i, int side,
			      const uint32_t *from, uint32_t *out)
{
	uint32_t begin, end;
	size_t n, nc;

	counters_of(c, side, &begin, &end);
	nc = end - begin;
	if (!stepper_mark(&c->s, b, i, side))
		return 0;
	for (uint32_t k = begin; k < end; k++) {
		out[k - begin] = from[k - begin];
		c->count[k] = c->reset[k] = false;
	}
	n = stepper_take(&c->s, out + nc);
	note_ports(c, out + nc, n);
	for (size_t q = 0; q < n; q++)
		stepper_add(&c->s, out[nc + q]);
	for (uint32_t k = begin; k < end; k++) {
		const struct local_counter *x = &c->l.counters.at[k];
		if (!configs_counts(c, k, &out[k - begin]))
			continue;
		note_ports(c, c->l.list.at + x->at, x->n);
		for (uint32_t q = 0; q < x->n; q++)
			stepper_add(&c->s, c->l.list.at[x->at + q]);
	}
	n = stepper_take(&c->s, out + nc);
	return decide_spend(c->d, 2 * n + nc + 1) ? nc + n + 1 : 0;
}

static bool configs_accepts(const struct configs *c, const uint32_t *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (c->l.accepts[x[i]])
			return true;
	return false;
}

static bool successor(struct configs *c, const struct batches *b, uint32_t i, uint32_t pair,
		      struct explored *e)
{
	struct decider *d = c->d;
	uint32_t cx = c->l.nleft, cy = (uint32_t)c->l.counters.n - cx;
	const uint32_t *from_x = c->sets.pool.at + c->sets.all.at[c->pairs.all.at[pair].x].at,
		       *from_y = c->sets.pool.at + c->sets.all.at[c->pairs.all.at[pair].y].at;
	size_t nx = configs_advance(c, b, i, 0, from_x, c->x),
	       ny = nx == 0 ? 0 : configs_advance(c, b, i, 1, from_y, c->y);
	bool left, right;
	uint32_t x, y;

	if (nx == 0 || ny == 0)
		return false;
	left = configs_accepts(c, c->x + cx, nx - 1 - cx);
	right = configs_accepts(c, c->y + cy, ny - 1 - cy);
	if (c->contains ? left && !right : left != right) {
		e->holds = false;
		e->left = left;
		return decide_witness(d, &c->pairs, pair, b->node[i]) && false;
	}
	x = sets_intern(&c->sets, c->x, nx - 1);
	y = sets_intern(&c->sets, c->y, ny - 1);
	if (x == UINT32_MAX || y == UINT32_MAX || pairs_add(&c->pairs, x, y, pair, b->node[i]) < 0)
		return decide_no_room(d, c->sets.full || c->pairs.full);
	return true;
}

static bool configs_expand(struct configs *c, uint32_t pair, struct explored *e)
{
	uint32_t x = c->pairs.all.at[pair].x, y = c->pairs.all.at[pair].y, cx = c->l.nleft,
		 cy = (uint32_t)c->l.counters.n - cx;
	const struct batches *b = stepper_begin(&c->s, c->sets.pool.at + c->sets.all.at[x].at + cx,
						c->sets.all.at[x].n - cx,
						c->sets.pool.at + c->sets.all.at[y].at + cy,
						c->sets.all.at[y].n - cy);

	for (uint32_t i = 0; b != NULL && i < b->n; i++)
		if (!successor(c, b, i, pair, e))
			return false;
	return b != NULL;
}

static uint32_t start_of(struct configs *c, int side)
{
	uint32_t begin, end;

	counters_of(c, side, &begin, &end);
	memset(c->x, 0, (end - begin) * sizeof *c->x);
	for (size_t i = 0; i < c->l.start[side].n; i++)
		stepper_add(&c->s, c->l.start[side].at[i]);
	return sets_intern(&c->sets, c->x,
			   end - begin + stepper_take(&c->s, c->x + (end - begin)));
}

static bool configs_start(struct configs *c)
{
	size_t n = (size_t)c->l.n + c->l.counters.n + 1;
	uint32_t x, y;

	c->x = malloc(n * sizeof *c->x);
	c->y = malloc(n * sizeof *c->y);
	c->count = calloc(c->l.counters.n + 1, 1);
	c->reset = calloc(c->l.counters.n + 1, 1);
	if (c->x == NULL || c->y == NULL || c->count == NULL || c->reset == NULL)
		return decide_no_memory(c->d);
	x = start_of(c, 0);
	y = start_of(c, 1);
	if (x == UINT32_MAX || y == UINT32_MAX ||
	    pairs_add(&c->pairs, x, y, UINT32_MAX, UINT32_MAX) < 0)
		return decide_no_memory(c->d);
	return true;
}

static void configs_release(struct configs *c)
{
	local_free(&c->l);
	stepper_free(&c->s);
	sets_free(&c->sets);
	pairs_free(&c->pairs);
	free(c->x);
	free(c->y);
	free(c->count);
	free(c->reset);
}

bool explore_configs(struct decider *d, const struct decide_target t[2], bool contains,
		     struct explored *e)
{
	struct configs c = { .d = d, .contains = contains };
	size_t level = 1;
	bool ok;

	*e = (struct explored){ .holds = true };
	ok = local_build(d, t, false, &c.l) && stepper_init(&c.s, d, &c.l, true) &&
	     configs_start(&c);
	for (uint32_t i = 0; ok && i < c.pairs.all.n; i++) {
		if (i == level) {
			e->depth++;
			level = c.pairs.all.n;
		}
		ok = configs_expand(&c, i, e);
	}
	configs_release(&c);
	return ok;
}
