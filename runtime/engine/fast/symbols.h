/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * symbols.h: small numbers for keys.
 *
 * A *symbol* is the number that a key (keys.h) gets when it is first seen. It indexes the columns
 * of a table of transitions. Symbol 0 belongs to key 0, which is no batch. The symbols of small
 * keys stand in an array, those of other keys in a hash table with open addressing. All symbols are
 * forgotten at once. `forgotten` counts how often this happened, so that code that remembers
 * symbols can tell that they are no longer valid.
 */
#ifndef NFART_SYMBOLS_H
#define NFART_SYMBOLS_H

#include "runtime/engine/fast/keys.h"
#include "support/hash.h"

enum {
	SYMBOLS_MOST = 1 << 12,
	/* Used as a column of a row, NO_SYMBOL finds the word before the row. This word is always
	 * 0: a missing entry (dfa_cache.c). */
	NO_SYMBOL = -1
};

struct symbol_slot {
	uint64_t key; /* the key that the slot belongs to; 0: the slot is empty */
	uint64_t symbol;
};

struct symbol_table {
	int16_t of_small[KEY_SMALL];               /* [key]: the key's symbol, or NO_SYMBOL */
	struct symbol_slot hash[2 * SYMBOLS_MOST]; /* the symbols of keys from KEY_SMALL on */
	uint64_t key_of[SYMBOLS_MOST];
	uint16_t of_byte[256];                     /* [byte]: its symbol; only for raw bytes */
	uint32_t n; /* how many symbols there are, symbol 0 included */
	uint64_t forgotten;                        /* how often symbols_forget() was called */
};

/* Forgets all symbols but 0. */
void symbols_forget(struct symbol_table *t);

/* Gives the next symbol to a key that has none yet. Fewer than SYMBOLS_MOST symbols must be in
 * use. */
void symbol_add(struct symbol_table *t, uint64_t key);

static inline bool symbol_ends(const void *table, size_t place, const void *key)
{
	const struct symbol_table *t = table;

	return t->hash[place].key == *(const uint64_t *)key || t->hash[place].key == 0;
}

/* Returns the place of a key in the hash table, or the free one where it belongs. */
static inline size_t symbol_place(const struct symbol_table *t, uint64_t key)
{
	return hash_probe(2 * SYMBOLS_MOST, (key * 0x9e3779b97f4a7c15u) >> 51, symbol_ends, t, &key);
}

/* Returns the symbol of a key, or NO_SYMBOL if the key has none. */
static inline int64_t symbol_find(const struct symbol_table *t, uint64_t key)
{
	size_t i;

	if (key < KEY_SMALL)
		return t->of_small[key];
	i = symbol_place(t, key);
	return t->hash[i].key == key ? (int64_t)t->hash[i].symbol : NO_SYMBOL;
}

#endif
