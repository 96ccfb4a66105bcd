/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/run.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/support/bits.h"

enum { PROGRESS_EVERY = 1 << 14 }; /* records between calls of progress() */

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
		malloc(((size_t)a->nlabels + (b != NULL ? b->nlabels : 0) + 1) * sizeof *v);

	*n = 0;
	for (uint32_t i = 0; v != NULL && i < a->nlabels; i++)
		v[(*n)++] = a->labels[i];
	for (uint32_t i = 0; v != NULL && b != NULL && i < b->nlabels; i++)
		if (find_label(v, a->nlabels, b->labels[i]) == a->nlabels)
			v[(*n)++] = b->labels[i];
	return v;
}

/* ---- counts by line: an open hash table over (label, address) ---- */

static size_t count_place(const struct run *r, uint32_t label, uint64_t address)
{
	size_t i =
		((address * 0x9e3779b97f4a7c15u >> 17) ^ label * 0x85ebca6bu) & (r->counts.cap - 1);

	while (r->counts.at[i].n != 0 &&
	       (r->counts.at[i].label != label || r->counts.at[i].address != address))
		i = (i + 1) & (r->counts.cap - 1);
	return i;
}

static bool count_grow(struct run *r)
{
	struct run_line_count *old = r->counts.at;
	size_t cap = r->counts.cap, n = cap == 0 ? 256 : cap * 2;

	r->counts.at = calloc(n, sizeof *old);
	if (r->counts.at == NULL) {
		r->counts.at = old;
		return false;
	}
	r->counts.cap = n;
	for (size_t i = 0; i < cap; i++)
		if (old[i].n != 0)
			r->counts.at[count_place(r, old[i].label, old[i].address)] = old[i];
	free(old);
	return true;
}

static bool count_lines(struct run *r, const struct nfart_result *res)
{
	for (size_t i = 0; i < res->nlines; i++) {
		struct run_line_count *c;
		if (r->ncounts * 2 >= r->counts.cap && !count_grow(r))
			return false;
		c = &r->counts.at[count_place(r, res->lines[i].label, res->lines[i].address)];
		c->label = res->lines[i].label;
		c->address = res->lines[i].address;
		if (c->n++ == 0)
			r->ncounts++;
	}
	return true;
}

static int by_label(const void *x, const void *y)
{
	const struct run_line_count *a = x, *b = y;

	if (a->label != b->label)
		return a->label < b->label ? -1 : 1;
	return (a->address > b->address) - (a->address < b->address);
}

/* The table becomes a sorted array. */
static void count_finish(struct run *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->counts.cap; i++)
		if (r->counts.at[i].n != 0)
			r->counts.at[n++] = r->counts.at[i];
	if (n > 1)
		qsort(r->counts.at, n, sizeof *r->counts.at, by_label);
	r->lines = r->counts.at;
	r->nlines = n;
}

/* ---- the two filters of a swap ---- */

static bool sink(void *ctx, const struct nfart_batch *b, const struct nfart_result *res)
{
	struct run *r = ctx;

	r->output += b->mask != 0;
	return r->writer == NULL || nfart_writer_put(r->writer, b, res);
}

static bool begin(struct run *r, const struct nfart_image *im, struct nfart_error *e)
{
	r->en = nfart_engine_new(im, &r->engine, e);
	if (r->en == NULL)
		return false;
	r->window = nfart_window_new(im->window, im->limit, sink, r);
	if (r->window == NULL)
		nfart_fail(e, NFART_SYSTEM, "out of memory");
	return r->window != NULL;
}

static bool end(struct run *r)
{
	bool ok = r->window == NULL || nfart_window_end(r->window);

	nfart_window_free(r->window);
	nfart_engine_free(r->en);
	r->window = NULL;
	r->en = NULL;
	return ok;
}

static bool make_map(struct run *r)
{
	uint32_t n = r->second != NULL ? r->second->nlabels : 0;

	r->accepted = calloc((size_t)r->nlabels + 1, sizeof *r->accepted);
	r->label_words = calloc(bits_words(r->nlabels) + 1, 8);
	r->map = calloc((size_t)n + 1, sizeof *r->map);
	for (uint32_t i = 0; r->map != NULL && i < n; i++)
		r->map[i] = find_label(r->labels, r->nlabels, r->second->labels[i]);
	return r->accepted != NULL && r->label_words != NULL && r->map != NULL;
}

