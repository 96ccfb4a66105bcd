/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Makes the grams of a cut, the sets that search them, and the walks from them (factor.h, Note
 * [factors]).
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/engine/fast/factor.h"
#include "support/bits.h"

/* A text is taken for random bytes of so many letters. */
enum { LEAST_LETTERS = 16, LEAST_BITS = 15, MOST_BITS = 20 };

/* What it costs to find out that no gram ends behind a window, in searches for a window. */
#define STOP 2.0

/* ---- words ---- */

/* Calls `take` for each word of k bytes that leads to state s; `word` has the bytes behind them,
 * which lead on to the state `cut`. */
static bool each_word(struct factor *x, uint32_t cut, uint32_t s, unsigned k, uint64_t word,
		      factor_take_gram *take)
{
	struct factor_tables *t = &x->table;
	const uint64_t *letters = t->letters[factor_pred(x->nfa, s)];

	if (++x->work > FACTOR_MOST_STEPS)
		return false;
	for (size_t b = bits_next(letters, 256, 0); b < 256; b = bits_next(letters, 256, b + 1)) {
		uint64_t longer = word | (uint64_t)b << 8 * (k - 1);
		if (k == 1 && !take(t, longer, cut, s))
			return false;
		for (uint32_t i = t->pred_first[s]; k > 1 && i < t->pred_first[s + 1]; i++)
			if (!each_word(x, cut, t->pred[i], k - 1, longer, take))
				return false;
	}
	return true;
}

bool factor_each_gram(struct factor *x, factor_take_gram *take)
{
	x->work = 0;
	for (uint32_t s = 0; s < x->nfa->nstates; s++)
		if ((x->table.kind[s] & FACTOR_CUT) != 0 &&
		    !each_word(x, s, s, x->table.length, 0, take))
			return false;
	return true;
}

/* ---- sets ---- */

/* Returns the binary logarithm of the bits of a set of n words. */
static unsigned set_bits(uint64_t n)
{
	unsigned bits = LEAST_BITS;

	while (bits < MOST_BITS && (uint64_t)1 << bits < 64 * n)
		bits++;
	return bits;
}

/* Returns the stride with which the search for n grams costs least in random bytes. */
static unsigned choose_stride(uint64_t n, unsigned length)
{
	unsigned best = 1;
	double least = 0;

	for (unsigned stride = 1; stride < length; stride++) {
		double words = (double)(n * stride), often = words, cost;
		for (unsigned i = stride; i <= length; i++)
			often /= LEAST_LETTERS;
		often += words / (double)((uint64_t)1 << set_bits(n * stride));
		cost = (1 + (often < 1 ? often : 1) * (stride + STOP)) / stride;
		if (stride == 1 || cost < least) {
			least = cost;
			best = stride;
		}
	}
	return best;
}

/* Makes an empty set for n words of so many bytes. False: out of memory. */
static bool make_set(struct factor_set *s, uint64_t n, unsigned bytes)
{
	unsigned bits = set_bits(n);

	s->last = ((uint64_t)1 << bits) - 1;
	s->bytes = UINT64_MAX << 8 * (8 - bytes);
	s->has = calloc(((size_t)1 << bits) / 64, sizeof *s->has);
	return s->has != NULL;
}

/* ---- walks ---- */

/* Makes the walk from a state. Its number is t->walks. */
static void make_walk(struct factor_tables *t, const struct image_nfa *a, uint32_t from)
{
	struct factor_walk *w = &t->walk[t->walks];
	uint32_t *state = t->walk_state[t->walks];
	uint32_t n = 1;

	state[0] = from;
	for (uint32_t k = 0; k < n; k++) {
		uint32_t s = state[k];
		w->pred[k] = factor_pred(a, s);
		w->always |= (uint8_t)(((a->states[s].flags & STATE_ALWAYS) != 0) << k);
		for (uint32_t i = t->pred_first[s]; i < t->pred_first[s + 1]; i++) {
			uint32_t p = t->pred[i], j = 0;
			if ((t->kind[p] & FACTOR_AFTER) != 0)
				continue;
			while (j < n && state[j] != p)
				j++;
			if (j == FACTOR_MOST_WALK)
				return; /* w->n stays 0 */
			if (j == n)
				state[n++] = p;
			w->before[k] |= (uint8_t)(1u << j);
		}
	}
	w->n = (uint8_t)n;
}

