/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * What a piece of a trace is for a question. About requests and answers it is the events of its
 * messages: threads decode them, and the calling thread joins them in the order of the trace; and,
 * by label, what the filter found in the piece (runtime/ask/labelled.h). For --rate it is rows, of
 * which the first may go on with the last one before. For --count all pieces of a slot are counted
 * together, in any order, and slots are added up at the end.
 */
#include "tools/nfarun/ask_jobs.h"

#include <stdlib.h>

#include "runtime/trace/border.h"
#include "runtime/trace/reader.h"

struct ask_jobs {
	struct ask *a;
	struct ask_slot *slot;
	uint32_t n;
};

struct tally *ask_tally_new(const struct ask *a)
{
	enum ask_by by = a->o->ask.by;

	return tally_new(a->p, by == BY_TYPE    ? TALLY_BY_TYPE
			       : by == BY_GROUP ? TALLY_BY_GROUP
						: TALLY_BY_LINE);
}

/* ---- in any thread ---- */

static bool count_batch(void *ctx, const struct nfart_batch *b)
{
	struct ask_slot *s = ctx;

	return tally_put(s->tally, b);
}

static bool rate_batch(void *ctx, const struct nfart_batch *b)
{
	struct ask_slot *s = ctx;
	uint64_t period = s->a->o->ask.period;
	struct ask_rate new;

	if (s->rates.n == 0 || !ask_rate_has(&s->rates.at[s->rates.n - 1], b->time, period)) {
		ask_rate_begin(&new, b->time, period);
		if (!vec_push(&s->rates, new))
			return false;
	}
	ask_rate_count(&s->rates.at[s->rates.n - 1], b);
	return true;
}

int ask_slot_fill(struct ask_slot *s, struct nfart_reader *r, struct nfart_error *e)
{
	struct trace_border border;
	int got;

	s->rates.n = 0;
	if (s->labelled != NULL && !labelled_fill(s->labelled, r, e)) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return -1;
	}
	if (s->labelled != NULL && s->pairs == NULL)
		return e->status == NFART_OK ? 0 : -1;
	if (s->labelled != NULL)
		labelled_rewind(s->labelled, r);
	if (s->pairs != NULL) {
		got = pairs_piece_read(s->pairs, r, e);
		reader_border(r, &border);
		s->last = border.clock.last_batch;
		s->any = border.clock.any_batch;
		return got;
	}
	got = reader_each(r, s->tally != NULL ? count_batch : rate_batch, s, e);
	if (got <= 0)
		return got;
	nfart_fail(e, NFART_SYSTEM, "out of memory");
	return -1;
}

static int fill_slot(void *ctx, uint32_t slot, struct nfart_reader *r, struct nfart_error *e)
{
	return ask_slot_fill(&((struct ask_jobs *)ctx)->slot[slot], r, e);
}

/* ---- in the calling thread ---- */

void ask_take_rate(struct ask *a, const struct ask_rate *x)
{
	if (x->begin != a->rate.begin) {
		ask_print_rate(a);
		a->rate.begin = x->begin;
	}
	a->rate.batches += x->batches;
	a->rate.messages += x->messages;
	a->rate.gaps += x->gaps;
}

/* Takes what is in the slot, but for counts. False: memory is short. */
static bool take_piece(struct ask *a, struct ask_slot *s)
{
	for (size_t i = 0; i < s->rates.n; i++)
		ask_take_rate(a, &s->rates.at[i]);
	if (a->image != NULL &&
	    !ask_labels_piece(&a->labels, s->labelled, s->any ? &s->last : NULL))
		return false;
	return s->pairs == NULL || pairs_put_piece(a->pairs, s->pairs);
}

static bool take_slot(void *ctx, uint32_t slot, const struct nfart_reader_stats *sum)
{
	struct ask_jobs *j = ctx;

	reading_show(&j->a->trace.reading, sum);
	return take_piece(j->a, &j->slot[slot]);
}

/* ---- in one thread ---- */

bool ask_pieces_read(struct ask *a, struct ask_slot *s, const struct nfart_reader *r,
		     struct trace_border *border, uint64_t until, struct nfart_error *e)
{
	struct nfart_reader *x = reader_another(r);
	bool ok = x != NULL, more = ok;

