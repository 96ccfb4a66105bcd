/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The table of dfa_cache.h: its keys, its symbols, its states and its entries, which all have to be forgotten
 * together; so they are in one file, which is long for that.
 */
#include "runtime/engine/fast/dfa_cache.h"

#include <stdlib.h>
#include <string.h>

/* ---- keys ---- */

static bool same_codes(const struct image_list *a, const struct image_list *b)
{
	return a->n == b->n && (a->n == 0 || memcmp(a->at, b->at, a->n * sizeof *a->at) == 0);
}

/* Numbers the distinct sets of codes. False: there are too many. */
static bool number_sets(struct fast *f)
{
	const struct nfart_image *im = f->en->im;
	uint32_t first[FAST_BITS], n = 0;

	for (uint32_t p = 0; p < im->npreds; p++) {
		uint32_t k = 0;
		while (k < n && !same_codes(&im->preds[p].codes, &im->preds[first[k]].codes))
			k++;
		if (k == FAST_BITS)
			return false;
		if (k == n)
			first[n++] = p;
		f->bit_of[p] = k + FAST_FIRST_BIT;
	}
	return true;
}

static uint64_t code_key(const struct fast *f, uint32_t code)
{
	const uint64_t *row = f->en->rows + code * f->en->pwords;
	uint32_t npreds = f->en->im->npreds;
	uint64_t key = 1;

	for (size_t p = bits_next(row, npreds, 0); p < npreds; p = bits_next(row, npreds, p + 1))
		key |= (uint64_t)1 << f->bit_of[p];
	return key;
}

/* The class of a code of the only slot: the first code that is in the same predicates. */
static uint64_t class_key(struct fast *f, uint32_t code, uint32_t *n)
{
	const struct nfart_engine *en = f->en;
	uint32_t k = 0;

	while (k < *n && memcmp(en->rows + f->class_code[k] * en->pwords,
				en->rows + code * en->pwords, en->pwords * 8) != 0)
		k++;
	if (k == *n)
		f->class_code[(*n)++] = code;
	return (uint64_t)k << FAST_FIRST_BIT | 1;
}

/* With substreams, a message without an address is not looked at. */
static bool invisible(const struct fast *f, uint32_t code)
{
	return f->en->by_line && !bits_get(f->en->im->proto->has_addr, code);
}

static void fill_keys(struct fast *f)
{
	const struct nfart_proto *p = f->en->im->proto;
	uint32_t ops = 1u << p->op_bits, classes = 0;

	f->op_lsb = p->op_lsb;
	f->op_bits = p->op_bits;
	f->op_mask = (uint64_t)(ops - 1) << p->op_lsb;
	f->idle = (uint64_t)(uint32_t)p->idle << p->op_lsb;
	for (uint32_t code = 0; code < p->ncodes; code++) {
		uint64_t key = !bits_get(p->valid, code) ? FAST_IDLE :
			       invisible(f, code) ? 1 :
			       f->single	  ? class_key(f, code, &classes) :
						    code_key(f, code);
		if (f->en->by_line && key != FAST_IDLE && !invisible(f, code))
			key |= FAST_SEEN;
		f->keys[code] = key;
	}
}

/* No OR of keys is above this. */
static uint64_t largest_key(const struct fast *f)
{
	uint64_t all = 0;

	for (uint32_t code = 0; code < f->en->im->proto->ncodes; code++)
		all |= f->keys[code] & ~FAST_IDLE;
	return all;
}

/* ---- making ---- */

/* All but symbol 0. */
static void forget_symbols(struct fast *f)
{
	memset(f->symbols, 0, sizeof f->symbols);
	for (size_t i = 0; i < FAST_DIRECT; i++)
		f->direct[i] = i == 0 ? 0 : FAST_NO_SYMBOL;
	f->nsymbols = 1;
}

/* Entries in front of row 0, for FAST_NO_SYMBOL: one, and some that keep rows in their cache lines. */
enum { TABLE_PAD = 16 };

/* Room at first: for two states at least, whatever the stride. */
enum { FIRST_STATES = 16, FIRST_ROOM = 4 * FAST_SYMBOLS };

/* Behind the last state of a list, where their number is odd. */
#define NO_STATE UINT32_MAX

/* A set as it is kept, of *n words: fewer than en->words where it is the list of its states, two a word. */
static const uint64_t *pack_set(struct fast *f, const uint64_t *set, size_t *n)
{
	size_t words = f->en->words, count = 0;

	for (size_t w = 0; w < words && count < 2 * words; w++)
		count += (size_t)__builtin_popcountll(set[w]);
	*n = (count + 1) / 2 < words ? (count + 1) / 2 : words;
	if (*n == words)
		return set;
	count = 0;
	for (size_t w = 0; w < words; w++)
		for (uint64_t m = set[w]; m != 0; m &= m - 1, count++) {
			uint64_t s = w * 64 + (uint64_t)__builtin_ctzll(m), *to = &f->packed[count / 2];
			*to = count % 2 == 0 ? s | (uint64_t)NO_STATE << 32 : (*to & UINT32_MAX) | s << 32;
		}
	return f->packed;
}

