/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/run/run.h"

#include <stdlib.h>
#include <string.h>

#include "contract/proto/field_bins.h"
#include "runtime/engine/filter.h"
#include "runtime/run/shared.h"
#include "runtime/trace/batch.h"
#include "support/bits.h"
#include "support/hash.h"
#include "support/order.h"

enum { PROGRESS_EVERY = 1 << 14 }; /* batches read between two calls of progress() */

static uint32_t find_label(const char *const *labels, uint32_t n, const char *s)
{
	for (uint32_t i = 0; i < n; i++)
		if (strcmp(labels[i], s) == 0)
			return i;
	return n;
}

const char **run_labels(const struct nfart_image *a, const struct nfart_image *b, uint32_t *n)
{
	const char **v =
		malloc(((size_t)a->labels.n + (b != NULL ? b->labels.n : 0) + 1) * sizeof *v);

	*n = 0;
	for (uint32_t i = 0; v != NULL && i < a->labels.n; i++)
		v[(*n)++] = a->labels.names[i];
	for (uint32_t i = 0; v != NULL && b != NULL && i < b->labels.n; i++)
		if (find_label(v, a->labels.n, b->labels.names[i]) == a->labels.n)
			v[(*n)++] = b->labels.names[i];
	return v;
}

/* ---- counts by line: a hash table with open addressing, over (label, address) ---- */

static uint64_t count_hash(uint32_t label, uint64_t address)
{
	return (address * 0x9e3779b97f4a7c15u >> 17) ^ label * 0x85ebca6bu;
}

static bool count_hash_of(const void *entry, uint64_t *h)
{
	const struct run_line_count *c = entry;

	*h = count_hash(c->label, c->address);
	return c->n != 0;
}

static bool count_ends(const void *counts, size_t place, const void *key)
{
	const struct run_line_count *c = (const struct run_line_count *)counts + place;
	const struct nfart_line *line = key;

	return c->n == 0 || (c->label == line->label && c->address == line->address);
}

static size_t count_place(const struct run *r, const struct nfart_line *line)
{
	return hash_probe(r->work.counts.cap, count_hash(line->label, line->address), count_ends,
			  r->work.counts.at, line);
}

static bool count_grow(struct run *r)
{
	return hash_widen((void **)&r->work.counts.at, &r->work.counts.cap,
			  sizeof *r->work.counts.at, 256, count_hash_of);
}

static bool count_one(struct run *r, const struct nfart_line *line)
{
	struct run_line_count *c;

	if (r->work.ncounts * 2 >= r->work.counts.cap && !count_grow(r))
		return false;
	c = &r->work.counts.at[count_place(r, line)];
	c->label = line->label;
	c->address = line->address;
	if (c->n++ == 0)
		r->work.ncounts++;
	return true;
}

static bool count_lines(struct run *r, const struct nfart_result *res)
{
	for (size_t i = 0; i < res->nlines; i++)
		if (!count_one(r, &res->lines[i]))
			return false;
	return true;
}

bool run_count_bin(struct run *r, const struct nfart_batch *b, bool accepted)
{
	struct nfart_line bin = { 0 };

	return r->how.bins == NULL || !accepted ||
	       !field_bins_find(r->how.bins, b->mask, b->header, &bin.address) ||
	       count_one(r, &bin);
}

static int by_label(const void *x, const void *y)
{
	const struct run_line_count *a = x, *b = y;

	return order_2(a->label, b->label, a->address, b->address);
}

/* Turns the hash table into the sorted array r->lines, in place. */
static void count_finish(struct run *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->work.counts.cap; i++)
		if (r->work.counts.at[i].n != 0)
			r->work.counts.at[n++] = r->work.counts.at[i];
	if (n > 1)
		qsort(r->work.counts.at, n, sizeof *r->work.counts.at, by_label);
	r->result.lines = r->work.counts.at;
	r->result.nlines = n;
}

/* ---- the two filters of a swap ---- */

/* Changes a result of the second image: its labels become those of r->labels. False: out of
 * memory. */
