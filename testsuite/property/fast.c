/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "testsuite/property/fast.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/filter.h"

struct log {
	struct buf out;
	const struct nfart_image *im;
};

/* All of a batch and of its result that is somebody's to see. */
static bool note(void *ctx, const struct nfart_batch *b, const struct nfart_result *r)
{
	struct log *l = ctx;

	buf_le64(&l->out, b->time);
	buf_le64(&l->out, b->mask);
	buf_le64(&l->out, b->mask == 0 ? b->lost : r->accepted);
	for (uint64_t m = b->mask; m != 0; m &= m - 1)
		buf_le64(&l->out, b->header[__builtin_ctzll(m)]);
	for (size_t i = 0; i < bits_words(r->nlabels) && r->accepted; i++)
		buf_le64(&l->out, r->labels[i]);
	for (size_t i = 0; i < r->nlines; i++) {
		buf_le64(&l->out, r->lines[i].label);
		buf_le64(&l->out, r->lines[i].address);
	}
	return !l->out.failed;
}

/* Batches read, messages, and what a filter counts. */
static void note_stats(struct log *l, const struct nfart_filter *f, const struct nfart_reader *r)
{
	struct nfart_filter_stats s = nfart_filter_stats(f);

	buf_le64(&l->out, s.accepted);
	buf_le64(&l->out, s.logged);
	buf_le64(&l->out, s.output);
	for (uint32_t i = 0; i < nfart_image_nlabels(l->im); i++)
		buf_le64(&l->out, s.labels[i]);
	if (r != NULL) {
		buf_le64(&l->out, nfart_reader_stats(r)->batches);
		buf_le64(&l->out, nfart_reader_stats(r)->messages);
		buf_le64(&l->out, nfart_reader_stats(r)->losses);
	}
}

struct way {
	enum nfart_simd simd;
	bool stepwise, small;
};

static struct nfart_filter *filter(const struct nfart_image *im, const struct way *w, bool reset,
				   struct log *l)
{
	struct nfart_filter_options o = { .engine = { .lines = true, .reset_on_loss = reset },
					  .sink = note, .ctx = l, .simd = w->simd,
					  .stepwise = w->stepwise };
	struct nfart_error e;
	struct nfart_filter *f = nfart_filter_new(im, &o, &e);
	bool ok;

	l->im = im;
	if (f != NULL && f->fast != NULL && w->small) {
		f->most = 7;
		f->look = 3;
		f->worth = 2;
		f->fast->entries = 6 * FAST_SYMBOLS; /* five states, when rows are longest */
		if (f->fast->most > 5)
			f->fast->most = 5;
		f->lanes = f->en->by_line || !filter_has_lanes(f) ? NULL : lanes_new(im, &ok);
		if (f->lanes != NULL)
			f->lanes->most = 3;
	}
	return f;
}

/* Through a reader over `trace` (NULL: one by one). False: it failed. */
static bool run(const struct nfart_image *im, const struct way *w, bool reset,
		const struct nfart_batch *b, size_t n, const struct buf *trace,
		enum nfart_format format, struct log *l)
{
	struct nfart_reader_options o = { .format = format };
	struct nfart_filter *f = filter(im, w, reset, l);
	struct nfart_reader *r = NULL;
	struct nfart_error e;
	int got = 1;
	bool ok = f != NULL;

	if (ok && trace != NULL) {
		r = nfart_reader_memory(trace->at, trace->n, "memory", nfart_image_proto(im), &o, &e);
		ok = r != NULL;
		while (ok && got == 1)
			got = nfart_filter_read(f, r, &e);
	}
	for (size_t i = 0; ok && trace == NULL && i < n; i++)
		ok = nfart_filter_put(f, &b[i]);
	ok = ok && got >= 0 && nfart_filter_end(f);
	if (ok)
		note_stats(l, f, r);
	nfart_reader_free(r);
	nfart_filter_free(f);
	return ok && !l->out.failed;
}

/* The records as a trace. */
static bool write_trace(const struct nfart_image *im, const struct nfart_batch *b, size_t n,
			enum nfart_format format, struct buf *out)
{
	struct nfart_writer_options o = { .format = format };
	struct nfart_error e;
	struct nfart_writer *w;
	char *text = NULL;
	size_t size = 0;
	FILE *f;
	bool ok;

	if (format == NFART_FORMAT_RAW) {
		for (size_t i = 0; i < n; i++) {
			char c = (char)b[i].header[0];
			if (b[i].mask != 0)
				buf_add(out, &c, 1);
		}
		return !out->failed;
	}
	f = open_memstream(&text, &size);
	if (f == NULL)
		return false;
	w = nfart_writer_new(f, nfart_image_proto(im), &o, &e);
	for (size_t i = 0; i < n && w != NULL; i++)
		nfart_writer_put(w, &b[i], NULL);
	ok = w != NULL && nfart_writer_close(w, &e) == NFART_OK;
	ok &= fclose(f) == 0;
	if (ok)
		buf_add(out, text, size);
	free(text);
	return ok && !out->failed;
}

static bool form(const struct nfart_image *im, const struct nfart_batch *b, size_t n, bool reset,
		 enum nfart_format format, char *why, size_t size)
{
	const struct way slow = { .stepwise = true };
	struct log want = { .im = im };
	struct buf trace = { 0 };
	const struct buf *from = format == NFART_FORMAT_AUTO ? NULL : &trace;
	bool ok = from == NULL || write_trace(im, b, n, format, &trace);

	ok = ok && run(im, &slow, reset, b, n, from, format, &want);
	if (!ok)
		snprintf(why, size, "%s: the engine step by step failed", nfart_format_name(format));
	for (int k = 0; k < 6 && ok; k++) {
		struct way w = { .simd = (enum nfart_simd)(NFART_SIMD_PORTABLE + k / 2),
				 .small = k % 2 != 0 };
		struct log got = { .im = im };
		if (w.simd > nfart_simd_best())
			break;
		ok = run(im, &w, reset, b, n, from, format, &got) && got.out.n == want.out.n &&
		     memcmp(got.out.at, want.out.at, want.out.n) == 0;
		if (!ok)
			snprintf(why, size, "%s, %s instructions%s: not what the engine does",
				 nfart_format_name(format), nfart_simd_name(w.simd),
				 w.small ? ", small tables" : "");
		buf_free(&got.out);
	}
	buf_free(&want.out);
	buf_free(&trace);
	return ok;
}

bool fast_same(const struct nfart_image *im, const struct nfart_batch *b, size_t n, bool reset,
	       char *why, size_t size)
{
	const struct nfart_proto *p = nfart_image_proto(im);

	return form(im, b, n, reset, NFART_FORMAT_AUTO, why, size) &&
	       form(im, b, n, reset, NFART_FORMAT_COMPACT, why, size) &&
	       (p->idle == PROTO_NO_IDLE || form(im, b, n, reset, NFART_FORMAT_DENSE, why, size)) &&
	       (!trace_is_bytes(p) || form(im, b, n, reset, NFART_FORMAT_RAW, why, size));
}
