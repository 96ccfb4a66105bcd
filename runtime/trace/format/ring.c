/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/trace/format/ring.h"

/* ---- where the ring begins ---- */

struct falls {
	unsigned n;                /* how often time fell from one sample to the next */
	uint64_t row[2];           /* the rows at which time fell the first two times */
	uint64_t first_row,        /* the row of the first sample */
		 first;            /* the time of the first sample */
	uint64_t last;             /* the time of the last sample */
	bool any;
};

/* Does what g->take() does. But if the file ends because the input is damaged, there is one more
 * row at its end, which says that messages were lost. Each time the file is read, this row comes
 * again. */
static int take_row(struct nfart_reader *r, struct ring *g, struct ring_row *row,
		    struct nfart_error *e)
{
	int got = g->take(r, row, e);

	if (got != 0 || r->in.damage == NULL || g->file.end_told)
		return got;
	if (r->o.strict)
		return reader_fail(r, e, "%s", r->in.damage);
	r->stats.bad_chunks += !r->end_told;
	r->end_told = g->file.end_told = true;
	g->file.next++;
	*row = (struct ring_row){ .gap = true, .lost = NFART_LOST_UNKNOWN };
	return 1;
}

static void see_time(struct falls *f, uint64_t row, uint64_t time)
{
	if (!f->any) {
		f->any = true;
		f->first_row = row;
		f->first = time;
	} else if (time < f->last) {
		if (f->n < 2)
			f->row[f->n] = row;
		f->n++;
	}
	f->last = time;
}

/* Reads the whole file to find its oldest row, and sets g->start to this row or to the one that the
 * options name. In a ring, time falls at most once. The step from the last row back to row 0
 * counts, too. False: *e says why. */
static bool find_start(struct nfart_reader *r, struct ring *g, struct nfart_error *e)
{
	struct falls f = { 0 };
	struct ring_row row;
	int got;

	while ((got = take_row(r, g, &row, e)) == 1)
		if (row.sample)
			see_time(&f, ring_row_number(g), row.time);
	if (got < 0)
		return false;
	if (f.n == 1 && f.last > f.first)
		f.row[f.n++] = f.first_row;
	if (r->o.has_ring_start) {
		g->file.start = r->o.ring_start;
		if (g->file.start != 0 && g->file.start >= g->file.next) {
			reader_fail(r, e, "the ring can't start at sample %llu: there are %llu",
				    (unsigned long long)g->file.start,
				    (unsigned long long)g->file.next);
			return false;
		}
		return true;
	}
	if (f.n > 1) {
		reader_fail(r, e, "no ring: time falls at sample %llu and at sample %llu",
			    (unsigned long long)f.row[0], (unsigned long long)f.row[1]);
		return false;
	}
	g->file.start = f.n == 1 ? f.row[0] : 0;
	return true;
}

static bool rewind_to(struct nfart_reader *r, struct ring *g, struct nfart_error *e)
{
	if (!input_seek(&r->in, g->file.begin)) {
		reader_fail_input(r, e);
		return false;
	}
	g->file.next = 0;
	g->file.end_told = false;
	return true;
}

/* ---- rows in order of time ---- */

/* Takes the next row in the order of the ring, which begins at g->start. Returns 1 for a row, 0 at
 * the end of the ring, and -1 after an error: *e says why. */
static int next_row(struct nfart_reader *r, struct ring *g, struct ring_row *row,
		    struct nfart_error *e)
{
	int got;

	if (g->file.wrapped && g->file.next == g->file.start)
		return 0;
	got = take_row(r, g, row, e);
	if (got != 0 || g->file.start == 0 || g->file.wrapped)
		return got;
	g->file.wrapped = true;
	if (!rewind_to(r, g, e))
		return -1;
	return take_row(r, g, row, e);
}

static void add_gap(bool *gap, uint64_t *lost, uint64_t more)
{
	uint64_t before = *gap ? *lost : 0;

	*gap = true;
	*lost = more > NFART_LOST_UNKNOWN - before ? NFART_LOST_UNKNOWN : before + more;
}

/* Takes rows up to the next sample, and makes this sample the held row (g->row), together with the
 * gaps (lost messages) before it. At the end of the ring there is no sample. Then the held row is a
 * gap alone, or if there is no gap either, g->ended is set. Returns 0, or -1: *e says why. */
