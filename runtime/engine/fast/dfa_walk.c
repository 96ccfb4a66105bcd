/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Runs one copy of the automaton over the batches of a block: by the cache, as long as that pays.
 *
 * Note [when the cache pays]
 * If a stream keeps needing new entries, making them takes far longer than stepping would. So the
 * cache is looked at after every `look` new entries. If the entries served fewer than `worth`
 * batches each, on average, the next `pause` batches are stepped without the cache. Each such
 * failure in a row doubles the pause, unless there is hope that the table pays once it is larger.
 * There is hope if the entries served more batches than at the failure before, by a 64th of them or
 * more. Automata of more than BP_VECTOR_STATES states also have hope if the cache was not emptied
 * since that failure, and each entry served more than one and a half batches.
 *
 * Steps are bit-parallel (bit_parallel.h, Note [bit-parallel steps]). The engine steps instead
 * where the automaton has too many states or counters for that, and where a block has so many new
 * symbols that preparing them would cost more than it saves.
 */
#include <string.h>

#include "runtime/engine/filter.h"

enum { FEW_UNPREPARED = 32 };

#define MOST_PAUSE ((uint64_t)1 << 32)

bool filter_add_hit(struct nfart_filter *f, size_t i, uint64_t line, const uint64_t *set)
{
	struct filter_hit h = { (uint32_t)i, line, f->said.sets.n };
	size_t words = f->en->words;

	if (!vec_reserve(&f->said.sets, words))
		return false;
	memcpy(f->said.sets.at + f->said.sets.n, set, words * 8);
	f->said.sets.n += words;
	return vec_push(&f->said.hits, h);
}

static bool getting_better(const struct nfart_filter *f)
{
	return f->pace.walked > f->pace.before + f->pace.before / 64 ||
	       (f->en->im->nfa.nstates > BP_VECTOR_STATES &&
		f->pace.walked > f->pace.look + f->pace.look / 2 &&
		f->pace.emptied == f->dfa->emptied);
}

/* Begins a pause: from now on the states are stepped. They are written to the engine's copy, and
 * the length of the pause is set. */
static bool hand_over(struct nfart_filter *f)
{
	uint64_t *active;
	uint32_t *counts;

	if (!engine_copy(f->en, 0, &active, &counts))
		return false;
	memcpy(active, dfa_set(f->dfa, f->at.row), f->en->words * 8);
	f->at.stepping = true;
	if (f->pace.pause == 0)
		f->pace.pause = f->pace.look * f->pace.worth;
	else if (f->pace.pause < MOST_PAUSE && !getting_better(f))
		f->pace.pause *= 2;
	f->pace.before = f->pace.walked;
	f->pace.emptied = f->dfa->emptied;
	f->pace.steps = f->pace.pause;
	f->pace.made = f->pace.walked = 0;
	return true;
}

static bool take_back(struct nfart_filter *f)
{
	f->at.stepping = false;
	return filter_enter(f);
}

/* Returns the key of batch i of the block. */
static inline uint64_t key_of(const struct nfart_filter *f, size_t i)
{
	return f->in.block.form == BLOCK_BYTES ? f->dfa->keys.of_code[f->in.block.at[i]] :
						 f->in.block.key[i];
}

/* Gives the batches [from, n) their entries. The engine steps them one after the other. */
static bool step_engine(struct nfart_filter *f, size_t from, size_t n, uint64_t *active,
			uint32_t *counts)
{
	for (size_t i = from; i < n; i++) {
		uint64_t key = key_of(f, i);
		f->said.entry[i] = 0;
		if (key != 0) {
			dfa_step(f->dfa, key, active, counts);
			f->said.entry[i] = dfa_flags(f->dfa, active);
			f->said.any |= f->said.entry[i];
		}
		if ((f->said.entry[i] & DFA_ACCEPTED) != 0 && !filter_add_hit(f, i, 0, active))
			return false;
	}
	return true;
}

/* Finds the symbols of the batches [from, n) of the block. A block of bytes needs this only if the
 * state of the automaton takes more than one vector: with one vector, bp_run() looks the symbol of
 * each byte up itself. */
static void find_symbols(struct nfart_filter *f, size_t from, size_t n)
{
	struct dfa_cache *t = f->dfa;

	for (size_t i = from; i < n && f->in.block.form == BLOCK_BYTES && f->bits->nvectors != 1;
	     i++)
		f->said.symbol[i] = t->symbols.of_byte[f->in.block.at[i]];
	for (size_t i = from; i < n && f->in.block.form != BLOCK_BYTES; i++) {
		int64_t symbol = symbol_find(&t->symbols, f->in.block.key[i]);
		if (symbol == NO_SYMBOL && !dfa_add_symbol(t, f->in.block.key[i])) {
			dfa_flush(t, true);
			i = from - 1; /* start again: symbols may have new numbers now */
			continue;
		}
		f->said.symbol[i] = (uint16_t)(symbol == NO_SYMBOL ? t->symbols.n - 1 : symbol);
	}
}

