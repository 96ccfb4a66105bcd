/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * One copy of the automaton over the keys of a part.
 *
 * Note [when tables don't pay]
 * A table that is full is emptied. A stream that keeps needing new entries costs far more in making
 * them than in stepping, so every FILTER_LOOK entries made the batches they served are counted: fewer than
 * `worth` for each entry, and the next batches are stepped, twice as many at each such failure in a row.
 */
#include <string.h>

#include "runtime/filter.h"

#define MOST_PAUSE ((uint64_t)1 << 32)

bool filter_hit(struct nfart_filter *f, size_t i, uint64_t line, const uint64_t *set)
{
	struct filter_hit h = { (uint32_t)i, line, f->sets.n };
	size_t words = f->en->words;

	if (!vec_reserve(&f->sets, words))
		return false;
	memcpy(f->sets.at + f->sets.n, set, words * 8);
	f->sets.n += words;
	return vec_push(&f->hits, h);
}

/* The states go to the engine's copy, or come from there. */
static bool hand_over(struct nfart_filter *f)
{
	uint64_t *active;
	uint32_t *counts;

	if (!engine_copy(f->en, 0, &active, &counts))
		return false;
	memcpy(active, fast_set(f->fast, f->row), f->en->words * 8);
	f->stepping = true;
	f->steps = f->pause = f->pause == 0 ? f->look * f->worth :
			      f->pause < MOST_PAUSE ? 2 * f->pause : f->pause;
	return true;
}

static bool take_back(struct nfart_filter *f)
{
	uint64_t *active;
	uint32_t *counts;

	if (!engine_copy(f->en, 0, &active, &counts))
		return false;
	f->row = fast_state(f->fast, active);
	if (f->row == 0) {
		fast_flush(f->fast, false);
		f->row = fast_state(f->fast, active);
	}
	f->stepping = false;
	f->made = f->walked = 0;
	return true;
}

/* The key of batch i of the part. */
static inline uint64_t key_of(const struct nfart_filter *f, size_t i)
{
	return f->size == 1 ? f->fast->keys[f->at[i]] : f->key[i];
}

/* One by one, as the engine does. */
static bool step_engine(struct nfart_filter *f, size_t from, size_t n, uint64_t *active)
{
	for (size_t i = from; i < n; i++) {
		uint64_t key = key_of(f, i);
		f->entry[i] = 0;
		if (key != 0) {
			fast_step(f->fast, key, active);
			f->entry[i] = fast_flags(f->fast, active);
			f->any |= f->entry[i];
		}
		if ((f->entry[i] & FAST_ACCEPTED) != 0 && !filter_hit(f, i, 0, active))
			return false;
	}
	return true;
}

/* The symbols of the batches [from, n), and the sets of states for them. False: out of memory. */
static bool find_symbols(struct nfart_filter *f, size_t from, size_t n)
{
	struct fast *t = f->fast;

	for (size_t i = from; i < n && f->size != 1; i++) {
		int64_t symbol = fast_find(t, f->key[i]);
		if (symbol == FAST_NO_SYMBOL && !fast_add(t, f->key[i])) {
			fast_flush(t, true);
			i = from - 1; /* they may be numbered anew */
			continue;
		}
		f->symbol[i] = (uint16_t)(symbol == FAST_NO_SYMBOL ? t->nsymbols - 1 : symbol);
	}
	return lanes_symbols(f->lanes, t);
}

static bool step_lanes(struct nfart_filter *f, size_t from, size_t n, uint64_t *active)
{
	struct lanes_input in = { f->symbol, f->fast->symbol_of, f->size == 1 ? f->at : NULL };
	lanes_set s;

	if (!find_symbols(f, from, n))
		return false;
	lanes_from(f->lanes, active, &s);
	memset(f->entry + from, 0, (n - from) * sizeof *f->entry);
	for (size_t i = from; i < n;) {
		uint32_t flags;
		i = lanes_run(f->lanes, f->fast->level, &s, &in, i, n, &flags);
		f->entry[i - 1] = flags;
		f->any |= flags;
		lanes_to(f->lanes, &s, active, f->en->words);
		if ((flags & FAST_ACCEPTED) != 0 && !filter_hit(f, i - 1, 0, active))
			return false;
	}
	return true;
}

static bool step(struct nfart_filter *f, size_t from, size_t n, size_t *done)
{
	uint64_t *active;
	uint32_t *counts;

	*done = n - from < f->steps ? n : from + (size_t)f->steps;
	if (!engine_copy(f->en, 0, &active, &counts))
		return false;
	if (!(f->lanes != NULL ? step_lanes : step_engine)(f, from, *done, active))
		return false;
	f->steps -= *done - from;
	return f->steps != 0 || take_back(f);
}

/* Empties the tables around the row the walk stands on. */
static void make_room(struct nfart_filter *f, bool symbols)
{
	uint64_t *set = f->fast->scratch;

	memcpy(set, fast_set(f->fast, f->row), f->en->words * 8);
	fast_flush(f->fast, symbols);
	f->row = fast_state(f->fast, set);
}

/* Makes what batch i needs. False: there is no room, which was made; or no use. */
static bool make(struct nfart_filter *f, uint64_t key)
{
	struct fast *t = f->fast;
	int64_t symbol = fast_find(t, key);

	if (symbol == FAST_NO_SYMBOL) {
		if (!fast_add(t, key))
			return false;
		symbol = fast_find(t, key);
	}
	return t->next[f->row + symbol] != 0 || fast_make(t, f->row, (uint32_t)symbol) != 0;
}

static bool worth(struct nfart_filter *f)
{
	bool good;

	if (++f->made < f->look)
		return true;
	good = f->walked >= f->look * f->worth;
	if (good)
		f->pause = 0;
	f->made = f->walked = 0;
	return good;
}

bool filter_walk(struct nfart_filter *f, size_t from, size_t n, size_t *done)
{
	size_t i = from;

	if (f->stepping)
		return step(f, from, n, done);
	for (;;) {
		size_t before = i;
		i = filter_follow(f, i, n);
		f->walked += i - before;
		*done = i;
		if (i == n)
			return true;
		if (!worth(f))
			return i == from ? hand_over(f) && filter_walk(f, from, n, done) : hand_over(f);
		if (make(f, key_of(f, i)))
			continue;
		if (i != from) /* the entries so far are looked at before they are forgotten */
			return true;
		make_room(f, f->fast->nsymbols == f->fast->stride);
	}
}
