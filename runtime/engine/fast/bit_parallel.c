/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/engine/fast/bit_parallel.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/engine/fast/bit_parallel_layout.h"

/* ---- making and freeing ---- */

/* An exception (Note [bit-parallel steps]): a transition from one place to another. For
 * group_preds() it is a pair of another kind: `from` is a predicate, `to` a place. */
struct exception {
	uint32_t from, to;
};

struct making {
	struct bit_parallel *bp;
	struct bp_layout y;
	VEC(struct exception) far;
	VEC(struct bp_word) words;
};

static void bp_vector_set(bp_vector *s, uint32_t place)
{
	s[place / BP_VECTOR_STATES][place / 64 % BP_WORDS] |= (uint64_t)1 << place % 64;
}

static bp_vector *new_sets(size_t n)
{
	bp_vector *s = aligned_alloc(sizeof *s, n * sizeof *s);

	if (s != NULL)
		memset(s, 0, n * sizeof *s);
	return s;
}

/* Lists the places of each state. */
static bool find_places(struct bit_parallel *bp)
{
	uint32_t n = bp->im->nfa.nstates, places = bp->nvectors * BP_VECTOR_STATES;

	bp->first = calloc((size_t)n + 2, sizeof *bp->first);
	bp->place = calloc((size_t)places + 1, sizeof *bp->place);
	if (bp->first == NULL || bp->place == NULL)
		return false;
	for (uint32_t p = 0; p < places; p++)
		if (bp->state[p] != BP_NO_STATE)
			bp->first[bp->state[p] + 2]++;
	for (uint32_t s = 0; s < n; s++)
		bp->first[s + 2] += bp->first[s + 1];
	for (uint32_t p = 0; p < places; p++)
		if (bp->state[p] != BP_NO_STATE)
			bp->place[bp->first[bp->state[p] + 1]++] = p;
	return true;
}

/* Returns how many places before place q, in the same word, state u stands. If it is more than
 * BP_NEAR, u is not near. */
static uint32_t steps_back(const uint32_t *state, uint32_t u, uint32_t q)
{
	uint32_t back = 0;

	while (back <= BP_NEAR && (back > q % 64 || state[q - back] != u))
		back++;
	return back;
}

static bool has_exceptions(const struct bp_layout *y)
{
	for (uint32_t q = 0; q < y->nwords * 64; q++) {
		uint32_t s = y->state[q];
		for (uint32_t i = 0;
		     s != BP_NO_STATE && y->pred_first[s] + i < y->pred_first[s + 1]; i++)
			if (steps_back(y->state, y->pred[y->pred_first[s] + i], q) > BP_NEAR)
				return true;
	}
	return false;
}

/* Lays out the states in half a vector, if they fit there without exceptions; otherwise in whole
 * vectors. */
static bool lay_out(struct making *m)
{
	struct bit_parallel *bp = m->bp;

	if (bp->im->nfa.nstates <= BP_VECTOR_STATES / 2) {
		bp->half = bp_lay_out(bp->im, BP_WORDS / 2, &m->y) && !has_exceptions(&m->y);
		if (bp->half)
			return true;
		bp_layout_free(&m->y);
	}
	return bp_lay_out(bp->im, BP_WORDS, &m->y);
}

/* Makes state u lead to place q: by a mask if a place of u is near, and otherwise by an exception
 * (Note [bit-parallel steps]). False: out of memory. */
static bool bp_enter(struct making *m, uint32_t u, uint32_t q)
{
	struct bit_parallel *bp = m->bp;
	bp_vector *with[BP_NEAR + 1] = { &bp->masks[q / BP_VECTOR_STATES].stay,
					    &bp->masks[q / BP_VECTOR_STATES].one,
					    &bp->masks[q / BP_VECTOR_STATES].two };

	uint32_t back = steps_back(bp->state, u, q);

	if (back <= BP_NEAR) {
		bp_vector_set(with[back], q % BP_VECTOR_STATES);
		return true;
	}
	bp_vector_set(bp->to.from, bp->place[bp->first[u]]);
	return vec_push(&m->far, ((struct exception){ bp->place[bp->first[u]], q }));
}