static bool same_set(const struct fast *f, uint32_t s, const uint64_t *set, size_t n)
{
	return f->set_at[s + 1] - f->set_at[s] == n && memcmp(f->sets + f->set_at[s], set, n * 8) == 0;
}

/* Where the packed set stands in the hash table, or should. */
static uint32_t find_set(const struct fast *f, const uint64_t *set, size_t n)
{
	uint64_t h = 0;
	uint32_t i;

	for (size_t w = 0; w < n; w++)
		h = (h ^ set[w]) * 0x9e3779b97f4a7c15u ^ h >> 29;
	i = (uint32_t)(h ^ h >> 32) & (f->nhash - 1);
	while (f->hash[i] != 0 && !same_set(f, f->hash[i], set, n))
		i = (i + 1) & (f->nhash - 1);
	return i;
}

/* Makes the table twice as large. False: out of memory; it is then as it was. */
static bool grow_table(struct fast *f)
{
	uint32_t room = f->room == 0 ? FIRST_ROOM : 2 * f->room;
	uint32_t *table = realloc(f->table, (TABLE_PAD + room) * sizeof *table);

	if (table == NULL)
		return false;
	if (f->table == NULL)
		memset(table, 0, TABLE_PAD * sizeof *table);
	f->table = table;
	f->next = table + TABLE_PAD;
	memset(f->next + f->room, 0, (room - f->room) * sizeof *table);
	f->room = room;
	return true;
}

/* Enters all states in the hash table, which is empty. */
static void add_hashes(struct fast *f)
{
	for (uint32_t s = 1; s < f->nstates; s++)
		f->hash[find_set(f, f->sets + f->set_at[s], f->set_at[s + 1] - f->set_at[s])] = s;
}

/* Makes room for twice as many states, likewise. */
static bool grow_states(struct fast *f)
{
	uint32_t cap = f->cap == 0 ? FIRST_STATES : f->cap * 2, nhash = 2 * cap;
	uint32_t *flags, *set_at, *hash;

	if (f->en->im->ncounters != 0) {
		struct fast_touch *touch = realloc(f->touch, cap * sizeof *touch);
		if (touch == NULL)
			return false;
		f->touch = touch;
	}
	hash = calloc(nhash, sizeof *hash);
	if (hash == NULL)
		return false;
	set_at = realloc(f->set_at, ((size_t)cap + 1) * sizeof *set_at);
	if (set_at != NULL)
		f->set_at = set_at;
	flags = set_at != NULL ? realloc(f->flags, cap * sizeof *flags) : NULL;
	if (flags == NULL) {
		free(hash);
		return false;
	}
	f->flags = flags;
	free(f->hash);
	f->hash = hash;
	f->nhash = nhash;
	f->cap = cap;
	f->set_at[0] = f->set_at[1] = 0; /* row 0 is nobody's */
	add_hashes(f);
	return true;
}

/* Makes room for n more words of sets, likewise. */
static bool grow_sets(struct fast *f, size_t n)
{
	size_t used = f->set_at[f->nstates], cap = f->sets_cap;
	uint64_t *sets;

	if (used + n < cap) /* one more than is needed: the list of no states has a place, too */
		return true;
	if (used + n >= FAST_SET_BYTES / 8)
		return false;
	while (cap <= used + n)
		cap = cap == 0 ? 64 : 2 * cap;
	sets = realloc(f->sets, cap * 8);
	if (sets == NULL)
		return false;
	f->sets = sets;
	f->sets_cap = (uint32_t)cap;
	return true;
}

/* Makes room for the row of state s and n words of its set. False: there is none. */
static bool make_room(struct fast *f, uint32_t s, size_t n)
{
	size_t end = (s + (size_t)1) * f->stride;

	if (end > f->entries)
		return false;
	while (end > f->room)
		if (!grow_table(f))
			return false;
	return grow_sets(f, n);
}

