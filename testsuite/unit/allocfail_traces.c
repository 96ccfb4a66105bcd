/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Makes allocations fail while traces are written and read, in every format, and compressed.
 */
#include <stdlib.h>
#include <string.h>

#include "grammar/describe/builtin.h"
#include "runtime/trace/format.h"
#include "testsuite/unit/allocfail.h"

/* ---- scenarios: traces are written and read ---- */

struct trace {
	const char *name;
	enum nfart_format format;
	const struct nfart_proto *proto;
	enum nfart_compression compression;
	struct buf bytes; /* the trace that a scenario reads; empty if the scenario writes one */
};

static const char *const labels[] = { "one", "two" };
enum { BATCHES = 300 };

/* Makes record i: a batch or a loss record. Some batches are accepted, some are only logged, and
 * some are neither. */
static void make_batch(uint64_t i, struct nfart_batch *b, struct nfart_result *r)
{
	static const uint64_t label = 1;

	*b = (struct nfart_batch){ .time = 3 * i + 5,
				   .mask = i % 50 == 9 ? 0 : (uint64_t)1 << i % 28 | 64 };
	b->lost = b->mask == 0 ? i : 0;
	for (uint32_t s = 0; s < 28; s++)
		b->header[s] = i % 4 << 59 | i << 7;
	*r = (struct nfart_result){ .labels = &label, .nlabels = 2, .accepted = i % 20 == 0,
				    .logged = i % 3 != 0 };
}

static bool traces_put(void *ctx, const struct nfart_batch *b, const struct nfart_result *r)
{
	static const uint64_t nothing = 0;
	struct nfart_result full = *r;

	full.nlabels = 2;
	if (full.labels == NULL)
		full.labels = &nothing;
	return nfart_writer_put(ctx, b, b->mask == 0 ? NULL : &full);
}

static enum nfart_status write_batches(struct nfart_writer *writer)
{
	struct nfart_window *w = nfart_window_new(100, 0, traces_put, writer);
	struct nfart_result r;
	struct nfart_batch b;
	bool ok = w != NULL;

	for (uint64_t i = 0; i < BATCHES && ok; i++) {
		make_batch(i, &b, &r);
		ok = nfart_window_put(w, &b, &r);
	}
	ok = ok && nfart_window_end(w);
	nfart_window_free(w);
	return ok ? NFART_OK : NFART_SYSTEM;
}

static struct outcome write_trace(const struct trace *t, struct buf *copy)
{
	struct nfart_writer_options o = { .format = t->format, .labels = labels, .nlabels = 2,
					  .with_labels = true };
	struct outcome out = { NFART_SYSTEM, 0 };
	enum nfart_status closed;
	struct nfart_error e;
	struct nfart_writer *w;
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n), *to = f;

	if (f != NULL && t->compression != NFART_COMPRESSION_NONE)
		to = nfart_compress_open(f, t->compression, &e);
	w = to != NULL ? nfart_writer_new(to, t->proto, &o, &e) : NULL;
	if (w != NULL) {
		out.status = write_batches(w);
		closed = nfart_writer_close(w, &e);
		if (closed != NFART_OK)
			out.status = closed;
	} else if (to != NULL) {
		out.status = e.status;
	}
	if (to != f && to != NULL && fclose(to) != 0)
		out.status = NFART_SYSTEM;
	if (f != NULL)
		fclose(f);
	if (out.status == NFART_OK)
		outcome_add(&out, text, n);
	if (copy != NULL)
		buf_add(copy, text, n);
	free(text);
	return out;
}

static struct outcome write_one(const void *what)
{
	return write_trace(what, NULL);
}

static struct outcome read_one(const void *what)
{
	const struct trace *t = what;
	struct nfart_reader_options o = { .format = t->format };
	struct outcome out = { NFART_OK, 0 };
	struct nfart_error e = { .status = NFART_OK };
	struct nfart_reader *r =
		nfart_reader_memory(t->bytes.at, t->bytes.n, "trace", t->proto, &o, &e);
	struct nfart_batch b;
	int got = r == NULL ? -1 : 1;

