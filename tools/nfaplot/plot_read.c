/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Note [plots in threads]
 * Of a plot of requests, threads collect the events of pieces of the trace, and the calling thread
 * joins them in the order of the trace (runtime/pairs/pairs.h). Of any other plot each slot sums up
 * all pieces that were in it, as a plot of its own, and at the end these are added up. What is
 * summed up does not depend on the order of the batches, but on the time of the first one of the
 * trace, from which columns are counted: so that is found beforehand. After an interruption all
 * pieces that were begun are in: they are the trace up to some place.
 */
#include "tools/nfaplot/plot_read.h"

#include <stdlib.h>

#include "runtime/ask/ordered.h"
#include "runtime/pairs/pairs.h"
#include "runtime/trace/batch.h"
#include "runtime/trace/border.h"
#include "runtime/trace/reader.h"
#include "support/interrupt.h"
#include "tools/nfarun/reading.h"

enum { LOSS_COLUMNS = 200 };

static const struct plot_form_of *form_of(const struct plot *x)
{
	return plot_forms[x->o->kind];
}

/* ---- a plot ---- */

/* Makes what the plot needs, but for the pairs. False: out of memory. */
static bool plot_prepare(struct plot *x)
{
	x->losses = timeline_new(1, LOSS_COLUMNS);
	return x->losses != NULL && form_of(x)->prepare(x);
}

void plot_free(struct plot *x)
{
	nfart_pairs_free(x->pairs);
	latency_free(x->latency);
	sample_free(x->samples.answered);
	sample_free(x->samples.unanswered);
	timeline_free(x->timeline);
	timeline_free(x->losses);
	heat_free(x->heat);
	free(x->open.count);
	buf_free(&x->script);
}

/* Takes note that there were records from `first` to `last`. */
static void plot_span(struct plot *x, uint64_t first, uint64_t last)
{
	x->first = x->begun && x->first < first ? x->first : first;
	x->last = x->begun && x->last > last ? x->last : last;
	x->begun = true;
}

static bool take_pairs(void *ctx, const struct nfart_pair *pairs, size_t n)
{
	struct plot *x = ctx;
	bool ok = true;

	for (size_t i = 0; i < n && ok; i++) {
		if (pairs[i].outcome != PAIRS_ASKED)
			x->outcomes[pairs[i].outcome]++;
		ok = form_of(x)->pair(x, &pairs[i]);
	}
	return ok;
}

/* Takes in a batch or loss record. False: out of memory. */
static bool plot_put(struct plot *x, const struct nfart_batch *b)
{
	plot_span(x, b->time, b->time);
	timeline_add(x->losses, 0, b->time, batch_is_loss(b));
	if (x->pairs != NULL)
		return nfart_pairs_put(x->pairs, b);
	form_of(x)->put(x, b);
	return true;
}

/* ---- several threads ---- */

struct plot_slot {
	struct pairs_piece *piece; /* of a plot of requests; else NULL, and then: */
	struct plot part;          /* all pieces that were in this slot */
};

struct plot_jobs {
	struct plot *x;
	struct reading *shown;
	struct plot_slot *slot;
	uint32_t n;
};

static bool put_part(void *ctx, const struct nfart_batch *b)
{
	return plot_put(ctx, b);
}

static int fill_slot(void *ctx, uint32_t slot, struct nfart_reader *r, struct nfart_error *e)
{
	struct plot_slot *s = &((struct plot_jobs *)ctx)->slot[slot];

	return s->piece != NULL ? pairs_piece_read(s->piece, r, e)
				: reader_each(r, put_part, &s->part, e);
}

static bool take_slot(void *ctx, uint32_t slot, const struct nfart_reader_stats *sum)
{
	struct plot_jobs *j = ctx;
	const struct pairs_piece *piece = j->slot[slot].piece;
	struct pairs_records run;

	reading_show(j->shown, sum);
	for (size_t i = 0; piece != NULL && pairs_piece_records(piece, i, &run); i++) {
		if (run.first > run.last)
			continue;
		plot_span(j->x, run.first, run.last);
		timeline_add(j->x->losses, 0, run.first, run.loss);
		timeline_add(j->x->losses, 0, run.last, 0);
	}
	return piece == NULL || pairs_put_piece(j->x->pairs, piece);
}

/* Finds the time of the first record of the trace. False: there is none, or the trace is not one
 * that threads can read. */
static bool first_time(const struct nfart_reader *r, uint64_t *time)
{
	struct trace_index index;
	struct trace_border begin;
	struct nfart_batch b;
	struct nfart_error e;
	struct nfart_reader *x = NULL;
	bool ok = trace_index_open(&index, r) && (x = reader_another(r)) != NULL;

	if (ok) {
		reader_border(r, &begin);
		reader_enter(x, &begin, UINT64_MAX);
		ok = nfart_reader_next(x, &b, &e) == 1;
		*time = ok ? b.time : 0;
	}
	trace_index_close(&index);
	nfart_reader_free(x);
	return ok;
}

