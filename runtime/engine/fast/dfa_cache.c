/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Makes, finds and forgets the states of the cache, their sets, and the entries of its table
 * (dfa_cache.h). This is one file, although a long one, because these three belong together.
 */
#include "runtime/engine/fast/dfa_cache.h"

#include <stdlib.h>
#include <string.h>

/* How many words of the allocated memory come before row 0. A look-up with NO_SYMBOL in row 0 finds
 * the last of them, which is 0. The others only keep the rows aligned like the memory. */
enum { TABLE_PAD = 16 };

/* How many states, and how many entries, there is room for at first. The entries are enough for the
 * rows of at least two states, whatever the stride. */
enum { MOST_NUMBERED = 256 }; /* as many classes as bytes can have */
enum { FIRST_STATES = 16, FIRST_ROOM = 4 * SYMBOLS_MOST };

/* ---- sets ----
 *
 * A packed set has one of two forms. It is en->words words of bits, or it is fewer words that list
 * its states, two in each word:
 *
 *   states 3, 70, 9001 of 10,000:   | 3, 70 | 9001, NO_STATE | */

#define NO_STATE UINT32_MAX /* fills the last word if the number of states is odd */

/* Packs a set. Returns the packed set and its number of words in *n. What is returned is `set`
 * itself or d->states.packed. */
static const uint64_t *pack_set(struct dfa_cache *d, const uint64_t *set, size_t *n)
{
	uint64_t *packed = d->states.packed;
	size_t words = d->en->words, count = 0;

	for (size_t w = 0; w < words && count < 2 * words; w++)
		count += (size_t)__builtin_popcountll(set[w]);
	*n = (count + 1) / 2 < words ? (count + 1) / 2 : words;
	if (*n == words)
		return set;
	count = 0;
	for (size_t w = 0; w < words; w++)
		for (uint64_t m = set[w]; m != 0; m &= m - 1, count++) {
			uint64_t s = w * 64 + (uint64_t)__builtin_ctzll(m),
				 *to = &packed[count / 2];
			*to = count % 2 == 0 ? s | (uint64_t)NO_STATE << 32 :
					       (*to & UINT32_MAX) | s << 32;
		}
	return packed;
}

/* A packed set that is looked for. */
struct wanted_set {
	const uint64_t *at;
	size_t n;
};

static uint64_t hash_set(const uint64_t *set, size_t n)
{
	uint64_t h = 0;

	for (size_t w = 0; w < n; w++)
		h = (h ^ set[w]) * 0x9e3779b97f4a7c15u ^ h >> 29;
	return h ^ h >> 32;
}

static uint64_t hash_of_state(const void *states, uint32_t i)
{
	const struct dfa_states *s = states;

	return hash_set(s->sets + s->set_at[i], s->set_at[i + 1] - s->set_at[i]);
}

static bool same_set(const void *states, uint32_t i, const void *key)
{
	const struct dfa_states *s = states;
	const struct wanted_set *set = key;

	return s->set_at[i + 1] - s->set_at[i] == set->n &&
	       memcmp(s->sets + s->set_at[i], set->at, set->n * 8) == 0;
}

/* Returns the place of the packed set of n words in the hash table, or the free one where the set
 * belongs. */
static size_t find_set(const struct dfa_states *s, const uint64_t *set, size_t n)
{
	struct wanted_set key = { set, n };

	return hash_find(&s->hash, hash_set(set, n), same_set, s, &key);
}

/* Enters all states in the hash table, which must be empty. */
static void add_hashes(struct dfa_states *s)
{
	for (uint32_t i = 1; i < s->n; i++)
		hash_put(&s->hash, find_set(s, s->sets + s->set_at[i], s->set_at[i + 1] - s->set_at[i]),
			 i);
}

/* ---- making room ----
 *
 * If one of these functions fails, it leaves everything as it was. */

/* Makes the table twice as large, or makes the first. False: out of memory. */
static bool grow_table(struct dfa_cache *d)
{
	uint32_t room = d->room == 0 ? FIRST_ROOM : 2 * d->room;
	uint32_t *table = realloc(d->memory, (TABLE_PAD + room) * sizeof *table);

	if (table == NULL)
		return false;
	if (d->memory == NULL)
		memset(table, 0, TABLE_PAD * sizeof *table);
	d->memory = table;
	d->next = table + TABLE_PAD;
	memset(d->next + d->room, 0, (room - d->room) * sizeof *table);
	d->room = room;
	return true;
}

/* Makes room for twice as many states, or for the first. False: out of memory. */
static bool grow_states(struct dfa_cache *d)
{
	struct dfa_states *s = &d->states;
	uint32_t cap = s->cap == 0 ? FIRST_STATES : s->cap * 2;
	uint32_t *flags, *set_at;

	if (d->en->im->nfa.ncounters != 0) {
		struct dfa_touch *touch = realloc(d->counters.touch, cap * sizeof *touch);
		if (touch == NULL)
			return false;
		d->counters.touch = touch;
	}
	set_at = realloc(s->set_at, ((size_t)cap + 1) * sizeof *set_at);
	if (set_at != NULL)
		s->set_at = set_at;
	flags = set_at != NULL ? realloc(s->flags, cap * sizeof *flags) : NULL;
	if (flags == NULL)
		return false;
	s->flags = flags;
	s->cap = cap;
	s->set_at[0] = s->set_at[1] = 0; /* there is no state 0 */
	return true;
}

