/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/engine/fast/bit_parallel.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/engine/fast/bit_parallel_layout.h"

/* ---- making ---- */

/* A transition that is an exception, between places. */
struct exception {
	uint32_t from, to;
};

struct making {
	struct lanes *l;
	struct lanes_layout y;
	VEC(struct exception) far;
	VEC(struct lanes_word) words;
};

static void set(lanes_set *s, uint32_t place)
{
	s[place / LANES_STATES][place / 64 % LANES] |= (uint64_t)1 << place % 64;
}

static lanes_set *new_sets(size_t n)
{
	lanes_set *s = aligned_alloc(sizeof *s, n * sizeof *s);

	if (s != NULL)
		memset(s, 0, n * sizeof *s);
	return s;
}

/* Lists each state's places. */
static bool find_places(struct lanes *l)
{
	uint32_t n = l->im->nstates, places = l->nblocks * LANES_STATES;

	l->first = calloc((size_t)n + 2, sizeof *l->first);
	l->place = calloc((size_t)places + 1, sizeof *l->place);
	if (l->first == NULL || l->place == NULL)
		return false;
	for (uint32_t p = 0; p < places; p++)
		if (l->state[p] != LANES_NONE)
			l->first[l->state[p] + 2]++;
	for (uint32_t s = 0; s < n; s++)
		l->first[s + 2] += l->first[s + 1];
	for (uint32_t p = 0; p < places; p++)
		if (l->state[p] != LANES_NONE)
			l->place[l->first[l->state[p] + 1]++] = p;
	return true;
}

/* How far before place q, in its word, state u stands: above LANES_NEAR where it is not near by. */
static uint32_t steps_back(const uint32_t *state, uint32_t u, uint32_t q)
{
	uint32_t back = 0;

	while (back <= LANES_NEAR && (back > q % 64 || state[q - back] != u))
		back++;
	return back;
}

static bool has_exceptions(const struct lanes_layout *y)
{
	for (uint32_t q = 0; q < y->nwords * 64; q++) {
		uint32_t s = y->state[q];
		for (uint32_t i = 0; s != LANES_NONE && y->pred_first[s] + i < y->pred_first[s + 1]; i++)
			if (steps_back(y->state, y->pred[y->pred_first[s] + i], q) > LANES_NEAR)
				return true;
	}
	return false;
}

/* Lays the states out in half a block, if they fit without exceptions, else in whole ones. */
static bool lay_out(struct making *m)
{
	struct lanes *l = m->l;

	if (l->im->nstates <= LANES_STATES / 2) {
		l->half = lanes_lay_out(l->im, LANES / 2, &m->y) && !has_exceptions(&m->y);
		if (l->half)
			return true;
		lanes_layout_free(&m->y);
	}
	return lanes_lay_out(l->im, LANES, &m->y);
}

/* Enters the state at place q from state u: from a copy near by, or by an exception. */
static bool enter(struct making *m, uint32_t u, uint32_t q)
{
	struct lanes *l = m->l;
	lanes_set *with[LANES_NEAR + 1] = { &l->block[q / LANES_STATES].stay,
					    &l->block[q / LANES_STATES].one,
					    &l->block[q / LANES_STATES].two };

	uint32_t back = steps_back(l->state, u, q);

	if (back <= LANES_NEAR) {
		set(with[back], q % LANES_STATES);
		return true;
	}
	set(l->far, l->place[l->first[u]]);
	return vec_push(&m->far, ((struct exception){ l->place[l->first[u]], q }));
}