/* Makes the slots of a plot whose first record is at `first`. False: out of memory. */
static bool open_slots(struct plot_jobs *j, uint64_t first)
{
	const struct nfart_batch nothing = { .time = first };
	bool ok;

	j->n = ordered_slots(j->x->o->jobs);
	j->slot = calloc(j->n, sizeof *j->slot);
	ok = j->slot != NULL;
	for (uint32_t i = 0; ok && i < j->n; i++) {
		struct plot_slot *s = &j->slot[i];
		s->part = (struct plot){ .o = j->x->o, .p = j->x->p };
		if (j->x->pairs != NULL) {
			s->piece = pairs_piece_new(j->x->p);
			ok = s->piece != NULL;
		} else if ((ok = plot_prepare(&s->part))) {
			timeline_add(s->part.losses, 0, first, 0);
			form_of(j->x)->put(&s->part, &nothing);
		}
	}
	return ok;
}

/* Adds up what the slots have. */
static void join_slots(struct plot_jobs *j)
{
	for (uint32_t i = 0; i < j->n && j->x->pairs == NULL; i++) {
		struct plot *part = &j->slot[i].part;
		if (!part->begun)
			continue;
		plot_span(j->x, part->first, part->last);
		timeline_add_row(j->x->losses, 0, part->losses, 0);
		form_of(j->x)->join(j->x, part);
	}
}

static void close_slots(struct plot_jobs *j)
{
	for (uint32_t i = 0; j->slot != NULL && i < j->n; i++) {
		pairs_piece_free(j->slot[i].piece);
		plot_free(&j->slot[i].part);
	}
	free(j->slot);
}

/* Reads in several threads, where the options and the trace allow that. Returns what ordered_read()
 * does. After ORDERED_NONE and ORDERED_AGAIN the plot has nothing of the trace. */
static enum ordered_end read_in_threads(struct plot *x, const struct nfart_reader *r,
					struct reading *shown, struct nfart_reader_stats *stats,
					struct nfart_error *e)
{
	struct plot_jobs j = { .x = x, .shown = shown };
	struct ordered_use use = { .ctx = &j, .fill = fill_slot, .take = take_slot,
				   .once = x->pairs == NULL };
	enum ordered_end end = ORDERED_NONE;
	uint64_t first;

	if (x->o->jobs < 2 || !first_time(r, &first))
		return ORDERED_NONE;
	if (open_slots(&j, first))
		end = ordered_read(r, &use, x->o->jobs, 0, interrupt_flag(), stats, e);
	if (end != ORDERED_NONE && end != ORDERED_AGAIN)
		join_slots(&j);
	close_slots(&j);
	return end;
}

/* ---- all of it ---- */

/* What read_in_one() hands to the reader. */
struct reading_all {
	struct plot *x;
	const struct nfart_reader *r;
	struct reading *shown;
	bool failed;
};

static bool take_batch(void *ctx, const struct nfart_batch *b)
{
	struct reading_all *a = ctx;

	reading_batch(a->shown, a->r);
	a->failed = !plot_put(a->x, b);
	return !a->failed && !interrupt_came();
}

static enum ordered_end read_in_one(struct plot *x, struct nfart_reader *r, struct reading *shown,
				    struct nfart_reader_stats *stats, struct nfart_error *e)
{
	struct reading_all a = { .x = x, .r = r, .shown = shown };
	int got = reader_each(r, take_batch, &a, e);

	*stats = *nfart_reader_stats(r);
	return a.failed ? ORDERED_SHORT : got < 0 ? ORDERED_ERROR : ORDERED_ALL;
}

enum nfart_status plot_read(struct plot *x, struct nfart_reader *r,
			    struct nfart_reader_stats *stats, struct nfart_error *e)
{
	const struct plot_form_of *form = form_of(x);
	struct pairs_want want = { .details = !form->asked, .asked = form->asked };
	enum ordered_end end;
	struct reading shown;

	if (form->pair != NULL && (x->pairs = pairs_new(x->p, want, take_pairs, x, e)) == NULL)
		return e->status;
	if (!plot_prepare(x))
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	reading_begin(&shown, "nfaplot", x->o->quiet);
	end = read_in_threads(x, r, &shown, stats, e);
	if (end == ORDERED_NONE || end == ORDERED_AGAIN)
		end = read_in_one(x, r, &shown, stats, e);
	reading_end(&shown);
	if (end == ORDERED_ERROR && !interrupt_came())
		return e->status;
	if (end == ORDERED_SHORT || (x->pairs != NULL && !nfart_pairs_end(x->pairs)))
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	return interrupt_came() || stats->bad_chunks != 0 ? NFART_PARTIAL : NFART_OK;
}
