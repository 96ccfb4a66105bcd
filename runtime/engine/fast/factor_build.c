/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Finds the cut (factor.h, Note [factors]).
 *
 * Note [choosing the cut]
 * Each state has a weight for each length of grams: how many words lead to it. The cheapest cut
 * before a state is that state, or the cheapest cuts before all of its predecessors together. This
 * is followed from the always states on, and gives the cheapest cut of a set of patterns that share
 * no states. States that are shared are counted for each path, so the cut is a cut still, but
 * perhaps not the cheapest. The length is the one with which random bytes, of at least
 * LEAST_LETTERS letters, have the fewest grams.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/engine/fast/factor.h"
#include "support/bits.h"

#define INFINITE ((uint64_t)1 << 32)

/* A cut pays if in random bytes less than one of RARE ends a gram. */
enum { LEAST_LETTERS = 16, RARE = 24 };

/* Scratch of the search for a cut. */
struct cutting {
	struct factor *x;
	uint64_t *words;  /* [FACTOR_MOST_LENGTH][nstates]: how many words lead to each state */
	uint64_t *cost;   /* [nstates]: of the cheapest cut before or in each state */
	uint32_t *order;  /* [nstates]: the states, each after its predecessors */
	uint64_t total;   /* how many words lead to the cut */
	uint64_t *begins; /* set of states: always, or entered from a state that has a start mark */
	bool ok;
};

static uint64_t add_cost(uint64_t a, uint64_t b)
{
	return a + b < INFINITE ? a + b : INFINITE;
}

static uint64_t multiply_cost(uint64_t a, uint64_t b)
{
	return a == 0 || b < INFINITE / a ? a * b : INFINITE;
}

static uint64_t count_letters(const struct factor *x, uint32_t s)
{
	uint32_t pred = x->nfa->states[s].pred;
	uint64_t n = 0;

	for (int w = 0; w < 4 && pred != IMAGE_NO_PRED; w++)
		n += bits_count(x->table.letters[pred][w]);
	return n;
}

/* ---- the automaton ---- */

static void fill_letters(struct factor *x)
{
	for (uint32_t p = 0; p < x->nfa->npreds; p++) {
		const struct image_pred *pred = &x->nfa->preds[p];
		uint64_t *set = x->table.letters[p];
		for (uint32_t i = 0; i < pred->letters.n; i++)
			set[pred->letters.at[i] / 64] |= (uint64_t)1 << pred->letters.at[i] % 64;
		for (int w = 0; w < 4 && pred->none; w++)
			set[w] = ~set[w];
		for (size_t b = bits_next(set, 256, 0); b < 256; b = bits_next(set, 256, b + 1))
			bits_set(x->table.holds + b * x->table.holds_words, p);
	}
}

static void fill_preds(struct factor *x)
{
	const struct image_nfa *a = x->nfa;
	uint32_t *first = x->table.pred_first;

	for (uint32_t i = 0; i < a->succ_first[a->nstates]; i++)
		first[a->succ[i] + 1]++;
	for (uint32_t s = 0; s < a->nstates; s++)
		first[s + 1] += first[s];
	for (uint32_t s = 0; s < a->nstates; s++)
		for (uint32_t i = a->succ_first[s]; i < a->succ_first[s + 1]; i++)
			x->table.pred[first[a->succ[i]]++] = s;
	for (uint32_t s = a->nstates; s > 0; s--)
		first[s] = first[s - 1];
	first[0] = 0;
}

/* Orders the states, each after its predecessors but itself. False: there is a cycle of several
 * states. */
static bool order_states(struct cutting *c)
{
	const struct image_nfa *a = c->x->nfa;
	const uint32_t *first = c->x->table.pred_first;
	uint32_t *left = calloc((size_t)a->nstates + 1, sizeof *left), n = 0;

	c->ok = left != NULL;
	for (uint32_t s = 0; c->ok && s < a->nstates; s++) {
		for (uint32_t i = first[s]; i < first[s + 1]; i++)
			left[s] += c->x->table.pred[i] != s;
		if (left[s] == 0)
			c->order[n++] = s;
	}
	for (uint32_t k = 0; c->ok && k < n; k++) {
		uint32_t s = c->order[k];
		for (uint32_t i = a->succ_first[s]; i < a->succ_first[s + 1]; i++)
			if (a->succ[i] != s && --left[a->succ[i]] == 0)
				c->order[n++] = a->succ[i];
	}
	free(left);
	return c->ok && n == a->nstates;
}

