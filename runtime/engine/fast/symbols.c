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
	if (key < KEY_SMALL) {
		t->of_small[key] = (int16_t)t->n;
	} else {
		t->hash[symbol_place(t, key)] = (struct symbol_slot){ key, t->n };
	}
	t->key_of[t->n++] = key;
}