/* Makes the walks of all grams, whose `walk` is a state before. False: out of memory. */
static bool make_walks(struct factor *x)
{
	struct factor_tables *t = &x->table;
	uint32_t *of = calloc((size_t)x->nfa->nstates + 1, sizeof *of), n = 0;

	for (size_t k = 0; of != NULL && k < t->grams; k++)
		if (of[t->gram[k].walk] == 0)
			of[t->gram[k].walk] = ++n;
	t->walk = calloc((size_t)n + 1, sizeof *t->walk);
	t->walk_state = calloc((size_t)n + 1, sizeof *t->walk_state);
	if (of == NULL || t->walk == NULL || t->walk_state == NULL) {
		free(of);
		return false;
	}
	for (size_t k = 0; k < t->grams; k++) {
		if (of[t->gram[k].walk] > t->walks) {
			make_walk(t, x->nfa, t->gram[k].walk);
			t->walks++;
		}
		t->gram[k].walk = of[t->gram[k].walk] - 1;
	}
	free(of);
	return true;
}

/* ---- grams ---- */

/* Appends a gram; its walk is the state from which to walk. t->gram has room for t->hashes. */
static bool add_gram(struct factor_tables *t, uint64_t word, uint32_t state, uint32_t from)
{
	struct factor_gram g = { word, t->node_of[state], from };
	uint64_t eight = factor_eight(t, word);

	if (t->grams == t->hashes)
		return false;
	bits_set(t->grams_of.has, factor_bit(&t->grams_of, eight));
	for (unsigned i = 0; i < t->stride; i++)
		bits_set(t->windows.has, factor_bit(&t->windows, eight << 8 * i));
	t->gram[t->grams++] = g;
	return true;
}

/* Orders the grams by the hashes of their words, and fills t->first. False: out of memory. */
static bool order_grams(struct factor_tables *t)
{
	struct factor_gram *g = calloc(t->grams + 1, sizeof *g);

	if (g == NULL)
		return false;
	for (size_t k = 0; k < t->grams; k++)
		t->first[factor_gram_hash(t, t->gram[k].word) + 1]++;
	for (size_t h = 0; h < t->hashes; h++)
		t->first[h + 1] += t->first[h];
	for (size_t k = 0; k < t->grams; k++)
		g[t->first[factor_gram_hash(t, t->gram[k].word)]++] = t->gram[k];
	memmove(t->first + 1, t->first, t->hashes * sizeof *t->first);
	t->first[0] = 0;
	free(t->gram);
	t->gram = g;
	return true;
}

bool factor_make_grams(struct factor *x, uint64_t n, bool *ok)
{
	struct factor_tables *t = &x->table;

	t->stride = choose_stride(n, t->length);
	for (t->hashes = 16; t->hashes < n;)
		t->hashes *= 2;
	t->gram = calloc(t->hashes + 1, sizeof *t->gram);
	t->first = calloc(t->hashes + 1, sizeof *t->first);
	*ok = t->gram != NULL && t->first != NULL && make_set(&t->grams_of, n, t->length);
	if (t->stride == 1)
		t->windows = t->grams_of;
	else
		*ok = *ok && make_set(&t->windows, n * t->stride, t->length - t->stride + 1);
	if (!*ok)
		return false;
	if (!factor_each_gram(x, add_gram))
		return false;
	*ok = order_grams(t) && make_walks(x);
	return *ok;
}