static void find_begins(struct cutting *c)
{
	const struct image_nfa *a = c->x->nfa;

	for (uint32_t s = 0; s < a->nstates; s++) {
		if ((a->states[s].flags & STATE_ALWAYS) != 0)
			bits_set(c->begins, s);
		for (uint32_t i = a->succ_first[s];
		     (a->states[s].flags & STATE_START) != 0 && i < a->succ_first[s + 1]; i++)
			bits_set(c->begins, a->succ[i]);
	}
}

/* ---- the cut ---- */

/* Counts the words that lead to each state, for all lengths. */
static void count_words(struct cutting *c)
{
	uint32_t n = c->x->nfa->nstates;
	const struct factor_tables *t = &c->x->table;

	for (uint32_t s = 0; s < n; s++)
		c->words[s] = count_letters(c->x, s);
	for (unsigned k = 1; k < FACTOR_MOST_LENGTH; k++)
		for (uint32_t s = 0; s < n; s++) {
			uint64_t sum = bits_get(c->begins, s) ? INFINITE : 0;
			for (uint32_t i = t->pred_first[s]; i < t->pred_first[s + 1]; i++)
				sum = add_cost(sum, c->words[(size_t)(k - 1) * n + t->pred[i]]);
			c->words[(size_t)k * n + s] = multiply_cost(sum, c->words[s]);
		}
}

/* Finds what the cheapest cuts cost with grams of this length. Returns the cost of all together. */
static uint64_t find_costs(struct cutting *c, unsigned length)
{
	const struct image_nfa *a = c->x->nfa;
	const struct factor_tables *t = &c->x->table;
	const uint64_t *words = c->words + (size_t)(length - 1) * a->nstates;
	uint64_t all = 0;

	for (uint32_t k = 0; k < a->nstates; k++) {
		uint32_t s = c->order[k];
		uint64_t before = bits_get(c->begins, s) ? INFINITE : 0;
		for (uint32_t i = t->pred_first[s]; i < t->pred_first[s + 1]; i++)
			if (t->pred[i] != s)
				before = add_cost(before, c->cost[t->pred[i]]);
		c->cost[s] = words[s] <= before ? words[s] : before;
		if ((t->kind[s] & FACTOR_OUTPUT) != 0)
			all = add_cost(all, c->cost[s]);
	}
	return all;
}

/* Marks the cut for grams of this length, from the outputs backwards, and what is after it. Returns
 * how many words lead to the cut. */
static uint64_t mark_cut(struct cutting *c, unsigned length)
{
	const struct image_nfa *a = c->x->nfa;
	const struct factor_tables *t = &c->x->table;
	const uint64_t *words = c->words + (size_t)(length - 1) * a->nstates;
	uint64_t cost = 0;

	for (uint32_t s = 0; s < a->nstates; s++)
		t->kind[s] &= FACTOR_OUTPUT;
	for (uint32_t k = a->nstates; k > 0; k--) {
		uint32_t s = c->order[k - 1];
		if ((t->kind[s] & FACTOR_AFTER) == 0 && (t->kind[s] & FACTOR_OUTPUT) == 0)
			continue;
		t->kind[s] |= FACTOR_AFTER;
		if (c->cost[s] == words[s]) {
			t->kind[s] |= FACTOR_CUT;
			cost = add_cost(cost, words[s]);
			continue;
		}
		for (uint32_t i = t->pred_first[s]; i < t->pred_first[s + 1]; i++)
			t->kind[t->pred[i]] |= FACTOR_AFTER;
	}
	/* A state behind the cut leads to states that may be reached in another way, too. */
	for (uint32_t k = 0; k < a->nstates; k++) {
		uint32_t s = c->order[k];
		for (uint32_t i = a->succ_first[s];
		     (t->kind[s] & FACTOR_AFTER) != 0 && i < a->succ_first[s + 1]; i++)
			t->kind[a->succ[i]] |= FACTOR_AFTER;
	}
	return cost;
}