static bool run_translate(struct run *r, struct nfart_result *res)
{
	memset(r->work.label_words, 0, bits_words(r->nlabels) * 8);
	for (size_t i = bits_next(res->labels, res->nlabels, 0); i < res->nlabels;
	     i = bits_next(res->labels, res->nlabels, i + 1))
		bits_set(r->work.label_words, r->work.map[i]);
	r->work.found.n = 0;
	for (size_t i = 0; i < res->nlines; i++) {
		struct nfart_line l = { r->work.map[res->lines[i].label], res->lines[i].address };
		if (!vec_push(&r->work.found, l))
			return false;
	}
	res->labels = r->work.label_words;
	res->nlabels = r->nlabels;
	res->lines = r->work.found.at;
	return true;
}

static bool run_sink(void *ctx, const struct nfart_batch *b, const struct nfart_result *res)
{
	struct run *r = ctx;
	struct nfart_result mine = *res;

	r->result.output += !batch_is_loss(b);
	if (r->result.swapped && res->accepted && !run_translate(r, &mine))
		return false;
	if ((r->how.count_lines && !count_lines(r, &mine)) ||
	    !run_count_bin(r, b, res->accepted))
		return false;
	return r->writer == NULL || nfart_writer_put(r->writer, b, &mine);
}

static bool run_start(struct run *r, const struct nfart_image *im, struct nfart_error *e)
{
	struct nfart_filter_options o = { .engine = r->engine, .sink = run_sink, .ctx = r,
					  .simd = r->how.simd };

	r->work.filter = nfart_filter_new(im, &o, e);
	return r->work.filter != NULL;
}

/* Adds what the current filter counted to the totals. */
static void add_counts(struct run *r)
{
	struct nfart_filter_stats s = nfart_filter_stats(r->work.filter);
	uint32_t n = r->result.swapped ? r->second->labels.n : r->image->labels.n;

	r->result.accepted_any += s.accepted;
	r->result.logged += s.logged;
	run_add_joins(&r->result.joins, nfart_filter_joins(r->work.filter));
	r->result.forgot |= filter_forgot(r->work.filter);
	for (uint32_t i = 0; i < n; i++)
		r->result.accepted[r->result.swapped ? r->work.map[i] : i] += s.labels[i];
}

/* Ends the current filter. If `cut` is set, the stream goes on without it, so that it sees no
 * end. False: *e says why. */
static bool run_finish(struct run *r, bool cut, struct nfart_error *e)
{
	bool ok;

	if (!r->result.interrupted) {
		nfart_filter_until(r->work.filter, r->how.until);
		nfart_filter_until(r->work.filter, nfart_reader_until(r->reader));
	}
	ok = cut ? filter_cut(r->work.filter) : nfart_filter_end(r->work.filter);
	if (!ok)
		filter_failed(r->work.filter, e);
	add_counts(r);
	nfart_filter_free(r->work.filter);
	r->work.filter = NULL;
	return ok;
}

static bool make_map(struct run *r)
{
	uint32_t n = r->second != NULL ? r->second->labels.n : 0;

	r->result.accepted = calloc((size_t)r->nlabels + 1, sizeof *r->result.accepted);
	r->work.label_words = calloc(bits_words(r->nlabels) + 1, 8);
	r->work.map = calloc((size_t)n + 1, sizeof *r->work.map);
	for (uint32_t i = 0; r->work.map != NULL && i < n; i++)
		r->work.map[i] = find_label(r->labels, r->nlabels, r->second->labels.names[i]);
	return r->result.accepted != NULL && r->work.label_words != NULL && r->work.map != NULL;
}

/* ---- runs that are combined from pieces ---- */

bool run_window_open(struct run *r, const struct nfart_image *im, struct nfart_error *e)
{
	r->work.window = nfart_window_new_sides(im->window.before, im->window.after,
						im->stream.limit, run_sink, r);
	if (r->work.window == NULL)
		nfart_fail(e, NFART_SYSTEM, "out of memory");
	return r->work.window != NULL;
}

bool run_window_end(struct run *r)
{
	bool ok = r->work.window == NULL || nfart_window_end(r->work.window);

	nfart_window_free(r->work.window);
	r->work.window = NULL;
	return ok;
}

bool run_swap(struct run *r, struct nfart_error *e)
{
	if (!run_window_end(r)) {
		e->status = NFART_SYSTEM;
		return false;
	}
	r->result.swapped = true;
	return run_window_open(r, r->second, e);
}

