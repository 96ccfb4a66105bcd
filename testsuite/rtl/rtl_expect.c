/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Computes what must come out of a segment, and compares it with what came out of the engine. */
#include "testsuite/rtl/rtl_random.h"

#include <inttypes.h>

#include "runtime/device/nfacc_registers.h"
#include "runtime/engine/engine.h"
#include "runtime/trace/batch.h"

/* ---- what must come out of the engine ---- */

static bool expect_same(const struct nfart_batch *a, const struct nfart_batch *b)
{
	if (a->time != b->time || a->mask != b->mask || (a->mask == 0 && a->when != b->when))
		return false;
	for (uint64_t m = a->mask; m != 0; m &= m - 1)
		if (a->header[__builtin_ctzll(m)] != b->header[__builtin_ctzll(m)])
			return false;
	return true;
}

struct software {
	struct segment *s;
	size_t next;
	bool wrong;
};

static bool software_sink(void *ctx, const struct nfart_batch *b, const struct nfart_result *r)
{
	struct software *w = ctx;
	uint64_t labels = r->nlabels != 0 ? r->labels[0] : 0;
	struct expected *x = w->next == w->s->want.n ? NULL : &w->s->want.at[w->next];

	if (batch_is_loss(b))
		return true;
	if (x == NULL || !expect_same(x->batch, b) || x->labels != labels) {
		w->wrong = true;
		return true;
	}
	w->next++;
	x->line = w->s->lines.n;
	x->nlines = r->nlines;
	for (size_t i = 0; i < r->nlines; i++)
		if (!vec_push(&w->s->lines, r->lines[i]))
			return false;
	return true;
}

/* Does the software engine give the same as the reference matcher? */
static bool run_software(struct test *t, struct segment *s)
{
	struct nfart_engine_options o = { .reset_on_loss = true,
					  .lines = t->options.overlay.o.names != 0 };
	struct software w = { .s = s };
	struct nfart_error e;
	struct nfart_engine *en = nfart_engine_new(s->image, &o, &e);
	struct nfart_window *window = nfart_window_new_sides(
		s->image->window.before, s->image->window.after, 0, software_sink, &w);
	struct nfart_result r;
	bool ok = en != NULL && window != NULL;

	for (size_t i = 0; ok && i < s->all.n; i++)
		ok = nfart_engine_step(en, &s->all.at[i], &r) &&
		     nfart_window_put(window, &s->all.at[i], &r);
	ok = ok && nfart_window_end(window) && !w.wrong && w.next == s->want.n;
	if (ok)
		s->joins = en->joins.count;
	nfart_window_free(window);
	nfart_engine_free(en);
	return ok || rnd_fails(t, "the software engine differs from the reference matcher");
}

/* Is the tick at this time lost? */
static bool is_lost(const struct segment *s, uint64_t time)
{
	for (size_t i = 0; i < s->jumps.n; i++)
		if (s->jumps.at[i].from < time && time <= s->jumps.at[i].to)
			return true;
	return false;
}

/* Removes the lost ticks from s->all, and counts them. */
static void lose_ticks(struct test *t, struct segment *s)
{
	size_t n = 0;

	s->ticks_lost = 0;
	for (size_t i = 0; i < s->all.n; i++) {
		struct nfart_batch b = s->all.at[i];
		t->tally.ticks += (b.when & NFART_TICK) != 0;
		if ((b.when & NFART_TICK) != 0 && is_lost(s, b.time)) {
			b.when &= (uint8_t)~NFART_TICK;
			s->ticks_lost++;
			if (batch_is_loss(&b))
				continue;
		}
		s->all.at[n++] = b;
	}
	s->all.n = n;
}

bool rnd_expect(struct test *t, struct segment *s)
{
	struct oracle_options o = { .reset_on_loss = true, .no_limit = true };
	struct oracle_record *want = NULL;
	bool ok = true;

	rnd_fill_payload(t, s->from, s->to);
	if (oracle_time(&s->made.front.ast, t->in.stream + s->from, s->to - s->from, s->until,
			&s->all) != NFART_OK)
		return rnd_fails(t, "the reference matcher has no ticks");
	lose_ticks(t, s);
	if (oracle_run(&s->made.front.ast, s->all.at, s->all.n, &o, &want) != NFART_OK)
		return rnd_fails(t, "the reference matcher failed");
	for (size_t i = 0; i < s->all.n && ok; i++)
		if (want[i].output && !batch_is_loss(&s->all.at[i])) {
			struct expected x = { .batch = &s->all.at[i] };
			if (s->image->labels.n != 0)
				x.labels = want[i].labels[0];
			ok = vec_push(&s->want, x);
		}
	oracle_free(want, s->all.n);
	return ok ? run_software(t, s) : rnd_fails(t, "out of memory");
}

