/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * library: uses libnfart as a program with several threads does. Random streams are pushed into
 * filters of random images, in every way that the library offers. The arrays of matches must have
 * the matches that the engine finds batch by batch, in the same order. All threads use the same
 * images at once, in different orders, and each must get the same matches.
 *
 *   library [-n PAIRS] [-s SEED]
 *
 * NFACC_LIBRARY_PAIRS and NFACC_SEED set the same. Built with -fsanitize=thread (Makefile's
 * CFLAGS), the test looks for races.
 */
#include <getopt.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/pipeline.h"
#include "grammar/describe/builtin.h"
#include "testsuite/property/gen.h"
#include "testsuite/property/gen_draw.h"
#include "testsuite/setting.h"

enum { THREADS = 4, GROUP = 4, MOST_BATCHES = 300, BLOCK = 400, PROTOS = 4 };

/* A stream in the form that a way of pushing needs. */
struct stream {
	struct nfart_batch batch[MOST_BATCHES]; /* the batches over which the engine steps */
	size_t n;
	struct buf bytes; /* the batches in `batch` as a compact trace, as rows or as bytes */
};

enum way { WAY_PUT, WAY_READ, WAY_ROWS, WAY_MESSAGES, WAY_BYTES, WAYS };
static const char *const ways[WAYS] = { "put", "read", "rows", "messages", "bytes" };

struct pair {
	uint64_t seed;
	struct nfart_image *image;
	struct stream stream[WAYS];
	bool can[WAYS], reset, lines;
};

struct found {
	VEC(struct nfart_match) m;
};

/* ---- making pairs ---- */

static struct nfart_image *make_image(uint64_t seed, const struct gen_options *o)
{
	struct pipeline_options options;
	struct nfart_image *im = NULL;
	struct nfart_error e;
	struct pipeline made;
	struct buf text = { 0 };

	gen_filter(seed, o, &text);
	pipeline_options_init(&options);
	options.overlay.o.none = true;
	if (pipeline_run(&made, &options,
			 &(struct pipeline_file){ "filter.re", text.at, text.n, false },
			 1) == NFART_OK)
		im = nfart_image_load(made.job.made.image.at, made.job.made.image.n, "image", &e);
	pipeline_free(&made);
	buf_free(&text);
	return im;
}

static void to_compact(const struct nfart_image *im, struct stream *s)
{
	struct nfart_writer_options o = { .format = NFART_FORMAT_COMPACT };
	struct nfart_error e;
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	struct nfart_writer *w = nfart_writer_new(f, nfart_image_proto(im), &o, &e);

	for (size_t i = 0; i < s->n && w != NULL; i++)
		nfart_writer_put(w, &s->batch[i], NULL);
	nfart_writer_close(w, &e);
	fclose(f);
	buf_add(&s->bytes, text, size);
	free(text);
}

/* Turns the stream into rows. Rows have no loss records, so these are dropped. */
static void to_rows(const struct nfart_proto *p, struct stream *s)
{
	size_t k = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct nfart_batch *b = &s->batch[i];
		if (b->mask == 0)
			continue;
		buf_le64(&s->bytes, b->time);
		for (uint32_t j = 0; j < p->nslots; j++)
			buf_le64(&s->bytes, (b->mask >> j & 1) != 0
						    ? b->header[j]
						    : (uint64_t)p->header.idle << p->header.op_lsb);
		s->batch[k++] = *b;
	}
	s->n = k;
}

/* Turns the stream into batches of one message each, taken from its batches in turn by slot. Loss
 * records are dropped, and each time is one more than the last. */
static void to_messages(struct stream *s)
{
	size_t k = 0;

	for (size_t i = 0; i < s->n; i++) {
		uint64_t m = s->batch[i].mask;
		if (m == 0)
			continue;
		for (size_t drop = i % 4; drop > 0 && (m & (m - 1)) != 0; drop--)
			m &= m - 1;
		s->batch[k] = s->batch[i];
		s->batch[k].mask = m & -m;
		s->batch[k].time = 1000 + k;
		k++;
	}
	s->n = k;
}