bool run_record(struct run *r, const struct nfart_batch *b, const struct nfart_result *res)
{
	if (!batch_is_loss(b) && !nfart_window_full(r->work.window)) {
		r->result.logged += res->logged;
		r->result.accepted_any += res->accepted;
		r->result.after_loss += res->accepted && r->work.stats.losses != 0;
		for (size_t i = bits_next(res->labels, res->nlabels, 0);
		     i < res->nlabels && res->accepted;
		     i = bits_next(res->labels, res->nlabels, i + 1))
			r->result.accepted[r->result.swapped ? r->work.map[i] : i]++;
	}
	return nfart_window_put(r->work.window, b, res);
}

bool run_finished(const struct run *r)
{
	return nfart_window_full(r->work.window) && (r->second == NULL || r->result.swapped);
}

const struct nfart_reader_stats *run_stats(const struct run *r)
{
	return r->work.combined ? &r->work.stats : nfart_reader_stats(r->reader);
}

void run_wait(struct run *r)
{
	if (r->rtl != NULL)
		run_rtl_wait(r);
	else if (r->work.parallel != NULL)
		run_parallel_wait(r);
}

/* ---- the loop ---- */

/* Is the output complete? It is if the limit is reached, and no second image is still to be swapped
 * in. */
static bool finished(const struct run *r)
{
	return nfart_filter_full(r->work.filter) &&
	       (r->second == NULL || r->result.swapped || r->swap_at == RUN_NEVER);
}

/* Puts a batch into the filter. If it comes out with the label that swaps, the next batch is the
 * first of the second image. */
static bool put_one(struct run *r, const struct nfart_batch *b)
{
	uint64_t before = nfart_filter_stats(r->work.filter).labels[r->swap_label];

	if (!nfart_filter_put(r->work.filter, b))
		return false;
	if (nfart_filter_stats(r->work.filter).labels[r->swap_label] != before)
		r->swap_at = nfart_reader_stats(r->reader)->batches + 1;
	return true;
}

/* Reads one record and filters it. Used until the swap, for the swap itself, and where batches are
 * counted that messages of a line share. Returns what nfart_filter_read() does. */
static int read_one(struct run *r, struct nfart_error *e)
{
	struct nfart_batch b;
	int got = nfart_reader_next(r->reader, &b, e);

	if (got <= 0)
		return got;
	if (r->work.shared != NULL && !r->result.swapped)
		shared_put(r->work.shared, &b);
	if (r->second != NULL && !r->result.swapped && b.mask != 0 &&
	    nfart_reader_stats(r->reader)->batches >= r->swap_at) {
		if (!run_finish(r, true, e))
			return -1;
		r->result.swapped = true;
		if (!run_start(r, r->second, e))
			return -1;
	}
	if (r->second != NULL && r->swap_at == RUN_NEVER
	    ? put_one(r, &b) : nfart_filter_put(r->work.filter, &b))
		return 1;
	filter_failed(r->work.filter, e);
	return -1;
}

/* Reads and filters what comes next in the trace: a record or a block. Returns what
 * nfart_filter_read() does. */
static int read_on(struct run *r, struct nfart_error *e)
{
	bool swap = r->second != NULL && !r->result.swapped;
	uint64_t before = nfart_filter_stats(r->work.filter).accepted;
	int got = swap || r->work.shared != NULL
			  ? read_one(r, e) : nfart_filter_read(r->work.filter, r->reader, e);

	if (got < 0)
		return got;
	if (swap && r->result.swapped)
		before = 0;
	if (nfart_reader_stats(r->reader)->losses != 0)
		r->result.after_loss += nfart_filter_stats(r->work.filter).accepted - before;
	return got;
}

static enum nfart_status run_batches(struct run *r, struct nfart_error *e)
{
	const struct nfart_reader_stats *s = nfart_reader_stats(r->reader);
	uint64_t shown = 0;

