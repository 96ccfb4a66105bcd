/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Runs a filter. Its input becomes keys (fast/keys.h), block by block. fast/dfa_walk.c and
 * fast/dfa_lines.c say of each batch whether it is accepted or logged. This file decides what that
 * means for the output.
 *
 * Note [batches nobody asks for]
 * Most batches are neither accepted nor logged, or they are logged and outside every window. So a
 * batch is put together and given to the window in three cases only: it is accepted; it is logged
 * and the window of an accepted batch before it is still open; or it is one of the last logged
 * batches before an accepted batch or before the end of the block. The window would drop all other
 * batches.
 */
#include "runtime/engine/filter.h"
#include "runtime/engine/filter_note.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/trace/batch.h"
#include "runtime/trace/reader.h"
#include "support/zeroes.h"

enum {
	MOST_LINES = 1 << 26,  /* the most lines whose rows are kept in an array */
	LOOK = 1024,           /* the value of dfa_pace.look, except in tests */
	/* The values of dfa_pace.worth, without and with bit-parallel steps. These steps are cheap,
	 * so that an entry of the cache must serve more batches to be worth its making. */
	WORTH = 16,
	WORTH_PARALLEL = 128,
	CALM = 4096            /* the value of dfa_speculation.enough, except in tests */
};

/* ---- making and freeing a filter ---- */

static bool no_sink(void *ctx, const struct nfart_batch *b, const struct nfart_result *r)
{
	(void)ctx;
	(void)b;
	(void)r;
	return true;
}

/* The sink of the filter's window: counts the batches that are output, and passes everything on to
 * the caller's sink. */
static bool filter_output(void *ctx, const struct nfart_batch *b, const struct nfart_result *r)
{
	struct nfart_filter *f = ctx;

	f->to.stats.output += !batch_is_loss(b);
	return f->to.sink(f->to.ctx, b, r);
}

static bool filter_prepare(struct nfart_filter *f, const struct nfart_filter_options *o)
{
	struct nfart_engine *en = f->en;
	enum nfart_simd best = nfart_simd_best();
	bool ok = true;

	f->to.labels = calloc((size_t)en->im->labels.n + 1, sizeof *f->to.labels);
	f->to.window = nfart_window_new_sides(en->im->window.before, en->im->window.after,
					      en->im->stream.limit, filter_output, f);
	/* Joins (joins.h) are found batch by batch, so the engine steps. */
	if (!o->stepwise && en->im->alphabet.payload_words == 0 &&
	    en->im->nfa.nmachines == 0 && en->joins.entry == NULL &&
	    en->map.n >> (VISIT_LINE - 1) == 0)
		f->dfa = dfa_new(en, o->simd == NFART_SIMD_BEST || o->simd > best ? best : o->simd,
				   &ok);
	if (f->dfa != NULL && ok && trace_is_bytes(en->im->proto))
		f->factor = factor_new(en->im, f->dfa->keys.level, &ok);
	f->in.records.keys = f->dfa != NULL ? &f->dfa->keys : NULL;
	if (f->to.labels == NULL || f->to.window == NULL || !ok)
		return false;
	f->pace.worth = filter_fits_bit_parallel(f) ? WORTH_PARALLEL : WORTH;
	f->to.stats.labels = f->to.labels;
	if (f->dfa != NULL && en->map.any) {
		f->at.stepping = en->map.n > MOST_LINES;
		if (!f->at.stepping)
			f->at.line_row = zeroes_new(en->map.n, sizeof *f->at.line_row);
		if (!f->at.stepping && f->at.line_row == NULL)
			return false;
		if (!dfa_everyone_init(f))
			return false;
	}
	if (f->dfa != NULL && !f->at.stepping && !f->at.everyone.any)
		f->must = must_new(f->en, &f->dfa->keys, &ok);
	filter_quiet_init(f);
	return ok && filter_start(f) &&
	       (en->im->alphabet.time == IMAGE_NO_TIME || filter_time_init(f));
}

enum nfart_status filter_failed(const struct nfart_filter *f, struct nfart_error *e)
{
	if (f->en->unnamed)
		return nfart_fail(
			e, NFART_GAVEUP,
			"a tick, the end or a broadcast message is accepted on more than "
			"%d lines without messages, too many to name; run it without --lines",
			ENGINE_MOST_NAMED);
	return nfart_fail(e, NFART_SYSTEM, "out of memory, or the output can't be written");
}