static bool bp_fill(struct making *m)
{
	struct bit_parallel *bp = m->bp;
	const struct nfart_image *im = bp->im;

	for (uint32_t q = 0; q < bp->nvectors * BP_VECTOR_STATES; q++) {
		const struct image_state *v;
		uint32_t s = bp->state[q];
		if (s == BP_NO_STATE)
			continue;
		v = &im->nfa.states[s];
		if ((v->flags & STATE_ALWAYS) != 0)
			bp_vector_set(&bp->masks[q / BP_VECTOR_STATES].always,
				      q % BP_VECTOR_STATES);
		if ((v->flags & STATE_LOG) != 0)
			bp_vector_set(bp->logging, q);
		if (im->nfa.labelsets[v->labelset].n != 0)
			bp_vector_set(bp->accepting, q);
		for (uint32_t i = m->y.pred_first[s]; i < m->y.pred_first[s + 1]; i++)
			if (!bp_enter(m, m->y.pred[i], q))
				return false;
	}
	for (uint32_t b = 0; b < bp->nvectors; b++)
		bp->masks[b].special = bp->to.from[b] | bp->accepting[b] | bp->logging[b];
	return true;
}

/* Adds place q to those entries of the list m->words that stand at `begin` or later. q must not be
 * below the places added there before. False: out of memory. */
static bool add_place(struct making *m, size_t begin, uint32_t q)
{
	uint64_t place = (uint64_t)1 << q % 64;

	if (m->words.n == begin || m->words.at[m->words.n - 1].word != q / 64)
		return vec_push(&m->words, ((struct bp_word){ q / 64, place }));
	m->words.at[m->words.n - 1].places |= place;
	return true;
}

/* Sorts n pairs by `from`, which is below `groups`, and makes words of the places in `to`. The
 * pairs with the same `from` must come in the order of `to`. The words of group g become
 * (*words)[(*first)[g] … (*first)[g + 1]). The caller frees both arrays. False: out of memory. */
static bool group_pairs(struct making *m, const struct exception *pair, size_t n, uint32_t groups,
		  uint32_t **first, struct bp_word **words)
{
	uint32_t *by = calloc(n + 1, sizeof *by), *at = calloc((size_t)groups + 2, sizeof *at);
	bool ok = by != NULL && at != NULL;
	size_t k = 0;

	for (size_t i = 0; ok && i < n; i++)
		at[pair[i].from + 2]++;
	for (uint32_t g = 0; ok && g < groups; g++)
		at[g + 2] += at[g + 1];
	for (size_t i = 0; ok && i < n; i++)
		by[at[pair[i].from + 1]++] = pair[i].to;
	m->words.n = 0;
	for (uint32_t g = 0; ok && g < groups; g++) {
		size_t begin = m->words.n, end = at[g + 1];
		for (at[g] = (uint32_t)begin; ok && k < end; k++)
			ok = add_place(m, begin, by[k]);
	}
	*words = ok ? malloc((m->words.n + 1) * sizeof **words) : NULL;
	ok = *words != NULL;
	if (ok && m->words.n != 0)
		memcpy(*words, m->words.at, m->words.n * sizeof **words);
	if (ok)
		at[groups] = (uint32_t)m->words.n;
	*first = at;
	free(by);
	return ok;
}

/* Groups the places by the predicates of their states, in bp->pred_first and bp->pred. False: out
 * of memory. */
static bool group_preds(struct making *m)
{
	struct bit_parallel *bp = m->bp;

	m->far.n = 0;
	for (uint32_t p = 0; p < bp->nvectors * BP_VECTOR_STATES; p++) {
		uint32_t s = bp->state[p];
		if (s != BP_NO_STATE && bp->im->nfa.states[s].pred != IMAGE_NO_PRED &&
		    !vec_push(&m->far, ((struct exception){ bp->im->nfa.states[s].pred, p })))
			return false;
	}
	return group_pairs(m, m->far.at, m->far.n, bp->im->nfa.npreds, &bp->preds.first,
			   &bp->preds.at);
}