/* Pushes n batches of a stream of to_messages(), from number i on. */
static bool push_messages(struct nfart_filter *f, const struct stream *s, size_t i, size_t n)
{
	uint8_t slot[MOST_BATCHES];
	uint64_t header[MOST_BATCHES];

	for (size_t j = 0; j < n; j++) {
		slot[j] = (uint8_t)__builtin_ctzll(s->batch[i + j].mask);
		header[j] = s->batch[i + j].header[slot[j]];
	}
	return nfart_filter_messages(f, slot, header, n, 1000 + i);
}

/* Turns the stream into bytes. Loss records are dropped, and each time is one more than the
 * last. */
static void to_bytes(struct stream *s)
{
	size_t k = 0;

	for (size_t i = 0; i < s->n; i++) {
		char c = (char)s->batch[i].header[0];
		if (s->batch[i].mask == 0)
			continue;
		buf_add(&s->bytes, &c, 1);
		s->batch[k] = s->batch[i];
		s->batch[k].time = 1000 + k;
		k++;
	}
	s->n = k;
}

static bool library_make(struct pair *p, uint64_t seed, const struct nfart_proto *proto)
{
	struct gen_options o = { .proto = proto,
				 .counters = seed / PROTOS % 4 == 0,
				 .positions = 60,
				 .max_batches = MOST_BATCHES };

	memset(p, 0, sizeof *p);
	p->seed = seed;
	p->reset = seed % 5 == 0;
	p->lines = seed % 7 != 0;
	p->image = make_image(seed, &o);
	if (p->image == NULL)
		return false;
	for (int w = 0; w < WAYS; w++) {
		p->stream[w].n = gen_stream(seed, &o, p->stream[w].batch, MOST_BATCHES);
		p->can[w] = true;
	}
	to_compact(p->image, &p->stream[WAY_READ]);
	p->can[WAY_ROWS] = proto->header.idle != PROTO_NO_IDLE;
	if (p->can[WAY_ROWS])
		to_rows(proto, &p->stream[WAY_ROWS]);
	to_messages(&p->stream[WAY_MESSAGES]);
	p->can[WAY_BYTES] = strcmp(proto->name, "bytes") == 0;
	if (p->can[WAY_BYTES])
		to_bytes(&p->stream[WAY_BYTES]);
	return true;
}

static void unmake(struct pair *p)
{
	nfart_image_free(p->image);
	for (int w = 0; w < WAYS; w++)
		buf_free(&p->stream[w].bytes);
}

/* ---- the test of one pair ---- */

static bool nothing(void *ctx, const struct nfart_batch *b, const struct nfart_result *r)
{
	(void)ctx;
	(void)b;
	(void)r;
	return true;
}

/* Adds to *found the matches that the engine finds batch by batch, until the limit is reached. */
static bool step_all(const struct pair *p, const struct stream *s,
		     const struct nfart_engine_options *o, struct found *found)
{
	struct nfart_error e;
	struct nfart_engine *en = nfart_engine_new(p->image, o, &e);
	struct nfart_window *w = nfart_window_new(nfart_image_window(p->image),
						  nfart_image_limit(p->image), nothing, NULL);
	struct nfart_result r;
	bool ok = en != NULL && w != NULL;

	for (size_t i = 0; ok && i < s->n && !nfart_window_full(w); i++) {
		struct nfart_match one = { .time = s->batch[i].time };
		ok = nfart_engine_step(en, &s->batch[i], &r);
		for (uint32_t l = 0; ok && l < r.nlabels; l++) {
			bool by_line = false;
			if ((r.labels[l / 64] >> l % 64 & 1) == 0)
				continue;
			one.label = l;
			for (size_t k = 0; k < r.nlines; k++)
				if (r.lines[k].label == l) {
					by_line = true;
					one.address = r.lines[k].address;
					ok = ok && vec_push(&found->m, one);
				}
			if (!by_line)
				ok = ok && vec_push(&found->m, one);
		}
		ok = ok && nfart_window_put(w, &s->batch[i], &r);
	}
	nfart_engine_free(en);
	nfart_window_free(w);
	return ok;
}

