/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Note [up to congruence]. A bisimulation is a relation between sets of states with two properties.
 * It relates only sets that both accept or both don't. If it relates two sets, it relates their
 * successors by every batch. Such sets accept the same streams. It is enough that successors are in
 * the congruence closure of the relation: the smallest equivalence that contains it and is closed
 * under unions (Bonchi, Pous, Checking NFA equivalence with bisimulations up to congruence, POPL
 * 2013). A pair (X, Y) of the relation is read as two rules: where X is part of a set, Y may be
 * added, and the reverse. Two sets are congruent if each is part of what the rules make of the
 * other.
 *
 * Pairs are visited breadth first. Equality on all streams of up to n batches is a congruence, too.
 * So if a stream of n batches tells apart a pair that was left out, n batches also tell apart some
 * pair that is in the relation and no further from the start. Hence the first witness is a shortest
 * one, and after n levels without a witness all streams of up to n batches are proved. Batches that
 * are unions of others may be left out for the same reason (Note [unions of batches]). A pair is
 * checked once more when its turn comes. If pairs found later at the same distance imply it, it is
 * dropped, which may save a whole tree of unions. The pair of the start states makes no rules,
 * because it does not count whether these sets accept.
 *
 * Unions of cycles of different lengths have few states and very many sets of them. So up to three
 * walks are made. The first takes the states as they are. The second goes backward and the third
 * forward, both with bisimilar states merged (decide_reverse.c, decide_quotient.c). The first two
 * get a small part of the steps each. The first comes before merging because most questions are
 * settled in fewer steps than merging takes.
 *
 * Containment of X in Y is decided as equality of Y and the union of X and Y.
 */
#include "ir/decide/decide_int.h"

/* Each of the first two walks gets 1/QUICK_SHARE of the steps. Merging costs about MERGE_STEPS for
 * each state and transition. If that is more than such a part, no states are merged. */
enum { QUICK_SHARE = 8, MERGE_STEPS = 32 };

/* A rule: `added` may be added to a set that contains `part`. */
struct rule {
	uint32_t part, added; /* numbers of sets in congruence.sets */
	uint32_t next;        /* the next rule of the same pivot; UINT32_MAX: none */
	uint32_t pair;        /* the pair from which the rule comes */
	bool dead;            /* the rule was dropped, together with its pair */
};

struct congruence {
	struct decider *d;
	struct local l;
	struct stepper s;
	struct sets sets;
	struct pairs pairs;
	VEC(struct rule) rules;
	/* Each rule is filed under one state of its `part`, its pivot. */
	struct {
		/* [n + 1]: the first rule of each pivot. Entry n has the rules whose part is
		 * empty. */
		uint32_t *pivot;
		uint32_t *npivot;  /* [n + 1]: how many rules are filed under each pivot */
		uint32_t *adds;    /* [n]: how many rules add the state */
	} filed;
	/* The set that is being rewritten. */
	struct {
		uint32_t *mark;    /* [n]: equals `stamp` if the state is in the set */
		uint32_t *member;  /* [n]: the states of the set */
		uint32_t nmember;  /* how many states the set has */
		VEC(uint32_t) applied; /* [rules]: equals `stamp` if the rule was applied to it */
		uint32_t stamp;    /* the number of the set */
	} now;
	uint32_t *x, *y;   /* [n]: sets that are being made */
	/* A rule that is not dead is in use if the number of its pair is less than `below` and is
	 * not `except`. */
	uint32_t below, except;
	bool contains;
};

static const uint32_t *set_at(const struct congruence *c, uint32_t id, uint32_t *n)
{
	*n = c->sets.all.at[id].n;
	return c->sets.pool.at + c->sets.all.at[id].at;
}

static void add_members(struct congruence *c, const uint32_t *x, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (c->now.mark[x[i]] != c->now.stamp) {
			c->now.mark[x[i]] = c->now.stamp;
			c->now.member[c->now.nmember++] = x[i];
		}
}

static bool all_marked(struct congruence *c, const uint32_t *x, uint32_t n)
{
	uint32_t i = 0;

	while (i < n && c->now.mark[x[i]] == c->now.stamp)
		i++;
	c->d->effort.work += 1 + i / 4;
	return i == n;
}