/* Makes bp->to_set, if there is one vector: for each place, the set of places to which its
 * exceptions (Note [bit-parallel steps]) lead. A step follows all of them by one OR with this set.
 * False: out of memory. */
static bool make_sets(struct bit_parallel *bp)
{
	bp->to.set = new_sets(BP_VECTOR_STATES);
	for (uint32_t p = 0; bp->to.set != NULL && p < BP_VECTOR_STATES; p++)
		for (uint32_t i = bp->to.first[p]; i < bp->to.first[p + 1]; i++)
			bp->to.set[p][bp->to.at[i].word] = bp->to.at[i].places;
	return bp->to.set != NULL;
}

static bool bp_allocate(struct bit_parallel *bp)
{
	size_t n = bp->nvectors;

	bp->busy_words = (uint32_t)bits_words(n);
	bp->symbols.most = (uint32_t)(BP_SYMBOL_BYTES / sizeof(bp_vector) / n);
	bp->masks = aligned_alloc(sizeof(bp_vector), n * sizeof *bp->masks);
	if (bp->masks != NULL)
		memset(bp->masks, 0, n * sizeof *bp->masks);
	bp->to.from = new_sets(n);
	bp->accepting = new_sets(n);
	bp->logging = new_sets(n);
	bp->copy.active = new_sets(n);
	bp->copy.pending = new_sets(n);
	bp->copy.busy = calloc(bp->busy_words, sizeof *bp->copy.busy);
	bp->copy.late = calloc(bp->busy_words, sizeof *bp->copy.late);
	bp->copy.hit = calloc(n, sizeof *bp->copy.hit);
	return bp->masks != NULL && bp->to.from != NULL && bp->accepting != NULL &&
	       bp->logging != NULL && bp->copy.active != NULL && bp->copy.pending != NULL &&
	       bp->copy.busy != NULL && bp->copy.late != NULL && bp->copy.hit != NULL;
}

static bool bp_make(struct making *m)
{
	struct bit_parallel *bp = m->bp;
	size_t places;

	if (!lay_out(m))
		return false;
	bp->nvectors = (m->y.nwords + BP_WORDS - 1) / BP_WORDS;
	places = (size_t)bp->nvectors * BP_VECTOR_STATES;
	bp->state = malloc(places * sizeof *bp->state);
	if (bp->state == NULL || !bp_allocate(bp))
		return false;
	memset(bp->state, 0xff, places * sizeof *bp->state);
	memcpy(bp->state, m->y.state, (size_t)m->y.nwords * 64 * sizeof *bp->state);
	return find_places(bp) && bp_fill(m) &&
	       group_pairs(m, m->far.at, m->far.n, (uint32_t)places, &bp->to.first, &bp->to.at) &&
	       group_preds(m) && (bp->nvectors != 1 || make_sets(bp));
}

struct bit_parallel *bp_new(const struct nfart_image *im, bool *ok)
{
	struct making m = { .bp = NULL };

	*ok = true;
	if (im->nfa.nstates > BP_MOST_STATES)
		return NULL;
	m.bp = calloc(1, sizeof *m.bp);
	*ok = m.bp != NULL;
	if (m.bp == NULL)
		return NULL;
	m.bp->im = im;
	m.bp->symbols.slot[0] = UINT32_MAX;
	*ok = bp_make(&m);
	bp_layout_free(&m.y);
	vec_free(&m.far);
	vec_free(&m.words);
	if (*ok)
		return m.bp;
	bp_free(m.bp);
	return NULL;
}

void bp_free(struct bit_parallel *bp)
{
	if (bp == NULL)
		return;
	free(bp->state);
	free(bp->first);
	free(bp->place);
	free(bp->masks);
	free(bp->to.from);
	free(bp->accepting);
	free(bp->logging);
	free(bp->to.first);
	free(bp->to.at);
	free(bp->to.set);
	free(bp->preds.first);
	free(bp->preds.at);
	free(bp->symbols.reach);
	free(bp->symbols.begins);
	free(bp->copy.active);
	free(bp->copy.busy);
	free(bp->copy.pending);
	free(bp->copy.late);
	free(bp->copy.hit);
	free(bp);
}

