/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * must: runs random filters for which few messages matter, most with substreams, over random
 * streams: with batches and visits left out (runtime/engine/fast/must.h) and step by step, and
 * compares what is output. The batches come one by one, or as messages in blocks of any size, with
 * losses, windows and pauses. Every way through a filter (fast.h) runs a part of the stream, too.
 * Damaged tables must be refused by their proof.
 *
 *   must [-n ROUNDS] [-s SEED]
 *
 * NFACC_MUST and NFACC_SEED set the same.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/pipeline.h"
#include "runtime/engine/filter.h"
#include "support/bits.h"
#include "support/hash.h"
#include "testsuite/property/fast.h"
#include "testsuite/setting.h"
#include "testsuite/unit/tap.h"
#include "tools/nfagen/traffic/gen_random.h"

enum { BATCHES = 5000, FAST_BATCHES = 700, TYPES = 7, LINES = 300 };

/* Four slots, and one. */
static const char *const protocols[] = {
	"protocol must; header 32; opcode 28..30; idle 7; address 0..27 line 1;\n"
	"groups a, b; channels 0..1;\n"
	"types T { A 0 address; B 1 address; C 2 address; D 3 address; E 4 address; F 5 address;\n"
	"G 6; }\n",
	"protocol must; header 32; opcode 28..30; idle 7; address 0..27 line 1;\n"
	"groups a; channels 0..0;\n"
	"types T { A 0 address; B 1 address; C 2 address; D 3 address; E 4 address; F 5 address;\n"
	"G 6; }\n",
};

static uint32_t below(struct gen_random *r, uint32_t n)
{
	return gen_random_below(r, n);
}

/* ---- filters ---- */

static void add_pred(struct gen_random *r, struct buf *re)
{
	uint32_t n = 1 + below(r, 2);

	buf_addf(re, below(r, 5) == 0 ? " None(" : " Any(");
	for (uint32_t i = 0; i < n; i++)
		buf_addf(re, "%sT_%c", i != 0 ? ", " : "", (int)('A' + below(r, TYPES)));
	buf_addf(re, ")");
}

static void add_filter(struct gen_random *r, struct buf *re, uint32_t k)
{
	buf_addf(re, "filter f%" PRIu32 " =%s", k, below(r, 8) == 0 ? "" : " true*");
	for (uint32_t i = 1 + below(r, 3); i > 0; i--) {
		add_pred(r, re);
		if (below(r, 2) == 0) {
			add_pred(r, re);
			buf_addf(re, "%s", below(r, 3) == 0 ? "+" : "*");
		}
	}
	add_pred(r, re);
	buf_addf(re, ";\n");
}

static struct nfart_image *make_image(struct gen_random *r, bool lines, const char *dir,
				      struct buf *re)
{
	struct pipeline_options o;
	struct nfart_image *im = NULL;
	struct nfart_error e;
	struct pipeline p;

	buf_addf(re, "protocol must;\n");
	if (lines)
		buf_addf(re, "substream cl from 3 count %" PRIu32 ";\n",
			 below(r, 3) == 0 ? 5 : (uint32_t)LINES);
	if (below(r, 2) == 0) {
		buf_addf(re, "window 3; log = true*");
		add_pred(r, re);
		buf_addf(re, ";\n");
	}
	for (uint32_t k = 1 + below(r, 3); k > 0; k--)
		add_filter(r, re, k);
	pipeline_options_init(&o);
	o.overlay.o.none = true;
	o.passes.level = (int)below(r, 3);
	o.dirs = &dir;
	o.ndirs = 1;
	if (pipeline_run(&p, &o, &(struct pipeline_file){ "must", re->at, re->n, false }, 1) ==
	    NFART_OK)
		im = nfart_image_load(p.job.made.image.at, p.job.made.image.n, "must", &e);
	else
		diag_print(&p.diags, stderr, false);
	pipeline_free(&p);
	return im;
}

/* ---- streams ---- */

/* Draws a stream in which most messages are of two types. Now and then comes a loss record. */
static void draw_stream(struct gen_random *r, uint32_t nslots, struct nfart_batch *b)
{
	uint32_t usual = below(r, TYPES), often = 4 + below(r, 400), most = 1 + below(r, 2);

	for (size_t i = 0; i < BATCHES; i++) {
		memset(&b[i], 0, sizeof b[i]);
		b[i].time = i + 1;
		for (uint32_t k = below(r, 700) == 0 ? 0 : 1 + below(r, most); k > 0; k--) {
			uint32_t s = below(r, nslots), type = usual, line = 1 + below(r, LINES + 4);
			if (below(r, often) == 0)
				type = below(r, TYPES);
			if (below(r, 3) == 0)
				line = 3 + below(r, 6);
			b[i].mask |= (uint64_t)1 << s;
			b[i].header[s] = (uint64_t)type << 28 | (type == 6 ? 0 : line);
		}
	}
}

