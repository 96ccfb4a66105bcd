/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/engine/fast/symbols.h"

void symbols_forget(struct symbol_table *t)
{
	memset(t->hash, 0, sizeof t->hash);
	for (size_t i = 0; i < KEY_SMALL; i++)
		t->of_small[i] = i == 0 ? 0 : NO_SYMBOL;
	t->n = 1;
	t->forgotten++;
}

void symbol_add(struct symbol_table *t, uint64_t key)
{
	size_t i = (key * 0x9e3779b97f4a7c15u) >> 51;

	if (key < KEY_SMALL) {
		t->of_small[key] = (int16_t)t->n;
	} else {
		while (t->hash[i].key != 0)
			i = (i + 1) & (2 * SYMBOLS_MOST - 1);
		t->hash[i] = (struct symbol_slot){ key, t->n };
	}
	t->key_of[t->n++] = key;
}