/* Applies the rules of one pivot to the set being rewritten. True: some rule was applied. */
static bool apply(struct congruence *c, uint32_t pivot)
{
	bool grew = false;

	for (uint32_t r = c->filed.pivot[pivot]; r != UINT32_MAX; r = c->rules.at[r].next) {
		const uint32_t *x;
		uint32_t n;
		c->d->effort.work++;
		if (c->now.applied.at[r] == c->now.stamp || c->rules.at[r].dead ||
		    c->rules.at[r].pair >= c->below || c->rules.at[r].pair == c->except)
			continue;
		x = set_at(c, c->rules.at[r].part, &n);
		if (!all_marked(c, x, n))
			continue;
		c->now.applied.at[r] = c->now.stamp;
		x = set_at(c, c->rules.at[r].added, &n);
		c->d->effort.work += n;
		add_members(c, x, n);
		grew = true;
	}
	return grew;
}

/* Is there a state in y[0 … n) that is not in the set being rewritten and that no rule in use can
 * add? */
static bool hopeless(struct congruence *c, const uint32_t *y, uint32_t n)
{
	/* The pair `except` has one rule that adds every state of y. It is not in use. */
	uint32_t own = c->except != UINT32_MAX;

	c->d->effort.work += n / 4;
	for (uint32_t i = 0; i < n; i++)
		if (c->now.mark[y[i]] != c->now.stamp && c->filed.adds[y[i]] <= own)
			return true;
	return false;
}

/* Is set y part of what the rules make of set x? */
static bool reduces(struct congruence *c, uint32_t x, uint32_t y)
{
	uint32_t nx, ny;
	const uint32_t *xs = set_at(c, x, &nx), *ys = set_at(c, y, &ny);
	bool grew = true;

	c->now.stamp++;
	c->now.nmember = 0;
	add_members(c, xs, nx);
	if (hopeless(c, ys, ny))
		return false;
	while (!all_marked(c, ys, ny)) {
		if (!grew || !decide_spend(c->d, 1))
			return false;
		grew = apply(c, c->l.n);
		for (uint32_t i = 0; i < c->now.nmember; i++)
			grew = apply(c, c->now.member[i]) || grew;
	}
	return true;
}

static void count_added(struct congruence *c, uint32_t set, uint32_t step)
{
	uint32_t n;
	const uint32_t *x = set_at(c, set, &n);

	for (uint32_t i = 0; i < n; i++)
		c->filed.adds[x[i]] += step;
}

/* Adds a rule. Its pivot is the state of `part` that is the pivot of the fewest rules so far.
 * False: out of memory. */
static bool add_rule(struct congruence *c, uint32_t part, uint32_t added, uint32_t pair)
{
	uint32_t n, pivot = c->l.n;
	const uint32_t *x = set_at(c, part, &n);
	struct rule r = { part, added, 0, pair, false };

	for (uint32_t i = 0; i < n; i++)
		if (pivot == c->l.n || c->filed.npivot[x[i]] < c->filed.npivot[pivot])
			pivot = x[i];
	r.next = c->filed.pivot[pivot];
	if (!vec_push(&c->rules, r) || !vec_push(&c->now.applied, 0))
		return decide_no_memory(c->d);
	c->filed.pivot[pivot] = (uint32_t)c->rules.n - 1;
	c->filed.npivot[pivot]++;
	count_added(c, added, 1);
	return true;
}

static bool congruence_accepts(const struct congruence *c, const uint32_t *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (c->l.accepts[x[i]])
			return true;
	return false;
}

/* Looks at what batch i makes of the pair: two equal or congruent sets, a new pair, or a witness.
 * False: at the limit, out of memory, or e says that there is a witness. */
static bool successor(struct congruence *c, const struct batches *b, uint32_t i, uint32_t pair,
		      struct explored *e)
{
	struct decider *d = c->d;
	size_t nx, ny;
	uint32_t x, y;