static bool allocate(struct fast *f)
{
	const struct nfart_proto *p = f->en->im->proto;
	size_t words = f->en->words, npreds = f->en->im->npreds;

	f->stride = 16;
	f->entries = FAST_ENTRIES;
	f->most = FAST_STATES;
	f->nstates = 1;
	forget_symbols(f);
	f->bit_of = calloc(npreds + 1, sizeof *f->bit_of);
	f->class_code = calloc(256, sizeof *f->class_code);
	f->keys = calloc(((size_t)p->nslots + 1) << p->op_bits, sizeof *f->keys);
	f->slot_keys = calloc((size_t)p->nslots + 1, sizeof *f->slot_keys);
	for (uint32_t s = 0; s <= p->nslots && f->keys != NULL && f->slot_keys != NULL; s++)
		f->slot_keys[s] = f->keys + ((size_t)s << p->op_bits);
	f->scratch = calloc(words, 8);
	f->packed = calloc(words, 8);
	f->bits = calloc(words, 8);
	f->latches = calloc(words, 8);
	return f->bit_of != NULL && f->class_code != NULL && f->keys != NULL &&
	       f->slot_keys != NULL && f->scratch != NULL && f->packed != NULL && f->bits != NULL &&
	       f->latches != NULL &&
	       grow_table(f) && grow_states(f);
}

/* Where a key is a class all are known: they get their symbols at once, and opcodes theirs. */
static void number_classes(struct fast *f)
{
	uint32_t ops = 1u << f->en->im->proto->op_bits, n = 0;

	for (uint32_t op = 0; op < ops; op++) {
		uint64_t key = f->keys[op];
		if (key != FAST_IDLE && key >> FAST_FIRST_BIT >= n)
			n = (uint32_t)(key >> FAST_FIRST_BIT) + 1;
	}
	while (f->stride <= n + 1)
		f->stride *= 2;
	for (uint32_t k = 0; k < n; k++)
		fast_add(f, (uint64_t)k << FAST_FIRST_BIT | 1);
	for (uint32_t op = 0; op < ops && n != 0; op++)
		f->symbol_of[op] = (uint16_t)((f->keys[op] >> FAST_FIRST_BIT) + 1);
}

struct fast *fast_new(struct nfart_engine *en, enum nfart_simd level, bool *ok)
{
	struct fast *f;

	/* Fewer than 16 sets: no cache. */
	*ok = true;
	if (en->im->ncounters > FAST_COUNTERS || en->words > FAST_SET_BYTES / 8 / 16)
		return NULL;
	f = calloc(1, sizeof *f);
	*ok = f != NULL;
	if (f == NULL)
		return NULL;
	f->en = en;
	f->level = level;
	f->single = en->im->proto->nslots == 1;
	*ok = allocate(f);
	if (!*ok || (!f->single && !number_sets(f))) {
		fast_free(f);
		return NULL;
	}
	fill_keys(f);
	f->small_keys = largest_key(f) < FAST_DIRECT;
	fast_count_prepare(f);
	if (f->single && !en->by_line)
		number_classes(f);
	return f;
}

void fast_free(struct fast *f)
{
	if (f == NULL)
		return;
	free(f->bit_of);
	free(f->class_code);
	free(f->keys);
	free(f->slot_keys);
	free(f->table);
	free(f->sets);
	free(f->set_at);
	free(f->flags);
	free(f->hash);
	free(f->scratch);
	free(f->packed);
	free(f->bits);
	free(f->latches);
	free(f->touch);
	free(f);
}

/* Forgets all entries and where sets are. */
static void clear_table(struct fast *f)
{
	f->emptied++;
	memset(f->next, 0, (size_t)f->nstates * f->stride * sizeof *f->next);
	memset(f->hash, 0, f->nhash * sizeof *f->hash);
}

/* Makes rows twice as long where symbols need it. */
static bool widen(struct fast *f)
{
	bool wider = fast_full(f) && f->stride < FAST_SYMBOLS;

	if (wider)
		f->stride *= 2;
	return wider;
}

void fast_flush(struct fast *f, bool symbols)
{
	clear_table(f);
	f->nstates = 1;
	if (!widen(f) && symbols) {
		forget_symbols(f);
		f->forgotten++;
	}
}

bool fast_keep(struct fast *f, uint32_t *keep)
{
	uint32_t kept = 1;

	clear_table(f);
	for (uint32_t s = 1; s < f->nstates; s++) {
		uint32_t at = f->set_at[s], n = f->set_at[s + 1] - at;
		if (keep[s] == 0)
			continue;
		memmove(f->sets + f->set_at[kept], f->sets + at, n * sizeof *f->sets);
		f->set_at[kept + 1] = f->set_at[kept] + n;
		f->flags[kept] = f->flags[s];
		if (f->touch != NULL) {
			f->touch[kept] = f->touch[s];
			f->touch[kept].row = 0;
		}
		keep[s] = kept++;
	}
	widen(f);
	for (uint32_t s = 1; s < f->nstates; s++)
		keep[s] *= f->stride;
	f->nstates = kept;
	if (!make_room(f, kept - 1, 0)) {
		f->nstates = 1;
		return false;
	}
	add_hashes(f);
	for (uint32_t s = 1; s < kept; s++)
		f->next[(size_t)s * f->stride] = s * f->stride;
	return true;
}