/* Pushes the next batches of the stream. Rows and bytes are pushed from *at on, at most `some` of
 * them; *at is moved on. `row` is the size of a row in bytes. Returns 1 if there may be more
 * batches, 0 if there are none, -1 if it failed. */
static int library_push(struct nfart_filter *f, enum way way, const struct stream *s, size_t row,
			size_t some, struct nfart_reader *r, size_t *at)
{
	struct nfart_error e;
	size_t n = s->n - *at < some ? s->n - *at : some, i = *at;
	bool ok;

	if (way == WAY_READ)
		return nfart_filter_read(f, r, &e);
	if (i == s->n)
		return 0;
	if (way == WAY_PUT)
		n = 1;
	*at += n;
	if (way == WAY_PUT)
		ok = nfart_filter_put(f, &s->batch[i]);
	else if (way == WAY_ROWS)
		ok = nfart_filter_rows(f, s->bytes.at + i * row, n);
	else if (way == WAY_MESSAGES)
		ok = push_messages(f, s, i, n);
	else
		ok = nfart_filter_bytes(f, s->bytes.at + i, n, 1000 + i);
	return ok ? 1 : -1;
}

static bool fetch(struct nfart_filter *f, struct found *found)
{
	size_t n, again;
	const struct nfart_match *v = nfart_filter_matches(f, &n);

	for (size_t i = 0; i < n; i++)
		if (!vec_push(&found->m, v[i]))
			return false;
	nfart_filter_matches(f, &again);
	return again == 0;
}

static bool filter_all(const struct pair *p, enum way way, const struct nfart_filter_options *o,
		       struct gen *g, struct found *found)
{
	const struct stream *s = &p->stream[way];
	const struct nfart_proto *proto = nfart_image_proto(p->image);
	struct nfart_error e;
	struct nfart_filter *f = nfart_filter_new(p->image, o, &e);
	struct nfart_reader *r = NULL;
	bool ok = f != NULL;
	size_t at = 0;
	int got = 1;

	if (way == WAY_READ)
		r = nfart_reader_memory(s->bytes.at, s->bytes.n, "trace", proto, NULL, &e);
	ok = ok && (way != WAY_READ || r != NULL);
	while (ok && got == 1) {
		got = library_push(f, way, s, 8 + 8 * (size_t)nfart_proto_nslots(proto),
				   gen_below(g, 90), r, &at);
		ok = got >= 0 && (gen_chance(g, 50) || fetch(f, found));
	}
	ok = ok && nfart_filter_end(f) && fetch(f, found);
	nfart_reader_free(r);
	nfart_filter_free(f);
	return ok;
}

static bool library_same(const struct nfart_match *a, const struct nfart_match *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i].time != b[i].time || a[i].label != b[i].label ||
		    a[i].address != b[i].address)
			return false;
	return true;
}

/* Checks one pair in all ways. Returns how many matches there were. Sets *ok to false, and writes
 * `why`, if they are not the engine's. */
static uint64_t library_check(const struct pair *p, struct gen *g, bool *ok, char why[128])
{
	uint64_t total = 0;

	for (int way = 0; way < WAYS && *ok; way++)
		for (int k = 0; k < 4 && *ok && p->can[way]; k++) {
			static const enum nfart_simd simd[] = { NFART_SIMD_BEST,
								NFART_SIMD_PORTABLE };
			struct nfart_filter_options o = {
				.engine = { .lines = p->lines, .reset_on_loss = p->reset },
				.simd = simd[k & 1], .stepwise = k == 2, .matches = k != 3 };
			struct found want = { 0 }, got = { 0 };
			*ok = step_all(p, &p->stream[way], &o.engine, &want) &&
			      filter_all(p, (enum way)way, &o, g, &got) &&
			      got.m.n == (o.matches ? want.m.n : 0) &&
			      library_same(got.m.at, want.m.at, got.m.n);
			if (!*ok)
				snprintf(why, 128, "%s, option %d: %zu matches of %zu", ways[way],
					 k, got.m.n, want.m.n);
			total += got.m.n;
			vec_free(&want.m);
			vec_free(&got.m);
		}
	return total;
}

