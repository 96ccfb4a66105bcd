/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Shards of questions. What a part has is collected as by one thread, but requests and answers as a
 * part of them (runtime/pairs/pairs_part.h), and goes to a file as records
 * (runtime/ask/asked_file.h). A shard of lines has labels instead (ask_lines.h).
 */
#include "tools/nfarun/ask_shard.h"

#include <stdlib.h>
#include <string.h>

#include "contract/image/image.h"
#include "runtime/ask/asked_flight.h"
#include "runtime/pairs/pairs_part.h"
#include "runtime/trace/reader.h"
#include "tools/nfarun/ask_jobs.h"
#include "tools/nfarun/ask_merge.h"
#include "tools/nfarun/process.h"

/* ---- a shard ---- */

struct shard_writer {
	struct ask *a;
	struct asked_writer out;
	struct pairs_part *part; /* NULL: the question is not about pairs */
	struct ask_slot slot;
	struct asked_end end;
	uint32_t marks;           /* so many marks have been told */
	struct piece_state entry; /* by label: of the filter before the part */
	enum ask_parts parts;
	struct flight_writer flight; /* if it is asked what is in flight */
};

/* Tells the labels of all marks up to `mark` that were not told. The marks are numbers of sets. */
static bool tell_marks(struct shard_writer *w, uint32_t mark)
{
	const struct ask_labels *l = &w->a->labels;
	bool ok = true;

	for (; w->marks < mark && ok; w->marks++) {
		const struct label_set *s = &l->sets.at[w->marks + 1];
		for (uint32_t i = 0; i < s->n && ok; i++)
			ok = asked_put(&w->out, ASKED_LABEL,
				       (const uint64_t[]){ w->marks + 1, l->all.at[s->first + i] });
	}
	return ok;
}

static uint32_t mark_of(void *ctx, uint64_t time)
{
	return ask_labels_mark(&((struct shard_writer *)ctx)->a->labels, time);
}

static bool write_entry(void *ctx, const struct pairs_entry *x)
{
	struct shard_writer *w = ctx;

	return tell_marks(w, x->mark) &&
	       (w->flight.f != NULL ? flight_put_entry(&w->flight, x)
				    : asked_put_entry(&w->out, x));
}

static bool keep_pairs(void *ctx, const struct nfart_pair *pairs, size_t n)
{
	struct shard_writer *w = ctx;
	struct in_flight *f = w->flight.f;
	bool ok = true;

	/* Merging joins the pairs before the switch again, and entries tell what is replaced. */
	for (size_t i = 0; i < n && ok; i++)
		ok = f == NULL || (w->flight.switched && pairs[i].outcome != NFART_PAIR_REPLACED)
			     ? ask_take_pairs(w->a, &pairs[i], 1)
			     : in_flight_take(f, &pairs[i], 1);
	return ok;
}

static bool write_latency(void *ctx, const struct latency_group *g, const struct latency_count *c)
{
	struct shard_writer *w = ctx;

	return asked_put(&w->out, ASKED_LATENCY,
			 (const uint64_t[]){ g->rule, g->request | (uint64_t)g->answer << 32,
					     g->address, g->least, g->most, c->latency, c->n });
}

static bool write_tally(void *ctx, const struct tally_part *x)
{
	struct shard_writer *w = ctx;

	return asked_put(&w->out, ASKED_TALLY, (const uint64_t[]){ x->line, x->what, x->n });
}

static bool write_slowest(struct shard_writer *w)
{
	size_t n;
	const struct nfart_pair *x = latency_slowest(w->a->latency, &n);
	bool ok = true;

	for (size_t i = 0; i < n && ok; i++, x++)
		ok = asked_put(&w->out, ASKED_SLOW,
			       (const uint64_t[]){ x->rule | (uint64_t)x->slot << 16 |
							   (uint64_t)x->answer_slot << 24,
						   x->time, x->header, x->answer_time,
						   x->answer_header });
	return ok;
}

static bool write_state(struct shard_writer *w, uint64_t which, const struct piece_state *state)
{
	const struct filter_time_state *t = &state->time;
	const uint64_t head[] = { t->ticker.any | (uint64_t)t->ticker.over << 1 |
					  (uint64_t)t->any << 2,
				  t->ticker.due, t->latest, t->waiting.n };
	bool ok = true;

	if (w->slot.labelled == NULL || w->parts == ASK_PARTS_LINES)
		return true;
	for (size_t i = 0; i < sizeof head / sizeof *head && ok; i++)
		ok = asked_put(&w->out, ASKED_STATE, (const uint64_t[]){ which, head[i] });
	for (size_t i = 0; i < t->waiting.n && ok; i++)
		ok = asked_put(&w->out, ASKED_STATE,
			       (const uint64_t[]){ which, t->waiting.at[i].time }) &&
		     asked_put(&w->out, ASKED_STATE,
			       (const uint64_t[]){ which, t->waiting.at[i].lost });
	for (size_t i = 0; i < state->engine.words.n && ok; i++)
		ok = asked_put(&w->out, ASKED_STATE,
			       (const uint64_t[]){ which, state->engine.words.at[i] });
	return ok;
}

