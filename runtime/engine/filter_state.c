/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Resets, saves and loads the states of a filter's automata.
 */
#include <string.h>

#include "runtime/engine/engine_state.h"
#include "runtime/engine/filter.h"

bool filter_enter(struct nfart_filter *f)
{
	uint64_t *active;
	uint32_t *counts;

	if (!engine_copy(f->en, 0, &active, &counts))
		return false;
	if (f->at.stepping)
		return true;
	f->at.row = dfa_row(f->dfa, active);
	if (f->at.row == 0) {
		dfa_flush(f->dfa, false);
		f->at.row = dfa_row(f->dfa, active);
	}
	return f->at.row != 0;
}

bool filter_start(struct nfart_filter *f)
{
	nfart_engine_reset(f->en);
	if (f->dfa == NULL)
		return true;
	if (!f->en->map.any)
		return filter_enter(f);
	for (size_t i = 0; i < f->at.touched.n; i++)
		f->at.line_row[f->at.touched.at[i]] = 0;
	f->at.touched.n = 0;
	dfa_everyone_reset(f);
	return true;
}

bool filter_save(struct nfart_filter *f, struct engine_state *s)
{
	uint64_t *active;
	uint32_t *counts;

	if (!f->at.stepping) {
		if (!engine_copy(f->en, 0, &active, &counts))
			return false;
		memcpy(active, dfa_set(f->dfa, f->at.row), f->en->words * 8);
	}
	return engine_save(f->en, s);
}

bool filter_load(struct nfart_filter *f, const struct engine_state *s)
{
	return engine_load(f->en, s) && filter_enter(f);
}
