/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Engines over pieces (piece.h).
 */
#include <string.h>

#include "runtime/run/piece.h"

/* A filter in place of the engines, where there is a fast way. False: *e says why. */
static bool open_filter(struct stepper *s, struct nfart_error *e)
{
	struct nfart_filter_options o = { .engine = s->o };

	s->filter = nfart_filter_new(s->image[0], &o, e);
	if (s->filter == NULL)
		return false;
	if (!filter_is_fast(s->filter)) {
		nfart_filter_free(s->filter);
		s->filter = NULL;
	}
	return true;
}

bool step_decoder(const struct stepper *s, struct nfart_filter **decoder, struct nfart_error *e)
{
	struct nfart_filter_options o = { .engine = s->o };

	*decoder = s->filter != NULL ? nfart_filter_new(s->image[0], &o, e) : NULL;
	return s->filter == NULL || *decoder != NULL;
}

bool step_open(struct stepper *s, struct nfart_error *e)
{
	s->second = false;
	if (s->decoded && s->image[1] == NULL && !open_filter(s, e))
		return false;
	if (s->filter != NULL)
		return true;
	for (int i = 0; i < 2; i++) {
		s->en[i] = NULL;
		if (s->image[i] == NULL)
			continue;
		s->en[i] = nfart_engine_new(s->image[i], &s->o, e);
		if (s->en[i] == NULL)
			return false;
	}
	return true;
}

void step_close(struct stepper *s)
{
	nfart_filter_free(s->filter);
	s->filter = NULL;
	nfart_engine_free(s->en[0]);
	nfart_engine_free(s->en[1]);
	s->en[0] = s->en[1] = NULL;
}

/* ---- the part of a batch ---- */

/* The slots of messages that the part's engine is to see, of a record in a piece. */
static uint64_t part_mask(const struct stepper *s, const uint64_t *record)
{
	const struct nfart_engine *en = s->en[s->second];
	const struct nfart_proto *p = en->im->proto;
	const uint64_t *header = record + PIECE_RECORD;
	struct filter_split split = filter_split(en->nlines, s->parts);
	uint64_t mask = 0;

	if (!en->by_line)
		return s->part == 0 ? record[1] : 0;
	for (uint64_t m = record[1]; m != 0; m &= m - 1)
		if (filter_part_of(&split, proto_line(p, *header++) - en->first_line) == s->part)
			mask |= m & -m;
	return mask;
}

/* What of the batch at *at is for this part. Where that is nothing *at goes behind it. */
static uint64_t own_mask(const struct stepper *s, const struct piece *p, struct piece_place *at)
{
	const uint64_t *w = p->words.at + at->offset;
	uint64_t mask = s->parts > 1 ? part_mask(s, w) : w[1];

	if (mask == 0)
		at->offset += PIECE_RECORD + (size_t)__builtin_popcountll(w[1]);
	return mask;
}

/* ---- stepping ---- */

static bool note(struct piece_found *f, const struct stepper *s, size_t offset, uint64_t batch,
		 const struct nfart_result *r)
{
	size_t lw = bits_words(s->image[s->second]->nlabels), n = PIECE_ENTRY + lw + 2 * r->nlines;
	uint64_t *w;

	if (!vec_reserve(&f->words, n))
		return false;
	w = f->words.at + f->words.n;
	w[ENTRY_OFFSET] = offset;
	w[ENTRY_BATCH] = batch;
	w[ENTRY_WHAT] = (r->accepted ? ENTRY_ACCEPTED : 0) | (r->logged ? ENTRY_LOGGED : 0) |
			(s->second ? ENTRY_SECOND : 0) | (uint64_t)r->nlines << 8;
	w += PIECE_ENTRY;
	memset(w, 0, lw * 8);
	if (r->accepted)
		memcpy(w, r->labels, lw * 8);
	w += lw;
	for (size_t i = 0; i < r->nlines; i++) {
		*w++ = r->lines[i].label;
		*w++ = r->lines[i].address;
	}
	f->words.n += n;
	return true;
}

/* Does this batch begin the second image? Then it is in its start states. */
static void swap(struct stepper *s, const struct piece *p, uint64_t batch)
{
	if (!s->second && s->swap_at != 0 && p->before + batch >= s->swap_at) {
		s->second = true;
		nfart_engine_reset(s->en[1]);
	}
}

/* ---- decoded pieces ---- */

/* Where filter_note_…() notes. */
struct note_to {
	const struct stepper *s;
	struct piece_found *found;
};

static bool note_item(void *ctx, size_t item, const struct nfart_result *r)
{
	struct note_to *to = ctx;

	return note(to->found, to->s, item, item + 1, r);
}

/* A loss record: it is the whole stretch. */
static bool lose(struct stepper *s, const struct decoded_stretch *t, struct piece_found *f)
{
	struct nfart_result none = { .nlabels = 0 };

	if (s->o.reset_on_loss && !filter_start(s->filter))
		return false;
	return s->part != 0 || note(f, s, t->first, t->first, &none);
}

