/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Note [counters in proofs]. At first all counters are free: each batch has a bit for each counter,
 * which says whether the counter is active after it, and every sequence of bits is possible. What
 * is proved for all sequences also holds for those that real counters produce.
 *
 * Two counters, one of each side, that are taken for the same share a bit. This is allowed if they
 * have the same K and mode and if, with the bits free, the same streams count them and the same
 * streams reset them on both sides. Then both are active after the same batches. The proof is by
 * induction over batches and, within a batch, over counters in the order of their definition:
 * within one batch, the ports of a counter see the activity of earlier counters only. Counters that
 * only one side looks at need not meet any condition.
 *
 * The proof may fail because the sides count differently (the compiler counts a repetition that the
 * other side has unrolled), or because the claim is false. Then the configurations are visited one
 * by one (decide_config.c), with what is left of the limit. That ends with a real witness, with a
 * proof, or at the limit.
 */
#include "ir/decide/decide_int.h"

/* Steps that every question costs before any search. */
enum { QUESTION_STEPS = 200 };

struct decider *decide_new(const struct nfa *a, const struct nfa *b, const uint32_t *counter)
{
	struct decider *d = calloc(1, sizeof *d);

	if (d == NULL)
		return NULL;
	d->ports = calloc(a->counters.n + 1, 1);
	if (d->ports != NULL && side_init(d, a, b, counter))
		return d;
	decide_free(d);
	return NULL;
}

void decide_free(struct decider *d)
{
	if (d == NULL)
		return;
	side_free(&d->side[0]);
	side_free(&d->side[1]);
	arena_free(&d->arena);
	vec_free(&d->letters.atoms);
	vec_free(&d->letters.classes);
	vec_free(&d->batches.known);
	hash_free(&d->batches.hash);
	vec_free(&d->batches.nodes);
	vec_free(&d->witness.first);
	vec_free(&d->witness.letter);
	free(d->ports);
	free(d);
}

void decide_without_witness(struct decider *d)
{
	d->witness.off = true;
}

void decide_walk_only(struct decider *d, enum decide_walk walk)
{
	d->walk = walk;
}

/* ---- counters ---- */

/* Pairs of counters, one of each side, whose ports have to be proved equal. */
struct agenda {
	struct decider *d;
	bool *found,   /* [left counters]: the pair of the counter is on the agenda */
		*done; /* [left counters]: the pair of the counter was looked at */
	/* [left counters]: the right counter with the same bit; DECIDE_NO_COUNTER: none */
	uint32_t *partner;
	bool any;          /* some counter matters to the question */
};

/* Puts on the agenda each pair of which both counters matter: the left one to t[0], the right one
 * to t[1]. False: at the limit, or out of memory. */
static bool add_pairs(struct agenda *g, const struct decide_target t[2])
{
	size_t nl = g->d->side[0].a->counters.n, nr = g->d->side[1].a->counters.n;
	bool *l = local_counters(g->d, 0, &t[0]),
	     *r = l != NULL ? local_counters(g->d, 1, &t[1]) : NULL;

	if (r != NULL) {
		g->any = g->any || memchr(l, 1, nl) != NULL || memchr(r, 1, nr) != NULL;
		for (size_t i = 0; i < nl; i++)
			if (l[i] && g->partner[i] != DECIDE_NO_COUNTER && r[g->partner[i]])
				g->found[i] = true;
	}
	free(l);
	free(r);
	return r != NULL;
}

/* Do the same streams count, and reset, left counter i and its partner? The answer goes to
 * d->ports[i]. If they do, pairs of counters on which this answer depends are put on the agenda.
 * False: at the limit, or out of memory. */
static bool look_at(struct agenda *g, uint32_t i)
{
	const struct nfa *a = g->d->side[0].a, *b = g->d->side[1].a;
	const struct nfa_counter *x = &a->counters.at[i], *y = &b->counters.at[g->partner[i]];
	bool same = x->k == y->k && x->mode == y->mode;

	for (int reset = 0; reset < 2 && same; reset++) {
		struct decide_target t[2] = {
			{ DECIDE_LABEL, nfa_port(a, i, reset != 0) },
			{ DECIDE_LABEL, nfa_port(b, g->partner[i], reset != 0) },
		};
		struct explored e = { .holds = true };
		if (g->d->ports[i] == PORTS_OPEN && !explore_congruence(g->d, t, false, &e) &&
		    e.holds)
			return false;
		same = e.holds && g->d->ports[i] != PORTS_DIFFER;
		if (same && !add_pairs(g, t))
			return false;
	}
	g->d->ports[i] = same ? PORTS_EQUAL : PORTS_DIFFER;
	return g->d->effort.state == DECIDE_RUNS;
}

static bool find_partners(struct agenda *g)
{
	const struct side *l = &g->d->side[0], *r = &g->d->side[1];

	g->found = calloc(l->a->counters.n + 1, 1);
	g->done = calloc(l->a->counters.n + 1, 1);
	g->partner = malloc((l->a->counters.n + 1) * sizeof *g->partner);
	if (g->found == NULL || g->done == NULL || g->partner == NULL)
		return decide_no_memory(g->d);
	for (uint32_t i = 0; i < l->a->counters.n; i++) {
		g->partner[i] = DECIDE_NO_COUNTER;
		for (uint32_t k = 0; k < r->a->counters.n; k++)
			if (r->bit[k] == l->bit[i])
				g->partner[i] = k;
	}
	return true;
}

