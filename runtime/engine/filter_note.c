/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/engine/filter_note.h"

#include "runtime/trace/batch.h"

/* Notes how many logged ones may be in reach of one that was accepted. */
static void note_reach(const struct nfart_filter *f, const struct nfart_result *r,
		       struct filter_notes *notes)
{
	if (r->accepted && notes->logged)
		notes->after = f->en->im->window.after;
	else if (notes->after != 0)
		notes->after--;
}

/* Reports a tick alone, or the end. */
static bool note_alone(struct filter_notes *notes, uint64_t time, uint8_t when,
		       const struct nfart_result *r)
{
	notes->accepted += r->accepted;
	return notes->tick == NULL || notes->tick(notes->ctx, time, when, r);
}

/* Reports the result of item i of the block. */
static bool note_one(const struct nfart_filter *f, size_t i, const struct nfart_result *r,
		     struct filter_notes *notes)
{
	const struct nfart_batch *one = &f->in.batch;
	struct timed_item x = { .source = (uint32_t)i };

	if (f->in.block.form == BLOCK_TIMED)
		x = f->time.timed->item[i];
	else if (f->in.block.form == BLOCK_ONE)
		x = (struct timed_item){ one->time, one->mask != 0 ? 0 : TIMED_ALONE, one->when };
	note_reach(f, r, notes);
	if (x.source == TIMED_ALONE)
		return note_alone(notes, x.time, x.when, r);
	return notes->note(notes->ctx, notes->first + x.source, x.when, r);
}

bool filter_note_entries(struct nfart_filter *f, size_t from, size_t to, size_t *hit,
			 struct filter_notes *notes)
{
	struct nfart_result logged = { .logged = true }, r;

	for (size_t i = from; i < to && f->said.any != 0; i++) {
		if ((f->said.entry[i] & DFA_ACCEPTED) != 0) {
			if (!filter_result(f, i, hit, &r) || !note_one(f, i, &r, notes))
				return false;
		} else if ((f->said.entry[i] & DFA_LOGGED) != 0) {
			if (!notes->logged)
				notes->left_out++;
			else if (!note_one(f, i, &logged, notes))
				return false;
		}
	}
	return true;
}

bool filter_note_result(struct nfart_filter *f, const struct nfart_batch *b,
			const struct nfart_result *r)
{
	struct filter_notes *notes = f->notes;

	if (batch_is_loss(b))
		return notes->loss == NULL || notes->loss(notes->ctx, b->time, b->lost);
	if (!r->accepted && !(r->logged && notes->logged)) {
		notes->left_out += r->logged;
		return true;
	}
	note_reach(f, r, notes);
	if (b->mask == 0)
		return note_alone(notes, b->time, b->when, r);
	return notes->note(notes->ctx, notes->first, b->when, r);
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
		if (!dfa_walk(f, from, n, &done) ||
		    !filter_note_entries(f, from, done, &hit, notes))
			return false;
	}
	return true;
}

bool filter_note_visits(struct nfart_filter *f, const struct line_visit *v, size_t nvisits,
			size_t n, struct filter_notes *notes)
{
	size_t hit = 0;

	note_begin(f);
	return dfa_visits(f, v, nvisits, n) && filter_note_entries(f, 0, n, &hit, notes);
}

/* ---- with ticks ---- */

bool filter_note_timed(struct nfart_filter *f, size_t n, struct filter_notes *notes)
{
	size_t end;
	bool ok;

	f->notes = notes;
	notes->accepted = 0;
	ok = filter_time_block(f, n, &end);
	f->notes = NULL;
	return ok;
}

bool filter_note_record(struct nfart_filter *f, const struct nfart_batch *b,
			struct filter_notes *notes)
{
	bool ok;

	f->notes = notes;
	notes->accepted = 0;
	ok = filter_time_put(f, b);
	f->notes = NULL;
	return ok;
}

bool filter_note_end(struct nfart_filter *f, uint64_t until, struct filter_notes *notes)
{
	bool ok;

	f->notes = notes;
	notes->accepted = 0;
	f->time.until = until;
	ok = filter_time_end(f);
	f->notes = NULL;
	return ok;
}
