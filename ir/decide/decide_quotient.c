/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Note [quotients in proofs]. The states of both sides are taken as one automaton, and bisimilar
 * states are merged: first backward, then forward, in turn until nothing changes. Then sets of
 * states that accept the same are often the same set, and no subset construction is needed to see
 * it. Unions of cycles are the reason for this: cycles of 7, 11, 13 and 17 batches make 17,017
 * pairs of sets, but only 48 classes.
 *
 *   forward: two states are bisimilar if both accept or neither does, and each move of one is
 *     matched by a move of the other into the same class. Merged states accept the same streams.
 *   backward: two states are bisimilar if they are start states of the same sides, and each move
 *     into one is matched by a move into the other from the same class. Merged states are active
 *     after the same streams.
 *
 * Either way every set of states keeps what it accepts, stream by stream. So a proof on the
 * quotient is a proof, and a witness is a witness of the same length.
 *
 * All moves from one state to another are compared as one predicate in a normal form
 * (add_labels()), because passes join predicates. Merged states keep their moves as they were
 * written, so the quotient needs no new literals.
 *
 * The partition comes from partition.c, which passes use, too. A fault there must not hide itself,
 * so every partition is checked here before it is used.
 */
#include "ir/decide/decide_int.h"

#include "ir/partition.h"

/* A step is one transition of a move. An arrow stands for all steps with one label that lead from
 * one state to another. */
struct step {
	uint32_t to;
	lit_t lit;
};

struct arrow {
	uint32_t from, to, label;
};

enum label_kind { LABEL_TRUE, LABEL_ANY, LABEL_NONE, LABEL_BIT };

struct work {
	struct decider *d;
	struct local *l;
	VEC(struct step) steps;   /* the steps of the current state */
	VEC(struct arrow) arrows; /* all arrows, by rising `from` */
	/* Each label is an array: a kind, and then a set of letters or the number of a bit. */
	struct sets labels;
	uint32_t *key;            /* the label that is being made */
	uint64_t *any;            /* union of the sets of Any literals for the current arrows */
	VEC(uint64_t) none;       /* the sets of None literals for the current arrows */
	bool failed;              /* out of memory */
};

/* ---- labels ---- */

static int by_target(const void *x, const void *y)
{
	const struct step *a = x, *b = y;

	return a->to != b->to ? (a->to > b->to) - (a->to < b->to)
			      : (a->lit > b->lit) - (a->lit < b->lit);
}

static int by_literal(const void *x, const void *y)
{
	const struct step *a = x, *b = y;

	return a->lit != b->lit ? (a->lit > b->lit) - (a->lit < b->lit)
				: (a->to > b->to) - (a->to < b->to);
}

static void add_arrow(struct work *w, uint32_t from, uint32_t to, enum label_kind kind,
		      const void *words, size_t bytes)
{
	uint32_t label;

	w->key[0] = kind;
	if (bytes != 0)
		memcpy(w->key + 1, words, bytes);
	label = sets_intern(&w->labels, w->key, 1 + bytes / sizeof *w->key);
	if (label == UINT32_MAX || !vec_push(&w->arrows, ((struct arrow){ from, to, label })))
		w->failed = true;
}

static bool is_within(const uint64_t *x, const uint64_t *y, size_t words)
{
	for (size_t i = 0; i < words; i++)
		if ((x[i] & ~y[i]) != 0)
			return false;
	return true;
}

/* Must None of the set x stay in the disjunction? Not if another set y is within x: None(y) holds
 * wherever None(x) does. Of equal sets the first one stays. */
static bool is_needed(const struct work *w, const uint64_t *x)
{
	size_t words = w->d->letters.words;

	for (size_t i = 0; i < w->none.n; i += words) {
		const uint64_t *y = w->none.at + i;
		if (y != x && is_within(y, x, words) && (y < x || !is_within(x, y, words)))
			return false;
	}
	return true;
}