/* Proves the pairs on the agenda, also the pairs that are added to it meanwhile. *all says whether
 * every pair is equal. False: at the limit, or out of memory. */
static bool prove_pairs(struct agenda *g, bool *all)
{
	size_t n = g->d->side[0].a->counters.n;
	bool more = true;

	*all = true;
	while (more) {
		more = false;
		for (uint32_t i = 0; i < n; i++) {
			if (!g->found[i] || g->done[i])
				continue;
			g->done[i] = true;
			if (!look_at(g, i))
				return false;
			*all = *all && g->d->ports[i] == PORTS_EQUAL;
			more = true;
		}
	}
	return true;
}

/* ---- questions ---- */

/* Runs the stream through one side. *accepts says whether this side then accepts with target t.
 * False: out of memory. */
static bool confirms(struct decider *d, int side, const struct decide_target *t,
		     const struct decide_stream *s, bool *accepts)
{
	const struct nfa *a = d->side[side].a;
	size_t n = a->spec->labels.n;
	uint64_t *labels = malloc((bits_words(n + 2 * a->counters.n) + 1) * 8);
	bool logged, any = false;

	if (labels == NULL || !nfa_run(a, s, labels, &logged)) {
		free(labels);
		return decide_no_memory(d);
	}
	for (size_t i = 0; i < n; i++)
		any = any || bits_get(labels, i);
	*accepts = t->kind == DECIDE_LABEL	 ? bits_get(labels, t->label)
		   : t->kind == DECIDE_ANY_LABEL ? any
		   : t->kind == DECIDE_LOG	 ? logged
						 : t->kind == DECIDE_EVERYTHING;
	free(labels);
	return true;
}

/* Runs the witness through both sides once more. Returns DECIDE_NO with the witness in *a, or what
 * went wrong. */
static enum decide_verdict witness(struct decider *d, const struct decide_target t[2],
				   const struct explored *e, struct decide_answer *a)
{
	struct decide_stream s = { d->witness.first.n - 1, d->witness.first.at,
				   d->witness.letter.at };
	bool left, right;

	if (!confirms(d, 0, &t[0], &s, &left) || !confirms(d, 1, &t[1], &s, &right))
		return DECIDE_NO_MEMORY;
	if (left != e->left || right == left)
		return DECIDE_BROKEN;
	a->left = left;
	a->witness = s;
	return DECIDE_NO;
}

/* Returns the verdict after an exploration that was completed (`done`) or stopped. */
static enum decide_verdict decider_verdict(struct decider *d, const struct decide_target t[2],
					   bool done, const struct explored *e,
					   struct decide_answer *a)
{
	if (d->effort.state == DECIDE_SHORT)
		return DECIDE_NO_MEMORY;
	if (!e->holds && d->witness.off)
		return DECIDE_NO;
	if (!e->holds)
		return witness(d, t, e, a);
	if (done)
		return DECIDE_YES;
	a->depth = e->depth;
	return e->depth != 0 ? DECIDE_BOUNDED : DECIDE_GAVEUP;
}

/* Tries to answer with free counters (Note [counters in proofs]). True: *a has the answer. False:
 * only configurations can tell. */
static bool by_free_counters(struct decider *d, const struct decide_target t[2], bool contains,
			     struct decide_answer *a)
{
	struct agenda g = { .d = d };
	struct explored e = { .holds = true };
	bool equal = false, done, final;

	done = find_partners(&g) && add_pairs(&g, t) && explore_congruence(d, t, contains, &e);
	if (!g.any) {
		a->verdict = decider_verdict(d, t, done, &e, a);
		final = true;
	} else {
		done = done && prove_pairs(&g, &equal);
		a->verdict = d->effort.state == DECIDE_SHORT ? DECIDE_NO_MEMORY : DECIDE_YES;
		final = d->effort.state == DECIDE_SHORT || (done && equal);
	}
	free(g.found);
	free(g.done);
	free(g.partner);
	return final;
}

static struct decide_answer decider_decide(struct decider *d, struct decide_target x,
					   struct decide_target y, bool contains, uint64_t most)
{
	struct decide_target t[2] = { x, y };
	struct decide_answer a = { .verdict = DECIDE_GAVEUP };
	struct explored e;
	bool done, counters = d->letters.nbits != 0;

	if (d->effort.huge)
		return a;
	d->effort.work = QUESTION_STEPS;
	d->effort.state = DECIDE_RUNS;
	d->effort.most = counters ? most / 2 : most;
	if (!by_free_counters(d, t, contains, &a)) {
		d->effort.state = DECIDE_RUNS;
		d->effort.most = most;
		done = explore_configs(d, t, contains, &e);
		a.verdict = decider_verdict(d, t, done, &e, &a);
	}
	a.work = d->effort.work;
	return a;
}

struct decide_answer decide_equal(struct decider *d, struct decide_target x, struct decide_target y,
				  uint64_t most)
{
	return decider_decide(d, x, y, false, most);
}

struct decide_answer decide_contains(struct decider *d, struct decide_target x,
				     struct decide_target y, uint64_t most)
{
	return decider_decide(d, x, y, true, most);
}