/* ---- preparing symbols ---- */

enum { FEW_SYMBOLS = 64 };

/* bp_count_unprepared() gives this slot to the symbols that it has counted already. */
#define COUNTED (UINT32_MAX - 1)

static void bp_forget(struct bit_parallel *bp, const struct dfa_cache *d)
{
	memset(bp->symbols.slot, 0, sizeof bp->symbols.slot);
	bp->symbols.slot[0] = UINT32_MAX; /* symbol 0 is no batch: it needs no set */
	bp->symbols.n = 0;
	bp->symbols.forgotten = d->symbols.forgotten;
}

bool bp_all_prepared(struct bit_parallel *bp, const struct dfa_cache *d, const uint16_t *symbol,
		     size_t n)
{
	uint32_t missing = 0;

	if (bp->symbols.forgotten != d->symbols.forgotten)
		bp_forget(bp, d);
	if (bp->symbols.n == d->symbols.n - 1)
		return true;
	for (size_t i = 0; i < n; i++) /* no early end: nearly always all have a set */
		missing |= bp->symbols.slot[symbol[i]] == 0;
	return missing == 0;
}

size_t bp_count_unprepared(struct bit_parallel *bp, const uint16_t *symbol, size_t n)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		if (bp->symbols.slot[symbol[i]] == 0) {
			bp->symbols.slot[symbol[i]] = COUNTED;
			k++;
		}
	for (size_t i = 0; i < n; i++)
		if (bp->symbols.slot[symbol[i]] == COUNTED)
			bp->symbols.slot[symbol[i]] = 0;
	return k;
}

static bool bp_grow(struct bit_parallel *bp)
{
	uint32_t cap = bp->symbols.cap == 0 ? 32 : 2 * bp->symbols.cap;
	size_t size = bp->nvectors * sizeof(bp_vector);
	bp_vector *reach;
	uint64_t *begins;

	if (cap > bp->symbols.most && bp->nvectors != 1)
		cap = bp->symbols.most;
	reach = aligned_alloc(sizeof *reach, cap * size);
	if (reach == NULL)
		return false;
	if (bp->symbols.n != 0)
		memcpy(reach, bp->symbols.reach, bp->symbols.n * size);
	free(bp->symbols.reach);
	bp->symbols.reach = reach;
	begins = realloc(bp->symbols.begins, (size_t)cap * bp->busy_words * sizeof *begins);
	if (begins == NULL)
		return false;
	bp->symbols.begins = begins;
	bp->symbols.cap = cap;
	return true;
}

static bool bp_prepare_symbol(struct bit_parallel *bp, struct dfa_cache *d, uint32_t symbol)
{
	const uint64_t *truth = d->en->scratch.truth;
	size_t n = bp->im->nfa.npreds;
	uint64_t *begins;
	bp_vector *r;

	if (bp->symbols.n == bp->symbols.cap && !bp_grow(bp))
		return false;
	r = bp->symbols.reach + (size_t)bp->symbols.n * bp->nvectors;
	begins = bp->symbols.begins + (size_t)bp->symbols.n * bp->busy_words;
	memset(r, 0, bp->nvectors * sizeof *r);
	memset(begins, 0, bp->busy_words * sizeof *begins);
	bp->symbols.slot[symbol] = ++bp->symbols.n;
	key_truth(&d->keys, d->symbols.key_of[symbol]);
	for (size_t p = bits_next(truth, n, 0); p < n; p = bits_next(truth, n, p + 1))
		for (uint32_t i = bp->preds.first[p]; i < bp->preds.first[p + 1]; i++)
			r[bp->preds.at[i].word / BP_WORDS][bp->preds.at[i].word % BP_WORDS] |=
				bp->preds.at[i].places;
	for (uint32_t b = 0; b < bp->nvectors; b++) {
		bp_vector x = r[b] & bp->masks[b].always;
		for (int w = 0; w < BP_WORDS; w++)
			if (x[w] != 0)
				bits_set(begins, b);
	}
	return true;
}

