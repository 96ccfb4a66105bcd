/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Note [invariants]. The proof looks for an invariant of the product of both sides. For each pair
 * of control states that can meet, the invariant says of each counter between which bounds its
 * value is, and of each two counters whether their difference is always the same number, and which.
 *
 * It is found by a walk from the start. A place is a pair of control states with what is known
 * there. A cycle is taken from it with each letter and for each way in which counters can be at
 * their points, as far as bounds and differences allow it. What comes out is joined to what is
 * known of the place where it leads. What a place knows only gets weaker: a difference is lost
 * once, and a bound moves to the next point after some joins. So the walk ends after a number of
 * steps that does not depend on how large reload values are.
 *
 * If both sides have the same outputs wherever the walk comes, they are equal. If not, nothing is
 * said, since what the invariant allows need not happen.
 */
#include <string.h>

#include "backends/etm/proof/etm_equal.h"

enum {
	MOST_COUNTERS = 2 * ETM_SIDE_COUNTERS,
	MOST_PLACES = 1 << 12,
	EXACT_JOINS = 3 /* how often bounds are joined exactly */
};

/* The bound of a counter that has passed all its points; no counter gets there. */
#define FAR (INT64_MAX / 4)

/* What is known of all counters, those of the left side first. */
struct known {
	int64_t low[MOST_COUNTERS], high[MOST_COUNTERS];
	/* the value of i minus that of j, where `fixed` */
	int64_t difference[MOST_COUNTERS][MOST_COUNTERS];
	bool fixed[MOST_COUNTERS][MOST_COUNTERS];
};

struct place {
	uint32_t left, right; /* control states */
	unsigned joins;
	bool todo;
	struct known known;
};

struct walk {
	const struct etm_question *q;
	unsigned n, nleft; /* counters */
	const struct etm_side_counter *counters[MOST_COUNTERS];
	VEC(struct place) places;
	uint32_t *letters;
	size_t nletters;
	int8_t at[MOST_COUNTERS];
	uint64_t work;
	bool failed;
};

/* ---- what is known ---- */

/* Narrows bounds by the differences to other counters. Returns whether any value is left. */
static bool narrow(const struct walk *w, struct known *k)
{
	for (unsigned i = 0; i < w->n; i++)
		for (unsigned j = 0; j < w->n; j++) {
			if (!k->fixed[i][j])
				continue;
			if (k->low[i] < k->low[j] + k->difference[i][j])
				k->low[i] = k->low[j] + k->difference[i][j];
			if (k->high[i] > k->high[j] + k->difference[i][j])
				k->high[i] = k->high[j] + k->difference[i][j];
		}
	for (unsigned i = 0; i < w->n; i++)
		if (k->low[i] > k->high[i])
			return false;
	return true;
}

/* Restricts counter i to its point p, or with p < 0, to values that are no point. Returns whether
 * any value is left. */
static bool restrict_to(const struct walk *w, struct known *k, unsigned i, int p)
{
	const struct etm_side_counter *c = w->counters[i];

	if (p >= 0) {
		if (c->point[p] < k->low[i] || c->point[p] > k->high[i])
			return false;
		k->low[i] = k->high[i] = c->point[p];
		return true;
	}
	for (unsigned j = 0; j < c->npoints; j++)
		if (c->point[j] == k->low[i])
			k->low[i]++; /* points rise */
	for (unsigned j = c->npoints; j-- > 0;)
		if (c->point[j] == k->high[i])
			k->high[i]--;
	return k->low[i] <= k->high[i];
}

static void act(const struct walk *w, struct known *k, const enum etm_action *action)
{
	for (unsigned i = 0; i < w->n; i++) {
		int64_t add = action[i] == ETM_ADD;

		if (action[i] == ETM_ZERO)
			k->low[i] = k->high[i] = 0;
		k->low[i] += add;
		k->high[i] += add;
		if (k->high[i] > FAR)
			k->high[i] = FAR;
	}
	for (unsigned i = 0; i < w->n; i++)
		for (unsigned j = 0; j < w->n; j++) {
			k->fixed[i][j] = k->fixed[i][j] && action[i] != ETM_ZERO &&
					 action[j] != ETM_ZERO;
			k->difference[i][j] += (action[i] == ETM_ADD) - (action[j] == ETM_ADD);
			if (k->low[i] != k->high[i] || k->low[j] != k->high[j])
				continue;
			k->fixed[i][j] = true;
			k->difference[i][j] = k->low[i] - k->low[j];
		}
}

/* Moves a bound that still moves to the next point, or far beyond all points. */
static int64_t widened(const struct etm_side_counter *c, int64_t bound, bool up)
{
	int64_t best = up ? FAR : -FAR;

	for (unsigned i = 0; i < c->npoints; i++) {
		int64_t p = c->point[i];

		if (up ? p >= bound && p < best : p <= bound && p > best)
			best = p;
	}
	if (!up && bound >= 0 && best < 0)
		best = 0;
	return best;
}