/* ---- runs ---- */

/* What a filter puts out: a hash, and how many batches. */
struct out {
	uint64_t hash, n;
};

static bool take_result(void *ctx, const struct nfart_batch *b, const struct nfart_result *r)
{
	struct out *o = ctx;

	o->hash = hash_add(hash_add(o->hash, b->time), b->mask);
	for (uint64_t m = b->mask; m != 0; m &= m - 1)
		o->hash = hash_add(o->hash, b->header[__builtin_ctzll(m)]);
	o->hash = hash_words(o->hash, r->labels, (r->nlabels + 63) / 64);
	for (size_t i = 0; i < r->nlines; i++)
		o->hash = hash_add(hash_add(o->hash, r->lines[i].label), r->lines[i].address);
	o->n++;
	return true;
}

/* Puts in batches from i on: one, or some that have one message each and often end where a message
 * of another type comes. Returns how many, or 0: out of memory. */
static size_t put_some(struct gen_random *r, struct nfart_filter *f, const struct nfart_batch *b,
		       size_t i)
{
	uint8_t slot[BATCHES];
	uint64_t header[BATCHES];
	size_t most = 1 + below(r, 3000), n = 0;

	while (n < most && i + n < BATCHES && b[i + n].mask != 0 &&
	       (b[i + n].mask & (b[i + n].mask - 1)) == 0) {
		slot[n] = (uint8_t)__builtin_ctzll(b[i + n].mask);
		header[n] = b[i + n].header[slot[n]];
		n++;
		if (n > 1 && header[n - 1] >> 28 != header[n - 2] >> 28 && below(r, 2) == 0)
			break;
	}
	if (n == 0)
		return nfart_filter_put(f, &b[i]) ? 1 : 0;
	return nfart_filter_messages(f, slot, header, n, b[i].time) ? n : 0;
}

/* Runs the stream. Unless it is `stepwise`, adds to *on how often lines at rest were known, and to
 * *rest how often the only copy was. */
static bool run(struct gen_random *r, const struct nfart_image *im, const struct nfart_batch *b,
		bool stepwise, bool reset, struct out *out, uint64_t *on, uint64_t *rest)
{
	struct nfart_filter_options o = { .engine = { .lines = true, .reset_on_loss = reset },
					  .stepwise = stepwise, .sink = take_result, .ctx = out };
	struct nfart_error e;
	struct nfart_filter *f = nfart_filter_new(im, &o, &e);
	uint32_t calm = 1 + below(r, 20);
	bool ok = f != NULL;

	for (size_t i = 0, n; i < BATCHES && ok; i += n) {
		n = stepwise ? nfart_filter_put(f, &b[i]) : put_some(r, f, b, i);
		ok = n != 0;
		if (stepwise || f->must == NULL)
			continue;
		*on += f->must->on;
		*rest += f->at.line_row == NULL && !f->at.stepping &&
			 memcmp(dfa_set(f->dfa, f->at.row), f->must->table.rest,
				f->en->words * 8) == 0;
		f->in.most = 1 + below(r, FILTER_BLOCK);
		if (below(r, calm) == 0)
			f->must->wait = 0;
		if (below(r, 60) == 0)
			f->must->fresh = UINT32_MAX;
	}
	ok = ok && nfart_filter_end(f);
	nfart_filter_free(f);
	return ok;
}

/* ---- damage ---- */

/* Damages one part of the tables, so that something would be left out that matters. False: they
 * have no such part. */
