/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Interned arrays and pairs, and the step from a pair of sets of states to the next one.
 * decide_congruence.c and decide_config.c share them.
 */
#include "ir/decide/decide_int.h"

/* At most 256 MB of numbers, and about as much for pairs with their hash table. */
enum { MOST_POOL = 1 << 26, MOST_SETS = 1 << 24, MOST_PAIRS = 1 << 23 };

/* ---- arrays, each once ---- */

/* An array that is looked for. */
struct numbers {
	const uint32_t *at;
	size_t n;
};

static uint64_t set_hash(const uint32_t *x, size_t n)
{
	return hash_numbers(n, x, n);
}

static uint64_t set_hash_of(const void *sets, uint32_t id)
{
	const struct sets *s = sets;

	return set_hash(s->pool.at + s->all.at[id].at, s->all.at[id].n);
}

static bool same_set(const void *sets, uint32_t id, const void *key)
{
	const struct sets *s = sets;
	const struct numbers *x = key;

	return s->all.at[id].n == x->n &&
	       (x->n == 0 ||
		memcmp(s->pool.at + s->all.at[id].at, x->at, x->n * sizeof *x->at) == 0);
}

uint32_t sets_intern(struct sets *s, const uint32_t *x, size_t n)
{
	struct numbers key = { x, n };
	size_t at;

	if (!hash_room(&s->hash, set_hash_of, s))
		return UINT32_MAX;
	at = hash_find(&s->hash, set_hash(x, n), same_set, s, &key);
	if (hash_id(&s->hash, at) != HASH_NONE)
		return hash_id(&s->hash, at);
	s->full = n > MOST_POOL - s->pool.n || s->all.n >= MOST_SETS;
	if (s->full || !vec_reserve(&s->pool, n + 1) || !vec_reserve(&s->all, 1))
		return UINT32_MAX;
	if (n != 0)
		memcpy(s->pool.at + s->pool.n, x, n * sizeof *x);
	s->all.at[s->all.n].at = (uint32_t)s->pool.n;
	s->all.at[s->all.n++].n = (uint32_t)n;
	s->pool.n += n;
	hash_put(&s->hash, at, (uint32_t)s->all.n - 1);
	return (uint32_t)s->all.n - 1;
}

void sets_free(struct sets *s)
{
	vec_free(&s->pool);
	vec_free(&s->all);
	hash_free(&s->hash);
}

/* ---- pairs, each once ---- */

static uint64_t pair_hash(uint32_t x, uint32_t y)
{
	uint64_t h = ((uint64_t)x << 32 | y) * 0x9e3779b97f4a7c15u;

	return h ^ h >> 32;
}

static uint64_t pair_hash_of(const void *pairs, uint32_t id)
{
	const struct pairs *p = pairs;

	return pair_hash(p->all.at[id].x, p->all.at[id].y);
}

/* The key is both numbers in one. */
static bool same_pair(const void *pairs, uint32_t id, const void *key)
{
	const struct pairs *p = pairs;

	return ((uint64_t)p->all.at[id].x << 32 | p->all.at[id].y) == *(const uint64_t *)key;
}

static size_t pair_place(const struct pairs *p, uint32_t x, uint32_t y)
{
	uint64_t key = (uint64_t)x << 32 | y;

	return hash_find(&p->hash, pair_hash(x, y), same_pair, p, &key);
}

bool pairs_has(const struct pairs *p, uint32_t x, uint32_t y)
{
	return p->all.n != 0 && hash_id(&p->hash, pair_place(p, x, y)) != HASH_NONE;
}

int pairs_add(struct pairs *p, uint32_t x, uint32_t y, uint32_t from, uint32_t node)
{
	size_t at;

	if (!hash_room(&p->hash, pair_hash_of, p))
		return -1;
	at = pair_place(p, x, y);
	if (hash_id(&p->hash, at) != HASH_NONE)
		return 0;
	p->full = p->all.n >= MOST_PAIRS;
	if (p->full || !vec_reserve(&p->all, 1))
		return -1;
	p->all.at[p->all.n].x = x;
	p->all.at[p->all.n].y = y;
	p->all.at[p->all.n].from = from;
	p->all.at[p->all.n++].node = node;
	hash_put(&p->hash, at, (uint32_t)p->all.n - 1);
	return 1;
}

void pairs_free(struct pairs *p)
{
	vec_free(&p->all);
	hash_free(&p->hash);
}

/* ---- witnesses ---- */

/* Appends the messages of a batch to the witness, and where they begin. The witness grows from its
 * end to its beginning; turn_stream() turns it round when it is complete. */
static bool add_batch(struct decider *d, uint32_t node)
{
	if (!vec_push(&d->witness.first, (uint32_t)d->witness.letter.n))
		return decide_no_memory(d);
	for (; node != UINT32_MAX; node = d->batches.nodes.at[node].before)
		if (!vec_push(&d->witness.letter, d->batches.nodes.at[node].letter))
			return decide_no_memory(d);
	return true;
}

