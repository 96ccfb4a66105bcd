/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/engine/filter_note.h"

/* Reports those of the items [from, to) whose entries say that they are accepted or logged. On
 * entry *hit is the first hit of these items, as an index into f->hits; afterwards it is the first
 * hit that was not used. False: out of memory. */
static bool note_entries(struct nfart_filter *f, size_t from, size_t to, size_t *hit,
			 struct filter_notes *notes)
{
	struct nfart_result logged = { .logged = true }, r;

	for (size_t i = from; i < to && f->said.any != 0; i++) {
		if ((f->said.entry[i] & DFA_ACCEPTED) != 0) {
			if (!filter_result(f, i, hit, &r) ||
			    !notes->note(notes->ctx, notes->first + i, &r))
				return false;
		} else if ((f->said.entry[i] & DFA_LOGGED) != 0) {
			if (!notes->logged)
				notes->left_out++;
			else if (!notes->note(notes->ctx, notes->first + i, &logged))
				return false;
		}
	}
	return true;
}

static void note_begin(struct nfart_filter *f)
{
	f->said.hits.n = f->said.sets.n = 0;
	f->said.any = 0;
	f->in.block.form = BLOCK_KEYS;
}

bool filter_note_keys(struct nfart_filter *f, uint64_t *key, size_t n, struct filter_notes *notes)
{
	size_t hit = 0, done = 0;

	note_begin(f);
	f->in.block.key = key;
	while (done < n) {
		size_t from = done;
		f->said.any = 0;
		if (!dfa_walk(f, from, n, &done) || !note_entries(f, from, done, &hit, notes))
			return false;
	}
	return true;
}

bool filter_note_visits(struct nfart_filter *f, const struct line_visit *v, size_t nvisits,
			size_t n, struct filter_notes *notes)
{
	size_t hit = 0;

	note_begin(f);
	return dfa_visits(f, v, nvisits, n) && note_entries(f, 0, n, &hit, notes);
}
