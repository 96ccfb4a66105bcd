/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * One copy of the automaton over the keys of a part.
 *
 * Note [when tables don't pay]
 * A table that is full is emptied. A stream that keeps needing new entries costs far more in making
 * them than in stepping, so every FILTER_LOOK entries made the batches they served are counted: fewer than
 * `worth` for each entry, and the next batches are stepped, twice as many at each such failure in a row
 * that is no better than the one before. Where each is better, a large table is on its way to paying. So
 * is one that was not emptied since, if a large automaton found a third of what it needed in it.
 *
 * Steps are lanes (bit_parallel.h); where there are too many states for that, or where a part has so many
 * symbols that are new that making their sets costs more than stepping, the engine's.
 */
#include <string.h>

#include "runtime/engine/filter.h"

#define MOST_PAUSE ((uint64_t)1 << 32)

enum { FEW_UNMET = 32 };

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

static bool getting_better(const struct nfart_filter *f)
{
	return f->walked > f->before + f->before / 64 ||
	       (f->en->im->nstates > LANES_STATES && f->walked > f->look + f->look / 2 &&
		f->emptied == f->fast->emptied);
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
	if (f->pause == 0)
		f->pause = f->look * f->worth;
	else if (f->pause < MOST_PAUSE && !getting_better(f))
		f->pause *= 2;
	f->before = f->walked;
	f->emptied = f->fast->emptied;
	f->steps = f->pause;
	f->made = f->walked = 0;
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
	return f->row != 0;
}

/* The key of batch i of the part. */
static inline uint64_t key_of(const struct nfart_filter *f, size_t i)
{
	return f->size == 1 ? f->fast->keys[f->at[i]] : f->key[i];
}

/* One by one, as the engine does. */
static bool step_engine(struct nfart_filter *f, size_t from, size_t n, uint64_t *active,
			uint32_t *counts)
{
	for (size_t i = from; i < n; i++) {
		uint64_t key = key_of(f, i);
		f->entry[i] = 0;
		if (key != 0) {
			fast_step(f->fast, key, active, counts);
			f->entry[i] = fast_flags(f->fast, active);
			f->any |= f->entry[i];
		}
		if ((f->entry[i] & FAST_ACCEPTED) != 0 && !filter_hit(f, i, 0, active))
			return false;
	}
	return true;
}

/* The symbols of the batches [from, n). A single block of words looks up those of bytes by itself. */
static void find_symbols(struct nfart_filter *f, size_t from, size_t n)
{
	struct fast *t = f->fast;

	for (size_t i = from; i < n && f->size == 1 && f->lanes->nblocks != 1; i++)
		f->symbol[i] = t->symbol_of[f->at[i]];
	for (size_t i = from; i < n && f->size != 1; i++) {
		int64_t symbol = fast_find(t, f->key[i]);
		if (symbol == FAST_NO_SYMBOL && !fast_add(t, f->key[i])) {
			fast_flush(t, true);
			i = from - 1; /* they may be numbered anew */
			continue;
		}
		f->symbol[i] = (uint16_t)(symbol == FAST_NO_SYMBOL ? t->nsymbols - 1 : symbol);
	}
}

/* Are there few enough symbols in [from, n) whose sets are still to be made? */
static bool few_unmet(struct nfart_filter *f, size_t from, size_t n)
{
	return f->lanes->nblocks == 1 ||
	       lanes_met(f->lanes, f->fast, f->symbol + from, n - from) ||
	       lanes_unmet(f->lanes, f->symbol + from, n - from) <= FEW_UNMET + (n - from) / 16;
}

/* The batches [from, n), whose symbols were found. */
static bool step_lanes(struct nfart_filter *f, size_t from, size_t n, uint64_t *active)
{
	struct lanes_input in = { f->symbol, f->fast->symbol_of, f->size == 1 ? f->at : NULL };

	lanes_from(f->lanes, active);
	memset(f->entry + from, 0, (n - from) * sizeof *f->entry);
	for (size_t i = from; i < n;) {
		size_t met = i + lanes_meet(f->lanes, f->fast, f->symbol + i, n - i);
		if (met == i)
			return false;
		while (i < met) {
			uint32_t flags;
			i = lanes_run(f->lanes, f->fast->level, &in, i, met, &flags);
			f->entry[i - 1] = flags;
			f->any |= flags;
			if ((flags & FAST_ACCEPTED) == 0)
				continue;
			lanes_to(f->lanes, active, f->en->words);
			if (!filter_hit(f, i - 1, 0, active))
				return false;
		}
	}
	lanes_to(f->lanes, active, f->en->words);
	return true;
}

static bool step(struct nfart_filter *f, size_t from, size_t n, size_t *done)
{
	uint64_t *active;
	uint32_t *counts;
	bool lanes = f->lanes != NULL, ok = true;

	*done = n - from < f->steps ? n : from + (size_t)f->steps;
	if (!lanes && filter_has_lanes(f)) {
		f->lanes = lanes_new(f->en->im, &ok);
		lanes = ok;
	}
	if (!ok || !engine_copy(f->en, 0, &active, &counts))
		return false;
	if (lanes) {
		find_symbols(f, from, *done);
		lanes = few_unmet(f, from, *done);
	}
	if (!(lanes ? step_lanes(f, from, *done, active) :
		      step_engine(f, from, *done, active, counts)))
		return false;
	f->steps -= *done - from;
	return f->steps != 0 || take_back(f);
}

/* Empties the tables around the row the walk stands on. False: out of memory. */
static bool make_room(struct nfart_filter *f, bool symbols)
{
	uint64_t *set = f->fast->scratch;

	memcpy(set, fast_set(f->fast, f->row), f->en->words * 8);
	fast_flush(f->fast, symbols);
	f->row = fast_state(f->fast, set);
	return f->row != 0;
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
	if (t->next[f->row + symbol] == 0)
		return fast_make(t, f->row, (uint32_t)symbol) != 0;
	return fast_room(t); /* what its counters lead to has none */
}

static bool worth(struct nfart_filter *f)
{
	if (++f->made < f->look)
		return true;
	if (f->walked < f->look * f->worth)
		return false;
	f->pause = f->made = f->walked = 0;
	return true;
}

bool filter_walk(struct nfart_filter *f, size_t from, size_t n, size_t *done)
{
	size_t i = from;

	if (f->stepping)
		return step(f, from, n, done);
	for (;;) {
		size_t before = i;
		if (f->en->im->ncounters != 0 && !filter_count(f, i, n, &i))
			return false;
		if (f->en->im->ncounters == 0)
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
		if (!make_room(f, fast_full(f->fast)))
			return false;
	}
}