	if (!stepper_mark(&c->s, b, i, 0))
		return false;
	nx = stepper_take(&c->s, c->x);
	if (!stepper_mark(&c->s, b, i, 1))
		return false;
	ny = stepper_take(&c->s, c->y);
	if (congruence_accepts(c, c->x, nx) != congruence_accepts(c, c->y, ny)) {
		e->holds = false;
		e->left = congruence_accepts(c, c->x, nx);
		return decide_witness(d, &c->pairs, pair, b->node[i]) && false;
	}
	x = sets_intern(&c->sets, c->x, nx);
	y = sets_intern(&c->sets, c->y, ny);
	if (x == UINT32_MAX || y == UINT32_MAX)
		return decide_no_room(d, c->sets.full);
	if (x == y || pairs_has(&c->pairs, x, y) || (reduces(c, x, y) && reduces(c, y, x)))
		return d->effort.state == DECIDE_RUNS;
	if (d->effort.state != DECIDE_RUNS)
		return false;
	if (pairs_add(&c->pairs, x, y, pair, b->node[i]) < 0)
		return decide_no_room(d, c->pairs.full);
	pair = (uint32_t)c->pairs.all.n - 1;
	return add_rule(c, x, y, pair) && add_rule(c, y, x, pair);
}

/* Is the pair congruent by the rules of the other pairs with a number below `end`? Pairs from `end`
 * on are further from the start. If so, the rules of the pair itself are dropped, and the
 * congruence closure stays the same. */
static bool is_spare(struct congruence *c, uint32_t pair, uint32_t end)
{
	uint32_t x = c->pairs.all.at[pair].x, y = c->pairs.all.at[pair].y;
	bool spare;

	if (pair == 0)
		return false;
	c->below = end;
	c->except = pair;
	spare = reduces(c, x, y) && reduces(c, y, x);
	c->below = c->except = UINT32_MAX;
	/* Pair i has the rules 2 (i - 1) and 2 (i - 1) + 1. */
	for (uint32_t i = 0; spare && i < 2; i++) {
		struct rule *r = &c->rules.at[2 * (pair - 1) + i];
		r->dead = true;
		count_added(c, r->added, UINT32_MAX); /* one rule less */
	}
	return spare;
}

static bool congruence_expand(struct congruence *c, uint32_t pair, struct explored *e)
{
	uint32_t nx, ny;
	const uint32_t *x = set_at(c, c->pairs.all.at[pair].x, &nx),
		       *y = set_at(c, c->pairs.all.at[pair].y, &ny);
	const struct batches *b = stepper_begin(&c->s, x, nx, y, ny);

	for (uint32_t i = 0; b != NULL && i < b->n; i++)
		if (!successor(c, b, i, pair, e))
			return false;
	return b != NULL;
}

/* Adds the first pair. X and Y are the sets of start states of the two sides. For equality the pair
 * is (X, Y). For containment of X in Y it is the union of X and Y, and Y. */
static bool congruence_start(struct congruence *c)
{
	uint32_t x, y;

	for (int k = 0; k < 2; k++)
		for (size_t i = 0; (k == 0 || c->contains) && i < c->l.start[k].n; i++)
			stepper_add(&c->s, c->l.start[k].at[i]);
	x = sets_intern(&c->sets, c->x, stepper_take(&c->s, c->x));
	for (size_t i = 0; i < c->l.start[1].n; i++)
		stepper_add(&c->s, c->l.start[1].at[i]);
	y = sets_intern(&c->sets, c->x, stepper_take(&c->s, c->x));
	if (x == UINT32_MAX || y == UINT32_MAX ||
	    pairs_add(&c->pairs, x, y, UINT32_MAX, UINT32_MAX) < 0)
		return decide_no_memory(c->d);
	return true;
}

static bool congruence_allocate(struct congruence *c)
{
	size_t n = (size_t)c->l.n + 1;

	c->filed.pivot = malloc(n * sizeof *c->filed.pivot);
	c->filed.npivot = calloc(n, sizeof *c->filed.npivot);
	c->filed.adds = calloc(n, sizeof *c->filed.adds);
	c->now.mark = calloc(n, sizeof *c->now.mark);
	c->now.member = malloc(n * sizeof *c->now.member);
	c->x = malloc(n * sizeof *c->x);
	c->y = malloc(n * sizeof *c->y);
	if (c->filed.pivot == NULL || c->filed.npivot == NULL || c->filed.adds == NULL ||
	    c->now.mark == NULL || c->now.member == NULL || c->x == NULL || c->y == NULL)
		return decide_no_memory(c->d);
	memset(c->filed.pivot, 0xff, n * sizeof *c->filed.pivot);
	return true;
}