/* Of a shard of lines: writes the batches of the piece that have labels. */
static bool write_batches(struct shard_writer *w)
{
	const struct ask_labels *l = &w->a->labels;
	bool ok = true;

	for (size_t i = 0; i < l->batches.n && ok; i++) {
		const struct labelled_batch *b = &l->batches.at[i];
		ok = tell_marks(w, b->set) &&
		     asked_put(&w->out, ASKED_BATCH, (const uint64_t[]){ b->time, b->set });
	}
	return ok;
}

/* Takes what the slot has. False: memory is short, or the file can't be written. */
static bool shard_take(struct shard_writer *w)
{
	bool ok = w->slot.labelled == NULL ||
		  ask_labels_piece(&w->a->labels, w->slot.labelled, NULL);

	if (w->parts == ASK_PARTS_LINES)
		return ok && write_batches(w);
	ok = ok && (w->part == NULL || pairs_part_put(w->part, w->slot.pairs));
	for (size_t i = 0; i < w->slot.rates.n && ok; i++) {
		const struct ask_rate *x = &w->slot.rates.at[i];
		ok = asked_put(&w->out, ASKED_RATE,
			       (const uint64_t[]){ x->begin, x->batches, x->messages, x->gaps });
	}
	return ok;
}

/* Writes what is known once the part was read. */
static bool shard_write_rest(struct shard_writer *w)
{
	struct ask *a = w->a;

	w->end.first = UINT64_MAX;
	w->end.last = 0;
	if ((w->part != NULL && !pairs_part_end(w->part, &w->end.first, &w->end.last)) ||
	    !flight_put_end(&w->flight, w->end.last) ||
	    (a->latency != NULL &&
	     (!write_slowest(w) || !latency_each(a->latency, write_latency, w))) ||
	    (w->slot.tally != NULL && !tally_each(w->slot.tally, write_tally, w)) ||
	    !write_state(w, 0, &w->entry) || !write_state(w, 1, &a->labels.truth.state))
		return false;
	memcpy(w->end.outcomes, a->outcomes, sizeof w->end.outcomes);
	w->end.output = a->labels.truth.output;
	return asked_finish(&w->out, &w->end);
}

/* By label: guesses the state of the filter before the part, by running it over a stretch of the
 * trace before that, from the start states. Most filters soon forget where they came from. False:
 * out of memory. */
static bool shard_warm(struct shard_writer *w, const struct nfart_reader *r,
		       struct nfart_reader *x)
{
	uint64_t before = w->end.entry.offset, offset;
	struct trace_border from;
	struct trace_index index;
	struct nfart_error e;
	bool any = false, ok = true;

	if (w->slot.labelled == NULL || w->a->o->shards.shard == 0 ||
	    w->parts == ASK_PARTS_LINES)
		return true;
	if (trace_index_open(&index, r))
		while (trace_index_next(&index, &offset) && offset < before &&
		       (!any || offset + ASK_PIECE_BYTES < before)) {
			from = trace_border_guess(offset, index.n - 1);
			any = true;
		}
	trace_index_close(&index);
	if (any) {
		reader_enter(x, &from, before);
		ok = labelled_fill(w->slot.labelled, x, &e) &&
		     labelled_settle(w->slot.labelled, &w->a->labels.truth);
	}
	return ok && piece_state_copy(&w->entry, &w->a->labels.truth.state);
}

/* Reads the part from the border `end.entry` up to `until`. Returns NFART_OK; NFART_PARTIAL if it
 * was interrupted; or what went wrong, and *e says more. */
static enum nfart_status shard_read(struct shard_writer *w, const struct nfart_reader *r,
				    uint64_t until, struct nfart_error *e)
{
	struct nfart_reader *x = reader_another(r);
	struct asked_end *end = &w->end;
	enum nfart_status status = NFART_OK;
	bool more = x != NULL;

	end->exit = end->entry;
	if (x == NULL || !shard_warm(w, r, x))
		status = nfart_fail(e, NFART_SYSTEM, "out of memory");
	while (more && status == NFART_OK) {
		uint64_t to = end->exit.offset + ASK_PIECE_BYTES;
		to = to < until ? to : until;
		reader_enter(x, &end->exit, to);
		if (ask_slot_fill(&w->slot, x, e) < 0)
			status = *w->a->stop != 0 ? NFART_PARTIAL : e->status;
		else if (!shard_take(w))
			status = nfart_fail(e, NFART_SYSTEM,
					    "out of memory, or the output can't be written");
		else if (*w->a->stop != 0)
			status = NFART_PARTIAL;
		reader_border(x, &end->exit);
		reader_stats_add(&end->stats, nfart_reader_stats(x));
		end->stats.bytes += nfart_reader_stats(x)->bytes;
		reading_show(&w->a->trace.reading, &end->stats);
		more = end->exit.offset >= to && end->exit.offset < until;
	}
	nfart_reader_free(x);
	return status;
}

