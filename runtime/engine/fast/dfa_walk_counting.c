/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/engine/filter.h"

bool filter_count(struct nfart_filter *f, size_t i, size_t n, size_t *end)
{
	struct fast *t = f->fast;
	uint32_t row = f->row, any = 0, *counts;
	uint64_t *active;

	if (!engine_copy(f->en, 0, &active, &counts))
		return false;
	for (; i < n; i++) {
		int64_t symbol = f->size == 1 ? t->symbol_of[f->at[i]] : fast_find(t, f->key[i]);
		uint32_t entry = t->next[row + symbol];
		if (entry == 0 || ((entry & FAST_COUNT) != 0 && !fast_room(t)))
			break;
		if ((entry & FAST_COUNT) != 0)
			entry = fast_count(t, entry, counts);
		if (entry == 0)
			return false;
		f->entry[i] = entry;
		any |= entry;
		row = entry & FAST_ROW;
	}
	f->row = row;
	f->any |= any & ~FAST_ROW;
	*end = i;
	return true;
}