	while (!finished(r)) {
		int got;
		if (*r->stop != 0) {
			r->result.interrupted = true;
			break;
		}
		got = read_on(r, e);
		if (got < 0 && (*r->stop == 0 || r->work.filter == NULL))
			return e->status;
		if (got < 0)
			continue;
		if (got == 0)
			break;
		if (r->progress != NULL && s->batches - shown >= PROGRESS_EVERY) {
			shown = s->batches;
			r->progress(r->progress_ctx, r);
		}
	}
	return run_finish(r, false, e) ? NFART_OK : e->status;
}

enum nfart_status run_loop(struct run *r, struct nfart_error *e)
{
	return run_start(r, r->image, e) ? run_batches(r, e) : e->status;
}

/* Can state i be entered at a tick alone? That of a counter may be. */
static bool takes_tick(const struct nfart_image *im, uint32_t i)
{
	const struct image_pred *p;

	for (uint32_t k = 0; k < im->nfa.ncounters; k++)
		if (im->nfa.counters[k].state == i)
			return true;
	if (im->nfa.states[i].pred == IMAGE_NO_PRED)
		return false;
	p = &im->nfa.preds[im->nfa.states[i].pred];
	for (uint32_t k = 0; k < p->letters.n; k++)
		if (p->letters.at[k] == im->alphabet.time + NFART_TICK)
			return true;
	return p->none;
}

/* Can a tick alone be accepted, or come out near a batch that is? A gap in time has any number of
 * them, and what is found in pieces waits in memory. */
static bool tick_comes_out(const struct nfart_image *im)
{
	if (im->alphabet.time == IMAGE_NO_TIME)
		return false;
	for (uint32_t i = 0; i < im->nfa.nstates; i++) {
		const struct image_state *s = &im->nfa.states[i];
		bool out = image_accepts(im, &im->nfa.labelsets[s->labelset]) ||
			   ((s->flags & STATE_LOG) != 0 && image_has_window(im));

		if (out && (im->nfa.nmachines != 0 || takes_tick(im, i)))
			return true;
	}
	return false;
}

/* Can pieces of the trace be run? Joins are found and counted in the order of the trace. Ticks are
 * for all lines, so that these can't be dealt out. */
static bool has_pieces(const struct run *r)
{
	bool timed = r->image->alphabet.time != IMAGE_NO_TIME ||
		     (r->second != NULL && r->second->alphabet.time != IMAGE_NO_TIME);
	bool by_line = r->image->substreams.by_line || r->engine.has_substream;

	return r->swap_at != RUN_NEVER && !run_has_joins(r) && !run_follows(r) &&
	       (!timed || (r->second == NULL && !by_line && !tick_comes_out(r->image)));
}

static enum nfart_status run_software(struct run *r, struct nfart_error *e)
{
	enum nfart_status status;
	bool ran = false;

	if (r->how.jobs > 1 && has_pieces(r)) {
		status = run_parallel(r, &ran, e);
		if (ran)
			return status;
	}
	return run_loop(r, e);
}

bool run_begin(struct run *r, struct nfart_error *e)
{
	memset(e, 0, sizeof *e);
	if (!make_map(r)) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return false;
	}
	if (r->rtl == NULL && shared_matters(r->image))
		r->work.shared = shared_new(r->image, &r->engine, e);
	return e->status == NFART_OK;
}

enum nfart_status run_end(struct run *r, enum nfart_status status, struct nfart_error *e)
{
	count_finish(r);
	if (r->work.shared != NULL)
		r->result.shared = shared_batches(r->work.shared);
	if (status == NFART_SYSTEM && e->what[0] == 0)
		nfart_fail(e, NFART_SYSTEM, "out of memory, or the output can't be written");
	if (status == NFART_OK && (r->result.interrupted || run_stats(r)->bad_chunks != 0))
		return NFART_PARTIAL;
	return status;
}

enum nfart_status run_all(struct run *r, struct nfart_error *e)
{
	if (!run_begin(r, e))
		return e->status;
	return run_end(r, r->rtl != NULL ? run_rtl(r, e) : run_software(r, e), e);
}

void run_free(struct run *r)
{
	nfart_filter_free(r->work.filter);
	nfart_window_free(r->work.window);
	shared_free(r->work.shared);
	free(r->work.parallel);
	free(r->result.accepted);
	free(r->work.label_words);
	free(r->work.map);
	vec_free(&r->work.found);
	vec_free(&r->work.counts);
}