/* Do so few symbols of the batches [from, n) still need prepared sets (Note [bit-parallel steps])
 * that it pays to prepare these? */
static bool few_unprepared(struct nfart_filter *f, size_t from, size_t n)
{
	return f->bits->nvectors == 1 ||
	       bp_all_prepared(f->bits, f->dfa, f->said.symbol + from, n - from) ||
	       bp_count_unprepared(f->bits, f->said.symbol + from, n - from) <=
		       FEW_UNPREPARED + (n - from) / 16;
}

/* Gives the batches [from, n), whose symbols were found, their entries by bit-parallel steps. */
static bool step_parallel(struct nfart_filter *f, size_t from, size_t n, uint64_t *active)
{
	struct bp_input in = { f->said.symbol, f->dfa->symbols.of_byte,
			       f->in.block.form == BLOCK_BYTES ? f->in.block.at : NULL };

	bp_load(f->bits, active);
	memset(f->said.entry + from, 0, (n - from) * sizeof *f->said.entry);
	for (size_t i = from; i < n;) {
		size_t prepared = i + bp_prepare(f->bits, f->dfa, f->said.symbol + i, n - i);
		if (prepared == i)
			return false;
		while (i < prepared) {
			uint32_t flags;
			i = bp_run(f->bits, f->dfa->keys.level, &in, i, prepared, &flags);
			f->said.entry[i - 1] = flags;
			f->said.any |= flags;
			if ((flags & DFA_ACCEPTED) == 0)
				continue;
			bp_store(f->bits, active, f->en->words);
			if (!filter_add_hit(f, i - 1, 0, active))
				return false;
		}
	}
	bp_store(f->bits, active, f->en->words);
	return true;
}

static bool dfa_walk_step(struct nfart_filter *f, size_t from, size_t n, size_t *done)
{
	uint64_t *active;
	uint32_t *counts;
	bool parallel = f->bits != NULL, ok = true;

	*done = n - from < f->pace.steps ? n : from + (size_t)f->pace.steps;
	if (!parallel && filter_fits_bit_parallel(f)) {
		f->bits = bp_new(f->en->im, &ok);
		parallel = ok;
	}
	if (!ok || !engine_copy(f->en, 0, &active, &counts))
		return false;
	if (parallel) {
		find_symbols(f, from, *done);
		parallel = few_unprepared(f, from, *done);
	}
	if (!(parallel ? step_parallel(f, from, *done, active) :
			 step_engine(f, from, *done, active, counts)))
		return false;
	f->pace.steps -= *done - from;
	return f->pace.steps != 0 || take_back(f);
}

/* Empties the cache, and makes the state that the walk is in its only state. False: out of
 * memory. */
static bool make_room(struct nfart_filter *f, bool symbols)
{
	uint64_t *set = f->dfa->scratch;

	memcpy(set, dfa_set(f->dfa, f->at.row), f->en->words * 8);
	dfa_flush(f->dfa, symbols);
	f->at.row = dfa_row(f->dfa, set);
	return f->at.row != 0;
}

/* Makes the entry of the current row for a key, if it is missing. False: there is no room. */
static bool dfa_walk_make(struct nfart_filter *f, uint64_t key)
{
	struct dfa_cache *t = f->dfa;
	int64_t symbol = symbol_find(&t->symbols, key);

	if (symbol == NO_SYMBOL) {
		if (!dfa_add_symbol(t, key))
			return false;
		symbol = symbol_find(&t->symbols, key);
	}
	if (t->next[f->at.row + symbol] == 0)
		return dfa_make_entry(t, f->at.row, (uint32_t)symbol) != 0;
	/* The entry exists. The walk stopped at it because its counters must count, which may need
	 * room for a new state. */
	return dfa_has_room(t);
}

/* Does the cache pay? The caller must ask before it makes an entry, once for each, because this
 * function counts the entries. */
static bool pays(struct nfart_filter *f)
{
	if (++f->pace.made < f->pace.look)
		return true;
	if (f->pace.walked < f->pace.look * f->pace.worth)
		return false;
	f->pace.pause = f->pace.made = f->pace.walked = 0;
	return true;
}

bool dfa_walk(struct nfart_filter *f, size_t from, size_t n, size_t *done)
{
	size_t i = from;

	if (f->at.stepping)
		return dfa_walk_step(f, from, n, done);
	for (;;) {
		size_t before = i;
		if (f->en->im->nfa.ncounters != 0 && !dfa_walk_counting(f, i, n, &i))
			return false;
		if (f->en->im->nfa.ncounters == 0)
			i = dfa_speculate(f, i, n);
		f->pace.walked += i - before;
		*done = i;
		if (i == n)
			return true;
		if (!pays(f))
			return i == from ? hand_over(f) && dfa_walk(f, from, n, done) :
					   hand_over(f);
		if (dfa_walk_make(f, key_of(f, i)))
			continue;
		/* Making room forgets rows. So the caller must first use the entries that this call
		 * gave to the batches before i, because they name such rows. */
		if (i != from)
			return true;
		if (!make_room(f, dfa_symbols_full(f->dfa)))
			return false;
	}
}