static void set_turn(uint32_t *x, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		uint32_t t = x[i];
		x[i] = x[n - 1 - i];
		x[n - 1 - i] = t;
	}
}

/* Reverses the order of batches, and of the messages in each. */
static void turn_stream(struct decider *d)
{
	set_turn(d->witness.letter.at, d->witness.letter.n);
	set_turn(d->witness.first.at, d->witness.first.n);
	for (size_t i = 0; i < d->witness.first.n; i++)
		d->witness.first.at[i] = (uint32_t)d->witness.letter.n - d->witness.first.at[i];
}

bool decide_witness(struct decider *d, const struct pairs *p, uint32_t last, uint32_t node)
{
	d->witness.first.n = d->witness.letter.n = 0;
	if (!add_batch(d, node))
		return false;
	for (; p->all.at[last].from != UINT32_MAX; last = p->all.at[last].from)
		if (!add_batch(d, p->all.at[last].node))
			return false;
	if (!vec_push(&d->witness.first, (uint32_t)d->witness.letter.n))
		return decide_no_memory(d);
	turn_stream(d);
	return true;
}

void decide_turn_witness(struct decider *d)
{
	turn_stream(d);
	for (size_t i = 0; i + 1 < d->witness.first.n; i++)
		set_turn(d->witness.letter.at + d->witness.first.at[i],
			 d->witness.first.at[i + 1] - d->witness.first.at[i]);
}

/* ---- steps ---- */

bool stepper_init(struct stepper *s, struct decider *d, const struct local *l, bool all)
{
	size_t nlits = 2 * ((size_t)d->letters.natoms + d->letters.nbits);

	memset(s, 0, sizeof *s);
	s->d = d;
	s->l = l;
	s->all = all;
	s->low = SIZE_MAX;
	s->key = malloc((d->letters.lit_words + 1) * 8);
	s->place = malloc((nlits + 1) * sizeof *s->place);
	s->mark = calloc(bits_words(l->n) + 1, 8);
	if (s->key == NULL || s->place == NULL || s->mark == NULL)
		return decide_no_memory(d);
	return true;
}

void stepper_free(struct stepper *s)
{
	free(s->key);
	free(s->place);
	free(s->mark);
	vec_free(&s->moves);
}

static bool set_collect(struct stepper *s, const uint32_t *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (uint32_t k = s->l->first[x[i]]; k < s->l->first[x[i] + 1]; k++) {
			struct move m = s->l->moves.at[k];
			if (m.lit != LIT_TRUE)
				bits_set(s->key, m.lit);
			if (!vec_push(&s->moves, m))
				return decide_no_memory(s->d);
		}
	return decide_spend(s->d, n + s->moves.n);
}

const struct batches *stepper_begin(struct stepper *s, const uint32_t *x, size_t nx,
				    const uint32_t *y, size_t ny)
{
	size_t nlits = 2 * ((size_t)s->d->letters.natoms + s->d->letters.nbits);
	uint32_t k = 0;

	s->moves.n = 0;
	memset(s->key, 0, s->d->letters.lit_words * 8);
	if (!set_collect(s, x, nx))
		return NULL;
	s->split = (uint32_t)s->moves.n;
	if (!set_collect(s, y, ny))
		return NULL;
	for (size_t i = bits_next(s->key, nlits, 0); i < nlits; i = bits_next(s->key, nlits, i + 1))
		s->place[i] = k++;
	for (size_t i = 0; i < s->moves.n; i++)
		if (s->moves.at[i].lit != LIT_TRUE)
			s->moves.at[i].lit = s->place[s->moves.at[i].lit];
	return batches_find(s->d, s->key, s->all);
}

bool stepper_mark(struct stepper *s, const struct batches *b, uint32_t i, int which)
{
	const uint64_t *truth = b->truth + (size_t)i * b->words;
	size_t begin = which == 0 ? 0 : s->split, end = which == 0 ? s->split : s->moves.n,
	       done = 1;

	for (size_t k = begin; k < end; k++) {
		const struct move *m = &s->moves.at[k];
		if (m->lit != LIT_TRUE && !bits_get(truth, m->lit))
			continue;
		for (uint32_t j = 0; j < m->n; j++)
			stepper_add(s, s->l->list.at[m->at + j]);
		done += m->n;
	}
	return decide_spend(s->d, end - begin + done);
}

/* Only the words from low to high are looked at: a long chain has many states, and few of them are
 * active. */
size_t stepper_take(struct stepper *s, uint32_t *out)
{
	size_t n = 0;

	for (size_t w = s->low; w < s->high; w++) {
		for (uint64_t x = s->mark[w]; x != 0; x &= x - 1)
			out[n++] = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(x);
		s->mark[w] = 0;
	}
	if (s->high > s->low)
		s->d->effort.work += (s->high - s->low) / 4;
	s->low = SIZE_MAX;
	s->high = 0;
	return n;
}