/* Makes room for n more words in the array of sets. False: so many are not allowed, or out of
 * memory. */
static bool grow_sets(struct dfa_states *s, size_t n)
{
	size_t used = s->set_at[s->n], cap = s->sets_cap;
	uint64_t *sets;

	/* One word more than needed is kept, so that an empty list has an address, too. */
	if (used + n < cap)
		return true;
	if (used + n >= DFA_SET_BYTES / 8)
		return false;
	while (cap <= used + n)
		cap = cap == 0 ? 64 : 2 * cap;
	sets = realloc(s->sets, cap * 8);
	if (sets == NULL)
		return false;
	s->sets = sets;
	s->sets_cap = (uint32_t)cap;
	return true;
}

/* Makes room for the row of state i and for n words of its set. False: more is not allowed, or out
 * of memory. */
static bool make_room(struct dfa_cache *d, uint32_t i, size_t n)
{
	size_t end = (i + (size_t)1) * d->stride;

	if (end > d->most_entries)
		return false;
	while (end > d->room)
		if (!grow_table(d))
			return false;
	return grow_sets(&d->states, n);
}

/* ---- making and freeing a cache ---- */

static bool dfa_cache_allocate(struct dfa_cache *d)
{
	size_t words = d->en->words;

	d->stride = 16;
	d->most_entries = DFA_ENTRIES;
	d->states.most = DFA_STATES;
	d->states.n = 1;
	d->scratch = calloc(words, 8);
	d->states.packed = calloc(words, 8);
	d->states.unpacked = calloc(words, 8);
	d->counters.latches = calloc(words, 8);
	return d->scratch != NULL && d->states.packed != NULL && d->states.unpacked != NULL &&
	       d->counters.latches != NULL && grow_table(d) && grow_states(d);
}

/* With a single slot all classes (Note [keys]) are known in advance. So all their keys get symbols
 * now, unless the image has very many letters, and d->symbols.of_byte gets the symbol of each
 * opcode. */
static void number_classes(struct dfa_cache *d)
{
	uint32_t n = d->keys.nclasses;

	while (d->stride <= n + 1)
		d->stride *= 2;
	for (uint32_t k = 0; k < n; k++)
		dfa_add_symbol(d, (uint64_t)k << KEY_FIRST_SET | 1);
	for (uint32_t op = 0; op < 1u << d->keys.op.bits && n != 0; op++)
		d->symbols.of_byte[op] = (uint16_t)((d->keys.of_code[op] >> KEY_FIRST_SET) + 1);
}

struct dfa_cache *dfa_new(struct nfart_engine *en, enum nfart_simd level, bool *ok)
{
	struct dfa_cache *d;

	/* Where there is room for fewer than 16 sets, a cache is of no use. */
	*ok = true;
	if (en->im->nfa.ncounters > DFA_MOST_COUNTERS || en->words > DFA_SET_BYTES / 8 / 16)
		return NULL;
	d = calloc(1, sizeof *d);
	*ok = d != NULL;
	if (d == NULL)
		return NULL;
	d->en = en;
	symbols_forget(&d->symbols);
	if (key_table_init(&d->keys, en, level, ok))
		*ok = dfa_cache_allocate(d);
	if (!*ok || d->next == NULL) {
		dfa_free(d);
		return NULL;
	}
	dfa_counters_prepare(d);
	if (d->keys.single && !en->map.any && d->keys.nclasses <= MOST_NUMBERED)
		number_classes(d);
	return d;
}

void dfa_free(struct dfa_cache *d)
{
	if (d == NULL)
		return;
	key_table_free(&d->keys);
	free(d->memory);
	free(d->scratch);
	free(d->states.sets);
	free(d->states.set_at);
	free(d->states.flags);
	hash_free(&d->states.hash);
	free(d->states.packed);
	free(d->states.unpacked);
	free(d->counters.latches);
	free(d->counters.touch);
	free(d);
}

/* ---- forgetting states and entries ---- */

/* Forgets all entries, and empties the hash table of sets. */
static void clear_table(struct dfa_cache *d)
{
	d->emptied++;
	memset(d->next, 0, (size_t)d->states.n * d->stride * sizeof *d->next);
	hash_clear(&d->states.hash);
}

/* Doubles the length of rows if there is no room for another symbol and the rows may be longer.
 * Returns whether it did. The table must be empty. */
static bool widen(struct dfa_cache *d)
{
	bool wider = dfa_symbols_full(d) && d->stride < SYMBOLS_MOST;

	if (wider)
		d->stride *= 2;
	return wider;
}

void dfa_flush(struct dfa_cache *d, bool symbols)
{
	clear_table(d);
	d->states.n = 1;
	if (!widen(d) && symbols)
		symbols_forget(&d->symbols);
}

