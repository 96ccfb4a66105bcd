/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Note [layers]. The search computes layer after layer: layer t holds exactly the configurations in
 * which both sides can be after t cycles. The first layer with a configuration in which outputs
 * differ gives a shortest witness, which is then followed back, layer by layer, to the start.
 *
 * An event counter can have any value that the environment likes, so a layer with a node for each
 * configuration would be large. A node therefore holds an interval of configurations: one counter,
 * the wide one, has all values from `low` to `high`, and one counter of the other side, the
 * follower, is at a distance from it. All other values are numbers. Counters that count in every
 * cycle have the same value in the whole layer. So with one event counter on each side a layer has
 * few nodes, whatever the reload values are. A step cuts the interval where the wide counter or its
 * follower is at a point, so that both sides do the same on each part.
 */
#include <string.h>

#include "backends/etm/proof/etm_equal.h"

enum { MOST_COUNTERS = 2 * ETM_SIDE_COUNTERS, NO_COUNTER = MOST_COUNTERS };

/* Most bytes of all layers together. */
enum { MOST_LAYER_BYTES = 1 << 28 };

struct node {
	uint32_t left, right;         /* control states */
	int64_t value[MOST_COUNTERS]; /* of the follower, its distance; of the wide counter, 0 */
	int64_t low, high;            /* the values of the wide counter */
};

/* A part of a node, on which a letter does the same everywhere. */
struct part {
	struct node from; /* the node, cut to the part */
	uint32_t letter;
	enum etm_action action[MOST_COUNTERS];
	uint32_t left, right; /* control states after the cycle */
	uint32_t out_left, out_right;
};

struct search {
	const struct etm_question *q;
	struct etm_answer *a;
	unsigned n, nleft; /* counters, those of the left side first */
	unsigned wide, follower;
	const struct etm_side_counter *counters[MOST_COUNTERS];
	uint32_t *letters;
	size_t nletters;
	/* All layers, one after the other; a node is two control states, n values and two bounds.
	 * first[t] is where layer t begins. */
	struct {
		VEC(int64_t) numbers;
		VEC(size_t) first;
		VEC(struct node) next; /* the layer that is being made, unordered */
	} layers;
	struct node target;    /* when a witness is followed back: the configuration to come from */
	bool back, found, failed;
};

/* ---- layers ---- */

static size_t stride(const struct search *s)
{
	return s->n + 4;
}

static struct node get(const struct search *s, size_t at)
{
	const int64_t *x = s->layers.numbers.at + at;
	struct node d = { .left = (uint32_t)x[0], .right = (uint32_t)x[1] };

	memcpy(d.value, x + 2, s->n * sizeof *x);
	d.low = x[2 + s->n];
	d.high = x[3 + s->n];
	return d;
}

static void put(struct search *s, const struct node *d)
{
	int64_t *x;

	if (s->layers.numbers.n * sizeof *x >= MOST_LAYER_BYTES ||
	    !vec_reserve(&s->layers.numbers, stride(s))) {
		s->failed = true;
		return;
	}
	x = s->layers.numbers.at + s->layers.numbers.n;
	s->layers.numbers.n += stride(s);
	x[0] = d->left;
	x[1] = d->right;
	memcpy(x + 2, d->value, s->n * sizeof *x);
	x[2 + s->n] = d->low;
	x[3 + s->n] = d->high;
}

static int compare_keys(const struct node *x, const struct node *y)
{
	if (x->left != y->left)
		return x->left < y->left ? -1 : 1;
	if (x->right != y->right)
		return x->right < y->right ? -1 : 1;
	for (unsigned i = 0; i < MOST_COUNTERS; i++)
		if (x->value[i] != y->value[i])
			return x->value[i] < y->value[i] ? -1 : 1;
	return 0;
}

static int compare(const void *p, const void *q)
{
	const struct node *x = p, *y = q;
	int keys = compare_keys(x, y);

	if (keys != 0)
		return keys;
	return x->low != y->low ? (x->low < y->low ? -1 : 1) : 0;
}

/* Appends what s->next has as a layer. Intervals of nodes with one key that overlap or touch are
 * joined. */
static void end_layer(struct search *s)
{
	struct node d;

	qsort(s->layers.next.at, s->layers.next.n, sizeof *s->layers.next.at, compare);
	if (!vec_push(&s->layers.first, s->layers.numbers.n))
		s->failed = true;
	for (size_t i = 0; i < s->layers.next.n && !s->failed;) {
		d = s->layers.next.at[i++];
		while (i < s->layers.next.n && compare_keys(&d, &s->layers.next.at[i]) == 0 &&
		       s->layers.next.at[i].low <= d.high + 1) {
			if (s->layers.next.at[i].high > d.high)
				d.high = s->layers.next.at[i].high;
			i++;
		}
		put(s, &d);
	}
	s->layers.next.n = 0;
}

/* ---- a cycle ---- */

/* Returns the value of counter i in a node whose wide counter has the value `wide`. */
static int64_t value_of(const struct search *s, const struct node *d, unsigned i, int64_t wide)
{
	return d->value[i] + (i == s->wide || i == s->follower ? wide : 0);
}