struct nfart_filter *nfart_filter_new(const struct nfart_image *im,
				      const struct nfart_filter_options *o, struct nfart_error *e)
{
	struct nfart_filter *f = calloc(1, sizeof *f);

	if (f == NULL) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return NULL;
	}
	f->in.most = FILTER_BLOCK;
	f->in.block.key = f->said.own_key;
	f->pace.look = LOOK;
	f->speculation.enough = CALM;
	f->to.sink = o->sink != NULL ? o->sink : no_sink;
	f->to.ctx = o->ctx;
	f->match.keep = o->matches;
	f->en = nfart_engine_new(im, &o->engine, e);
	if (f->en != NULL && filter_prepare(f, o))
		return f;
	if (f->en != NULL)
		nfart_fail(e, NFART_SYSTEM, "out of memory");
	nfart_filter_free(f);
	return NULL;
}

void nfart_filter_free(struct nfart_filter *f)
{
	if (f == NULL)
		return;
	nfart_engine_free(f->en);
	nfart_window_free(f->to.window);
	dfa_free(f->dfa);
	factor_free(f->factor);
	must_free(f->must);
	bp_free(f->bits);
	free(f->to.labels);
	free(f->at.line_row);
	vec_free(&f->at.touched);
	vec_free(&f->at.everyone.moving);
	vec_free(&f->at.everyone.turn);
	free(f->at.everyone.is_moving);
	vec_free(&f->said.hits);
	vec_free(&f->said.sets);
	vec_free(&f->said.share.visits);
	vec_free(&f->in.records.key);
	vec_free(&f->in.records.offset);
	filter_time_free(f);
	vec_free(&f->match.matches);
	free(f);
}

bool filter_is_fast(const struct nfart_filter *f)
{
	return f->dfa != NULL && !(f->en->map.any && f->at.stepping) && !f->at.everyone.any;
}

/* ---- the output of a block ---- */

/* Puts together batch i of block k. */
static const struct nfart_batch *batch_of(struct nfart_filter *f, const struct filter_block *k,
					  size_t i)
{
	struct nfart_batch *b = &f->in.held;

	b->lost = 0;
	b->damaged = false;
	b->when = 0;
	b->payload_words = 0;
	switch (k->form) {
	case BLOCK_RECORDS:
		trace_record(k->at + k->offset[i], k->label_words, b);
		return b;
	case BLOCK_ROWS:
		trace_row(f->en->im->proto, k->at + i * row_bytes(&f->dfa->keys), b);
		return b;
	case BLOCK_MESSAGES:
		b->time = k->time + i;
		b->mask = (uint64_t)1 << k->slot[i];
		b->header[k->slot[i]] = k->header[i];
		return b;
	case BLOCK_BYTES:
		b->time = k->time + i;
		b->mask = 1;
		b->header[0] = k->at[i];
		return b;
	case BLOCK_ONE:
	case BLOCK_KEYS:
	case BLOCK_TIMED:
		break;
	}
	return &f->in.batch;
}

/* Puts together batch i of the block, which is a timed one. */
static const struct nfart_batch *timed_batch(struct nfart_filter *f, size_t i)
{
	const struct timed_item *x = &f->time.timed->item[i];

	if (x->source != TIMED_ALONE)
		batch_of(f, &f->time.timed->source, x->source);
	else
		f->in.held.mask = f->in.held.lost = 0;
	f->in.held.damaged = false;
	f->in.held.time = x->time;
	f->in.held.when = x->when;
	return &f->in.held;
}

const struct nfart_batch *filter_batch(struct nfart_filter *f, size_t i)
{
	return f->in.block.form == BLOCK_TIMED ? timed_batch(f, i) : batch_of(f, &f->in.block, i);
}