static bool damage(struct gen_random *r, struct must *m, struct engine_tables *t, unsigned kind)
{
	const uint64_t *of = kind == 1 || kind == 4 ? m->table.rest : m->table.enter;
	const struct image_nfa *a = &m->en->im->nfa;
	uint32_t s = below(r, a->nstates), tries = a->nstates;
	const struct image_pred *p;

	if (kind == 5) { /* a start state leads to a state that is not seen */
		uint32_t from = 0;
		for (uint32_t i = 0; i < a->succ_first[a->nstates]; i++) {
			while (a->succ_first[from + 1] <= i)
				from++;
			if (bits_get(m->table.enter, a->succ[i]) ||
			    a->states[a->succ[i]].pred == IMAGE_NO_PRED)
				continue;
			bits_set(t->start, from);
			return true;
		}
		return false;
	}
	while (!bits_get(of, s) && tries-- > 0)
		s = (s + 1) % a->nstates;
	if (!bits_get(of, s))
		return false;
	p = &a->preds[a->states[s].pred];
	if (kind == 0) { /* a message is taken for quiet */
		uint64_t key;
		if (p->letters.n == 0)
			return false;
		key = m->keys->of_letter[p->letters.at[below(r, p->letters.n)]];
		m->table.bits &= ~key;
		if (m->table.classes != NULL)
			m->table.classes[key >> KEY_FIRST_SET >> 6] &=
				~((uint64_t)1 << (key >> KEY_FIRST_SET) % 64);
	} else if (kind == 1) { /* a state is not active at rest */
		m->table.rest[s / 64] &= ~((uint64_t)1 << s % 64);
	} else if (kind == 2) { /* a state is not seen that may become active */
		m->table.enter[s / 64] &= ~((uint64_t)1 << s % 64);
	} else if (kind == 3) { /* a state is active at rest */
		if (bits_get(m->table.rest, s))
			return false;
		bits_set(m->table.rest, s);
	} else { /* there is output at rest */
		bits_set(t->output, s);
	}
	return true;
}

static bool refused(struct gen_random *r, const struct nfart_image *im, uint64_t *damaged)
{
	bool ok = true;

	for (unsigned kind = 0; kind < 6 && ok; kind++) {
		struct nfart_filter_options o = { .stepwise = false };
		struct nfart_error e;
		struct nfart_filter *f = nfart_filter_new(im, &o, &e);
		ok = f != NULL;
		if (ok && f->must != NULL) {
			ok = must_check(f->must);
			if (damage(r, f->must, &f->en->table, kind)) {
				ok = ok && !must_check(f->must);
				++*damaged;
			}
		}
		nfart_filter_free(f);
	}
	return ok;
}

/* ---- rounds ---- */

struct totals {
	uint64_t bad, on, rest, accepted, damaged, bad_proofs;
};

static void one_round(uint64_t seed, const char *dir, uint32_t nslots, struct nfart_batch *b,
		      struct totals *t)
{
	struct gen_random r = { .state = seed };
	bool reset = below(&r, 2) == 0, ok, proved;
	struct out x = { 0 }, y = { 0 };
	struct buf re = { 0 };
	bool lines = below(&r, 3) != 0;
	struct nfart_image *im = make_image(&r, lines, dir, &re);
	char why[256] = "differs";

	if (im != NULL)
		draw_stream(&r, nslots, b);
	ok = im != NULL && run(&r, im, b, true, reset, &x, &t->on, &t->rest) &&
	     run(&r, im, b, false, reset, &y, &t->on, &t->rest) && x.hash == y.hash && x.n == y.n &&
	     fast_same(im, b, FAST_BATCHES, reset, why, sizeof why);
	proved = im != NULL && refused(&r, im, &t->damaged);
	t->accepted += x.n;
	t->bad += !ok;
	t->bad_proofs += !proved;
	if (!ok || !proved)
		printf("# seed %" PRIu64 ": %s\n%s", seed, ok ? "a proof" : why, re.at);
	nfart_image_free(im);
	buf_free(&re);
}

static void write_protocol(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0)
		exit(NFART_SYSTEM);
}

int main(int argc, char **argv)
{
	uint64_t n = setting("NFACC_MUST", 100), seed = setting("NFACC_SEED", 1);
	struct nfart_batch *b = malloc(BATCHES * sizeof *b);
	char dir[] = "/tmp/mustXXXXXX", path[64];
	struct totals t = { 0 };
	struct tap tap = { 0 };

	if (!setting_arguments(argc, argv, &n, &seed, NULL))
		return NFART_USAGE;
	if (b == NULL || mkdtemp(dir) == NULL)
		return NFART_SYSTEM;
	snprintf(path, sizeof path, "%s/must.proto", dir);
	for (uint64_t i = 0; i < n; i++) {
		write_protocol(path, protocols[(seed + i) % 2]);
		one_round(seed + i, dir, (seed + i) % 2 == 0 ? 4 : 1, b, &t);
	}
	tap_case(&tap, t.bad == 0 && t.on > n / 4 && t.rest > n / 8 && t.accepted > n,
		 "what is left out does not matter");
	tap_case(&tap, t.bad_proofs == 0 && t.damaged > n / 2, "tables that leave out more fail");
	printf("# %" PRIu64 " rounds from seed %" PRIu64 ", %" PRIu64 " batches put out, %" PRIu64
	       " pieces with lines at rest, %" PRIu64 " without lines, %" PRIu64
	       " damaged tables\n", n, seed, t.accepted, t.on, t.rest, t.damaged);
	unlink(path);
	rmdir(dir);
	free(b);
	return tap_end(&tap);
}