/* ---- all pairs in several threads ---- */

struct worker {
	pthread_t thread;
	const struct pair *pair; /* [n]: the pairs, which all workers share */
	uint32_t number, n;
	uint64_t matches;
	bool ok;
	char why[128];
	uint64_t seed;
};

static void *library_work(void *ctx)
{
	struct worker *w = ctx;

	for (uint32_t i = 0; i < w->n && w->ok; i++) {
		const struct pair *p = &w->pair[(w->number + i) % w->n];
		struct gen_options o = { .proto = nfart_image_proto(p->image) };
		struct gen g;
		gen_init(&g, p->seed * THREADS + w->number, &o);
		w->seed = p->seed;
		w->matches += library_check(p, &g, &w->ok, w->why);
	}
	return NULL;
}

/* Checks the pairs in all threads at once. Returns whether every thread found the right matches. */
static bool together(const struct pair *pair, uint32_t n, uint64_t *found)
{
	struct worker w[THREADS] = { { .pair = pair } };
	bool ok = true;

	for (uint32_t i = 0; i < THREADS; i++) {
		w[i] = (struct worker){ .pair = pair, .number = i, .n = n, .ok = true };
		if (pthread_create(&w[i].thread, NULL, library_work, &w[i]) != 0)
			return false;
	}
	for (uint32_t i = 0; i < THREADS; i++) {
		pthread_join(w[i].thread, NULL);
		if (!w[i].ok)
			printf("# seed %" PRIu64 ", thread %" PRIu32 ": %s\n", w[i].seed, i,
			       w[i].why);
		ok &= w[i].ok && w[i].matches == w[0].matches;
	}
	*found += w[0].matches;
	return ok;
}

int main(int argc, char **argv)
{
	uint64_t n = setting("NFACC_LIBRARY_PAIRS", 600), seed = setting("NFACC_SEED", 1), bad = 0,
		 test = 0, found = 0;
	/* The last one has broadcast messages. */
	struct nfart_proto *protos[PROTOS] = { proto_builtin("eci"), proto_builtin("eci-coherence"),
					       proto_builtin("bytes"), proto_builtin("mem") };
	struct pair *pair = calloc(GROUP, sizeof *pair);

	if (!setting_arguments(argc, argv, &n, &seed, NULL))
		return NFART_USAGE;
	for (uint64_t i = 0; i < n && bad <= 20; i += GROUP) {
		bool ok = true;
		for (uint32_t k = 0; k < GROUP; k++)
			ok &= library_make(&pair[k], seed + i + k, protos[(seed + i + k) % PROTOS]);
		bad += !ok || !together(pair, GROUP, &found);
		for (uint32_t k = 0; k < GROUP; k++)
			unmake(&pair[k]);
		if (i % BLOCK == BLOCK - GROUP || i + GROUP >= n || bad > 20)
			printf("%s %" PRIu64 " - pairs up to seed %" PRIu64 "\n",
			       bad == 0 ? "ok" : "not ok", ++test, seed + i + GROUP - 1);
	}
	printf("# %" PRIu64 " pairs from seed %" PRIu64 " in %d threads at once; %" PRIu64
	       " matches in each\n1..%" PRIu64 "\n",
	       n, seed, THREADS, found, test);
	free(pair);
	for (int i = 0; i < PROTOS; i++)
		proto_free(protos[i]);
	return bad != 0;
}