/* Chooses the length, and marks its cut. False: no cut pays. */
static bool choose_cut(struct cutting *c)
{
	double best = 0;

	for (unsigned length = 2; length <= FACTOR_MOST_LENGTH; length++) {
		double often = 1;
		if (find_costs(c, length) >= INFINITE)
			continue;
		often = (double)(c->total = mark_cut(c, length));
		for (unsigned i = 0; i < length; i++)
			often /= LEAST_LETTERS;
		if (c->total == 0 || c->total > FACTOR_MOST_GRAMS || often * RARE > 1 ||
		    (c->x->table.length != 0 && often >= best))
			continue;
		best = often;
		c->x->table.length = length;
	}
	if (c->x->table.length == 0)
		return false;
	find_costs(c, c->x->table.length);
	c->total = mark_cut(c, c->x->table.length);
	return true;
}

/* Marks the loops before the cut, and finds the depth. */
static void mark_loops(struct cutting *c)
{
	const struct image_nfa *a = c->x->nfa;
	struct factor_tables *t = &c->x->table;

	/* `cost` is used again: for the depth of each state, its distance from a loop or a begin.
	 * */
	for (uint32_t k = 0; k < a->nstates; k++) {
		uint32_t s = c->order[k];
		c->cost[s] = 1;
		for (uint32_t i = t->pred_first[s]; i < t->pred_first[s + 1]; i++) {
			uint32_t p = t->pred[i];
			if (p == s && (t->kind[s] & FACTOR_AFTER) == 0)
				t->kind[s] |= FACTOR_LOOP;
			if (p != s && (t->kind[p] & FACTOR_AFTER) == 0 &&
			    c->cost[p] + 1 > c->cost[s])
				c->cost[s] = c->cost[p] + 1;
		}
		t->loops |= (t->kind[s] & FACTOR_LOOP) != 0;
		if (((t->kind[s] & FACTOR_AFTER) == 0 || (t->kind[s] & FACTOR_CUT) != 0) &&
		    c->cost[s] > t->depth)
			t->depth = c->cost[s] < FACTOR_PAST ? (unsigned)c->cost[s] : FACTOR_PAST;
	}
}

/* ---- nodes ---- */

static void add_node(struct factor *x, uint32_t s)
{
	struct factor_tables *t = &x->table;
	struct factor_node n = { factor_pred(x->nfa, s), 0, factor_flags(x->nfa, s) };

	if ((t->kind[s] & FACTOR_AFTER) == 0 || t->node_of[s] != UINT32_MAX)
		return;
	t->node_of[s] = (uint32_t)t->nodes;
	t->state_of[t->nodes] = s;
	t->node[t->nodes++] = n;
}

/* Makes the nodes: those of each state of the cut, and of what is behind it. False: out of memory.
 * */
static bool make_nodes(struct factor *x)
{
	const struct image_nfa *a = x->nfa;
	struct factor_tables *t = &x->table;
	size_t k = 0, n = 0, succs = 0;

	for (uint32_t s = 0; s < a->nstates; s++)
		if ((t->kind[s] & FACTOR_AFTER) != 0) {
			succs += a->succ_first[s + 1] - a->succ_first[s];
			n++;
		}
	t->node = calloc(n + 1, sizeof *t->node);
	t->state_of = calloc(n + 1, sizeof *t->state_of);
	t->succ = calloc(succs + 1, sizeof *t->succ);
	x->list[0].at = calloc(n + 1, sizeof *x->list[0].at);
	x->list[1].at = calloc(n + 1, sizeof *x->list[1].at);
	if (t->node == NULL || t->state_of == NULL || t->succ == NULL || x->list[0].at == NULL ||
	    x->list[1].at == NULL)
		return false;

	memset(t->node_of, 0xff, a->nstates * sizeof *t->node_of);
	for (uint32_t s = 0; s < a->nstates; s++) {
		add_node(x, s);
		for (; k < t->nodes; k++)
			for (uint32_t i = a->succ_first[t->state_of[k]];
			     i < a->succ_first[t->state_of[k] + 1]; i++)
				add_node(x, a->succ[i]);
	}
	for (k = 0; k < t->nodes; k++) {
		uint32_t s = t->state_of[k], m = a->succ_first[s + 1] - a->succ_first[s];
		for (uint32_t i = 0; i < m; i++)
			t->succ[t->node[k].first_succ + i] =
				t->node_of[a->succ[a->succ_first[s] + i]];
		t->node[k + 1].first_succ = t->node[k].first_succ + m;
	}
	return true;
}

/* ---- making and freeing ---- */

