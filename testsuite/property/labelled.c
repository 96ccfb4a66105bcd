/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * labelled: which labels random filters give to the batches of random traces, in pieces read by
 * several threads, and in shares of the lines. They must be those that a filter gives which takes
 * batch after batch.
 *
 *   labelled [-n PAIRS] [-s SEED]
 *
 * NFACC_LABELLED and NFACC_SEED set the same. Filters may have substreams, ticks, a window and
 * a limit. A trace is compact or dense, in small chunks, and often damaged, also at the borders of
 * chunks.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>

#include "contract/image/image.h"
#include "grammar/describe/builtin.h"
#include "runtime/ask/labelled.h"
#include "runtime/ask/ordered.h"
#include "runtime/trace/reader.h"
#include "runtime/trace/writer.h"
#include "testsuite/property/chunks.h"
#include "testsuite/property/gen.h"
#include "testsuite/property/gen_draw.h"
#include "testsuite/property/trial.h"
#include "testsuite/setting.h"
#include "testsuite/unit/tap.h"

enum { MOST_BATCHES = 1000, BLOCK = 50, JOBS = 3, SLOTS = 2 * JOBS + 2 };

struct labelled_case {
	struct gen g;
	struct nfart_image *image;
	struct buf trace;
	struct nfart_reader_options reader;
	size_t piece;
};

/* The labels of batches: the time of each, and a label; and how reading ended. */
struct labelled_told {
	VEC(struct nfart_match) all;
	struct labelled *slot[SLOTS];
	struct labelled_truth truth;
	const struct nfart_image *image;
	int got;
};

struct labelled_totals {
	uint64_t threads, labels, damaged, shared; /* shared: in shares of the lines */
	/* By how the filter runs: all filters, those with ticks, and those with a limit that is
	 * reached. */
	uint64_t way[2], ticks[2], limits[2];
};

static void make_case(struct labelled_case *c, uint64_t seed, const struct nfart_proto *p)
{
	static struct nfart_batch stream[MOST_BATCHES];
	enum nfart_format format = seed % 3 == 0 ? NFART_FORMAT_DENSE : NFART_FORMAT_COMPACT;
	struct gen_options o = { .proto = p, .counters = seed % 2 != 0, .guards = seed % 5 == 0,
				 .machines = seed % 4 == 2, .time = seed % 5 < 2,
				 .sides = seed % 2 == 0,
				 .keys = seed % 3 == 1, .positions = 60,
				 .max_batches = MOST_BATCHES };
	struct nfart_writer_options w = { .format = format };
	struct nfart_writer *writer;
	struct nfart_error e;
	struct buf text = { 0 };
	char *at = NULL;
	size_t n = 0, batches;
	FILE *f = open_memstream(&at, &n);

	gen_filter(seed, &o, &text);
	c->image = trial_compile(text.at, text.n);
	buf_free(&text);
	gen_init(&c->g, seed * 31, &o);
	if (c->image != NULL && gen_chance(&c->g, 30)) /* one that later pieces reach */
		c->image->stream.limit = 1 + gen_below(&c->g, 300);
	if (c->image != NULL)
		c->image->stream.reset_on_loss = gen_chance(&c->g, 30);
	batches = gen_stream(seed, &o, stream, MOST_BATCHES);
	for (uint64_t i = 0, far = gen_chance(&c->g, 30) ? 1 + gen_below(&c->g, 400) : 1;
	     i < batches; i++) /* long gaps, with many ticks */
		stream[i].time *= far;
	writer = nfart_writer_new(f, p, &w, &e);
	writer->chunk = gen_chance(&c->g, 30) ? 1 : 64 + gen_below(&c->g, 1000);
	for (size_t i = 0; i < batches; i++)
		nfart_writer_put(writer, &stream[i], NULL);
	nfart_writer_close(writer, &e);
	fclose(f);
	buf_add(&c->trace, at, n);
	free(at);
	if (gen_chance(&c->g, 40))
		chunks_damage(&c->g, &c->trace);
	c->reader = (struct nfart_reader_options){ .format = format,
						   .strict = gen_chance(&c->g, 15) };
	c->piece = 1 + gen_below(&c->g, 4000);
}