static bool fill(struct making *m)
{
	struct lanes *l = m->l;
	const struct nfart_image *im = l->im;

	for (uint32_t q = 0; q < l->nblocks * LANES_STATES; q++) {
		const struct image_state *v;
		uint32_t s = l->state[q];
		if (s == LANES_NONE)
			continue;
		v = &im->states[s];
		if ((v->flags & STATE_ALWAYS) != 0)
			set(&l->block[q / LANES_STATES].always, q % LANES_STATES);
		if ((v->flags & STATE_LOG) != 0)
			set(l->logging, q);
		if (im->labelsets[v->labelset].n != 0)
			set(l->accepting, q);
		for (uint32_t i = m->y.pred_first[s]; i < m->y.pred_first[s + 1]; i++)
			if (!enter(m, m->y.pred[i], q))
				return false;
	}
	for (uint32_t b = 0; b < l->nblocks; b++)
		l->block[b].special = l->far[b] | l->accepting[b] | l->logging[b];
	return true;
}

/* Appends place q, no smaller than those before it, to the words from `begin` on. */
static bool add_place(struct making *m, size_t begin, uint32_t q)
{
	uint64_t place = (uint64_t)1 << q % 64;

	if (m->words.n == begin || m->words.at[m->words.n - 1].word != q / 64)
		return vec_push(&m->words, ((struct lanes_word){ q / 64, place }));
	m->words.at[m->words.n - 1].places |= place;
	return true;
}

/* Pairs of a group and a place, places rising, become words by group. The caller owns *first, *words. */
static bool group(struct making *m, const struct exception *pair, size_t n, uint32_t groups,
		  uint32_t **first, struct lanes_word **words)
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

/* The places of each predicate. */
static bool group_preds(struct making *m)
{
	struct lanes *l = m->l;

	m->far.n = 0;
	for (uint32_t p = 0; p < l->nblocks * LANES_STATES; p++) {
		uint32_t s = l->state[p];
		if (s != LANES_NONE && l->im->states[s].pred != IMAGE_NO_PRED &&
		    !vec_push(&m->far, ((struct exception){ l->im->states[s].pred, p })))
			return false;
	}
	return group(m, m->far.at, m->far.n, l->im->npreds, &l->pred_first, &l->pred);
}

/* Where there is one block, exceptions as sets: one OR each. */
static bool make_sets(struct lanes *l)
{
	l->to_set = new_sets(LANES_STATES);
	for (uint32_t p = 0; l->to_set != NULL && p < LANES_STATES; p++)
		for (uint32_t i = l->to_first[p]; i < l->to_first[p + 1]; i++)
			l->to_set[p][l->to[i].word] = l->to[i].places;
	return l->to_set != NULL;
}

static bool allocate(struct lanes *l)
{
	size_t n = l->nblocks;

	l->busy_words = (uint32_t)bits_words(n);
	l->most = (uint32_t)(LANES_SYMBOL_BYTES / sizeof(lanes_set) / n);
	l->block = aligned_alloc(sizeof(lanes_set), n * sizeof *l->block);
	if (l->block != NULL)
		memset(l->block, 0, n * sizeof *l->block);
	l->far = new_sets(n);
	l->accepting = new_sets(n);
	l->logging = new_sets(n);
	l->active = new_sets(n);
	l->pending = new_sets(n);
	l->busy = calloc(l->busy_words, sizeof *l->busy);
	l->late = calloc(l->busy_words, sizeof *l->late);
	l->hit = calloc(n, sizeof *l->hit);
	return l->block != NULL && l->far != NULL && l->accepting != NULL && l->logging != NULL &&
	       l->active != NULL && l->pending != NULL && l->busy != NULL && l->late != NULL &&
	       l->hit != NULL;
}

static bool make(struct making *m)
{
	struct lanes *l = m->l;
	size_t places;

	if (!lay_out(m))
		return false;
	l->nblocks = (m->y.nwords + LANES - 1) / LANES;
	places = (size_t)l->nblocks * LANES_STATES;
	l->state = malloc(places * sizeof *l->state);
	if (l->state == NULL || !allocate(l))
		return false;
	memset(l->state, 0xff, places * sizeof *l->state);
	memcpy(l->state, m->y.state, (size_t)m->y.nwords * 64 * sizeof *l->state);
	return find_places(l) && fill(m) &&
	       group(m, m->far.at, m->far.n, (uint32_t)places, &l->to_first, &l->to) &&
	       group_preds(m) && (l->nblocks != 1 || make_sets(l));
}