static bool factor_fits(const struct nfart_image *im)
{
	return im->nfa.ncounters == 0 && im->nfa.nmachines == 0 && !im->substreams.by_line &&
	       im->alphabet.time == IMAGE_NO_TIME && im->alphabet.nletters == 256 &&
	       im->nfa.nstates != 0;
}

static bool factor_alloc(struct factor *x, struct cutting *c)
{
	const struct image_nfa *a = x->nfa;
	size_t n = (size_t)a->nstates + 1, words = bits_words(n);
	struct factor_tables *t = &x->table;

	t->kind = calloc(n, sizeof *t->kind);
	t->node_of = calloc(n, sizeof *t->node_of);
	t->holds_words = bits_words((size_t)a->npreds + 1);
	t->holds = calloc(256 * t->holds_words, sizeof *t->holds);
	t->letters = calloc((size_t)a->npreds + 1, sizeof *t->letters);
	t->pred_first = calloc(n + 1, sizeof *t->pred_first);
	t->pred = calloc((size_t)a->succ_first[a->nstates] + 1, sizeof *t->pred);
	x->stamp = calloc(n, sizeof *x->stamp);
	x->set = calloc(words, sizeof *x->set);
	x->stream.base_set = calloc(words, sizeof *x->stream.base_set);
	c->words = calloc(n * FACTOR_MOST_LENGTH, sizeof *c->words);
	c->cost = calloc(n, sizeof *c->cost);
	c->order = calloc(n, sizeof *c->order);
	c->begins = calloc(words, sizeof *c->begins);
	return t->kind != NULL && t->node_of != NULL && t->holds != NULL && t->letters != NULL &&
	       t->pred_first != NULL && t->pred != NULL && x->stamp != NULL && x->set != NULL &&
	       x->stream.base_set != NULL && c->words != NULL && c->cost != NULL &&
	       c->order != NULL && c->begins != NULL;
}

/* Fills in the tables, for these instructions. False: there is no cut that pays, or memory is short
 * and c->ok is false. */
static bool factor_build(struct factor *x, enum nfart_simd level, struct cutting *c)
{
	const struct image_nfa *a = x->nfa;

	c->ok = factor_alloc(x, c);
	if (!c->ok)
		return false;
	for (uint32_t s = 0; s < a->nstates; s++)
		if (a->states[s].labelset != 0 || (a->states[s].flags & STATE_LOG) != 0)
			x->table.kind[s] = FACTOR_OUTPUT;
	fill_letters(x);
	fill_preds(x);
	find_begins(c);
	if (!order_states(c))
		return false;
	count_words(c);
	if (!choose_cut(c))
		return false;
	mark_loops(c);
	c->ok = make_nodes(x);
	if (!c->ok || !factor_make_grams(x, c->total, &c->ok))
		return false;
	teddy_make(&x->table, level);
	return factor_check(x);
}

struct factor *factor_new(const struct nfart_image *im, enum nfart_simd level, bool *ok)
{
	struct cutting c = { 0 };
	struct factor *x = NULL;
	bool made;

	*ok = true;
	if (!factor_fits(im))
		return NULL;
	x = calloc(1, sizeof *x);
	*ok = x != NULL;
	if (x == NULL)
		return NULL;
	x->nfa = &im->nfa;
	x->active = &x->list[0];
	x->next = &x->list[1];
	c.x = x;
	made = factor_build(x, level, &c);
	*ok = c.ok;
	free(c.words);
	free(c.cost);
	free(c.order);
	free(c.begins);
	if (made)
		return x;
	factor_free(x);
	return NULL;
}

void factor_free(struct factor *x)
{
	if (x == NULL)
		return;
	if (x->table.windows.has != x->table.grams_of.has)
		free(x->table.windows.has);
	free(x->table.grams_of.has);
	free(x->table.gram);
	free(x->table.first);
	free(x->table.walk);
	free(x->table.walk_state);
	free(x->table.node);
	free(x->table.node_of);
	free(x->table.state_of);
	free(x->table.holds);
	free(x->table.succ);
	free(x->table.kind);
	free(x->table.letters);
	free(x->table.pred_first);
	free(x->table.pred);
	free(x->stream.base_set);
	free(x->stamp);
	free(x->set);
	free(x->list[0].at);
	free(x->list[1].at);
	vec_free(&x->walk[0]);
	vec_free(&x->walk[1]);
	vec_free(&x->found);
	free(x);
}
