/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * quiet: leaves out messages of which nfart_filter_quiet() says that they change nothing, and
 * compares the matches of the others with those of a filter that steps through all messages.
 * Filters and streams are random, with tests of a field, broadcast messages, ticks and counters.
 *
 *   quiet [-n ROUNDS] [-s SEED]
 *
 * NFACC_QUIET and NFACC_SEED set the same.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/pipeline.h"
#include "runtime/engine/filter.h"
#include "testsuite/setting.h"
#include "testsuite/unit/tap.h"
#include "tools/nfagen/traffic/gen_random.h"

enum { MESSAGES = 6000, TYPES = 7, LINES = 40, SLOTS = 2, BROADCAST = 6 };
enum { FIELD_AT = 16, FIELD_BITS = 4, OPCODE_AT = 28 };

/* Type G is for all lines, or it is of a line, too. */
static const char *const protocols[] = {
	"protocol quiet; header 32; opcode 28..30; idle 7; address 0..15 line 1;\n"
	"groups a, b; channels 0..0;\n"
	"types T { A 0 address; B 1 address; C 2 address; D 3 address; E 4 address; F 5 address;\n"
	"G 6 broadcast; }\n"
	"field x 16..19 of T;\n",
	"protocol quiet; header 32; opcode 28..30; idle 7; address 0..15 line 1;\n"
	"groups a, b; channels 0..0;\n"
	"types T { A 0 address; B 1 address; C 2 address; D 3 address; E 4 address; F 5 address;\n"
	"G 6 address; }\n"
	"field x 16..19 of T;\n",
};

static uint32_t below(struct gen_random *r, uint32_t n)
{
	return gen_random_below(r, n);
}

/* ---- filters ---- */

static void add_message(struct gen_random *r, struct buf *re)
{
	buf_addf(re, "%sT_%c", below(r, 4) == 0 ? "b." : "", (int)('A' + below(r, TYPES)));
	if (below(r, 3) == 0)
		buf_addf(re, "[x == %" PRIu32 "]", below(r, 4));
	else if (below(r, 3) == 0)
		buf_addf(re, "[x in 1..%" PRIu32 "]", 1 + below(r, 5));
}

static void add_pred(struct gen_random *r, struct buf *re)
{
	buf_addf(re, below(r, 4) == 0 ? " None(" : " Any(");
	for (uint32_t i = 1 + below(r, 2); i > 0; i--) {
		add_message(r, re);
		buf_addf(re, "%s", i > 1 ? ", " : ")");
	}
}

static struct nfart_image *make_image(struct gen_random *r, const char *dir, struct buf *re)
{
	struct pipeline_options o;
	struct nfart_image *im = NULL;
	struct nfart_error e;
	struct pipeline p;

	buf_addf(re, "protocol quiet;\n");
	if (below(r, 12) == 0)
		buf_addf(re, "tick 50;\n");
	if (below(r, 10) != 0)
		buf_addf(re, "substream cl from 2 count %d;\n", LINES - 4);
	for (uint32_t k = 1 + below(r, 3); k > 0; k--) {
		buf_addf(re, "filter f%" PRIu32 " =%s", k, below(r, 3) == 0 ? " eps" : " true*");
		for (uint32_t i = 1 + below(r, 3); i > 0; i--) {
			add_pred(r, re);
			if (below(r, 2) == 0) {
				add_pred(r, re);
				buf_addf(re, "%s", below(r, 4) == 0 ? "{40}" : "*");
			}
		}
		add_pred(r, re);
		buf_addf(re, ";\n");
	}
	pipeline_options_init(&o);
	o.overlay.o.none = true;
	o.passes.level = (int)below(r, 3);
	o.dirs = &dir;
	o.ndirs = 1;
	if (pipeline_run(&p, &o, &(struct pipeline_file){ "quiet", re->at, re->n, false }, 1) ==
	    NFART_OK)
		im = nfart_image_load(p.job.made.image.at, p.job.made.image.n, "quiet", &e);
	else
		diag_print(&p.diags, stderr, false);
	pipeline_free(&p);
	return im;
}