/* Keeps the matches of a batch for nfart_filter_matches(). */
static bool keep_matches(struct nfart_filter *f, uint64_t time, const struct nfart_result *r)
{
	struct nfart_match m = { .time = time };
	uint32_t n = f->en->im->labels.n - f->en->im->labels.noutputs;

	if (f->match.fetched)
		f->match.matches.n = 0;
	f->match.fetched = false;
	for (size_t i = 0; i < r->nlines; i++) {
		if (r->lines[i].label >= n)
			break;
		m.label = r->lines[i].label;
		m.address = r->lines[i].address;
		if (!vec_push(&f->match.matches, m))
			return false;
	}
	for (size_t i = bits_next(r->labels, n, 0); i < n && !r->by_line;
	     i = bits_next(r->labels, n, i + 1)) {
		m.label = (uint32_t)i;
		if (!vec_push(&f->match.matches, m))
			return false;
	}
	return true;
}

const struct nfart_match *nfart_filter_matches(struct nfart_filter *f, size_t *n)
{
	if (f->match.fetched)
		f->match.matches.n = 0;
	f->match.fetched = true;
	*n = f->match.matches.n;
	return f->match.matches.at;
}

bool filter_count_result(struct nfart_filter *f, uint64_t time, const struct nfart_result *r)
{
	if (!r->accepted) /* outputs of other batches are not counted */
		return true;
	for (size_t i = bits_next(r->labels, r->nlabels, 0); i < r->nlabels;
	     i = bits_next(r->labels, r->nlabels, i + 1))
		f->to.labels[i]++;
	return !f->match.keep || keep_matches(f, time, r);
}

bool filter_result(struct nfart_filter *f, size_t i, size_t *hit, struct nfart_result *r)
{
	engine_begin(f->en, r);
	if ((f->said.entry[i] & DFA_ROW) != 0 &&
	    !engine_collect(f->en, dfa_set(f->dfa, f->said.entry[i]), 0, r))
		return false;
	for (; *hit < f->said.hits.n && f->said.hits.at[*hit].batch == i; ++*hit)
		if (!engine_collect(f->en, f->said.sets.at + f->said.hits.at[*hit].set,
				    f->said.hits.at[*hit].line, r))
			return false;
	engine_end(f->en, r);
	/* A copy that does not accept may have logged the batch. */
	r->logged |= (f->said.entry[i] & DFA_LOGGED) != 0;
	return true;
}

/* Gives batch i, which is accepted, to the window together with its result. On entry *hit is the
 * first hit of batch i, as an index into f->hits; afterwards it is the first hit of a later
 * batch. */
static bool put_accepted(struct nfart_filter *f, size_t i, size_t *hit)
{
	const struct nfart_batch *b;
	struct nfart_result r;

	if (!filter_result(f, i, hit, &r))
		return false;
	b = filter_batch(f, i);
	return filter_count_result(f, b->time, &r) && nfart_window_put(f->to.window, b, &r);
}

/* Gives the window the logged batches of [from, to), except those that the window would drop (Note
 * [batches nobody asks for]). None of these batches is accepted. *end becomes the batch after the
 * one that reached the limit, or `to` if none did. */
static bool put_logged(struct nfart_filter *f, size_t from, size_t to, size_t *end)
{
	struct nfart_result logged = { .logged = true };
	uint64_t held = 0;
	size_t i = to;

	*end = to;
	if (!image_has_window(f->en->im))
		return true;
	for (; from < to && window_after(f->to.window) != 0; from++) {
		if ((f->said.entry[from] & DFA_LOGGED) == 0)
			continue;
		if (!nfart_window_put(f->to.window, filter_batch(f, from), &logged))
			return false;
		if (nfart_window_full(f->to.window)) {
			*end = from + 1;
			return true;
		}
	}
	while (i > from && held < window_before(f->to.window))
		held += (f->said.entry[--i] & DFA_LOGGED) != 0;
	for (; i < to; i++)
		if ((f->said.entry[i] & DFA_LOGGED) != 0 &&
		    !nfart_window_put(f->to.window, filter_batch(f, i), &logged))
			return false;
	return true;
}

/* Several entries in one register. */
typedef uint32_t entries __attribute__((vector_size(16)));
enum { ENTRIES = sizeof(entries) / sizeof(uint32_t) };