bool rnd_first_with(struct test *t, struct segment *s, size_t from, uint64_t labels, size_t *at)
{
	struct oracle_options o = { .reset_on_loss = true };
	const struct nfart_batch *b = t->in.stream + s->from;
	struct oracle_record *want = NULL;
	size_t n = s->to - s->from;

	rnd_fill_payload(t, s->from, s->to);
	if (oracle_run(&s->made.front.ast, b, n, &o, &want) != NFART_OK)
		return rnd_fails(t, "the reference matcher failed");
	*at = from;
	while (*at < s->to && (!want[*at - s->from].output || batch_is_loss(&t->in.stream[*at]) ||
			       s->image->labels.n == 0 ||
			       (want[*at - s->from].labels[0] & labels) == 0))
		++*at;
	oracle_free(want, n);
	return true;
}

/* ---- what came out of the engine ---- */

static bool expect_differs(struct test *t, const char *what, size_t k)
{
	if (t->why[0] == 0)
		snprintf(t->why, sizeof t->why, "record %zu from the engine: %s", k, what);
	return false;
}

/* Does a batch come out after loss record number t->out.seen, which has its time? */
static bool comes_later(const struct test *t, const struct nfart_batch *b)
{
	for (size_t i = t->out.seen + 1; i < t->out.got.n; i++) {
		const struct nfart_batch *g = &t->out.got.at[i].batch;

		if (g->time != b->time)
			return false;
		if (!batch_is_loss(g) && expect_same(g, b))
			return true;
	}
	return false;
}

/* Checks loss record g. The next batch that must come out is number *k, and the lost ones are
 * skipped, if any may be lost. What the record tells besides their messages are lost ticks. It may
 * pass batches that the window still holds, and then has the time of the first of them, which comes
 * later. */
static bool check_loss(struct test *t, struct segment *s, const struct nfart_batch *g, size_t *k)
{
	size_t first = *k;
	uint64_t messages = 0;

	while (t->kind.lossy && *k < s->want.n && s->want.at[*k].batch->time <= g->time &&
	       !comes_later(t, s->want.at[*k].batch))
		messages += (uint64_t)__builtin_popcountll(s->want.at[(*k)++].batch->mask);
	if (s->jumps.n == 0 && !t->kind.lossy)
		return expect_differs(t, "a loss though there was room", t->out.seen);
	if (g->lost < messages || (g->lost > messages && s->jumps.n == 0) ||
	    (g->lost == messages && *k == first))
		return expect_differs(t, "the loss counts wrong", t->out.seen);
	s->ticks_told += g->lost - messages;
	t->tally.losses++;
	return true;
}

/* Compares the records of one segment with what must come out. If `part`, the stream was cut off,
 * so the records may end early. */
bool rnd_check_segment(struct test *t, struct segment *s, bool part)
{
	uint64_t limit = s->image->stream.limit, stored = 0, last = 0;
	size_t k = 0;

	if (!rnd_expect(t, s))
		return false;
	s->first_record = t->out.seen;
	for (; t->out.seen < t->out.got.n; t->out.seen++) {
		const struct got *g = &t->out.got.at[t->out.seen];
		if (limit != 0 && stored == limit)
			break;
		if (t->out.seen != 0 && g->batch.time < last)
			return expect_differs(t, "time falls", t->out.seen);
		last = g->batch.time;
		t->tally.records++;
		if (!batch_is_loss(&g->batch)) {
			if (k == s->want.n)
				break;
			if (!expect_same(&g->batch, s->want.at[k].batch))
				return expect_differs(t, "another batch was due", t->out.seen);
			if (g->labels != s->want.at[k].labels)
				return expect_differs(t, "labels differ", t->out.seen);
			if (!rnd_check_names(t, s, g, &s->want.at[k]))
				return expect_differs(t, "names of lines differ", t->out.seen);
			k++;
			stored++;
			continue;
		}
		if (!check_loss(t, s, &g->batch, &k))
			return false;
	}
	if (part || (limit != 0 && stored == limit))
		return true;
	if (k != s->want.n)
		return expect_differs(t, "output is missing", t->out.seen);
	return s->ticks_told == s->ticks_lost ||
	       expect_differs(t, "lost ticks are not told", t->out.seen);
}