static int8_t point_of(const struct etm_side_counter *c, int64_t value)
{
	for (unsigned i = 0; i < c->npoints; i++)
		if (c->point[i] == value)
			return (int8_t)i;
	return -1;
}

/* Returns the end of the longest part of d, from the value `low` of the wide counter on, on which
 * neither the wide counter nor its follower gets to a point or leaves one. */
static int64_t part_end(const struct search *s, const struct node *d, int64_t low)
{
	const unsigned moving[2] = { s->wide, s->follower };
	int64_t end = d->high;

	for (unsigned m = 0; m < 2 && moving[m] != NO_COUNTER; m++) {
		const struct etm_side_counter *c = s->counters[moving[m]];

		for (unsigned i = 0; i < c->npoints; i++) {
			int64_t p = c->point[i] - d->value[moving[m]];

			if (p == low)
				return low;
			if (p > low && p - 1 < end)
				end = p - 1;
		}
	}
	return end;
}

/* Makes the node that the cycle of part p makes of the value `wide` of the wide counter, and of all
 * values up to p->from.high if the wide counter and its follower don't become 0. */
static struct node after(const struct search *s, const struct part *p, int64_t wide)
{
	struct node d = { .left = p->left, .right = p->right };
	bool zero = false;

	for (unsigned i = 0; i < s->n; i++) {
		d.value[i] = p->action[i] == ETM_ZERO ? 0
			     : value_of(s, &p->from, i, wide) + (p->action[i] == ETM_ADD);
		if (i == s->wide || i == s->follower)
			zero = zero || p->action[i] == ETM_ZERO;
	}
	if (s->wide == NO_COUNTER)
		return d;
	d.low = d.high = d.value[s->wide];
	if (!zero)
		d.high += p->from.high - wide;
	d.value[s->wide] = 0;
	if (s->follower != NO_COUNTER)
		d.value[s->follower] -= d.low;
	return d;
}

static bool is_zero(const struct part *p, unsigned i)
{
	return i == NO_COUNTER || p->action[i] == ETM_ZERO;
}

/* Where a witness is followed back: does the value `wide` of the wide counter, or one above
 * it in the part if the cycle keeps them apart, become the target? Then the target is what it
 * came from. */
static void look_back(struct search *s, const struct part *p, const struct node *d, int64_t wide)
{
	if (s->found || compare_keys(d, &s->target) != 0 || s->target.low < d->low ||
	    s->target.low > d->high)
		return;
	wide += s->target.low - d->low;
	s->target = p->from;
	s->target.low = s->target.high = wide;
	s->found = true;
}

/* Takes the cycle of part p to the next layer. If one of wide counter and follower becomes 0 and
 * the other doesn't, they get another distance for each value of the part. */
static void take(struct search *s, const struct part *p)
{
	bool apart = s->wide != NO_COUNTER && s->follower != NO_COUNTER &&
		     is_zero(p, s->wide) != is_zero(p, s->follower);
	int64_t last = apart ? p->from.high : p->from.low;

	for (int64_t wide = p->from.low; wide <= last && !s->failed; wide++) {
		struct node d = after(s, p, wide);

		s->a->work++;
		if (s->back)
			look_back(s, p, &d, wide);
		else if (!vec_push(&s->layers.next, d))
			s->failed = true;
	}
}

/* Calls visit() for each part of a node and each letter. */
static void expand(struct search *s, const struct node *d,
		   void (*visit)(struct search *, const struct part *))
{
	int64_t low = d->low;

	do {
		struct part p = { .from = *d };
		int8_t at[MOST_COUNTERS];

		p.from.low = low;
		p.from.high = part_end(s, d, low);
		for (unsigned i = 0; i < s->n; i++)
			at[i] = point_of(s->counters[i], value_of(s, d, i, low));
		for (size_t i = 0; i < s->nletters && !s->failed && !s->found; i++) {
			struct etm_side_step a, b;

			p.letter = s->letters[i];
			s->q->left->step(s->q->left, d->left, at, p.letter, &a);
			s->q->right->step(s->q->right, d->right, at + s->nleft, p.letter, &b);
			memcpy(p.action, a.action, s->nleft * sizeof *p.action);
			memcpy(p.action + s->nleft, b.action, (s->n - s->nleft) * sizeof *p.action);
			p.left = a.control;
			p.right = b.control;
			p.out_left = a.outputs;
			p.out_right = b.outputs;
			visit(s, &p);
		}
		low = p.from.high + 1;
	} while (low <= d->high && !s->found);
}

/* ---- the search ---- */

/* Returns a value of the wide counter in p for which the counters of the pair differ, or
 * INT64_MIN. */
static int64_t differing(const struct search *s, const struct part *p, unsigned l, unsigned r)
{
	for (int64_t wide = p->from.low; wide <= p->from.high && wide <= p->from.low + 1; wide++)
		if (value_of(s, &p->from, l, wide) != value_of(s, &p->from, r, wide))
			return wide;
	return INT64_MIN;
}