static int hold_row(struct nfart_reader *r, struct ring *g, struct nfart_error *e)
{
	struct ring_row row;
	uint64_t lost = 0;
	bool gap = false;
	int got;

	while ((got = next_row(r, g, &row, e)) == 1) {
		if (row.gap)
			add_gap(&gap, &lost, row.lost);
		if (row.sample)
			break;
	}
	if (got < 0)
		return -1;
	if (got == 1 && g->sample.any && row.time < g->sample.last)
		return reader_fail(r, e, "time must rise: %llu after %llu, at sample %llu",
				   (unsigned long long)row.time, (unsigned long long)g->sample.last,
				   (unsigned long long)ring_row_number(g));
	g->ahead.held = got == 1 || gap;
	g->ahead.ended = !g->ahead.held;
	if (got == 0)
		row = (struct ring_row){ .sample = false };
	else
		g->sample.last = row.time;
	g->sample.any |= row.sample;
	g->ahead.row = row;
	g->ahead.row.gap = gap;
	g->ahead.row.lost = lost;
	return 0;
}

/* ---- rows to batches: Note [merging rows] ---- */

static bool can_join(const struct ring *g)
{
	return g->batch.mask != 0 && g->ahead.row.sample && g->ahead.row.time <= g->batch.time &&
	       (g->batch.mask >> g->ahead.row.slot & 1) == 0;
}

static void ring_join(struct ring *g)
{
	if (g->ahead.row.gap)
		add_gap(&g->batch.gap, &g->batch.lost, g->ahead.row.lost);
	if (g->ahead.row.sample) {
		g->batch.mask |= (uint64_t)1 << g->ahead.row.slot;
		g->batch.header[g->ahead.row.slot] = g->ahead.row.header;
	}
	g->ahead.held = false;
}

/* Begins a batch with the held row. There must be no current batch. Returns 0, or -1: *e says
 * why. */
static int ring_begin(struct nfart_reader *r, struct ring *g, struct nfart_error *e)
{
	if (g->ahead.row.sample) {
		g->batch.damaged = g->delivered.any && g->ahead.row.time <= g->delivered.last;
		if (g->batch.damaged && g->delivered.last == UINT64_MAX)
			return reader_fail(r, e, "time must rise, and can't, at sample %llu",
					   (unsigned long long)ring_row_number(g));
		g->batch.time = g->batch.damaged ? g->delivered.last + 1 : g->ahead.row.time;
	}
	ring_join(g);
	return 0;
}

/* Delivers the current batch, which is complete, in *b. Returns 1. */
static int deliver(struct ring *g, struct nfart_batch *b)
{
	b->time = g->batch.time;
	b->mask = g->batch.mask;
	b->lost = 0;
	b->damaged = g->batch.damaged;
	for (uint64_t m = g->batch.mask; m != 0; m &= m - 1)
		b->header[__builtin_ctzll(m)] = g->batch.header[__builtin_ctzll(m)];
	g->batch.mask = 0;
	g->delivered.any = true;
	g->delivered.last = g->batch.time;
	return 1;
}

static int ring_next(struct nfart_reader *r, struct nfart_batch *b, struct nfart_error *e)
{
	struct ring *g = r->state;

	for (;;) {
		if (!g->ahead.held && !g->ahead.ended && hold_row(r, g, e) < 0)
			return -1;
		if (g->ahead.held && can_join(g)) {
			ring_join(g);
		} else if (g->batch.gap && (g->batch.mask != 0 || g->ahead.ended)) {
			g->batch.gap = false;
			return reader_loss(b,
					   g->batch.mask != 0 ? g->batch.time : g->delivered.last,
					   g->batch.lost);
		} else if (g->batch.mask != 0) {
			return deliver(g, b);
		} else if (!g->ahead.held) {
			return 0;
		} else if (ring_begin(r, g, e) < 0) {
			return -1;
		}
	}
}

bool ring_open(struct nfart_reader *r, struct ring *g, struct nfart_error *e)
{
	struct ring_row row;

	r->next = ring_next;
	g->file.begin = r->in.offset;
	if (!input_can_seek(&r->in)) {
		if (r->o.has_ring_start && r->o.ring_start == 0)
			return true;
		nfart_fail(e, NFART_USAGE,
			   "this form is a ring and needs a seekable file; what comes through a "
			   "pipe can only be read as it comes: --ring-start 0");
		return false;
	}
	if (!find_start(r, g, e) || !rewind_to(r, g, e))
		return false;
	while (g->file.next < g->file.start)
		if (g->take(r, &row, e) != 1)
			return false;
	r->in.taken = g->file.begin;
	return true;
}
