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
	if (f->dfa == NULL || f->at.stepping)
		return true;
	f->at.row = dfa_row(f->dfa, active);
	if (f->at.row == 0) {
		dfa_flush(f->dfa, false);
		f->at.row = dfa_row(f->dfa, active);
	}
	return f->at.row != 0;
}

bool filter_leave_factors(struct nfart_filter *f)
{
	uint64_t *active;
	uint32_t *counts;

	if (f->factor == NULL || !f->factor->stream.on)
		return true;
	f->at.stepping = false;
	return engine_copy(f->en, 0, &active, &counts) && factor_leave(f->factor, active) &&
	       filter_enter(f);
}

bool filter_try_factors(struct nfart_filter *f, size_t n)
{
	const uint64_t *set;
	uint64_t *active;
	uint32_t *counts;

	if (f->factor == NULL || f->factor->stream.on)
		return true;
	if (f->factor->stream.wait >= n) {
		f->factor->stream.wait -= n;
		return true;
	}
	if (!engine_copy(f->en, 0, &active, &counts))
		return false;
	set = f->at.stepping ? active : dfa_set(f->dfa, f->at.row);
	factor_begin(f->factor, set);
	return true;
}

bool filter_start(struct nfart_filter *f)
{
	if (f->factor != NULL)
		f->factor->stream.on = false;
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

	if (!filter_leave_factors(f))
		return false;
	if (f->dfa != NULL && !f->at.stepping) {
		if (!engine_copy(f->en, 0, &active, &counts))
			return false;
		memcpy(active, dfa_set(f->dfa, f->at.row), f->en->words * 8);
	}
	return engine_save(f->en, s);
}

bool filter_load(struct nfart_filter *f, const struct engine_state *s)
{
	if (f->factor != NULL)
		f->factor->stream.on = false;
	return engine_load(f->en, s) && filter_enter(f);
}