/* A result of the second image, in terms of the labels of both. */
static bool translate(struct run *r, struct nfart_result *res)
{
	memset(r->label_words, 0, bits_words(r->nlabels) * 8);
	for (size_t i = bits_next(res->labels, res->nlabels, 0); i < res->nlabels;
	     i = bits_next(res->labels, res->nlabels, i + 1))
		bits_set(r->label_words, r->map[i]);
	r->found.n = 0;
	for (size_t i = 0; i < res->nlines; i++) {
		struct nfart_line l = { r->map[res->lines[i].label], res->lines[i].address };
		if (!vec_push(&r->found, l))
			return false;
	}
	res->labels = r->label_words;
	res->nlabels = r->nlabels;
	res->lines = r->found.at;
	return true;
}

/* ---- the loop ---- */

static void count(struct run *r, const struct nfart_result *res)
{
	r->logged += res->logged;
	r->accepted_any += res->accepted;
	if (res->accepted && nfart_reader_stats(r->reader)->losses != 0)
		r->after_loss++;
	for (size_t i = bits_next(res->labels, res->nlabels, 0); i < res->nlabels;
	     i = bits_next(res->labels, res->nlabels, i + 1))
		r->accepted[i]++;
}

static bool one(struct run *r, const struct nfart_batch *b)
{
	struct nfart_result res;

	if (!nfart_engine_step(r->en, b, &res))
		return false;
	if (b->mask != 0 && !nfart_window_full(r->window)) {
		if (r->swapped && !translate(r, &res))
			return false;
		count(r, &res);
		if (r->count_lines && !count_lines(r, &res))
			return false;
	}
	return nfart_window_put(r->window, b, &res);
}

/* Nothing more can come out: the limit is reached and no other filter is to come. */
static bool finished(const struct run *r)
{
	return nfart_window_full(r->window) && (r->second == NULL || r->swapped);
}

static enum nfart_status loop(struct run *r, struct nfart_error *e)
{
	struct nfart_batch b;
	uint64_t records = 0;
	int got;

	while (!finished(r)) {
		if (*r->stop != 0) {
			r->interrupted = true;
			break;
		}
		got = nfart_reader_next(r->reader, &b, e);
		if (got < 0 && *r->stop == 0)
			return e->status;
		if (got < 0)
			continue;
		if (got == 0)
			break;
		if (r->second != NULL && !r->swapped && b.mask != 0 &&
		    nfart_reader_stats(r->reader)->batches >= r->swap_at) {
			if (!end(r))
				return NFART_SYSTEM;
			r->swapped = true;
			if (!begin(r, r->second, e))
				return e->status;
		}
		if (!one(r, &b))
			return NFART_SYSTEM;
		if (r->progress != NULL && ++records % PROGRESS_EVERY == 0)
			r->progress(r->progress_ctx, r);
	}
	return end(r) ? NFART_OK : NFART_SYSTEM;
}

enum nfart_status run_all(struct run *r, struct nfart_error *e)
{
	enum nfart_status status;

	memset(e, 0, sizeof *e);
	if (!make_map(r))
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	if (r->rtl != NULL) {
		status = run_rtl(r, e);
	} else {
		if (!begin(r, r->image, e))
			return e->status;
		status = loop(r, e);
	}
	count_finish(r);
	if (status == NFART_SYSTEM && e->what[0] == 0)
		nfart_fail(e, NFART_SYSTEM, "out of memory, or the output can't be written");
	if (status == NFART_OK &&
	    (r->interrupted || nfart_reader_stats(r->reader)->bad_chunks != 0))
		return NFART_PARTIAL;
	return status;
}

void run_free(struct run *r)
{
	nfart_window_free(r->window);
	nfart_engine_free(r->en);
	free(r->accepted);
	free(r->label_words);
	free(r->map);
	vec_free(&r->found);
	vec_free(&r->counts);
}
