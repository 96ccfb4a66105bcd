/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * A filter that notes what it finds in place of giving it to a window, over items of a trace that are
 * decoded (decoded.h); and its state, taken out and put back.
 */
#include <string.h>

#include "runtime/engine/engine_state.h"
#include "runtime/engine/filter.h"

/* Notes the entries [from, to). *hit: the next of f->hits. */
static bool note_entries(struct nfart_filter *f, size_t from, size_t to, size_t *hit,
			 struct filter_notes *notes)
{
	struct nfart_result logged = { .logged = true }, r;

	for (size_t i = from; i < to && f->any != 0; i++) {
		if ((f->entry[i] & FAST_ACCEPTED) != 0) {
			if (!filter_result(f, i, hit, &r) ||
			    !notes->note(notes->ctx, notes->first + i, &r))
				return false;
		} else if ((f->entry[i] & FAST_LOGGED) != 0) {
			if (!notes->logged)
				notes->left_out++;
			else if (!notes->note(notes->ctx, notes->first + i, &logged))
				return false;
		}
	}
	return true;
}

static void begin(struct nfart_filter *f)
{
	f->hits.n = f->sets.n = 0;
	f->any = 0;
	f->single = false;
	f->size = 0;
}

bool filter_note_keys(struct nfart_filter *f, uint64_t *key, size_t n, struct filter_notes *notes)
{
	size_t hit = 0, done = 0;

	begin(f);
	f->key = key;
	while (done < n) {
		size_t from = done;
		f->any = 0;
		if (!filter_walk(f, from, n, &done) || !note_entries(f, from, done, &hit, notes))
			return false;
	}
	return true;
}

bool filter_note_visits(struct nfart_filter *f, const struct filter_visit *v, size_t nvisits, size_t n,
			struct filter_notes *notes)
{
	size_t hit = 0;

	begin(f);
	return filter_visits(f, v, nvisits, n) && note_entries(f, 0, n, &hit, notes);
}

/* ---- state ---- */

bool filter_save(struct nfart_filter *f, struct engine_state *s)
{
	uint64_t *active;
	uint32_t *counts;

	if (!f->stepping) {
		if (!engine_copy(f->en, 0, &active, &counts))
			return false;
		memcpy(active, fast_set(f->fast, f->row), f->en->words * 8);
	}
	return engine_save(f->en, s);
}

bool filter_load(struct nfart_filter *f, const struct engine_state *s)
{
	return engine_load(f->en, s) && filter_enter(f);
}