struct lanes *lanes_new(const struct nfart_image *im, bool *ok)
{
	struct making m = { .l = NULL };

	*ok = true;
	if (im->nstates > LANES_MOST)
		return NULL;
	m.l = calloc(1, sizeof *m.l);
	*ok = m.l != NULL;
	if (m.l == NULL)
		return NULL;
	m.l->im = im;
	m.l->slot[0] = UINT32_MAX;
	*ok = make(&m);
	lanes_layout_free(&m.y);
	vec_free(&m.far);
	vec_free(&m.words);
	if (*ok)
		return m.l;
	lanes_free(m.l);
	return NULL;
}

void lanes_free(struct lanes *l)
{
	if (l == NULL)
		return;
	free(l->state);
	free(l->first);
	free(l->place);
	free(l->block);
	free(l->far);
	free(l->accepting);
	free(l->logging);
	free(l->to_first);
	free(l->to);
	free(l->to_set);
	free(l->pred_first);
	free(l->pred);
	free(l->reach);
	free(l->begins);
	free(l->active);
	free(l->busy);
	free(l->pending);
	free(l->late);
	free(l->hit);
	free(l);
}

/* ---- symbols ---- */

enum { FEW_SYMBOLS = 64 };

/* Of a symbol that was not met, while it is counted. */
#define COUNTED (UINT32_MAX - 1)

static void forget(struct lanes *l, const struct fast *f)
{
	memset(l->slot, 0, sizeof l->slot);
	l->slot[0] = UINT32_MAX; /* no batch: nothing changes, and no sets are looked at */
	l->nslots = 0;
	l->forgotten = f->forgotten;
}

bool lanes_met(struct lanes *l, const struct fast *f, const uint16_t *symbol, size_t n)
{
	uint32_t unmet = 0;

	if (l->forgotten != f->forgotten)
		forget(l, f);
	if (l->nslots == f->nsymbols - 1)
		return true;
	for (size_t i = 0; i < n; i++) /* without a branch: it is nearly always so */
		unmet |= l->slot[symbol[i]] == 0;
	return unmet == 0;
}

size_t lanes_unmet(struct lanes *l, const uint16_t *symbol, size_t n)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		if (l->slot[symbol[i]] == 0) {
			l->slot[symbol[i]] = COUNTED;
			k++;
		}
	for (size_t i = 0; i < n; i++)
		if (l->slot[symbol[i]] == COUNTED)
			l->slot[symbol[i]] = 0;
	return k;
}

static bool grow(struct lanes *l)
{
	uint32_t cap = l->cap == 0 ? 32 : 2 * l->cap;
	size_t size = l->nblocks * sizeof(lanes_set);
	lanes_set *reach;
	uint64_t *begins;

	if (cap > l->most && l->nblocks != 1)
		cap = l->most;
	reach = aligned_alloc(sizeof *reach, cap * size);
	if (reach == NULL)
		return false;
	if (l->nslots != 0)
		memcpy(reach, l->reach, l->nslots * size);
	free(l->reach);
	l->reach = reach;
	begins = realloc(l->begins, (size_t)cap * l->busy_words * sizeof *begins);
	if (begins == NULL)
		return false;
	l->begins = begins;
	l->cap = cap;
	return true;
}

