/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * One copy of the automaton over the keys of a part.
 *
 * Note [when tables don't pay]
 * A table that is full is emptied. A stream that keeps needing new entries costs far more in making
 * them than in stepping, so every FILTER_LOOK entries made the batches they served are counted: fewer than
 * WORTH for each entry, and the next batches are stepped, twice as many at each such failure in a row.
 */
#include <string.h>

#include "runtime/filter.h"

enum { WORTH = 16 };
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
	f->steps = f->pause = f->pause == 0 ? f->look * WORTH :
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

static bool step(struct nfart_filter *f, size_t from, size_t n, size_t *done)
{
	uint64_t *active;
	uint32_t *counts;

	if (!engine_copy(f->en, 0, &active, &counts))
		return false;
	for (*done = from; *done < n && f->steps != 0; ++*done, f->steps--) {
		uint32_t flags = 0;
		if (f->key[*done] != 0) {
			fast_step(f->fast, f->key[*done], active);
			flags = fast_flags(f->fast, active);
		}
		f->entry[*done] = flags;
		if ((flags & FAST_ACCEPTED) != 0 && !filter_hit(f, *done, 0, active))
			return false;
	}
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
	good = f->walked >= f->look * WORTH;
	if (good)
		f->pause = 0;
	f->made = f->walked = 0;
	return good;
}

/* Follows entries that are there. The next batch to look at. */
static size_t follow(struct nfart_filter *f, size_t i, size_t n)
{
	const struct fast *t = f->fast;
	uint32_t row = f->row;

	for (; i < n; i++) {
		int64_t symbol = fast_find(t, f->key[i]);
		uint32_t entry;
		if (symbol == FAST_NO_SYMBOL)
			break;
		entry = t->next[row + symbol];
		if (entry == 0)
			break;
		f->entry[i] = entry;
		row = entry & FAST_ROW;
	}
	f->row = row;
	return i;
}

bool filter_walk(struct nfart_filter *f, size_t from, size_t n, size_t *done)
{
	size_t i = from;

	if (f->stepping)
		return step(f, from, n, done);
	for (;;) {
		size_t before = i;
		i = follow(f, i, n);
		f->walked += i - before;
		*done = i;
		if (i == n)
			return true;
		if (!worth(f))
			return i == from ? hand_over(f) && filter_walk(f, from, n, done) : hand_over(f);
		if (make(f, f->key[i]))
			continue;
		if (i != from) /* the entries so far are looked at before they are forgotten */
			return true;
		make_room(f, f->fast->nsymbols == f->fast->stride);
	}
}
