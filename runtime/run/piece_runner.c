/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/run/piece_runner.h"

#include <string.h>

#include "runtime/engine/filter_note.h"
#include "runtime/trace/batch.h"

/* A filter gives its stream ticks and the end; engines do not. */
static bool is_timed(const struct piece_runner *s)
{
	return s->image[0]->alphabet.time != IMAGE_NO_TIME;
}

/* Sets s->filter if a filter has a cache for the image, or it has a time slot. The filter then runs
 * instead of the engines. False: *e says why. */
static bool open_filter(struct piece_runner *s, struct nfart_error *e)
{
	struct nfart_filter_options o = { .engine = s->o, .simd = s->simd };

	s->filter = nfart_filter_new(s->image[0], &o, e);
	if (s->filter == NULL)
		return false;
	if (!is_timed(s) && !filter_is_fast(s->filter)) {
		nfart_filter_free(s->filter);
		s->filter = NULL;
	}
	return true;
}

bool runner_decoder(const struct piece_runner *s, struct nfart_filter **decoder,
		    struct nfart_error *e)
{
	struct nfart_filter_options o = { .engine = s->o, .simd = s->simd };

	bool has_keys = s->decoded && s->filter != NULL && s->filter->dfa != NULL;

	*decoder = has_keys ? nfart_filter_new(s->image[0], &o, e) : NULL;
	return !has_keys || *decoder != NULL;
}