/* ---- streams ---- */

struct stream {
	uint64_t header[MESSAGES];
	uint8_t slot[MESSAGES];
};

static uint32_t type_of(uint64_t header)
{
	return (uint32_t)(header >> OPCODE_AT);
}

static uint32_t line_of(uint64_t header)
{
	return (uint32_t)header & ((1u << FIELD_AT) - 1);
}

/* Most messages are of few types, and have few values of the field. */
static void draw_stream(struct gen_random *r, struct stream *s)
{
	uint32_t usual = below(r, TYPES - 1), often = 2 + below(r, 60), line = 0;

	for (size_t i = 0; i < MESSAGES; i++) {
		uint32_t type = below(r, often) == 0 ? below(r, TYPES) : usual;
		uint32_t x = below(r, 4) == 0 ? below(r, 1 << FIELD_BITS) : below(r, 2);

		if (below(r, 3) == 0)
			line = below(r, LINES);
		s->slot[i] = (uint8_t)below(r, SLOTS);
		s->header[i] = (uint64_t)type << OPCODE_AT | x << FIELD_AT | line;
	}
}

/* ---- runs ---- */

typedef VEC(struct nfart_match) match_list;

static bool take_matches(struct nfart_filter *f, match_list *all)
{
	size_t n;
	const struct nfart_match *m = nfart_filter_matches(f, &n);

	for (size_t i = 0; i < n; i++)
		if (!vec_push(all, m[i]))
			return false;
	return true;
}

static struct nfart_filter *begin(const struct nfart_image *im, bool stepwise)
{
	struct nfart_filter_options o = { .engine = { .lines = true }, .stepwise = stepwise,
					  .matches = true };
	struct nfart_error e;

	return nfart_filter_new(im, &o, &e);
}

/* Gives a filter all messages. The time of a message is its number. */
static bool run_all(const struct nfart_image *im, const struct stream *s, match_list *all)
{
	struct nfart_filter *f = begin(im, true);
	bool ok = f != NULL && nfart_filter_messages(f, s->slot, s->header, MESSAGES, 0) &&
		  nfart_filter_end(f) && take_matches(f, all);

	nfart_filter_free(f);
	return ok;
}

/* Messages that wait to be given to a filter. */
struct waiting {
	struct stream s;
	size_t n, given;         /* given: how many the filter has got before */
	uint64_t at[MESSAGES];   /* [time in the filter]: the number of the message */
	bool has_line[LINES];    /* one of the line waits */
	bool has_broadcast;
};

static bool give(struct nfart_filter *f, struct waiting *w)
{
	bool ok = nfart_filter_messages(f, w->s.slot, w->s.header, w->n, w->given);

	w->given += w->n;
	w->n = 0;
	w->has_broadcast = false;
	memset(w->has_line, 0, sizeof w->has_line);
	return ok;
}

/* Is message i quiet, as far as the filter says? */
static bool is_quiet(struct gen_random *r, struct nfart_filter *f, const struct waiting *w,
		     const struct stream *s, size_t i, uint64_t varies)
{
	uint64_t h = s->header[i];

	if (w->has_broadcast || w->has_line[line_of(h)])
		return false;
	/* What varies, and the opcode, may have any value in what is asked. */
	h ^= varies & (uint64_t)below(r, 1 << FIELD_BITS) << FIELD_AT;
	h ^= (uint64_t)below(r, 2) << OPCODE_AT;
	return (nfart_filter_quiet(f, s->slot[i], h, varies) >> type_of(s->header[i]) & 1) != 0;
}

/* Leaves out quiet messages, and adds how many to *left_out. Some bits of the field are given, and
 * the others vary. */