/* Adds the set of an Any literal to w->any, or appends the set of a None literal to w->none.
 * LIT_TRUE counts as None of the empty set. */
static void add_literal(struct work *w, lit_t lit)
{
	struct decider *d = w->d;
	const uint64_t *atom = lit == LIT_TRUE ? NULL : d->letters.atoms.at[lit / 2];

	if (lit != LIT_TRUE && lit % 2 == 0) {
		for (size_t i = 0; i < d->letters.words; i++)
			w->any[i] |= atom[i];
		return;
	}
	if (!vec_reserve(&w->none, d->letters.words)) {
		w->failed = true;
		return;
	}
	for (size_t i = 0; i < d->letters.words; i++)
		w->none.at[w->none.n++] = atom != NULL ? atom[i] : 0;
}

/* Adds arrows for the n steps from one state to another, with labels that are a normal form of the
 * disjunction of their literals. "Any(A) or Any(B)" becomes Any(A, B). "Any(A) or None(B)" becomes
 * "Any(A) or None(B without A)". None(B, C) is dropped beside None(B), which holds wherever
 * None(B, C) does. None of the empty set is true. In a protocol with one slot every batch is one
 * message, so None(B) becomes Any of all other letters. */
static void add_labels(struct work *w, uint32_t from, const struct step *s, size_t n)
{
	struct decider *d = w->d;
	size_t bytes = d->letters.words * sizeof *w->any;
	bool all;

	memset(w->any, 0, bytes);
	w->none.n = 0;
	for (size_t i = 0; i < n && !w->failed; i++) {
		uint32_t bit = s[i].lit / 2;
		if (s[i].lit != LIT_TRUE && bit >= d->letters.natoms)
			add_arrow(w, from, s[i].to, LABEL_BIT, &bit, sizeof bit);
		else
			add_literal(w, s[i].lit);
	}
	if (d->letters.nslots == 1)
		for (size_t i = 0; i < w->none.n; i++)
			w->any[i % d->letters.words] |=
				d->letters.visible[i % d->letters.words] & ~w->none.at[i];
	all = is_within(d->letters.visible, w->any, d->letters.words);
	for (size_t i = 0; i < w->none.n; i++)
		w->none.at[i] &= ~w->any[i % d->letters.words];
	for (size_t i = 0; i < w->none.n; i += d->letters.words)
		all = all || !bits_any(w->none.at + i, d->letters.words);
	if (all) {
		add_arrow(w, from, s->to, LABEL_TRUE, NULL, 0);
		return;
	}
	if (bits_any(w->any, d->letters.words))
		add_arrow(w, from, s->to, LABEL_ANY, w->any, bytes);
	for (size_t i = 0; i < w->none.n && d->letters.nslots != 1; i += d->letters.words)
		if (is_needed(w, w->none.at + i))
			add_arrow(w, from, s->to, LABEL_NONE, w->none.at + i, bytes);
}

/* Appends the transitions of state q to w->steps. If `cls` is given, they lead to the class of
 * their target. */
static void add_steps(struct work *w, uint32_t q, const uint32_t *cls)
{
	for (uint32_t i = w->l->first[q]; i < w->l->first[q + 1]; i++) {
		const struct move *m = &w->l->moves.at[i];
		for (uint32_t k = 0; k < m->n && !w->failed; k++) {
			uint32_t to = w->l->list.at[m->at + k];
			w->failed = !vec_push(
				&w->steps, ((struct step){ cls != NULL ? cls[to] : to, m->lit }));
		}
	}
}