static void congruence_release(struct congruence *c)
{
	stepper_free(&c->s);
	sets_free(&c->sets);
	pairs_free(&c->pairs);
	vec_free(&c->rules);
	vec_free(&c->now.applied);
	free(c->filed.pivot);
	free(c->filed.npivot);
	free(c->filed.adds);
	free(c->now.mark);
	free(c->now.member);
	free(c->x);
	free(c->y);
}

/* Makes one walk over pairs of sets, from the start states on. The local automaton is borrowed. The
 * result is as in struct explored. */
static bool congruence_walk(struct decider *d, const struct local *l, bool contains,
			    struct explored *e)
{
	struct congruence c = { .d = d, .l = *l, .contains = contains, .below = UINT32_MAX,
				.except = UINT32_MAX };
	/* Streams of at most `depth` batches lead to the pairs with a number below `level`. */
	size_t level = 1;
	uint64_t depth = 0;
	bool ok =
		stepper_init(&c.s, d, l, false) && congruence_allocate(&c) && congruence_start(&c);

	for (uint32_t i = 0; ok && i < c.pairs.all.n; i++) {
		if (i == level) {
			depth++;
			level = c.pairs.all.n;
		}
		if (!is_spare(&c, i, (uint32_t)level))
			ok = d->effort.state == DECIDE_RUNS && congruence_expand(&c, i, e);
	}
	e->depth = depth > e->depth ? depth : e->depth;
	congruence_release(&c);
	return ok;
}

static bool walk_merged(struct decider *d, struct local *l, bool contains, struct explored *e)
{
	return local_quotient(d, l) && congruence_walk(d, l, contains, e);
}

/* Streams of up to n batches, turned round, are all streams of up to n batches. So depths and
 * shortest witnesses mean the same backward. */
static bool walk_backward(struct decider *d, const struct local *l, bool contains,
			  struct explored *e)
{
	struct local back;
	bool done = local_reverse(d, l, &back) && walk_merged(d, &back, contains, e);

	local_free(&back);
	if (!e->holds)
		decide_turn_witness(d);
	return done;
}

/* Is another walk to be made, after one that had only a part of the steps? If so, the question goes
 * on, with the limit `most`. */
static bool goes_on(struct decider *d, const struct explored *e, uint64_t most)
{
	bool at_limit = d->effort.state == DECIDE_AT_LIMIT;

	d->effort.most = most;
	if (at_limit && e->holds)
		d->effort.state = DECIDE_RUNS;
	return at_limit && e->holds;
}

/* Makes up to three walks (Note [up to congruence]), until one of them settles the question. */
static bool walk_all(struct decider *d, struct local *l, bool contains, struct explored *e)
{
	uint64_t most = d->effort.most, part = (most - d->effort.work) / QUICK_SHARE;
	bool done;

	if (part / MERGE_STEPS < l->n + l->list.n)
		return congruence_walk(d, l, contains, e);
	d->effort.most = d->effort.work + part;
	done = congruence_walk(d, l, contains, e);
	if (!done && goes_on(d, e, most)) {
		d->effort.most = d->effort.work + part;
		done = walk_backward(d, l, contains, e);
	}
	if (!done && goes_on(d, e, most))
		done = walk_merged(d, l, contains, e);
	d->effort.most = most;
	return done;
}

bool explore_congruence(struct decider *d, const struct decide_target t[2], bool contains,
			struct explored *e)
{
	struct local l;
	bool done;

	*e = (struct explored){ .holds = true };
	done = local_build(d, t, true, &l);
	if (done && d->walk == DECIDE_BACKWARD)
		done = walk_backward(d, &l, contains, e);
	else if (done && d->walk == DECIDE_MERGED)
		done = walk_merged(d, &l, contains, e);
	else if (done)
		done = walk_all(d, &l, contains, e);
	local_free(&l);
	return done;
}