/* Prepares the sets of all symbols that exist, in order. The order matters if there is one vector,
 * because its steps find the set by the number of the symbol. Where there are few symbols, it is
 * also faster to prepare them all than to check which ones are prepared. */
static bool prepare_all(struct bit_parallel *bp, struct dfa_cache *d)
{
	if (bp->symbols.n == d->symbols.n - 1)
		return true;
	for (uint32_t symbol = 1; symbol < d->symbols.n; symbol++)
		if (bp->symbols.slot[symbol] == 0 && !bp_prepare_symbol(bp, d, symbol))
			return false;
	return true;
}

size_t bp_prepare(struct bit_parallel *bp, struct dfa_cache *d, const uint16_t *symbol, size_t n)
{
	if (bp->nvectors == 1) {
		if (bp->symbols.forgotten != d->symbols.forgotten)
			bp_forget(bp, d);
		return prepare_all(bp, d) ? n : 0;
	}
	if (bp_all_prepared(bp, d, symbol, n))
		return n;
	if (d->symbols.n <= FEW_SYMBOLS && d->symbols.n <= bp->symbols.most)
		return prepare_all(bp, d) ? n : 0;
	for (size_t i = 0; i < n; i++) {
		if (bp->symbols.slot[symbol[i]] != 0)
			continue;
		if (bp->symbols.n == bp->symbols.most && i != 0)
			return i;
		if (bp->symbols.n == bp->symbols.most)
			bp_forget(bp, d);
		if (!bp_prepare_symbol(bp, d, symbol[i]))
			return 0;
	}
	return n;
}

/* ---- the copy's states ---- */

void bp_follow(struct bit_parallel *bp, uint32_t b)
{
	bp_vector x = bp->copy.active[b] & bp->to.from[b];

	for (uint32_t w = 0; w < BP_WORDS; w++)
		for (uint64_t m = x[w]; m != 0; m &= m - 1) {
			uint32_t p = b * BP_VECTOR_STATES + 64 * w + (uint32_t)__builtin_ctzll(m);
			for (uint32_t i = bp->to.first[p]; i < bp->to.first[p + 1]; i++) {
				const struct bp_word *to = &bp->to.at[i];
				bp->copy.pending[to->word / BP_WORDS][to->word % BP_WORDS] |=
					to->places;
				bits_set(bp->copy.late, to->word / BP_WORDS);
			}
		}
}

void bp_load(struct bit_parallel *bp, const uint64_t *active)
{
	uint32_t n = bp->im->nfa.nstates;

	memset(bp->copy.active, 0, bp->nvectors * sizeof *bp->copy.active);
	memset(bp->copy.pending, 0, bp->nvectors * sizeof *bp->copy.pending);
	memset(bp->copy.busy, 0, bp->busy_words * sizeof *bp->copy.busy);
	memset(bp->copy.late, 0, bp->busy_words * sizeof *bp->copy.late);
	for (size_t s = bits_next(active, n, 0); s < n; s = bits_next(active, n, s + 1))
		for (uint32_t i = bp->first[s]; i < bp->first[s + 1]; i++) {
			bp_vector_set(bp->copy.active, bp->place[i]);
			bits_set(bp->copy.busy, bp->place[i] / BP_VECTOR_STATES);
		}
	for (uint32_t b = 0; bp->nvectors > 1 && b < bp->nvectors; b++)
		bp_follow(bp, b);
}

void bp_store(const struct bit_parallel *bp, uint64_t *active, size_t words)
{
	size_t n = bp->nvectors;

	memset(active, 0, words * 8);
	for (size_t b = bits_next(bp->copy.busy, n, 0); b < n;
	     b = bits_next(bp->copy.busy, n, b + 1))
		for (size_t w = 0; w < BP_WORDS; w++)
			for (uint64_t m = bp->copy.active[b][w]; m != 0; m &= m - 1)
				bits_set(active, bp->state[b * BP_VECTOR_STATES + 64 * w +
							  (size_t)__builtin_ctzll(m)]);
}
