/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/run/combine.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/trace/batch.h"

void combiner_setup_runner(const struct run *r, struct piece_runner *s, uint32_t share,
			   uint32_t shares)
{
	const struct nfart_image *a = r->image, *b = r->second;

	memset(s, 0, sizeof *s);
	s->image[0] = a;
	s->image[1] = b;
	s->o = r->engine;
	s->simd = r->how.simd;
	s->swap_at = b != NULL ? r->swap_at : 0;
	s->share = share;
	s->shares = shares;
	/* A batch may be logged on lines of several shares, but must be counted once. So every
	 * share notes which batches it logs, and combining unites these notes. */
	s->keep_logged = shares > 1 || image_has_window(a) || a->stream.limit != 0 ||
			 (b != NULL && (image_has_window(b) || b->stream.limit != 0));
	s->keep_ticks = true;
}

bool combiner_open(struct combiner *c, struct run *r, bool by_line, bool decoded, uint32_t shares,
		   struct nfart_error *e)
{
	memset(c, 0, sizeof *c);
	c->r = r;
	c->by_line = by_line;
	combiner_setup_runner(r, &c->runner, 0, 1);
	c->runner.decoded = decoded;
	c->cursor = calloc(shares, sizeof *c->cursor);
	c->labels = calloc(bits_words(r->nlabels) + 1, 8);
	if (!copies_init(&c->map[0], r->image, &r->engine, e) ||
	    (r->second != NULL && !copies_init(&c->map[1], r->second, &r->engine, e)))
		return false;
	if (c->cursor == NULL || c->labels == NULL) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return false;
	}
	return runner_open(&c->runner, e);
}

void combiner_close(struct combiner *c)
{
	runner_close(&c->runner);
	piece_state_free(&c->truth);
	vec_free(&c->repaired.words);
	vec_free(&c->lines);
	free(c->cursor);
	free(c->labels);
}

/* ---- one record ---- */

/* Adds the cursor's entry to *res, and moves the cursor to the next entry. lw is the number of
 * words in a set of labels. */
static bool add_entry(struct combiner *c, struct combiner_cursor *at, size_t lw,
		      struct nfart_result *res)
{
	const uint64_t *w = at->found->words.at + at->at;
	size_t nlines = w[ENTRY_WHAT] >> 8;

	res->accepted |= (w[ENTRY_WHAT] & ENTRY_ACCEPTED) != 0;
	res->logged |= (w[ENTRY_WHAT] & ENTRY_LOGGED) != 0;
	for (size_t i = 0; i < lw; i++)
		c->labels[i] |= w[PIECE_ENTRY + i];
	w += PIECE_ENTRY + lw;
	for (size_t i = 0; i < nlines; i++) {
		struct nfart_line l = { (uint32_t)w[2 * i], w[2 * i + 1] };
		if (!vec_push(&c->lines, l))
			return false;
	}
	at->at += PIECE_ENTRY + lw + 2 * nlines;
	return true;
}

/* Finds the first record that one of the n cursors has an entry for. Puts its ref into *ref and the
 * entry's ENTRY_WHAT into *what. False: no cursor has an entry left. */
static bool next_entry(const struct combiner *c, size_t n, struct piece_ref *ref, uint64_t *what)
{
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		const struct combiner_cursor *at = &c->cursor[i];
		const uint64_t *w;
		if (at->at == at->end)
			continue;
		w = at->found->words.at + at->at;
		if (any && w[ENTRY_REF] >= ref->n)
			continue;
		any = true;
		ref->n = w[ENTRY_REF];
		*what = w[ENTRY_WHAT];
	}
	return any;
}

/* Makes *b the tick or the loss of the entry at w. */
static void time_batch(const uint64_t *w, struct nfart_batch *b)
{
	bool loss = (w[ENTRY_WHAT] & ENTRY_LOSS) != 0;

	*b = (struct nfart_batch){ .time = w[ENTRY_BATCH], .lost = loss ? w[ENTRY_REF] : 0 };
}

