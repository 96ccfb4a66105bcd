/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Follows entries of the cache where the image has counters (dfa_counters.c, Note [counting
 * entries]).
 */
#include "runtime/engine/filter.h"

bool dfa_walk_counting(struct nfart_filter *f, size_t i, size_t n, size_t *end)
{
	struct dfa_cache *t = f->dfa;
	uint32_t row = f->at.row, any = 0, *counts;
	uint64_t *active;

	if (!engine_copy(f->en, 0, &active, &counts))
		return false;
	for (; i < n; i++) {
		int64_t symbol = f->in.block.form == BLOCK_BYTES ?
					 t->symbols.of_byte[f->in.block.at[i]] :
					 symbol_find(&t->symbols, f->in.block.key[i]);
		uint32_t entry = t->next[row + symbol];
		if (entry == 0 || ((entry & DFA_COUNT) != 0 && !dfa_has_room(t)))
			break;
		if ((entry & DFA_COUNT) != 0)
			entry = dfa_count(t, entry, counts);
		if (entry == 0)
			return false;
		f->said.entry[i] = entry;
		any |= entry;
		row = entry & DFA_ROW;
	}
	f->at.row = row;
	f->said.any |= any & ~DFA_ROW;
	*end = i;
	return true;
}