bool rnd_nothing_more(struct test *t)
{
	return t->out.seen == t->out.got.n ||
	       expect_differs(t, "nothing more was due", t->out.seen);
}

/* Compares the counts of labels with how often these accept in what must come out. */
static bool check_label_counts(struct test *t, const struct segment *s)
{
	uint64_t limit = s->image->stream.limit, n;

	/* Where records are lost, the limit comes later. */
	if (t->options.overlay.o.counts != OVERLAY_COUNTS_YES || (limit != 0 && t->kind.lossy))
		return true;
	for (uint32_t l = 0; l < t->options.overlay.o.labels; l++) {
		uint64_t want = 0;
		for (size_t i = 0; i < s->want.n && (limit == 0 || i < limit); i++)
			want += s->want.at[i].labels >> l & 1;
		if (!rtl_engine_write(t->en, NFACC_REG_LABEL, l) ||
		    !rnd_read64(t, NFACC_REG_ACCEPTED_LO, &n))
			return rnd_fails(t, "reading the count of a label");
		if (n != want)
			return rnd_fails(t, "the count of a label is wrong");
		t->tally.label_counts += n;
	}
	return true;
}

/* Compares the counts of answers that no request explains with those of the software engine: of this
 * segment, and of those before it that ended in a swap, because an arm clears them. */
static bool check_joins(struct test *t, const struct segment *s)
{
	struct nfart_joins want = { 0 };
	uint32_t late, wrong;

	if (t->options.overlay.o.joins != OVERLAY_JOINS_YES)
		return true;
	for (size_t i = (size_t)(s - t->in.segment) + 1; i-- > 0 && !t->in.segment[i].checked;) {
		/* A swap after the limit was reached came too late for some batches. */
		if (&t->in.segment[i] != s && t->in.segment[i].image->stream.limit != 0)
			return true;
		want.late += t->in.segment[i].joins.late;
		want.wrong += t->in.segment[i].joins.wrong;
	}
	if (!rtl_engine_read(t->en, NFACC_REG_JOIN_LATE, &late) ||
	    !rtl_engine_read(t->en, NFACC_REG_JOIN_WRONG, &wrong))
		return rnd_fails(t, "reading the counts of answers");
	t->tally.unjoined += want.late + want.wrong;
	return (late == want.late && wrong == want.wrong) ||
	       rnd_fails(t, "the counts of late and wrong answers");
}

bool rnd_check_counts(struct test *t, const struct segment *s)
{
	uint64_t packets, dropped, batches, unseen, ticks_lost, lost = 0, stored = 0, given = 0;

	if (!rnd_read64(t, NFACC_REG_PACKETS_LO, &packets) ||
	    !rnd_read64(t, NFACC_REG_DROPPED_LO, &dropped) ||
	    !rnd_read64(t, NFACC_REG_BATCHES_LO, &batches) ||
	    !rnd_read64(t, NFACC_REG_UNSEEN_LO, &unseen))
		return false;
	if (t->kind.timed && !rnd_read64(t, NFACC_REG_TICKS_LOST_LO, &ticks_lost))
		return false;
	for (size_t i = s->first_record; i < t->out.seen; i++) {
		stored += !batch_is_loss(&t->out.got.at[i].batch);
		lost += t->out.got.at[i].batch.lost;
	}
	if (!check_label_counts(t, s) || !rnd_check_bins(t, s))
		return false;
	if (packets != stored)
		return rnd_fails(t, "PACKETS is wrong");
	for (size_t i = 0; i < t->in.nsegments; i++)
		if (t->in.segment[i].image->stream.limit != 0)
			t->out.unseen =
				unseen; /* the engine counts batches after the limit as unseen,
			                     * too */
	if (s->image->stream.limit != 0 && stored >= s->image->stream.limit)
		return true;
	if (t->in.nsegments == 1 && dropped != lost - s->ticks_told)
		return rnd_fails(t, "DROPPED is wrong");
	for (size_t i = 0; i < s->all.n; i++)
		given += !batch_is_loss(&s->all.at[i]);
	if (!check_joins(t, s))
		return false;
	if (batches != given)
		return rnd_fails(t, "BATCHES is wrong");
	if (t->kind.timed && ticks_lost != s->ticks_lost)
		return rnd_fails(t, "TICKS_LOST is wrong");
	return unseen == t->out.unseen || rnd_fails(t, "UNSEEN is wrong");
}