/* ---- symbols ---- */

bool fast_add(struct fast *f, uint64_t key)
{
	size_t i = (key * 0x9e3779b97f4a7c15u) >> 51;

	if (fast_full(f))
		return false;
	if (key < FAST_DIRECT) {
		f->direct[key] = (int16_t)f->nsymbols;
		f->key_of[f->nsymbols++] = key;
		return true;
	}
	while (f->symbols[i].key != 0)
		i = (i + 1) & (2 * FAST_SYMBOLS - 1);
	f->symbols[i] = (struct fast_symbol){ key, f->nsymbols };
	f->key_of[f->nsymbols++] = key;
	return true;
}

/* ---- states ---- */

void fast_truth(struct fast *f, uint64_t key)
{
	struct nfart_engine *en = f->en;

	if (f->single) {
		engine_truth(en, &f->class_code[key >> FAST_FIRST_BIT], 1);
	} else {
		memset(en->truth, 0, en->pwords * 8);
		for (uint32_t p = 0; p < en->im->npreds; p++)
			if ((key >> f->bit_of[p] & 1) != 0)
				bits_set(en->truth, p);
		for (size_t w = 0; w < en->pwords; w++)
			en->truth[w] ^= en->none[w];
	}
}

void fast_step(struct fast *f, uint64_t key, uint64_t *active, uint32_t *counts)
{
	fast_truth(f, key);
	engine_advance(f->en, active);
	engine_count(f->en, active, counts);
}

uint32_t fast_flags(const struct fast *f, const uint64_t *set)
{
	const struct nfart_image *im = f->en->im;
	uint32_t flags = 0;

	for (size_t w = 0; w < f->en->words; w++)
		for (uint64_t m = set[w] & f->en->output[w]; m != 0; m &= m - 1) {
			const struct image_state *q =
				&im->states[w * 64 + (size_t)__builtin_ctzll(m)];
			if ((q->flags & STATE_LOG) != 0)
				flags |= FAST_LOGGED;
			if (im->labelsets[q->labelset].n != 0)
				flags |= FAST_ACCEPTED;
		}
	return flags;
}

const uint64_t *fast_set(const struct fast *f, uint32_t entry)
{
	uint32_t s = (entry & FAST_ROW) / f->stride;
	const uint64_t *at = f->sets + f->set_at[s], *end = f->sets + f->set_at[s + 1];

	if ((size_t)(end - at) == f->en->words)
		return at;
	memset(f->bits, 0, f->en->words * 8);
	for (; at < end; at++) {
		bits_set(f->bits, (uint32_t)*at);
		if (*at >> 32 != NO_STATE)
			bits_set(f->bits, *at >> 32);
	}
	return f->bits;
}

uint32_t fast_state(struct fast *f, const uint64_t *set)
{
	size_t n;
	const uint64_t *packed = pack_set(f, set, &n);
	uint32_t i = find_set(f, packed, n);

	if (f->hash[i] != 0)
		return f->hash[i] * f->stride;
	if (f->nstates == f->most || !make_room(f, f->nstates, n))
		return 0;
	if (f->nstates == f->cap) {
		if (!grow_states(f))
			return 0;
		i = find_set(f, packed, n);
	}
	memcpy(f->sets + f->set_at[f->nstates], packed, n * 8);
	f->set_at[f->nstates + 1] = f->set_at[f->nstates] + (uint32_t)n;
	f->flags[f->nstates] = fast_flags(f, set);
	if (f->touch != NULL) {
		struct fast_touch t = fast_touches(f, set);
		f->flags[f->nstates] |= (t.count | t.reset) != 0 ? FAST_COUNT : 0;
		f->touch[f->nstates] = t;
	}
	f->hash[i] = f->nstates;
	f->next[(size_t)f->nstates * f->stride] = f->nstates * f->stride;
	return f->nstates++ * f->stride;
}

uint32_t fast_make(struct fast *f, uint32_t row, uint32_t symbol)
{
	uint32_t to;

	memcpy(f->scratch, fast_set(f, row), f->en->words * 8);
	fast_truth(f, f->key_of[symbol]);
	engine_advance(f->en, f->scratch);
	if (f->touch != NULL)
		fast_count_keep(f, row);
	to = fast_state(f, f->scratch);
	if (to != 0) {
		f->next[row + symbol] = to | f->flags[to / f->stride];
		f->made++;
	}
	return to != 0 ? f->next[row + symbol] : 0;
}
