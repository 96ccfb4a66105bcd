/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * symbols.h: small numbers for keys.
 *
 * A *symbol* is the number a key (keys.h) gets when it is first seen; it indexes the columns of a
 * table of transitions. Symbol 0 is key 0, which is no batch. The symbols of small keys stand in an
 * array, the others in an open hash table. Symbols are forgotten all at once; `forgotten` then
 * tells whoever remembered some that they are void.
 */
#ifndef NFART_SYMBOLS_H
#define NFART_SYMBOLS_H

#include "runtime/engine/fast/keys.h"

enum {
	SYMBOLS_MOST = 1 << 12,
	NO_SYMBOL = -1 /* as a column: the word before a row, which is always 0 (dfa_cache.h) */
};

struct symbol_slot {
	uint64_t key; /* 0: empty */
	uint64_t symbol;
};

struct symbol_table {
	int16_t of_small[KEY_SMALL];               /* by key; or NO_SYMBOL */
	struct symbol_slot hash[2 * SYMBOLS_MOST]; /* of all other keys */
	uint64_t key_of[SYMBOLS_MOST];
	uint16_t of_byte[256];                     /* in protocol `bytes`, where classes are known */
	uint32_t n;                                /* symbols, the 0 included */
	uint64_t forgotten;                        /* how often symbols_forget() was called */
};

/* Forgets all symbols but 0. */
void symbols_forget(struct symbol_table *t);

/* Gives the key, which has none yet, the next symbol. There must be room. */
void symbol_add(struct symbol_table *t, uint64_t key);

/* The symbol of a key, or NO_SYMBOL. */
static inline int64_t symbol_find(const struct symbol_table *t, uint64_t key)
{
	size_t i;

	if (key < KEY_SMALL)
		return t->of_small[key];
	i = (key * 0x9e3779b97f4a7c15u) >> 51;
	while (t->hash[i].key != key) {
		if (t->hash[i].key == 0)
			return NO_SYMBOL;
		i = (i + 1) & (2 * SYMBOLS_MOST - 1);
	}
	return (int64_t)t->hash[i].symbol;
}

#endif