	while (got > 0) {
		got = nfart_reader_next(r, &b, &e);
		if (got > 0) {
			outcome_add(&out, &b.time, 8);
			outcome_add(&out, &b.mask, 8);
			for (uint64_t m = b.mask; m != 0; m &= m - 1)
				outcome_add(&out, &b.header[__builtin_ctzll(m)], 8);
		}
	}
	if (got < 0)
		out.status = e.status;
	nfart_reader_free(r);
	return out;
}

/* Opens the protocol of the trace again, and reads messages and pairs into columns; of pairs one at
 * a time, so that some wait. */
static struct outcome read_columns(const void *what)
{
	uint64_t words[4][NFART_SLOTS];
	uint8_t bytes[4][NFART_SLOTS];
	const struct nfart_message_columns messages = { words[0], words[1], bytes[0] };
	const struct nfart_pair_columns pairs = { bytes[0], bytes[1], bytes[2], bytes[3],
						  words[0], words[1], words[2], words[3] };
	const struct trace *t = what;
	struct outcome out = { NFART_OK, 0 };
	struct nfart_error e = { .status = NFART_OK };
	struct nfart_proto *p = nfart_proto_open("eci", &e);

	for (int kind = 0; kind < 2 && out.status == NFART_OK; kind++) {
		struct nfart_reader *r = p == NULL ? NULL : nfart_reader_memory(
			t->bytes.at, t->bytes.n, "trace", p, NULL, &e);
		struct nfart_pair_reader *x =
			kind == 0 || r == NULL ? NULL : nfart_pair_reader_new(r, p, &e);
		size_t n = 0;
		int got = r == NULL || (kind == 1 && x == NULL) ? -1 : 1;
		while (got > 0) {
			got = kind == 0 ? nfart_reader_messages(r, &messages, NFART_SLOTS, &n, &e)
					: nfart_pair_reader_next(x, &pairs, 1, &n, &e);
			outcome_add(&out, words[0], n * 8);
			outcome_add(&out, words[1], n * 8);
			outcome_add(&out, bytes[0], n);
		}
		if (got < 0)
			out.status = e.status;
		nfart_pair_reader_free(x);
		nfart_reader_free(r);
	}
	nfart_proto_free(p);
	return out;
}

static void inject_plain(struct tap *t)
{
	struct nfart_proto *p = proto_builtin("eci");
	enum nfart_format f;

	for (size_t i = 0;
	     p != NULL && (f = trace_format_nth(FORMAT_WRITE, i)) != NFART_FORMAT_AUTO; i++) {
		struct trace trace = { .name = nfart_format_name(f), .format = f, .proto = p };
		char name[100];
		snprintf(name, sizeof name, "writing %s", trace.name);
		inject(t, name, write_one, &trace);
		if (trace_format(f)->read == NULL)
			continue;
		write_trace(&trace, &trace.bytes);
		snprintf(name, sizeof name, "reading %s", trace.name);
		inject(t, name, read_one, &trace);
		trace.format = NFART_FORMAT_AUTO;
		snprintf(name, sizeof name, "reading %s, unnamed", trace.name);
		inject(t, name, read_one, &trace);
		if (f == NFART_FORMAT_COMPACT)
			inject(t, "columns of messages and pairs", read_columns, &trace);
		buf_free(&trace.bytes);
	}
	proto_free(p);
}

/* Writes and reads a compressed text. */
static void inject_compressed(struct tap *t)
{
	static const char *const names[] = { [NFART_COMPRESSION_GZIP] = "gzip",
					     [NFART_COMPRESSION_ZSTD] = "zstd" };
	struct nfart_proto *p = proto_builtin("eci");

	for (int i = NFART_COMPRESSION_GZIP; p != NULL && i <= NFART_COMPRESSION_ZSTD; i++) {
		struct trace trace = { .name = names[i], .format = NFART_FORMAT_TEXT, .proto = p,
				       .compression = (enum nfart_compression)i };
		char name[100];
		snprintf(name, sizeof name, "writing text by %s", names[i]);
		inject(t, name, write_one, &trace);
		write_trace(&trace, &trace.bytes);
		snprintf(name, sizeof name, "reading text by %s", names[i]);
		inject(t, name, read_one, &trace);
		buf_free(&trace.bytes);
	}
	proto_free(p);
}

void inject_traces(struct tap *t)
{
	inject_plain(t);
	inject_compressed(t);
}