static bool prepend(struct etm_answer *a, uint32_t letter)
{
	if (a->witness.n != 0 && a->witness.at[a->witness.n - 1].letter == letter) {
		a->witness.at[a->witness.n - 1].cycles++;
		return true;
	}
	return vec_push(&a->witness, ((struct etm_run){ letter, 1 }));
}

/* Looks for a difference: counters of a pair before the cycle, or outputs after it. */
static void check(struct search *s, const struct part *p)
{
	struct etm_answer *a = s->a;

	for (unsigned i = 0; i < s->q->npairs && !s->found; i++) {
		unsigned l = s->q->pairs[i].left, r = s->nleft + s->q->pairs[i].right;
		int64_t wide = differing(s, p, l, r);

		if (wide == INT64_MIN)
			continue;
		a->pair = i;
		a->values[0] = value_of(s, &p->from, l, wide);
		a->values[1] = value_of(s, &p->from, r, wide);
		s->target = p->from;
		s->target.low = wide;
		s->found = true;
	}
	if (s->found || p->out_left == p->out_right)
		return;
	a->left = p->out_left;
	a->right = p->out_right;
	s->target = p->from;
	s->found = true;
	if (!prepend(a, p->letter))
		s->failed = true;
}

static void visit(struct search *s, const struct part *p)
{
	check(s, p);
	if (!s->found)
		take(s, p);
}

static void remember(struct search *s, const struct part *p)
{
	take(s, p);
	if (s->found && !prepend(s->a, p->letter))
		s->failed = true;
}

/* Follows the target, a configuration of the last layer, back to the start. */
static void follow_back(struct search *s)
{
	struct etm_answer *a = s->a;

	s->back = true;
	for (size_t t = s->layers.first.n - 1; t-- > 0 && !s->failed;) {
		s->found = false;
		for (size_t at = s->layers.first.at[t]; at < s->layers.first.at[t + 1] && !s->found;
		     at += stride(s)) {
			struct node d = get(s, at);

			expand(s, &d, remember);
		}
	}
	for (size_t i = 0; i < a->witness.n / 2; i++) {
		struct etm_run r = a->witness.at[i];

		a->witness.at[i] = a->witness.at[a->witness.n - 1 - i];
		a->witness.at[a->witness.n - 1 - i] = r;
	}
}

/* Returns the counter of a side that has the highest point among those that don't count in every
 * cycle. */
static unsigned event_counter(const struct search *s, unsigned from, unsigned to)
{
	unsigned best = NO_COUNTER;
	int64_t top = INT64_MIN;

	for (unsigned i = from; i < to; i++) {
		const struct etm_side_counter *c = s->counters[i];

		if (c->steady || c->point[c->npoints - 1] <= top)
			continue;
		top = c->point[c->npoints - 1];
		best = i;
	}
	return best;
}

static void begin(struct search *s)
{
	const struct etm_question *q = s->q;
	struct node d = { .left = q->left->start, .right = q->right->start };

	s->nleft = q->left->ncounters;
	s->n = s->nleft + q->right->ncounters;
	for (unsigned i = 0; i < s->n; i++) {
		s->counters[i] = i < s->nleft ? &q->left->counters[i]
					      : &q->right->counters[i - s->nleft];
		d.value[i] = s->counters[i]->start;
	}
	s->wide = event_counter(s, 0, s->nleft);
	s->follower = event_counter(s, s->nleft, s->n);
	if (s->wide == NO_COUNTER) {
		s->wide = s->follower;
		s->follower = NO_COUNTER;
	}
	if (s->wide != NO_COUNTER) {
		d.low = d.high = d.value[s->wide];
		d.value[s->wide] = 0;
		if (s->follower != NO_COUNTER)
			d.value[s->follower] -= d.low;
	}
	if (!vec_push(&s->layers.next, d))
		s->failed = true;
	end_layer(s);
}

void etm_search(const struct etm_question *q, struct etm_answer *a)
{
	struct search s = { .q = q, .a = a };

	s.letters = etm_letters(q, &s.nletters);
	s.failed = s.letters == NULL;
	if (!s.failed)
		begin(&s);
	while (!s.failed && !s.found && a->work < q->steps) {
		size_t end = s.layers.numbers.n;

		for (size_t at = s.layers.first.at[s.layers.first.n - 1]; at < end && !s.found;
		     at += stride(&s)) {
			struct node d = get(&s, at);

			expand(&s, &d, visit);
		}
		if (!s.found)
			end_layer(&s);
	}
	a->cycles = s.layers.first.n == 0 ? 0 : s.layers.first.n - 1;
	a->cycles += a->witness.n;
	a->verdict = s.found ? ETM_DIFFERENT : ETM_GAVEUP;
	if (s.found && !s.failed)
		follow_back(&s);
	if (s.failed)
		a->verdict = s.layers.numbers.n * sizeof *s.layers.numbers.at >= MOST_LAYER_BYTES &&
					     !s.back
				     ? ETM_GAVEUP
				     : ETM_NO_MEMORY;
	free(s.letters);
	vec_free(&s.layers.numbers);
	vec_free(&s.layers.first);
	vec_free(&s.layers.next);
}