static bool find_arrows(struct work *w)
{
	w->arrows.n = 0;
	for (uint32_t q = 0; q < w->l->n && !w->failed; q++) {
		w->steps.n = 0;
		add_steps(w, q, NULL);
		if (w->steps.n != 0)
			qsort(w->steps.at, w->steps.n, sizeof *w->steps.at, by_target);
		for (size_t i = 0, k; i < w->steps.n; i = k) {
			for (k = i; k < w->steps.n && w->steps.at[k].to == w->steps.at[i].to; k++)
				;
			add_labels(w, q, w->steps.at + i, k - i);
		}
		if (!decide_spend(w->d, 1 + w->steps.n * (4 + w->d->letters.words)))
			return false;
	}
	return w->failed ? decide_no_memory(w->d) : true;
}

/* ---- partitions ---- */

/* The relation of partition.h. Its first elements are the states, the rest are the arrows. Forward,
 * a state is related to the arrows that leave it, and an arrow to the state that it enters.
 * Backward, a state is related to the arrows that enter it, and an arrow to the state that it
 * leaves. */
struct graph {
	uint32_t n;
	uint32_t *first, *to;
	uint32_t *mark; /* [n]: elements of one class must have the same mark */
	uint32_t *cls;  /* [n]: the class of each element */
};

/* Fills in g->first and g->to by a counting sort. The counts become the end of each list. Filling
 * the lists from the last element to the first turns each end into the beginning. */
static void quotient_connect(const struct work *w, struct graph *g, bool backward)
{
	uint32_t n = w->l->n, m = (uint32_t)w->arrows.n;

	for (uint32_t i = 0; i < m; i++)
		g->first[backward ? w->arrows.at[i].to : w->arrows.at[i].from]++;
	for (uint32_t q = 1; q < n; q++)
		g->first[q] += g->first[q - 1];
	for (uint32_t i = m; i-- > 0;) {
		const struct arrow *a = &w->arrows.at[i];
		g->to[--g->first[backward ? a->to : a->from]] = n + i;
		g->to[m + i] = backward ? a->from : a->to;
	}
	for (uint32_t i = 0; i <= m; i++)
		g->first[n + i] = m + i;
}

/* Marks the elements, and puts those with the same mark into one class. Forward a state's mark says
 * whether it accepts; backward it says of which sides it is a start state. The mark of an arrow is
 * its label. */
static bool quotient_mark(const struct work *w, struct graph *g, bool backward)
{
	size_t nmarks = 4 + w->labels.all.n;
	uint32_t *number = malloc(nmarks * sizeof *number), n = 0;

	if (number == NULL)
		return decide_no_memory(w->d);
	memset(number, 0xff, nmarks * sizeof *number);
	for (uint32_t q = 0; q < w->l->n; q++)
		g->mark[q] = !backward && w->l->accepts[q];
	for (uint32_t k = 0; backward && k < 2; k++)
		for (size_t i = 0; i < w->l->start[k].n; i++)
			g->mark[w->l->start[k].at[i]] |= 1u << k;
	for (uint32_t i = 0; i < w->arrows.n; i++)
		g->mark[w->l->n + i] = 4 + w->arrows.at[i].label;
	for (uint32_t x = 0; x < g->n; x++) {
		if (number[g->mark[x]] == UINT32_MAX)
			number[g->mark[x]] = n++;
		g->cls[x] = number[g->mark[x]];
	}
	free(number);
	return true;
}

static bool graph_make(const struct work *w, bool backward, struct graph *g)
{
	size_t n = (size_t)w->l->n + w->arrows.n, m = 2 * w->arrows.n;

	*g = (struct graph){ .n = (uint32_t)n };
	g->first = calloc(n + 2, sizeof *g->first);
	g->to = malloc((m + 1) * sizeof *g->to);
	g->mark = malloc((n + 1) * sizeof *g->mark);
	g->cls = malloc((n + 1) * sizeof *g->cls);
	if (g->first == NULL || g->to == NULL || g->mark == NULL || g->cls == NULL)
		return decide_no_memory(w->d);
	quotient_connect(w, g, backward);
	return quotient_mark(w, g, backward) && decide_spend(w->d, 8 * n);
}