/* As advance(). */
static bool advance_items(struct stepper *s, const struct piece *p, struct piece_place *at, uint64_t items,
			  struct piece_found *found)
{
	const struct decoded *d = &p->decoded;
	struct note_to to = { s, found };
	struct filter_notes notes = { .note = note_item, .ctx = &to, .logged = s->keep_logged };
	bool ok = true;

	while (ok && at->records < items && at->offset < d->stretch.n) {
		const struct decoded_stretch *t = &d->stretch.at[at->offset];
		size_t from = at->records - t->first, n = t->n - from;
		n = n < items - at->records ? n : (size_t)(items - at->records);
		notes.first = at->records;
		if (t->loss) {
			ok = lose(s, t, found);
		} else if (s->filter->en->by_line) {
			const struct filter_share *share = &d->split.share[s->part - d->split.first];
			size_t begin = at->offset != 0 ? share->end.at[at->offset - 1] : 0;
			ok = filter_note_visits(s->filter, share->visits.at + begin,
						share->end.at[at->offset] - begin, n, &notes);
		} else {
			ok = filter_note_keys(s->filter, d->records.key.at + at->records, n, &notes);
		}
		at->records += n;
		at->offset += from + n == t->n;
	}
	found->logged += notes.left_out;
	return ok;
}

/* ---- in steps ---- */

static bool at_end(const struct piece *p, const struct piece_place *at)
{
	return at->offset == (p->is_decoded ? p->decoded.stretch.n : p->words.n);
}

/* Steps from *at up to the record that has this number, or to the end. */
static bool advance(struct stepper *s, const struct piece *p, struct piece_place *at,
		    uint64_t records, struct piece_found *f)
{
	struct nfart_result r;
	struct nfart_batch b;

	if (p->is_decoded)
		return advance_items(s, p, at, records, f);
	for (; at->records < records && at->offset < p->words.n; at->records++) {
		size_t offset = at->offset;
		uint64_t whole = p->words.at[offset + 1], mask = 0;
		if (whole != 0) {
			swap(s, p, ++at->batches);
			mask = own_mask(s, p, at);
			if (mask == 0)
				continue;
		}
		piece_record(p, &at->offset, &b);
		b.mask = mask;
		if (!nfart_engine_step(s->en[s->second], &b, &r))
			return false;
		if (whole == 0 ? s->part != 0 :
		    !r.accepted && !(r.logged && s->keep_logged)) {
			f->logged += r.logged;
			continue;
		}
		if (!note(f, s, offset, at->batches, &r))
			return false;
	}
	return true;
}

bool step_part(struct stepper *s, struct piece *p)
{
	struct piece_place at = { 0 };

	return advance(s, p, &at, UINT64_MAX, &p->found[s->part]);
}

static bool save(const struct stepper *s, struct piece_state *state)
{
	state->second = s->second;
	if (s->filter != NULL)
		return filter_save(s->filter, &state->engine);
	return engine_save(s->en[s->second], &state->engine);
}

/* The state of s is now this one. False: it can't be, or out of memory. */
static bool enter(struct stepper *s, const struct piece_state *state)
{
	s->second = state->second;
	if (s->filter != NULL)
		return filter_load(s->filter, &state->engine);
	return engine_load(s->en[s->second], &state->engine);
}

bool step_fits(const struct stepper *s, const struct piece_state *state)
{
	return engine_state_fits(s->filter != NULL ? s->filter->en : s->en[0], &state->engine);
}

bool step_piece(struct stepper *s, struct piece *p)
{
	struct piece_found *f = &p->found[0];
	struct piece_place at = { 0 };
	uint64_t goal = PIECE_FIRST_MARK;

	if (!enter(s, &p->guess))
		return false;
	for (p->nmarks = 0; p->nmarks < PIECE_MARKS; p->nmarks++) {
		struct piece_mark *m = &p->marks[p->nmarks];
		if (!advance(s, p, &at, goal, f))
			return false;
		if (at_end(p, &at))
			break;
		m->place = at;
		m->found = f->words.n;
		m->logged = f->logged;
		if (!save(s, &m->state))
			return false;
		goal *= PIECE_MARK_STEP;
	}
	return advance(s, p, &at, UINT64_MAX, f) && save(s, &p->last);
}

bool step_repair(struct stepper *s, struct piece *p, const struct piece_state *from,
		    struct piece_found *found, uint32_t *mark)
{
	struct piece_state now = { .second = false };
	struct piece_place at = { 0 };
	bool ok = enter(s, from);

	found->words.n = 0;
	found->logged = 0;
	for (*mark = 0; ok && *mark < p->nmarks; ++*mark) {
		ok = advance(s, p, &at, p->marks[*mark].place.records, found) && save(s, &now);
		if (ok && piece_state_same(&now, &p->marks[*mark].state))
			break;
	}
	if (ok && *mark == p->nmarks)
		ok = advance(s, p, &at, UINT64_MAX, found) && save(s, &p->last);
	engine_state_free(&now.engine);
	return ok;
}