static bool meet(struct lanes *l, struct fast *f, uint32_t symbol)
{
	const uint64_t *truth = f->en->truth;
	size_t n = l->im->npreds;
	uint64_t *begins;
	lanes_set *r;

	if (l->nslots == l->cap && !grow(l))
		return false;
	r = l->reach + (size_t)l->nslots * l->nblocks;
	begins = l->begins + (size_t)l->nslots * l->busy_words;
	memset(r, 0, l->nblocks * sizeof *r);
	memset(begins, 0, l->busy_words * sizeof *begins);
	l->slot[symbol] = ++l->nslots;
	fast_truth(f, f->key_of[symbol]);
	for (size_t p = bits_next(truth, n, 0); p < n; p = bits_next(truth, n, p + 1))
		for (uint32_t i = l->pred_first[p]; i < l->pred_first[p + 1]; i++)
			r[l->pred[i].word / LANES][l->pred[i].word % LANES] |= l->pred[i].places;
	for (uint32_t b = 0; b < l->nblocks; b++) {
		lanes_set x = r[b] & l->block[b].always;
		for (int w = 0; w < LANES; w++)
			if (x[w] != 0)
				bits_set(begins, b);
	}
	return true;
}

/* In order, where one block needs them so; and where there are few, so that it need not be asked any more
 * which of them were met. */
static bool meet_all(struct lanes *l, struct fast *f)
{
	if (l->nslots == f->nsymbols - 1)
		return true;
	for (uint32_t symbol = 1; symbol < f->nsymbols; symbol++)
		if (l->slot[symbol] == 0 && !meet(l, f, symbol))
			return false;
	return true;
}

size_t lanes_meet(struct lanes *l, struct fast *f, const uint16_t *symbol, size_t n)
{
	if (l->nblocks == 1) {
		if (l->forgotten != f->forgotten)
			forget(l, f);
		return meet_all(l, f) ? n : 0;
	}
	if (lanes_met(l, f, symbol, n))
		return n;
	if (f->nsymbols <= FEW_SYMBOLS && f->nsymbols <= l->most)
		return meet_all(l, f) ? n : 0;
	for (size_t i = 0; i < n; i++) {
		if (l->slot[symbol[i]] != 0)
			continue;
		if (l->nslots == l->most && i != 0)
			return i;
		if (l->nslots == l->most)
			forget(l, f);
		if (!meet(l, f, symbol[i]))
			return 0;
	}
	return n;
}

/* ---- the copy ---- */

void lanes_follow(struct lanes *l, uint32_t b)
{
	lanes_set x = l->active[b] & l->far[b];

	for (uint32_t w = 0; w < LANES; w++)
		for (uint64_t m = x[w]; m != 0; m &= m - 1) {
			uint32_t p = b * LANES_STATES + 64 * w + (uint32_t)__builtin_ctzll(m);
			for (uint32_t i = l->to_first[p]; i < l->to_first[p + 1]; i++) {
				const struct lanes_word *to = &l->to[i];
				l->pending[to->word / LANES][to->word % LANES] |= to->places;
				bits_set(l->late, to->word / LANES);
			}
		}
}

void lanes_from(struct lanes *l, const uint64_t *active)
{
	uint32_t n = l->im->nstates;

	memset(l->active, 0, l->nblocks * sizeof *l->active);
	memset(l->pending, 0, l->nblocks * sizeof *l->pending);
	memset(l->busy, 0, l->busy_words * sizeof *l->busy);
	memset(l->late, 0, l->busy_words * sizeof *l->late);
	for (size_t s = bits_next(active, n, 0); s < n; s = bits_next(active, n, s + 1))
		for (uint32_t i = l->first[s]; i < l->first[s + 1]; i++) {
			set(l->active, l->place[i]);
			bits_set(l->busy, l->place[i] / LANES_STATES);
		}
	for (uint32_t b = 0; l->nblocks > 1 && b < l->nblocks; b++)
		lanes_follow(l, b);
}

void lanes_to(const struct lanes *l, uint64_t *active, size_t words)
{
	size_t n = l->nblocks;

	memset(active, 0, words * 8);
	for (size_t b = bits_next(l->busy, n, 0); b < n; b = bits_next(l->busy, n, b + 1))
		for (size_t w = 0; w < LANES; w++)
			for (uint64_t m = l->active[b][w]; m != 0; m &= m - 1)
				bits_set(active, l->state[b * LANES_STATES + 64 * w +
							  (size_t)__builtin_ctzll(m)]);
}