static bool run_loud(struct gen_random *r, const struct nfart_image *im, bool broadcasts,
		     const struct stream *s, match_list *all, uint64_t *left_out)
{
	struct nfart_filter *f = begin(im, false);
	struct waiting *w = calloc(1, sizeof *w);
	uint64_t varies = (uint64_t)below(r, 1 << FIELD_BITS) << FIELD_AT;
	uint32_t most = 1 + below(r, below(r, 3) == 0 ? 300 : 4);
	bool ok = f != NULL && w != NULL;

	/* With room for few states, rows get other numbers now and then. */
	if (ok && f->dfa != NULL && below(r, 3) == 0)
		f->dfa->states.most = 4 + below(r, 16);
	for (size_t i = 0; i < MESSAGES && ok; i++) {
		uint64_t h = s->header[i];
		bool broadcast = broadcasts && type_of(h) == BROADCAST;

		if (is_quiet(r, f, w, s, i, varies)) {
			++*left_out;
			continue;
		}
		w->at[w->given + w->n] = i;
		w->s.slot[w->n] = s->slot[i];
		w->s.header[w->n++] = h;
		w->has_line[line_of(h)] = true;
		w->has_broadcast |= broadcast;
		if (below(r, most) == 0)
			ok = give(f, w);
	}
	ok = ok && give(f, w) && nfart_filter_end(f) && take_matches(f, all);
	for (size_t i = 0; i < all->n && ok; i++)
		if (all->at[i].time < w->given)
			all->at[i].time = w->at[all->at[i].time];
	nfart_filter_free(f);
	free(w);
	return ok;
}

static bool same_matches(const match_list *a, const match_list *b)
{
	bool same = a->n == b->n;

	for (size_t i = 0; i < a->n && same; i++)
		same = a->at[i].time == b->at[i].time && a->at[i].label == b->at[i].label &&
		       a->at[i].address == b->at[i].address;
	return same;
}

struct totals {
	uint64_t bad, matches, left_out;
};

static void one_round(uint64_t seed, const char *dir, bool broadcasts, struct stream *s,
		      struct totals *t)
{
	struct gen_random r = { .state = seed };
	match_list all = { 0 }, loud = { 0 };
	struct buf re = { 0 };
	struct nfart_image *im = make_image(&r, dir, &re);
	bool ok;

	draw_stream(&r, s);
	ok = im != NULL && run_all(im, s, &all) &&
	     run_loud(&r, im, broadcasts, s, &loud, &t->left_out) && same_matches(&all, &loud);
	if (!ok)
		printf("# seed %" PRIu64 ": %zu matches, %zu without quiet messages\n%s", seed,
		       (size_t)all.n, (size_t)loud.n, re.at);
	t->bad += !ok;
	t->matches += all.n;
	nfart_image_free(im);
	buf_free(&re);
	vec_free(&all);
	vec_free(&loud);
}

static void write_protocol(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0)
		exit(NFART_SYSTEM);
}

int main(int argc, char **argv)
{
	uint64_t n = setting("NFACC_QUIET", 200), seed = setting("NFACC_SEED", 1);
	struct stream *s = malloc(sizeof *s);
	char dir[] = "/tmp/quietXXXXXX", path[64];
	struct totals t = { 0 };
	struct tap tap = { 0 };

	if (!setting_arguments(argc, argv, &n, &seed, NULL))
		return NFART_USAGE;
	if (s == NULL || mkdtemp(dir) == NULL)
		return NFART_SYSTEM;
	snprintf(path, sizeof path, "%s/quiet.proto", dir);
	for (uint64_t i = seed; i < seed + n; i++) {
		write_protocol(path, protocols[i % 2]);
		one_round(i, dir, i % 2 == 0, s, &t);
	}
	tap_case(&tap, t.bad == 0 && t.matches > n && t.left_out > n * MESSAGES / 8,
		 "matches are the same without quiet messages");
	printf("# %" PRIu64 " rounds from seed %" PRIu64 ", %" PRIu64 " matches, %" PRIu64
	       " of %" PRIu64 " messages left out\n", n, seed, t.matches, t.left_out, n * MESSAGES);
	unlink(path);
	rmdir(dir);
	free(s);
	return tap_end(&tap);
}