/* ---- batch after batch ---- */

static void read_batches(const struct labelled_case *c, struct nfart_reader *r,
			 struct labelled_told *t)
{
	const struct nfart_filter_options o = { .matches = true };
	struct nfart_error e;
	struct nfart_filter *f = nfart_filter_new(c->image, &o, &e);
	const struct nfart_match *m;
	struct nfart_batch b;
	size_t n;

	while ((t->got = nfart_reader_next(r, &b, &e)) == 1) {
		nfart_filter_put(f, &b);
		m = nfart_filter_matches(f, &n);
		for (size_t i = 0; i < n; i++) /* those of ticks are of no batch */
			if (m[i].time == b.time)
				vec_push(&t->all, ((struct nfart_match){ .time = m[i].time,
									 .label = m[i].label }));
	}
	nfart_filter_free(f);
}

/* ---- in pieces ---- */

static int fill_labelled(void *ctx, uint32_t slot, struct nfart_reader *r, struct nfart_error *e)
{
	struct labelled *x = ((struct labelled_told *)ctx)->slot[slot];
	struct nfart_batch b;
	int got = 1;

	if (!labelled_fill(x, r, e))
		return -1;
	labelled_rewind(x, r);
	while (got == 1)
		got = nfart_reader_next(r, &b, e);
	return got;
}

static bool take_labelled(void *ctx, uint32_t slot, const struct nfart_reader_stats *s)
{
	struct labelled_told *t = ctx;
	struct labelled *x = t->slot[slot];
	uint32_t n = t->image->labels.n - t->image->labels.noutputs;
	const uint64_t *labels;
	uint64_t time;

	(void)s;
	if (!labelled_settle(x, &t->truth))
		return false;
	while (labelled_next(x, &t->truth, &time, &labels) == 1)
		for (uint32_t i = 0; i < n; i++)
			if (bits_get(labels, i))
				vec_push(&t->all,
					 ((struct nfart_match){ .time = time, .label = i }));
	return true;
}

static bool read_pieces(const struct labelled_case *c, struct nfart_reader *r, uint32_t share,
			uint32_t shares, struct labelled_told *t)
{
	static const volatile sig_atomic_t stop;
	struct ordered_use use = { .ctx = t, .fill = fill_labelled, .take = take_labelled };
	struct nfart_reader_stats sum;
	struct nfart_error e;
	enum ordered_end end;

	t->image = c->image;
	for (uint32_t i = 0; i < ordered_slots(JOBS); i++)
		t->slot[i] = labelled_new(c->image, share, shares, &e);
	end = ordered_read(r, &use, JOBS, c->piece, &stop, &sum, &e);
	for (uint32_t i = 0; i < ordered_slots(JOBS); i++)
		labelled_free(t->slot[i]);
	labelled_truth_free(&t->truth);
	t->got = end == ORDERED_ALL ? 0 : -1;
	return end != ORDERED_NONE;
}

/* ---- comparing ---- */

static const char *labelled_difference(const struct labelled_told *a, const struct labelled_told *b)
{
	if (a->got != b->got)
		return "how reading ends";
	if (a->all.n != b->all.n)
		return "how many labels there are";
	for (size_t i = 0; i < a->all.n; i++)
		if (a->all.at[i].time != b->all.at[i].time ||
		    a->all.at[i].label != b->all.at[i].label)
			return "the labels";
	return NULL;
}

/* ---- shares of the lines ---- */

static int by_time(const void *a, const void *b)
{
	const struct nfart_match *x = a, *y = b;

	return x->time != y->time ? (x->time < y->time ? -1 : 1)
				  : (x->label > y->label) - (x->label < y->label);
}

/* Reads the trace once for each of some shares of the lines. *t becomes what these find together;
 * two of them may give a batch the same label. */
static void read_shares(const struct labelled_case *c, struct nfart_reader *r, uint32_t shares,
			struct labelled_told *t)
{
	size_t n = 0;