/* Renumbers state `from`: it becomes state `to`, a number that is the same or lower. */
static void move_state(struct dfa_cache *d, uint32_t from, uint32_t to)
{
	struct dfa_states *s = &d->states;
	uint32_t at = s->set_at[from], n = s->set_at[from + 1] - at;

	memmove(s->sets + s->set_at[to], s->sets + at, n * sizeof *s->sets);
	s->set_at[to + 1] = s->set_at[to] + n;
	s->flags[to] = s->flags[from];
	if (d->counters.touch != NULL) {
		d->counters.touch[to] = d->counters.touch[from];
		d->counters.touch[to].row = 0;
	}
}

bool dfa_keep(struct dfa_cache *d, uint32_t *keep)
{
	uint32_t kept = 1;

	clear_table(d);
	for (uint32_t i = 1; i < d->states.n; i++) {
		if (keep[i] == 0)
			continue;
		move_state(d, i, kept);
		keep[i] = kept++;
	}
	widen(d);
	for (uint32_t i = 1; i < d->states.n; i++)
		keep[i] *= d->stride;
	d->states.n = kept;
	if (!make_room(d, kept - 1, 0)) {
		d->states.n = 1;
		return false;
	}
	add_hashes(&d->states);
	for (uint32_t i = 1; i < kept; i++)
		d->next[(size_t)i * d->stride] = i * d->stride;
	return true;
}

/* ---- symbols, states, entries ---- */

bool dfa_add_symbol(struct dfa_cache *d, uint64_t key)
{
	if (dfa_symbols_full(d))
		return false;
	symbol_add(&d->symbols, key);
	return true;
}

void dfa_step(struct dfa_cache *d, uint64_t key, uint64_t *active, uint32_t *counts)
{
	key_truth(&d->keys, key);
	engine_advance(d->en, active);
	engine_count(d->en, active, counts);
}

uint32_t dfa_flags(const struct dfa_cache *d, const uint64_t *set)
{
	const struct nfart_image *im = d->en->im;
	uint32_t flags = 0;

	for (size_t w = 0; w < d->en->words; w++)
		for (uint64_t m = set[w] & d->en->table.output[w]; m != 0; m &= m - 1) {
			const struct image_state *q =
				&im->nfa.states[w * 64 + (size_t)__builtin_ctzll(m)];
			if ((q->flags & STATE_LOG) != 0)
				flags |= DFA_LOGGED;
			if (im->nfa.labelsets[q->labelset].n != 0)
				flags |= DFA_ACCEPTED;
		}
	return flags;
}

const uint64_t *dfa_set(const struct dfa_cache *d, uint32_t entry)
{
	const struct dfa_states *s = &d->states;
	uint32_t i = (entry & DFA_ROW) / d->stride;
	const uint64_t *at = s->sets + s->set_at[i], *end = s->sets + s->set_at[i + 1];

	if ((size_t)(end - at) == d->en->words)
		return at;
	memset(s->unpacked, 0, d->en->words * 8);
	for (; at < end; at++) {
		bits_set(s->unpacked, (uint32_t)*at);
		if (*at >> 32 != NO_STATE)
			bits_set(s->unpacked, *at >> 32);
	}
	return s->unpacked;
}

uint32_t dfa_row(struct dfa_cache *d, const uint64_t *set)
{
	struct dfa_states *s = &d->states;
	size_t n;
	const uint64_t *packed = pack_set(d, set, &n);
	uint32_t i = s->n;
	size_t place;

	if (!hash_room(&s->hash, hash_of_state, s))
		return 0;
	place = find_set(s, packed, n);
	if (hash_id(&s->hash, place) != HASH_NONE)
		return hash_id(&s->hash, place) * d->stride;
	if (i == s->most || !make_room(d, i, n) || (i == s->cap && !grow_states(d)))
		return 0;
	memcpy(s->sets + s->set_at[i], packed, n * 8);
	s->set_at[i + 1] = s->set_at[i] + (uint32_t)n;
	s->flags[i] = dfa_flags(d, set);
	if (d->counters.touch != NULL) {
		struct dfa_touch t = dfa_touches(d, set);
		s->flags[i] |= (t.count | t.reset) != 0 ? DFA_COUNT : 0;
		d->counters.touch[i] = t;
	}
	hash_put(&s->hash, place, i);
	d->next[(size_t)i * d->stride] = i * d->stride;
	s->n++;
	return i * d->stride;
}

uint32_t dfa_make_entry(struct dfa_cache *d, uint32_t row, uint32_t symbol)
{
	uint32_t to;

	memcpy(d->scratch, dfa_set(d, row), d->en->words * 8);
	key_truth(&d->keys, d->symbols.key_of[symbol]);
	engine_advance(d->en, d->scratch);
	if (d->counters.touch != NULL)
		dfa_keep_latches(d, row);
	to = dfa_row(d, d->scratch);
	if (to == 0)
		return 0;
	d->next[row + symbol] = to | d->states.flags[to / d->stride];
	d->made++;
	return d->next[row + symbol];
}