/* Joins `from` into p. Returns whether p knows less now. */
static bool join(const struct walk *w, struct place *p, const struct known *from)
{
	struct known *k = &p->known;
	bool wide = p->joins >= EXACT_JOINS, weaker = false;

	for (unsigned i = 0; i < w->n; i++) {
		if (from->low[i] < k->low[i]) {
			k->low[i] = wide ? widened(w->counters[i], from->low[i], false)
					 : from->low[i];
			weaker = true;
		}
		if (from->high[i] > k->high[i]) {
			k->high[i] = wide ? widened(w->counters[i], from->high[i], true)
					  : from->high[i];
			weaker = true;
		}
		for (unsigned j = 0; j < w->n; j++) {
			if (!k->fixed[i][j] || (from->fixed[i][j] &&
						from->difference[i][j] == k->difference[i][j]))
				continue;
			k->fixed[i][j] = false;
			weaker = true;
		}
	}
	p->joins += weaker;
	return weaker;
}

/* ---- the walk ---- */

static void arrive(struct walk *w, uint32_t left, uint32_t right, const struct known *k)
{
	struct place *p;

	for (size_t i = 0; i < w->places.n; i++) {
		p = &w->places.at[i];
		if (p->left == left && p->right == right) {
			p->todo |= join(w, p, k);
			return;
		}
	}
	if (w->places.n == MOST_PLACES || !vec_reserve(&w->places, 1)) {
		w->failed = true;
		return;
	}
	p = &w->places.at[w->places.n++];
	*p = (struct place){ .left = left, .right = right, .todo = true, .known = *k };
}

/* Takes a cycle with each letter, from a place where counters are at their points as w->at says.
 * The walk has failed if outputs differ. */
static void take(struct walk *w, uint32_t left, uint32_t right, const struct known *k)
{
	const struct etm_question *q = w->q;

	for (size_t i = 0; i < w->nletters && !w->failed; i++) {
		struct etm_side_step a, b;
		enum etm_action action[MOST_COUNTERS];
		struct known next = *k;

		q->left->step(q->left, left, w->at, w->letters[i], &a);
		q->right->step(q->right, right, w->at + w->nleft, w->letters[i], &b);
		w->work++;
		if (a.outputs != b.outputs) {
			w->failed = true;
			return;
		}
		memcpy(action, a.action, w->nleft * sizeof *action);
		memcpy(action + w->nleft, b.action, (w->n - w->nleft) * sizeof *action);
		act(w, &next, action);
		arrive(w, a.control, b.control, &next);
	}
}

/* Chooses for counter i, and then for those after it, whether it is at a point. */
static void choose(struct walk *w, uint32_t left, uint32_t right, const struct known *k, unsigned i)
{
	if (i == w->n) {
		take(w, left, right, k);
		return;
	}
	for (int p = -1; p < (int)w->counters[i]->npoints && !w->failed; p++) {
		struct known some = *k;

		w->at[i] = (int8_t)p;
		if (restrict_to(w, &some, i, p) && narrow(w, &some))
			choose(w, left, right, &some, i + 1);
	}
}

/* Are all pairs of counters that must be equal known to be? */
static bool pairs_hold(const struct walk *w, const struct known *k)
{
	for (unsigned i = 0; i < w->q->npairs; i++) {
		unsigned l = w->q->pairs[i].left, r = w->nleft + w->q->pairs[i].right;

		if (!k->fixed[l][r] || k->difference[l][r] != 0)
			return false;
	}
	return true;
}

static void begin(struct walk *w)
{
	const struct etm_question *q = w->q;
	struct known k = { 0 };

	w->nleft = q->left->ncounters;
	w->n = w->nleft + q->right->ncounters;
	for (unsigned i = 0; i < w->n; i++) {
		w->counters[i] = i < w->nleft ? &q->left->counters[i]
					      : &q->right->counters[i - w->nleft];
		k.low[i] = k.high[i] = w->counters[i]->start;
	}
	for (unsigned i = 0; i < w->n; i++)
		for (unsigned j = 0; j < w->n; j++) {
			k.fixed[i][j] = true;
			k.difference[i][j] = k.low[i] - k.low[j];
		}
	arrive(w, q->left->start, q->right->start, &k);
}

bool etm_prove(const struct etm_question *q, uint64_t *work)
{
	struct walk w = { .q = q };

	w.letters = etm_letters(q, &w.nletters);
	if (w.letters == NULL)
		return false;
	begin(&w);
	for (size_t i = 0; i < w.places.n && !w.failed;) {
		struct place p = w.places.at[i];

		if (!p.todo) {
			i++;
			continue;
		}
		w.places.at[i].todo = false;
		if (!pairs_hold(&w, &p.known))
			w.failed = true;
		choose(&w, p.left, p.right, &p.known, 0);
		i = 0;
	}
	*work += w.work;
	free(w.letters);
	vec_free(&w.places);
	return !w.failed;
}