static void graph_free(struct graph *g)
{
	free(g->first);
	free(g->to);
	free(g->mark);
	free(g->cls);
}

/* Groups the elements 0 … n-1 by class: those of class c stand in `member` from at[c] to before
 * at[c + 1]. `at` must be all zero. */
static void group(const uint32_t *cls, uint32_t n, uint32_t ncls, uint32_t *at, uint32_t *member)
{
	for (uint32_t x = 0; x < n; x++)
		at[cls[x]]++;
	for (uint32_t c = 1; c < ncls; c++)
		at[c] += at[c - 1];
	for (uint32_t x = n; x-- > 0;)
		member[--at[cls[x]]] = x;
	at[ncls] = n;
}

/* Scratch space of quotient_check(): arrays with a number for each element and one more, zero at
 * first. */
struct check {
	uint32_t *at, *member; /* the elements of each class, as group() stores them */
	uint32_t *wanted; /* by class c: the last class that was found related to c, plus one */
	uint32_t *seen;   /* by class c: the last element that was found related to c, plus one */
};

/* Returns to how many classes element x is related. `from` is the class of x. If x is the first
 * element of its class (`first`), the other elements must be related to the same classes.
 * UINT32_MAX: x is related to a class to which the first element is not. */
static uint32_t count_related(const struct graph *g, struct check *k, uint32_t x, uint32_t from,
			      bool first)
{
	uint32_t n = 0;

	for (uint32_t i = g->first[x]; i < g->first[x + 1]; i++) {
		uint32_t to = g->cls[g->to[i]];
		if (first)
			k->wanted[to] = from + 1;
		if (k->wanted[to] != from + 1)
			return UINT32_MAX;
		n += k->seen[to] != x + 1;
		k->seen[to] = x + 1;
	}
	return n;
}

/* Do elements of one class share their mark, and are they related to the same classes? */
static bool quotient_check(const struct graph *g, uint32_t ncls, struct check *k)
{
	group(g->cls, g->n, ncls, k->at, k->member);
	for (uint32_t c = 0; c < ncls; c++) {
		const uint32_t *x = k->member + k->at[c], n = k->at[c + 1] - k->at[c];
		uint32_t wanted = count_related(g, k, x[0], c, true);
		for (uint32_t i = 1; i < n; i++)
			if (g->mark[x[i]] != g->mark[x[0]] ||
			    count_related(g, k, x[i], c, false) != wanted)
				return false;
	}
	return true;
}

/* Refines the classes in g and returns how many there are. g->n: the partition fails the check and
 * must not be used. UINT32_MAX: out of memory. */
static uint32_t find_classes(const struct work *w, struct graph *g)
{
	struct relation r = { g->n, g->first, g->to };
	size_t n = (size_t)g->n + 1;
	uint32_t ncls = partition_refine(&r, g->cls), *scratch = calloc(4 * n, sizeof *scratch);
	struct check k = { scratch, scratch + n, scratch + 2 * n, scratch + 3 * n };

	if (ncls == UINT32_MAX || scratch == NULL) {
		decide_no_memory(w->d);
		ncls = UINT32_MAX;
	} else if (!quotient_check(g, ncls, &k)) {
		ncls = g->n;
	}
	free(scratch);
	return ncls;
}

/* ---- quotients ---- */

/* Turns w->steps into the moves of the next state of `out`, one for each literal, and empties
 * w->steps. */
static void add_moves(struct work *w, struct local *out)
{
	struct move m = { .n = 0 };

	if (w->steps.n != 0)
		qsort(w->steps.at, w->steps.n, sizeof *w->steps.at, by_literal);
	for (size_t i = 0; i < w->steps.n && !w->failed; i++) {
		const struct step *s = &w->steps.at[i];
		if (i == 0 || s->lit != s[-1].lit)
			m = (struct move){ s->lit, (uint32_t)out->list.n, 0 };
		if (m.n == 0 || s->to != s[-1].to) {
			w->failed = !vec_push(&out->list, s->to);
			m.n++;
		}
		if (i + 1 == w->steps.n || s[1].lit != s->lit)
			w->failed = w->failed || !vec_push(&out->moves, m);
	}
	w->steps.n = 0;
}