bool runner_open(struct piece_runner *s, struct nfart_error *e)
{
	s->second = false;
	if ((s->decoded || is_timed(s)) && s->image[1] == NULL && !open_filter(s, e))
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

void runner_close(struct piece_runner *s)
{
	nfart_filter_free(s->filter);
	s->filter = NULL;
	nfart_engine_free(s->en[0]);
	nfart_engine_free(s->en[1]);
	s->en[0] = s->en[1] = NULL;
}

/* ---- the share of a batch ---- */

/* Returns the slots whose messages belong to the share of the runner. `record` points to the words
 * of a record in a PIECE_WORDS piece. */
static uint64_t share_mask(const struct piece_runner *s, const uint64_t *record)
{
	const struct nfart_engine *en = s->en[s->second];
	const struct nfart_proto *p = en->im->proto;
	const uint64_t *header = record + PIECE_RECORD;
	struct line_shares shares = line_shares(en->map.n, s->shares);
	uint64_t mask = 0, number;

	/* What is for all copies can't be dealt out, and joins need all requests. */
	if (!en->map.any || en->joins.entry != NULL ||
	    bits_any(p->codes.broadcast, bits_words(p->codes.n)))
		return s->share == 0 ? record[1] : 0;
	for (uint64_t m = record[1]; m != 0; m &= m - 1, header++) {
		uint32_t code = proto_code(p, (uint32_t)__builtin_ctzll(m), *header);
		if (copies_of_message(&en->map, code, *header, &number) &&
		    line_share_of(&shares, number) == s->share)
			mask |= m & -m;
	}
	return mask;
}

/* ---- notes ---- */

/* Is an output on, in a share of a batch that another share may accept? */
static bool any_on(const struct piece_runner *s, const struct nfart_result *r)
{
	const struct nfart_image *im = s->image[s->second];

	return s->shares > 1 && im->labels.noutputs != 0 && r->nlabels != 0 &&
	       bits_any(r->labels, bits_words(im->labels.n));
}

static bool piece_note(struct piece_found *f, const struct piece_runner *s, struct piece_ref ref,
		       uint64_t batch, const struct nfart_result *r)
{
	size_t lw = bits_words(s->image[s->second]->labels.n), n = PIECE_ENTRY + lw + 2 * r->nlines;
	uint64_t *w;

	if (!vec_reserve(&f->words, n))
		return false;
	w = f->words.at + f->words.n;
	w[ENTRY_REF] = ref.n;
	w[ENTRY_BATCH] = batch;
	w[ENTRY_WHAT] = (r->accepted ? ENTRY_ACCEPTED : 0) | (r->logged ? ENTRY_LOGGED : 0) |
			(s->second ? ENTRY_SECOND : 0) | (uint64_t)r->nlines << 8;
	w += PIECE_ENTRY;
	memset(w, 0, lw * 8);
	if (r->accepted || any_on(s, r))
		memcpy(w, r->labels, lw * 8);
	w += lw;
	for (size_t i = 0; i < r->nlines; i++) {
		*w++ = r->lines[i].label;
		*w++ = r->lines[i].address;
	}
	f->words.n += n;
	return true;
}

/* ---- decoded pieces, by a filter ---- */

/* The context of note_item(): the runner, and where its entries go. */
struct note_to {
	const struct piece_runner *s;
	struct piece_found *found;
};

/* Adds an entry with more flags. */
static bool note_more(struct note_to *to, struct piece_ref ref, uint64_t batch, uint64_t what,
		      const struct nfart_result *r)
{
	size_t at = to->found->words.n;

	if (!piece_note(to->found, to->s, ref, batch, r))
		return false;
	to->found->words.at[at + ENTRY_WHAT] |= what;
	return true;
}

static bool note_item(void *ctx, size_t item, uint8_t when, const struct nfart_result *r)
{
	return note_more(ctx, (struct piece_ref){ item }, item + 1,
			 (uint64_t)when << ENTRY_WHEN_AT, r);
}

/* Passes the loss record of block b, which is that block's only item. Share 0 alone notes it, since
 * one entry is enough. */
static bool lose(struct piece_runner *s, const struct decoded_block *b, struct piece_found *f)
{
	struct nfart_result none = { .nlabels = 0 };

	if (engine_resets(s->image[0], &s->o) && !filter_start(s->filter))
		return false;
	return s->share != 0 || piece_note(f, s, (struct piece_ref){ b->first }, b->first, &none);
}

/* Makes the visits of a block of n items to the lines of the runner's share. */
static bool advance_block(struct piece_runner *s, const struct decoded *d, size_t block, size_t n,
			  struct filter_notes *notes)
{
	const struct share_visits *share = &d->shares.share[s->share - d->shares.first];
	size_t begin = block != 0 ? share->end.at[block - 1] : 0;
	size_t nvisits = share->end.at[block] - begin;
	const struct line_visit *visits = nvisits != 0 ? share->visits.at + begin : NULL;

	return filter_note_visits(s->filter, visits, nvisits, n, notes);
}

/* Does what piece_advance() does, for decoded pieces; an item counts as a record. */
static bool advance_items(struct piece_runner *s, const struct piece *p, struct piece_progress *at,
			  uint64_t items, struct piece_found *found)
{
	const struct decoded *d = &p->records.decoded;
	struct note_to to = { s, found };
	struct filter_notes notes = { .note = note_item, .ctx = &to, .logged = s->keep_logged };
	bool ok = true;

	while (ok && at->records < items && at->block < d->block.n) {
		const struct decoded_block *b = &d->block.at[at->block];
		size_t from = at->records - b->first, n = b->n - from;
		n = n < items - at->records ? n : (size_t)(items - at->records);
		notes.first = at->records;
		if (b->loss) {
			ok = lose(s, b, found);
		} else if (s->filter->en->map.any) {
			ok = advance_block(s, d, at->block, n, &notes);
		} else {
			ok = filter_note_keys(s->filter, d->records.key.at + at->records, n,
					      &notes);
		}
		at->records += n;
		at->block += from + n == b->n;
	}
	found->logged += notes.left_out;
	return ok;
}

/* ---- pieces in words, by engines ---- */

/* If this batch is the first of the second image, that image takes over in its start states.
 * `batch` is the batch's number in the piece, from 1. */
static void swap(struct piece_runner *s, const struct piece *p, uint64_t batch)
{
	if (!s->second && s->swap_at != 0 && p->before + batch >= s->swap_at) {
		s->second = true;
		nfart_engine_reset(s->en[1]);
	}
}

/* Does what piece_advance() does, for pieces in words. */
static bool advance_words(struct piece_runner *s, const struct piece *p, struct piece_progress *at,
			  uint64_t records, struct piece_found *f)
{
	uint64_t room[NFART_SLOTS * NFART_PAYLOAD_WORDS];
	struct nfart_result r;
	struct nfart_batch b;

	for (; at->records < records && at->word < p->records.words.n; at->records++) {
		struct piece_ref ref = { at->word };
		const uint64_t *w = p->records.words.at + at->word;
		bool loss = w[1] == 0;
		uint64_t mask = 0;
		if (!loss) {
			swap(s, p, ++at->batches);
			mask = s->shares > 1 ? share_mask(s, w) : w[1];
			if (mask == 0) {
				at->word += piece_record_words(w);
				continue;
			}
		}
		at->word = piece_word_record(&p->records, at->word, &b);
		batch_narrow(&b, mask, room);
		if (!nfart_engine_step(s->en[s->second], &b, &r))
			return false;
		if (loss ? s->share != 0
			 : !r.accepted && !any_on(s, &r) && !(r.logged && s->keep_logged)) {
			f->logged += r.logged;
			continue;
		}
		if (!piece_note(f, s, ref, at->batches, &r))
			return false;
	}
	return true;
}

/* ---- with ticks, by a filter ---- */

static bool at_end(const struct piece *p, const struct piece_progress *at)
{
	return p->records.form == PIECE_DECODED ? at->block == p->records.decoded.block.n :
						  at->word == p->records.words.n;
}

static bool note_tick(void *ctx, uint64_t time, uint8_t when, const struct nfart_result *r)
{
	struct note_to *to = ctx;
	uint64_t what = ENTRY_TICK | (uint64_t)when << ENTRY_WHEN_AT;

	if (to->s->filter->time.waiting.n != 0)
		what |= ENTRY_EARLY;
	return note_more(to, (struct piece_ref){ 0 }, time, what, r);
}

static bool note_loss(void *ctx, uint64_t time, uint64_t lost)
{
	const struct nfart_result none = { .nlabels = 0 };

	return note_more(ctx, (struct piece_ref){ (size_t)lost }, time, ENTRY_LOSS, &none);
}

static struct filter_notes timed_notes(const struct piece_runner *s, struct note_to *to)
{
	return (struct filter_notes){ .note = note_item, .tick = s->keep_ticks ? note_tick : NULL,
				      .loss = s->keep_ticks ? note_loss : NULL, .ctx = to,
				      .logged = s->keep_logged, .most = s->most_ticks,
				      .after = s->keep_logged ? s->image[0]->window.after : 0 };
}

/* Filters the items from `item` on that lie together in memory, *n at most. *n becomes how many
 * these are. */
static bool advance_together(struct piece_runner *s, const struct piece_records *r, size_t item,
			     size_t *n, struct filter_notes *notes)
{
	struct filter_block *k = &s->filter->in.block;
	size_t most = piece_items_block(r, item, k);
	struct nfart_batch b;

	if (most != 0) {
		*n = *n < most ? *n : most;
		/* The filter adds to keys what their time is, which the next run may see
		 * otherwise. */
		memcpy(s->filter->said.own_key, k->key, *n * sizeof *k->key);
		k->key = s->filter->said.own_key;
		return filter_note_timed(s->filter, *n, notes);
	}
	*n = 1;
	piece_item(r, item, &b);
	return filter_note_record(s->filter, &b, notes);
}

/* Does what piece_advance() does, with the ticks before and in the batches. */
static bool advance_timed(struct piece_runner *s, const struct piece *p, struct piece_progress *at,
			  uint64_t records, struct piece_found *found)
{
	const struct piece_records *r = &p->records;
	struct note_to to = { s, found };
	struct filter_notes notes = timed_notes(s, &to);
	struct nfart_batch b;
	bool ok = true;

	while (ok && at->records < records && !at_end(p, at)) {
		if (r->form == PIECE_WORDS) {
			notes.first = at->word;
			at->word = piece_word_record(r, at->word, &b);
			at->records++;
			ok = filter_note_record(s->filter, &b, &notes);
		} else {
			const struct decoded_block *block = &r->decoded.block.at[at->block];
			size_t end = block->first + block->n, n = end - at->records;
			n = n < records - at->records ? n : (size_t)(records - at->records);
			notes.first = at->records;
			ok = advance_together(s, r, at->records, &n, &notes);
			at->records += n;
			at->block += at->records == end;
		}
	}
	found->logged += notes.left_out;
	return ok;
}

/* A state that is guessed may be long ago. Then as many ticks are not made up for. */
static void guess_ticks(const struct piece_runner *s, struct piece *p)
{
	enum { MOST_TICKS = 64 };
	struct ticker *t = &p->guess.time.ticker;
	struct nfart_batch b;

	if (!t->any || at_end(p, &(struct piece_progress){ 0 }))
		return;
	piece_record(p, (struct piece_ref){ 0 }, &b);
	if (!t->over && b.time > t->due && (b.time - t->due) / s->filter->en->tick > MOST_TICKS) {
		*t = ticker_from(s->filter->en->tick, b.time);
		p->guess.time.waiting.n = 0;
	}
}

/* ---- running ---- */

/* Do so many losses wait for a batch that a state with them is not worth a mark? */
static bool waits_long(const struct piece_runner *s)
{
	enum { MOST_WAITING = 256 };

	return s->filter != NULL && is_timed(s) && s->filter->time.waiting.n > MOST_WAITING;
}

/* Runs the piece from *at on, until `records` records have been run since its beginning, or to its
 * end. Moves *at, and appends what is found to *f. False: out of memory. */
static bool piece_advance(struct piece_runner *s, const struct piece *p, struct piece_progress *at,
			  uint64_t records, struct piece_found *f)
{
	if (s->filter != NULL && is_timed(s))
		return advance_timed(s, p, at, records, f);
	return p->records.form == PIECE_DECODED ? advance_items(s, p, at, records, f) :
						  advance_words(s, p, at, records, f);
}

bool runner_run_share(struct piece_runner *s, struct piece *p)
{
	struct piece_progress at = { 0 };

	return piece_advance(s, p, &at, UINT64_MAX, &p->found[s->share]);
}

static bool save(const struct piece_runner *s, struct piece_state *state)
{
	state->second = s->second;
	if (s->filter != NULL)
		return filter_save(s->filter, &state->engine) &&
		       (!is_timed(s) || filter_time_save(s->filter, &state->time));
	return engine_save(s->en[s->second], &state->engine);
}

/* Puts the runner into a state. False: the image can't have such a state, or memory is short. */
static bool piece_enter(struct piece_runner *s, const struct piece_state *state)
{
	s->second = state->second;
	if (s->filter != NULL)
		return filter_load(s->filter, &state->engine) &&
		       (!is_timed(s) || filter_time_load(s->filter, &state->time));
	return engine_load(s->en[s->second], &state->engine);
}

bool runner_fits(const struct piece_runner *s, const struct piece_state *state)
{
	const struct nfart_engine *en = s->filter != NULL ? s->filter->en : s->en[0];
	const struct ticker *t = &state->time.ticker;

	return engine_state_fits(en, &state->engine) &&
	       (!t->any || (en->tick != 0 && (t->over || t->due % en->tick == 0)));
}

bool runner_run(struct piece_runner *s, struct piece *p)
{
	struct piece_found *f = &p->found[0];
	struct piece_progress at = { 0 };
	uint64_t goal = PIECE_FIRST_MARK;

	guess_ticks(s, p);
	if (!piece_enter(s, &p->guess))
		return false;
	for (p->nmarks = 0; p->nmarks < PIECE_MARKS; goal *= PIECE_MARK_STEP) {
		struct piece_mark *m = &p->marks[p->nmarks];
		if (!piece_advance(s, p, &at, goal, f))
			return false;
		if (at_end(p, &at))
			break;
		if (waits_long(s))
			continue;
		m->progress = at;
		m->found = f->words.n;
		m->logged = f->logged;
		if (!save(s, &m->state))
			return false;
		p->nmarks++;
	}
	return piece_advance(s, p, &at, UINT64_MAX, f) && save(s, &p->last);
}

bool runner_repair(struct piece_runner *s, struct piece *p, const struct piece_state *from,
		    struct piece_found *found, uint32_t *mark)
{
	struct piece_state now = { .second = false };
	struct piece_progress at = { 0 };
	bool ok = piece_enter(s, from);

	found->words.n = 0;
	found->logged = 0;
	for (*mark = 0; ok && *mark < p->nmarks; ++*mark) {
		ok = piece_advance(s, p, &at, p->marks[*mark].progress.records, found);
		if (!ok || waits_long(s))
			continue;
		ok = save(s, &now);
		if (ok && piece_state_same(&now, &p->marks[*mark].state))
			break;
	}
	if (ok && *mark == p->nmarks)
		ok = piece_advance(s, p, &at, UINT64_MAX, found) && save(s, &p->last);
	piece_state_free(&now);
	return ok;
}

bool runner_end(struct piece_runner *s, const struct piece_state *from, uint64_t until,
		struct piece_found *found)
{
	struct note_to to = { s, found };
	struct filter_notes notes = timed_notes(s, &to);

	found->words.n = 0;
	if (!piece_enter(s, from) || !filter_note_end(s->filter, until, &notes))
		return false;
	found->logged = notes.left_out;
	return true;
}