/* Unites what the first n cursors say of the record `ref`, and gives the record with this result to
 * run_record(). Entries without a record come from one cursor alone. False: out of memory, or the
 * output failed. */
static bool pass_record(struct combiner *c, const struct piece *p, size_t n, struct piece_ref ref,
			uint64_t what)
{
	struct run *r = c->r;
	bool second = (what & ENTRY_SECOND) != 0, early = (what & ENTRY_EARLY) != 0, ok;
	const struct nfart_image *im = second ? r->second : r->image;
	size_t lw = bits_words(im->labels.n);
	struct nfart_result res = { .labels = c->labels, .nlabels = im->labels.n };
	struct nfart_batch b;

	if ((what & ENTRY_TIME) != 0)
		time_batch(c->cursor[0].found->words.at + c->cursor[0].at, &b);
	else
		piece_record(p, ref, &b);
	b.when = what >> ENTRY_WHEN_AT & (NFART_TICK | NFART_END);
	memset(c->labels, 0, lw * 8);
	c->lines.n = 0;
	for (size_t i = 0; i < n; i++) {
		struct combiner_cursor *at = &c->cursor[i];
		if (at->at < at->end && at->found->words.at[at->at + ENTRY_REF] == ref.n &&
		    !add_entry(c, at, lw, &res))
			return false;
	}
	if (n > 1)
		copies_sort(second ? &c->map[1] : &c->map[0], c->lines.at, c->lines.n);
	res.lines = c->lines.at;
	res.nlines = c->lines.n;
	res.by_line = r->engine.lines && (im->substreams.by_line || r->engine.has_substream);
	r->work.stats.losses += batch_is_loss(&b) || early;
	ok = run_record(r, &b, &res);
	r->work.stats.losses -= early;
	return ok;
}

/* ---- a piece ---- */

/* Counts the batches of a piece that messages of a line share, up to record `last`, and none from
 * the swap on. */
static void count_shared(const struct combiner *c, const struct piece *p, struct piece_ref last)
{
	const struct run *r = c->r;
	uint64_t most = UINT64_MAX;

	if (r->work.shared == NULL)
		return;
	if (r->second != NULL)
		most = r->swap_at > p->before + 1 ? r->swap_at - p->before - 1 : 0;
	piece_count_shared(p, last, most, r->work.shared);
}

/* Returns the first batch of the piece after a time. The trace was read up to it when a tick at
 * that time was known to be due. */
static struct piece_ref batch_after(const struct piece *p, uint64_t time)
{
	struct piece_ref ref = { 0 }, end = piece_end(p);
	struct nfart_batch b;

	for (size_t next; ref.n < end.n; ref.n = next) {
		next = p->records.form == PIECE_WORDS
			       ? piece_word_record(&p->records, ref.n, &b)
			       : ref.n + 1;
		piece_record(p, ref, &b);
		if (b.mask != 0 && b.time > time)
			break;
	}
	return ref;
}

/* Passes on all records that the first n cursors name, in order. `begin` has the statistics before
 * the piece. If the limit is reached, r's statistics end with the last record passed on. */
static bool pass_records(struct combiner *c, struct piece *p, size_t n,
			 const struct nfart_reader_stats *begin, struct nfart_error *e)
{
	struct run *r = c->r;
	struct piece_ref ref = { 0 };
	uint64_t what = 0;

	while (next_entry(c, n, &ref, &what)) {
		size_t at = c->cursor[0].at;
		if ((what & ENTRY_SECOND) != 0 && !r->result.swapped && !run_swap(r, e))
			return false;
		if (!pass_record(c, p, n, ref, what))
			return false;
		if (run_finished(r) && (what & ENTRY_TIME) != 0)
			ref = batch_after(p, c->cursor[0].found->words.at[at + ENTRY_BATCH]);
		if (run_finished(r)) {
			r->work.stats = *begin;
			piece_count(p, ref, &r->work.stats);
			count_shared(c, p, ref);
			return true;
		}
	}
	return true;
}