/* Builds the quotient, whose states are the classes. Forward, a class gets the moves of one of its
 * states, because the moves of the others mean the same. Backward, it gets the moves of all its
 * states. */
static void quotient_build(struct work *w, const uint32_t *cls, bool backward, struct local *out,
			   uint32_t *at, uint32_t *member)
{
	group(cls, w->l->n, out->n, at, member);
	for (uint32_t c = 0; c < out->n && !w->failed; c++) {
		out->first[c] = (uint32_t)out->moves.n;
		for (uint32_t i = at[c]; i < at[c + 1]; i++) {
			out->accepts[c] |= w->l->accepts[member[i]];
			if (backward || i == at[c])
				add_steps(w, member[i], cls);
		}
		add_moves(w, out);
	}
	out->first[out->n] = (uint32_t)out->moves.n;
	for (int k = 0; k < 2; k++)
		for (size_t i = 0; i < w->l->start[k].n && !w->failed; i++)
			w->failed = !vec_push(&out->start[k], cls[w->l->start[k].at[i]]);
}

/* Replaces w->l by its quotient. False: at the limit, or out of memory. */
static bool take_quotient(struct work *w, const uint32_t *cls, uint32_t ncls, bool backward)
{
	struct local out = { .n = ncls };
	uint32_t *at = calloc((size_t)ncls + w->l->n + 3, sizeof *at);

	out.first = calloc((size_t)ncls + 1, sizeof *out.first);
	out.accepts = calloc((size_t)ncls + 1, 1);
	w->failed = at == NULL || out.first == NULL || out.accepts == NULL;
	w->steps.n = 0;
	if (!w->failed)
		quotient_build(w, cls, backward, &out, at, at + ncls + 2);
	free(at);
	local_free(w->failed ? &out : w->l);
	if (w->failed)
		return decide_no_memory(w->d);
	*w->l = out;
	return decide_spend(w->d, 2 * (w->l->n + w->l->list.n));
}

/* Merges bisimilar states once, backward or forward. False: at the limit, or out of memory. */
static bool quotient_merge(struct work *w, bool backward)
{
	struct graph g = { .n = 0 };
	uint32_t ncls = 0, n = 0;
	bool ok = find_arrows(w) && graph_make(w, backward, &g);

	if (ok) {
		ncls = find_classes(w, &g);
		ok = ncls != UINT32_MAX;
	}
	/* Classes are numbered by their first element, and states come before arrows. */
	for (uint32_t q = 0; ok && ncls < g.n && q < w->l->n; q++)
		n = g.cls[q] >= n ? g.cls[q] + 1 : n;
	if (ok && ncls < g.n && n < w->l->n)
		ok = take_quotient(w, g.cls, n, backward);
	graph_free(&g);
	return ok;
}

bool local_quotient(struct decider *d, struct local *l)
{
	struct work w = { .d = d, .l = l };
	uint32_t same = 0, n;
	bool ok;

	w.key = malloc((2 * d->letters.words + 2) * sizeof *w.key);
	w.any = malloc((d->letters.words + 1) * sizeof *w.any);
	ok = w.key != NULL && w.any != NULL;
	if (!ok)
		decide_no_memory(d);
	for (bool backward = true; ok && same < 2; backward = !backward) {
		n = l->n;
		ok = quotient_merge(&w, backward);
		same = l->n < n ? 0 : same + 1;
	}
	vec_free(&w.steps);
	vec_free(&w.arrows);
	vec_free(&w.none);
	sets_free(&w.labels);
	free(w.key);
	free(w.any);
	return ok;
}