/* Is the output the file of the shard already, with this key and of these chunks? */
static bool shard_is_done(const struct shard_writer *w, const struct asked_key *k)
{
	const char *name = w->a->o->output.out;
	struct shard_taker t = { .a = w->a, .check = true,
				 .lines = w->parts == ASK_PARTS_LINES,
				 .flight = { .rules = w->a->p->names.npairs } };
	struct asked_end end;
	struct nfart_error e;
	uint64_t number;
	FILE *f;
	bool ok = asked_open(&f, name, k, &number, &e);

	ok = ok && number == k->word[ASKED_AT_NUMBER] &&
	     asked_each(f, name, shard_take_record, &t, &end, &e) &&
	     end.chunks_crc == w->end.chunks_crc;
	shard_taker_free(&t);
	if (f != NULL)
		fclose(f);
	return ok;
}

enum ask_parts ask_parts(const struct ask *a)
{
	const struct nfart_image *im = a->image;

	if (im == NULL)
		return ASK_PARTS_CHUNKS;
	if (im->stream.follow || (im->stream.limit != 0 && image_has_window(im)))
		return ASK_PARTS_NONE;
	if (labelled_way(im) == LABELLED_GUESSED)
		return ASK_PARTS_CHUNKS;
	return im->alphabet.time == IMAGE_NO_TIME ? ASK_PARTS_LINES : ASK_PARTS_NONE;
}

/* Finds the part of the trace that the shard reads. False: it is empty. */
static bool shard_find(struct shard_writer *w, const struct nfart_reader *r, uint64_t *until)
{
	const struct nfarun_shards *s = &w->a->o->shards;

	if (w->parts != ASK_PARTS_LINES)
		return shard_part(r, s->shard, s->n, &w->end.entry, until) &&
		       w->parts != ASK_PARTS_NONE;
	reader_border(r, &w->end.entry);
	*until = UINT64_MAX;
	return true;
}

/* Answers about the shard after `w` was made. */
static enum nfart_status shard_answer(struct shard_writer *w, const struct nfart_reader *r,
				      struct nfart_error *e)
{
	const struct nfarun_shards *s = &w->a->o->shards;
	enum nfart_status status = NFART_OK;
	struct asked_key k;
	uint64_t until;

	if (!shard_question_key(w->a, r, s->shard, s->n, &k, e))
		return e->status;
	w->end.empty = !shard_find(w, r, &until);
	w->end.exit = w->end.entry;
	if (!shard_chunks_crc(r, w->end.entry.offset, w->end.empty ? 0 : until,
			      &w->end.chunks_crc))
		return nfart_fail(e, NFART_SYSTEM, "the trace can't be read");
	if (s->resume && shard_is_done(w, &k)) {
		w->a->done = true;
		return NFART_OK;
	}
	asked_begin(&w->out, w->a->out.table.f, &k);
	if (!w->end.empty)
		status = shard_read(w, r, until, e);
	if (status == NFART_OK && !shard_write_rest(w))
		status = nfart_fail(e, NFART_SYSTEM,
				    "out of memory, or the output can't be written");
	return status;
}

/* Prepares what a shard is read with. False: memory is short. */
static bool shard_prepare(struct shard_writer *w, struct ask *a)
{
	const struct nfarun_shards *s = &a->o->shards;

	w->a = a;
	w->parts = ask_parts(a);
	w->flight = (struct flight_writer){ .out = &w->out, .f = a->flight,
					    .rules = a->p->names.npairs };
	a->labels.truth.unlimited = true;
	if (w->parts == ASK_PARTS_LINES)
		return ask_slot_init_lines(&w->slot, a, (uint32_t)s->shard, (uint32_t)s->n);
	if (!ask_slot_init(&w->slot, a))
		return false;
	if (a->pairs == NULL)
		return true;
	w->part = pairs_part_new(a->p, ask_wants(a->o), keep_pairs, write_entry, w);
	if (w->part != NULL && a->image != NULL)
		pairs_part_mark(w->part, mark_of);
	return w->part != NULL;
}

int ask_shard_run(struct ask *a, struct nfart_reader *r)
{
	struct shard_writer *w = calloc(1, sizeof *w);
	struct nfart_error e = { .status = NFART_OK };
	bool ok = w != NULL && shard_prepare(w, a);
	enum nfart_status status = ok ? shard_answer(w, r, &e)
				      : nfart_fail(&e, NFART_SYSTEM, "out of memory");

	reading_end(&a->trace.reading);
	if (w != NULL) {
		ask_slot_free(&w->slot);
		pairs_part_free(w->part);
		piece_state_free(&w->entry);
	}
	free(w);
	if (status == NFART_PARTIAL)
		fputs("nfarun: interrupted\n", stderr);
	return status == NFART_OK || status == NFART_PARTIAL ? (int)status : process_report(&e);
}