static bool add_by_line(struct combiner *c, struct piece *p, const struct nfart_reader_stats *begin,
			struct nfart_error *e)
{
	for (uint32_t i = 0; i < p->shares; i++) {
		c->r->result.logged += p->found[i].logged;
		c->cursor[i] = (struct combiner_cursor){ &p->found[i], 0, p->found[i].words.n };
	}
	return pass_records(c, p, p->shares, begin, e);
}

/* Adds a piece of a run without substreams. If the guess of its first state was wrong, runs the
 * piece again from the true state up to a mark (piece.h, Note [pieces]). Then passes on what this
 * run found before the mark, and what the first run found after it. */
static bool add_by_time(struct combiner *c, struct piece *p, const struct nfart_reader_stats *begin,
			struct nfart_error *e)
{
	const struct piece_found *f = &p->found[0];
	size_t from = 0;
	uint32_t mark;

	c->r->result.logged += f->logged;
	if (!piece_state_same(&c->truth, &p->guess)) {
		if (!runner_repair(&c->runner, p, &c->truth, &c->repaired, &mark))
			return false;
		from = mark < p->nmarks ? p->marks[mark].found : f->words.n;
		c->r->result.logged -= mark < p->nmarks ? p->marks[mark].logged : f->logged;
		c->r->result.logged += c->repaired.logged;
		c->cursor[0] = (struct combiner_cursor){ &c->repaired, 0, c->repaired.words.n };
		if (!pass_records(c, p, 1, begin, e))
			return false;
	}
	if (!run_finished(c->r)) {
		c->cursor[0] = (struct combiner_cursor){ f, from, f->words.n };
		if (!pass_records(c, p, 1, begin, e))
			return false;
	}
	return piece_state_copy(&c->truth, &p->last);
}

static void add_stats(struct nfart_reader_stats *s, const struct nfart_reader_stats *x)
{
	s->batches += x->batches;
	s->messages += x->messages;
	s->losses += x->losses;
	s->lost += x->lost;
	s->lost_unknown |= x->lost_unknown;
	s->damaged += x->damaged;
	s->bad_chunks += x->bad_chunks;
	s->bytes += x->bytes;
}

enum nfart_status combiner_add(struct combiner *c, struct piece *p, struct nfart_error *e)
{
	struct run *r = c->r;
	struct nfart_reader_stats begin = r->work.stats;

	c->until = p->stated > c->until ? p->stated : c->until;
	if (p->failed ||
	    !(c->by_line ? add_by_line(c, p, &begin, e) : add_by_time(c, p, &begin, e)))
		return NFART_SYSTEM;
	if (run_finished(r))
		return NFART_OK;
	count_shared(c, p, piece_end(p));
	if (r->second != NULL && !r->result.swapped && p->before + p->stats.batches >= r->swap_at &&
	    !run_swap(r, e))
		return e->status;
	r->work.stats = begin;
	add_stats(&r->work.stats, &p->stats);
	if (p->status != NFART_OK)
		*e = p->error;
	return p->status;
}

bool combiner_end(struct combiner *c)
{
	struct run *r = c->r;
	uint64_t until = nfart_reader_until(r->reader), after_loss = r->result.after_loss,
		 losses = r->work.stats.losses, what;
	struct piece_ref ref = { 0 };

	if (r->image->alphabet.time == IMAGE_NO_TIME || run_finished(r))
		return true;
	until = until > c->until ? until : c->until;
	until = until > r->how.until ? until : r->how.until;
	if (!runner_end(&c->runner, &c->truth, r->result.interrupted ? 0 : until, &c->repaired))
		return false;
	r->result.logged += c->repaired.logged;
	c->cursor[0] = (struct combiner_cursor){ &c->repaired, 0, c->repaired.words.n };
	while (next_entry(c, 1, &ref, &what) && !run_finished(r))
		if (!pass_record(c, NULL, 1, ref, what))
			return false;
	r->result.after_loss = after_loss; /* of batches in the trace */
	r->work.stats.losses = losses;     /* those that waited were counted */
	return true;
}