	if (!ok)
		nfart_fail(e, NFART_SYSTEM, "out of memory");
	while (more && ok && *a->stop == 0) {
		uint64_t to = until - border->offset > ASK_PIECE_BYTES
				      ? border->offset + ASK_PIECE_BYTES
				      : until;
		reader_enter(x, border, to);
		ok = ask_slot_fill(s, x, e) >= 0;
		a->failed |= !take_piece(a, s);
		reader_border(x, border);
		reader_stats_add(&a->trace.stats, nfart_reader_stats(x));
		a->trace.stats.bytes += nfart_reader_stats(x)->bytes;
		reading_show(&a->trace.reading, &a->trace.stats);
		more = border->offset >= to && border->offset < until && !a->failed;
	}
	nfart_reader_free(x);
	return ok;
}

enum ordered_end ask_pieces_all(struct ask *a, const struct nfart_reader *r, struct nfart_error *e)
{
	struct trace_border border;
	struct trace_index index;
	struct ask_slot slot = { .a = a };
	enum ordered_end end = ORDERED_NONE;
	bool can_be = trace_index_open(&index, r) && r->o.follow == NULL;

	trace_index_close(&index);
	if (can_be && ask_slot_init(&slot, a)) {
		a->trace.stats = (struct nfart_reader_stats){ .size = nfart_reader_stats(r)->size };
		reader_border(r, &border);
		end = ask_pieces_read(a, &slot, r, &border, UINT64_MAX, e) ? ORDERED_ALL
									   : ORDERED_ERROR;
	}
	ask_slot_free(&slot);
	return end;
}

/* ---- all of it ---- */

bool ask_slot_init(struct ask_slot *s, struct ask *a)
{
	struct nfart_error e;

	*s = (struct ask_slot){ .a = a };
	return (a->image == NULL || a->labels.lines != NULL ||
		(s->labelled = labelled_new(a->image, 0, 1, &e)) != NULL) &&
	       (a->pairs == NULL || (s->pairs = pairs_piece_new(a->p)) != NULL) &&
	       (a->tally == NULL || (s->tally = ask_tally_new(a)) != NULL);
}

bool ask_slot_init_lines(struct ask_slot *s, struct ask *a, uint32_t share, uint32_t shares)
{
	struct nfart_error e;

	*s = (struct ask_slot){ .a = a };
	return (s->labelled = labelled_new(a->image, share, shares, &e)) != NULL;
}

void ask_slot_free(struct ask_slot *s)
{
	labelled_free(s->labelled);
	pairs_piece_free(s->pairs);
	tally_free(s->tally);
	vec_free(&s->rates);
}

static bool open_slots(struct ask_jobs *j)
{
	bool ok;

	j->n = ordered_slots(j->a->o->run.jobs);
	j->slot = calloc(j->n, sizeof *j->slot);
	ok = j->slot != NULL;
	for (uint32_t i = 0; ok && i < j->n; i++)
		ok = ask_slot_init(&j->slot[i], j->a);
	return ok;
}

static void close_slots(struct ask_jobs *j)
{
	for (uint32_t i = 0; j->slot != NULL && i < j->n; i++)
		ask_slot_free(&j->slot[i]);
	free(j->slot);
}

enum ordered_end ask_jobs_read(struct ask *a, struct nfart_reader *r, struct nfart_error *e)
{
	struct ask_jobs j = { .a = a };
	struct ordered_use use = { .ctx = &j, .fill = fill_slot, .take = take_slot,
				   .once = a->tally != NULL };
	enum ordered_end end = ORDERED_NONE;

	if (open_slots(&j))
		end = ordered_read(r, &use, a->o->run.jobs, 0, a->stop, &a->trace.stats, e);
	a->failed |= end == ORDERED_SHORT;
	for (uint32_t i = 0;
	     a->tally != NULL && end != ORDERED_NONE && end != ORDERED_AGAIN && i < j.n; i++)
		a->failed |= !tally_add(a->tally, j.slot[i].tally);
	close_slots(&j);
	return end == ORDERED_SHORT ? ORDERED_ALL : end;
}