	for (uint32_t i = 0; i < shares; i++) {
		t->truth = (struct labelled_truth){ .unlimited = true };
		read_pieces(c, r, i, shares, t);
	}
	if (t->all.n != 0)
		qsort(t->all.at, t->all.n, sizeof *t->all.at, by_time);
	for (size_t i = 0; i < t->all.n; i++)
		if (n == 0 || by_time(&t->all.at[n - 1], &t->all.at[i]) != 0)
			t->all.at[n++] = t->all.at[i];
	t->all.n = n;
}

static bool can_share(const struct nfart_image *im)
{
	return labelled_way(im) == LABELLED_FOLLOWED && im->alphabet.time == IMAGE_NO_TIME &&
	       im->stream.limit == 0;
}

static bool test_case(const struct nfart_proto *p, uint64_t seed, struct labelled_totals *sum)
{
	struct labelled_case c = { .piece = 0 };
	struct labelled_told one = { .got = 0 }, many = { .got = 0 };
	struct nfart_reader *r[2] = { NULL, NULL };
	const char *what = NULL;
	struct nfart_error e;

	make_case(&c, seed, p);
	for (int i = 0; i < 2; i++)
		r[i] = nfart_reader_memory(c.trace.at, c.trace.n, "trace", p, &c.reader, &e);
	if (c.image == NULL)
		what = "the filter does not compile";
	else if (r[0] != NULL) {
		read_batches(&c, r[0], &one);
		if (read_pieces(&c, r[1], 0, 1, &many)) {
			what = labelled_difference(&one, &many);
			sum->threads++;
			sum->labels += one.all.n;
			sum->way[labelled_way(c.image)]++;
			sum->ticks[labelled_way(c.image)] += c.image->stream.tick != 0;
			sum->limits[labelled_way(c.image)] +=
				labelled_is_over(c.image, &many.truth);
			if (what == NULL && can_share(c.image)) {
				many.all.n = 0;
				read_shares(&c, r[1], 1 + (uint32_t)(seed % 7), &many);
				what = labelled_difference(&one, &many);
				sum->shared += one.all.n != 0;
			}
			sum->damaged += nfart_reader_stats(r[0])->bad_chunks != 0;
		}
	}
	if (what != NULL)
		printf("# seed %" PRIu64 ", pieces of %zu bytes: %s (%zu, %zu)\n", seed, c.piece,
		       what, one.all.n, many.all.n);
	nfart_reader_free(r[0]);
	nfart_reader_free(r[1]);
	vec_free(&one.all);
	vec_free(&many.all);
	nfart_image_free(c.image);
	buf_free(&c.trace);
	return what == NULL;
}

int main(int argc, char **argv)
{
	struct seeds s = setting_seeds("NFACC_LABELLED", 400, 3000);
	struct nfart_proto *eci = proto_builtin("eci");
	struct labelled_totals sum = { 0 };
	struct tap t = { 0 };

	if (!setting_arguments(argc, argv, &s.n, &s.first, NULL) || eci == NULL)
		return 2;
	for (uint64_t i = 0; i < s.n; i += BLOCK) {
		bool ok = true;
		for (uint64_t k = i; k < i + BLOCK && k < s.n; k++)
			ok &= test_case(eci, s.first + k, &sum);
		tap_case(&t, ok, "filters and traces from seed %" PRIu64 " on", s.first + i);
	}
	tap_case(&t, sum.threads > s.n / 5 && sum.labels > 10 * s.n && sum.damaged > s.n / 60,
		 "read in threads: %" PRIu64 ", labels: %" PRIu64 ", damaged: %" PRIu64,
		 sum.threads, sum.labels, sum.damaged);
	for (int i = 0; i < 2; i++)
		tap_case(&t, sum.way[i] > s.n / 20 && sum.ticks[i] > s.n / 40 &&
			 sum.limits[i] > s.n / 80,
			 "states %s: %" PRIu64 ", with ticks: %" PRIu64 ", limit reached: %" PRIu64,
			 i == LABELLED_GUESSED ? "guessed" : "followed", sum.way[i], sum.ticks[i],
			 sum.limits[i]);
	tap_case(&t, sum.shared > s.n / 40, "in shares of the lines: %" PRIu64, sum.shared);
	proto_free(eci);
	return tap_end(&t);
}