static void count_flags(struct nfart_filter *f, size_t from, size_t to)
{
	entries e, accepted = { 0 }, both = { 0 };

	for (; to - from >= ENTRIES; from += ENTRIES) {
		memcpy(&e, f->said.entry + from, sizeof e);
		accepted += e >> 31;
		both += e >> 30; /* the flag DFA_ACCEPTED adds 2, DFA_LOGGED adds 1 */
	}
	for (size_t k = 0; k < ENTRIES; k++) {
		f->to.stats.accepted += accepted[k];
		f->to.stats.logged += both[k] - 2 * accepted[k];
	}
	for (; from < to; from++) {
		f->to.stats.accepted += f->said.entry[from] >> 31;
		f->to.stats.logged += f->said.entry[from] >> 30 & 1;
	}
}

static void filter_count(struct nfart_filter *f, size_t from, size_t to)
{
	/* In these forms an item may be no batch, or none of the trace. */
	if (f->in.block.form == BLOCK_TIMED)
		for (size_t i = from; i < to; i++)
			f->to.stats.batches += f->time.timed->item[i].source != TIMED_ALONE;
	else if (f->in.block.form == BLOCK_ONE)
		f->to.stats.batches += to != from && filter_mask(f, &f->in.batch) != 0;
	else if (f->in.block.form == BLOCK_ROWS)
		for (size_t i = from; i < to; i++)
			f->to.stats.batches += f->in.block.key[i] != 0;
	else
		f->to.stats.batches += to - from;
	if (f->said.any != 0)
		count_flags(f, from, to);
}

/* Returns the first accepted batch of [i, to), or `to` if none is accepted. */
static size_t next_accepted(const struct nfart_filter *f, size_t i, size_t to)
{
	if ((f->said.any & DFA_ACCEPTED) == 0)
		return to;
	for (uint64_t pair[2]; to - i >= 4; i += 4) {
		memcpy(pair, f->said.entry + i, sizeof pair);
		if (((pair[0] | pair[1]) & ((uint64_t)DFA_ACCEPTED << 32 | DFA_ACCEPTED)) != 0)
			break;
	}
	while (i < to && (f->said.entry[i] & DFA_ACCEPTED) == 0)
		i++;
	return i;
}

/* Uses the entries of the batches [from, to): gives the window the batches it needs, and updates
 * the statistics. On entry *hit is the first hit of these batches, as an index into f->hits;
 * afterwards it is the first hit that was not used. *end becomes the batch after the one that
 * reached the limit, or `to` if none did. */
static bool filter_finish(struct nfart_filter *f, size_t from, size_t to, size_t *hit, size_t *end)
{
	size_t next = from, i;

	*end = to;
	if (f->notes != NULL)
		return filter_note_entries(f, from, to, hit, f->notes);
	while ((i = next_accepted(f, next, to)) < to) {
		if (!put_logged(f, next, i, end))
			return false;
		if (nfart_window_full(f->to.window))
			break;
		if (!put_accepted(f, i, hit))
			return false;
		next = i + 1;
		*end = nfart_window_full(f->to.window) ? next : to;
		if (nfart_window_full(f->to.window))
			break;
	}
	if ((f->said.any & DFA_LOGGED) != 0 && !nfart_window_full(f->to.window) &&
	    !put_logged(f, next, to, end))
		return false;
	filter_count(f, from, *end);
	return true;
}

bool filter_run_block(struct nfart_filter *f, size_t n, size_t *end)
{
	size_t hit = 0, done = 0;

	f->said.hits.n = f->said.sets.n = 0;
	f->said.any = 0;
	*end = 0;
	if (f->en->map.any)
		return dfa_lines(f, n) && filter_finish(f, 0, n, &hit, end);
	if (!(f->in.block.form == BLOCK_BYTES ? filter_try_factors(f, n) : filter_leave_factors(f)))
		return false;
	while (done < n && !nfart_window_full(f->to.window)) {
		size_t from = done;
		bool factors = f->factor != NULL && f->factor->stream.on;
		f->said.any = 0;
		if (f->in.block.form != BLOCK_BYTES)
			done = must_skip(f, from, n);
		f->pace.walked += done - from;
		if (done == from && !(factors ? factor_walk : dfa_walk)(f, from, n, &done))
			return false;
		if (!filter_finish(f, from, done, &hit, end))
			return false;
	}
	return true;
}
