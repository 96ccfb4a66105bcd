/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "testsuite/property/fast.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/engine/filter.h"
#include "tools/nfagen/traffic/gen_random.h"

struct log {
	struct buf out;
	const struct nfart_image *im;
};

/* Appends to the log everything that a program can see of a batch and its result. */
static bool fast_note(void *ctx, const struct nfart_batch *b, const struct nfart_result *r)
{
	struct log *l = ctx;

	buf_le64(&l->out, b->time);
	buf_le64(&l->out, b->mask);
	buf_le64(&l->out, b->when);
	buf_le64(&l->out, b->mask == 0 && b->when == 0 ? b->lost : r->accepted);
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

/* Appends to the log what the filter and the reader count. If CRCs are not checked, the number of
 * messages is left out. A chunk may then have another number of messages than its header says, and
 * a reader may count either number. */
static void note_stats(struct log *l, const struct nfart_filter *f, const struct nfart_reader *r,
		       bool unchecked)
{
	struct nfart_filter_stats s = nfart_filter_stats(f);

	buf_le64(&l->out, s.accepted);
	buf_le64(&l->out, s.logged);
	buf_le64(&l->out, s.output);
	for (uint32_t i = 0; i < nfart_image_nlabels(l->im); i++)
		buf_le64(&l->out, s.labels[i]);
	if (r != NULL) {
		buf_le64(&l->out, nfart_reader_stats(r)->batches);
		buf_le64(&l->out, unchecked ? 0 : nfart_reader_stats(r)->messages);
		buf_le64(&l->out, nfart_reader_stats(r)->losses);
		buf_le64(&l->out, nfart_reader_stats(r)->lost);
		buf_le64(&l->out, nfart_reader_stats(r)->bad_chunks);
	}
}

/* USUAL: tables of the usual size. SMALL: tables that are always too small. EAGER: the cache is
 * walked at several places at once (runtime/engine/fast/dfa_speculate.c), although entries are
 * missing. */
enum tables { USUAL, SMALL, EAGER, TABLES };

/* The input of a filter: n records, given one by one or as a trace. */
struct source {
	const struct nfart_batch *b;
	size_t n;
	enum nfart_format format; /* NFART_FORMAT_AUTO: the records are given one by one */
	struct buf trace;
	bool unchecked,           /* the reader does not check CRCs */
		labels;           /* the trace's records have room for labels */
};

struct way {
	enum nfart_simd simd;
	bool stepwise;
	enum tables tables;
};

static struct nfart_filter *fast_filter(const struct nfart_image *im, const struct way *w,
					bool reset, struct log *l)
{
	struct nfart_filter_options o = { .engine = { .lines = true, .reset_on_loss = reset },
					  .sink = fast_note, .ctx = l, .simd = w->simd,
					  .stepwise = w->stepwise };
	struct nfart_error e;
	struct nfart_filter *f = nfart_filter_new(im, &o, &e);
	bool ok;

	l->im = im;
	if (f != NULL && w->tables != USUAL) { /* the cache is to run, whatever the image is */
		factor_free(f->factor);
		f->factor = NULL;
	}
	if (f != NULL && w->tables == EAGER) {
		f->speculation.enough = 0;
		f->time.few = 5;
	}
	if (f != NULL && w->stepwise)
		f->time.few = 0;
	if (f != NULL && f->dfa != NULL && w->tables == SMALL) {
		f->in.most = 7;
		f->time.few = 1;
		f->pace.look = 3;
		f->pace.worth = 2;
		/* There is room for five states, even if their rows are as long as possible. */
		f->dfa->most_entries = 6 * SYMBOLS_MOST;
		if (f->dfa->states.most > 5)
			f->dfa->states.most = 5;
		f->bits = f->en->map.any || !filter_fits_bit_parallel(f) ? NULL : bp_new(im, &ok);
		if (f->bits != NULL)
			f->bits->symbols.most = 3;
	}
	return f;
}

/* Runs a filter over the source and appends what comes out to the log. Returns false if something
 * fails. */
static bool fast_run(const struct nfart_image *im, const struct way *w, bool reset,
		     const struct source *s, struct log *l)
{
	struct nfart_reader_options o = { .format = s->format, .unchecked = s->unchecked };
	struct nfart_filter *f = fast_filter(im, w, reset, l);
	struct nfart_reader *r = NULL;
	struct nfart_error e;
	int got = 1;
	bool ok = f != NULL;

	if (ok && s->format != NFART_FORMAT_AUTO) {
		r = nfart_reader_memory(s->trace.at, s->trace.n, "memory", nfart_image_proto(im),
					&o, &e);
		ok = r != NULL;
		while (ok && got == 1)
			got = nfart_filter_read(f, r, &e);
	}
	for (size_t i = 0; ok && r == NULL && i < s->n; i++)
		ok = nfart_filter_put(f, &s->b[i]);
	ok = ok && got >= 0 && nfart_filter_end(f);
	if (ok)
		note_stats(l, f, r, s->unchecked);
	nfart_reader_free(r);
	nfart_filter_free(f);
	return ok && !l->out.failed;
}

/* Writes the records as a trace into s->trace. */
static bool write_trace(const struct nfart_image *im, struct source *s)
{
	struct nfart_writer_options o = { .format = s->format };
	struct nfart_error e;
	struct nfart_writer *w;
	char *text = NULL;
	size_t size = 0;
	FILE *f;
	bool ok;

	if (s->format == NFART_FORMAT_RAW) {
		for (size_t i = 0; i < s->n; i++) {
			char c = (char)s->b[i].header[0];
			if (s->b[i].mask != 0)
				buf_add(&s->trace, &c, 1);
		}
		return !s->trace.failed;
	}
	if (s->labels) {
		o.labels = nfart_image_labels(im);
		o.nlabels = nfart_image_nlabels(im);
	}
	f = open_memstream(&text, &size);
	if (f == NULL)
		return false;
	w = nfart_writer_new(f, nfart_image_proto(im), &o, &e);
	for (size_t i = 0; i < s->n && w != NULL; i++)
		nfart_writer_put(w, &s->b[i], NULL);
	ok = w != NULL && nfart_writer_close(w, &e) == NFART_OK;
	ok &= fclose(f) == 0;
	if (ok)
		buf_add(&s->trace, text, size);
	free(text);
	return ok && !s->trace.failed;
}

static bool form(const struct nfart_image *im, const struct source *s, bool reset, char *why,
		 size_t size)
{
	static const char *const names[] = { "", ", small tables", ", side by side" };
	const struct way slow = { .stepwise = true };
	struct log want = { .im = im };
	bool ok = fast_run(im, &slow, reset, s, &want);

	if (!ok)
		snprintf(why, size, "%s: the engine step by step failed",
			 nfart_format_name(s->format));
	for (int k = 0; k < 3 * TABLES && ok; k++) {
		struct way w = { .simd = (enum nfart_simd)(NFART_SIMD_PORTABLE + k / TABLES),
				 .tables = (enum tables)(k % TABLES) };
		struct log got = { .im = im };
		if (w.simd > nfart_simd_best())
			break;
		ok = fast_run(im, &w, reset, s, &got) && got.out.n == want.out.n &&
		     memcmp(got.out.at, want.out.at, want.out.n) == 0;
		if (!ok)
			snprintf(why, size, "%s, %s instructions%s: not what the engine does",
				 nfart_format_name(s->format), nfart_simd_name(w.simd),
				 names[w.tables]);
		buf_free(&got.out);
	}
	buf_free(&want.out);
	return ok;
}

bool fast_same(const struct nfart_image *im, const struct nfart_batch *b, size_t n, bool reset,
	       char *why, size_t size)
{
	static const enum nfart_format formats[] = { NFART_FORMAT_AUTO, NFART_FORMAT_COMPACT,
						     NFART_FORMAT_DENSE, NFART_FORMAT_RAW };
	const struct nfart_proto *p = nfart_image_proto(im);
	bool ok = true;

	for (size_t i = 0; i < sizeof formats / sizeof formats[0] && ok; i++) {
		struct source s = { .b = b, .n = n, .format = formats[i] };
		if ((s.format == NFART_FORMAT_DENSE && p->header.idle == PROTO_NO_IDLE) ||
		    (s.format == NFART_FORMAT_RAW && !trace_is_bytes(p)))
			continue;
		ok = s.format == NFART_FORMAT_AUTO || write_trace(im, &s);
		if (!ok)
			snprintf(why, size, "no trace could be written");
		ok = ok && form(im, &s, reset, why, size);
		buf_free(&s.trace);
	}
	return ok;
}

/* ---- damaged traces ---- */

/* Changes up to six words after the file header. They are anywhere, or near each other, so that one
 * record may have several of them. One bit of a word is changed, or all its bits become ones, as in
 * an idle message, or its bits are rotated, so that a mask keeps its number of bits. */
static void fast_damage(struct buf *trace, struct gen_random *g)
{
	size_t head = get_le32((unsigned char *)trace->at + HEAD_SIZE) / 8, n = trace->n / 8,
	       at = head;
	unsigned times = 1 + gen_random_below(g, 6);
	bool near = gen_random_below(g, 2) != 0;

	for (unsigned i = 0; i < times; i++) {
		unsigned char *p;
		uint64_t x;
		unsigned by = gen_random_below(g, 63) + 1;
		at = i == 0 || !near ? head + gen_random_below(g, (uint32_t)(n - head)) :
		     at + 3 < n	     ? at + gen_random_below(g, 3) : at;
		p = (unsigned char *)trace->at + 8 * at;
		x = get_le64(p);
		switch (gen_random_below(g, 3)) {
		case 0:
			x ^= (uint64_t)1 << by;
			break;
		case 1:
			x = UINT64_MAX;
			break;
		default:
			x = x << by | x >> (64 - by);
		}
		put_le64(p, x);
	}
}

bool fast_same_damaged(const struct nfart_image *im, const struct nfart_batch *b, size_t n,
		       uint64_t seed, char *why, size_t size)
{
	const struct nfart_proto *p = nfart_image_proto(im);
	struct gen_random g = { seed };
	bool ok = true;

	for (unsigned dense = 0; dense < (p->header.idle == PROTO_NO_IDLE ? 1 : 2) && ok; dense++) {
		struct source s = { .b = b, .n = n, .unchecked = true, .labels = seed % 2 != 0,
				    .format = dense ? NFART_FORMAT_DENSE : NFART_FORMAT_COMPACT };
		ok = write_trace(im, &s);
		if (ok)
			fast_damage(&s.trace, &g);
		ok = ok && form(im, &s, false, why, size);
		buf_free(&s.trace);
	}
	return ok;
}
