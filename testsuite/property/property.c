/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * property: random filters over random streams. The software engine executes the image, and the
 * reference matcher evaluates the spec. Labels, lines, log and output must be the same, record by
 * record.
 *
 *   property [-n PAIRS] [-s SEED] [-O LEVEL] [-v]
 *
 * NFACC_PAIRS and NFACC_SEED set the same. Pair i has seed SEED + i. A pair that differs prints its
 * seed, its filter and its stream, and `property -n 1 -s SEED -v` runs it alone.
 *
 * Of ten pairs, eight are a sparse image, at -O0, -O1, -O2 and -Os. Two are mapped, onto overlays
 * that differ in shape, decoder and predecessors. -O gives all pairs one level.
 *
 * A third of the pairs have guards, of sparse ones sometimes of payload, and of the sparse pairs a
 * third has ticks and the end: the reference matcher then makes the ticks that the engine is given.
 *
 * After simulation, an automaton may have at most one state more than the filter has positions.
 * Each sparse pair also checks that the tree and the NFA print as text that compiles to the same
 * image. (The NFA is printed only if it has no counters, because its text has no form for them.)
 * The image must also decode to the NFA from which it was made. On every image the fast ways
 * through a filter (nfart_filter, fast.c) must give what the engine gives step by step.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/image/inspect.h"
#include "compiler/pipeline.h"
#include "grammar/describe/builtin.h"
#include "testsuite/oracle/oracle.h"
#include "testsuite/property/fast.h"
#include "testsuite/property/gen.h"
#include "testsuite/property/gen_draw.h"
#include "testsuite/property/positions.h"
#include "testsuite/setting.h"

enum { MOST_BATCHES = 40, BLOCK = 1000 };

/* The overlays of mapped pairs, and the most positions of their filters. */
static const struct {
	const char *text;
	size_t positions;
} overlays[] = {
	{ "overlay a; clique 5; length 20; rings 3; reach 1;", 40 },
	{ "overlay b; clique 5; length 20; rings 3; reach 1; predecessors mask; data 64;", 60 },
	{ "overlay c; clique 4; length 3; rings 3; reach 1; decoder ste; data 64;", 12 },
	{ "overlay d; clique 6; length 2; rings 1; reach 0; decoder bank; bank 12; predecessors "
	  "mask;",
	  8 },
	{ "overlay e; clique 12; length 1; rings 1; reach 0; shadow yes;", 10 },
	/* Narrow overlays: many filters fit only with states split. */
	{ "overlay f; clique 1; length 50; rings 5; reach 1;", 60 },
	{ "overlay g; clique 2; length 40; rings 1; reach 0; decoder ste; predecessors mask;", 60 },
	{ "overlay h; clique 5; length 20; rings 3; reach 1; counters 1;", 40 },
	{ "overlay i; clique 4; length 6; rings 2; reach 1; counters 2; counter_width 5; data 64; "
	  "predecessors mask; decoder ste;",
	  20 },
	{ "overlay j; clique 6; length 3; rings 3; reach 1; counters 3; counter_width 6; decoder "
	  "bank; "
	  "bank 20;",
	  16 },
	{ "overlay k; clique 2; length 20; rings 2; reach 0; counters 1; counter_width 8;", 40 },
	{ "overlay l; clique 1; length 40; rings 3; reach 1; counters 1; predecessors mask;", 50 },
	/* Tests of headers; opcodes of 8 bits leave room for four of them. */
	{ "overlay m; clique 5; length 20; rings 3; reach 1; guards 3; ranges 1; letter_bits 9;",
	  16 },
	{ "overlay n; clique 4; length 4; rings 2; reach 1; decoder ste; guards 2; ranges 2; "
	  "letter_bits 7; data 64; predecessors mask;",
	  12 },
	{ "overlay o; clique 6; length 3; rings 2; reach 1; decoder bank; bank 16; guards 1; "
	  "ranges 3; letter_bits 8;",
	  12 },
};
enum { NOVERLAYS = sizeof overlays / sizeof overlays[0] };

/* The folder with the descriptions of protocols with payload. */
static char folder[] = "/tmp/nfacc-property.XXXXXX";
static const char *const folders[] = { folder };

struct totals {
	uint64_t pairs, sparse, mapped, split, nofit, counting, machines, batches, accepted;
};

struct pair {
	uint64_t seed;
	struct gen_options gen;
	struct pipeline_options options;
	struct buf filter;
	struct nfart_batch stream[MOST_BATCHES];
	uint64_t payload[MOST_BATCHES][2 * NFART_SLOTS]; /* that of the batches, two words each */
	size_t n;
	struct oracle_stream all; /* the stream with its ticks and its end */
	bool reset;
	char why[256];
};

/* ---- what engine and window say, compared with the reference matcher ---- */

struct seen {
	size_t next;            /* number of the record after the last one that was output */
	const struct pair *p;
	bool *output;           /* [p->all.n] */
	bool wrong;
};

static bool same_batch(const struct nfart_batch *a, const struct nfart_batch *b)
{
	if (a->time != b->time || a->mask != b->mask || a->when != b->when ||
	    (a->mask == 0 && a->when == 0 && a->lost != b->lost))
		return false;
	for (uint64_t m = a->mask; m != 0; m &= m - 1)
		if (a->header[__builtin_ctzll(m)] != b->header[__builtin_ctzll(m)])
			return false;
	return true;
}

static bool property_sink(void *ctx, const struct nfart_batch *b, const struct nfart_result *r)
{
	struct seen *s = ctx;

	(void)r;
	while (s->next < s->p->all.n && !same_batch(&s->p->all.at[s->next], b))
		s->next++;
	if (s->next == s->p->all.n)
		s->wrong = true;
	else
		s->output[s->next++] = true;
	return true;
}

static const char *property_compare(const struct nfart_result *r, const struct oracle_record *o,
				    size_t words, bool by_line)
{
	if (memcmp(r->labels, o->labels, words * 8) != 0)
		return "labels";
	if (r->accepted != o->accepted)
		return "accepted";
	if (r->logged != o->logged)
		return "logged";
	if (!by_line)
		return NULL;
	if (r->nlines != o->nlines)
		return "number of lines";
	for (size_t i = 0; i < r->nlines; i++)
		if (r->lines[i].label != o->lines[i].label ||
		    r->lines[i].address != o->lines[i].address)
			return "lines";
	return NULL;
}

/* Runs the image over the stream. Returns false if the result differs from the reference matcher's
 * records; p->why says where. */
static bool property_run(struct pair *p, const struct nfart_image *im,
			 const struct oracle_record *want, struct totals *t)
{
	struct nfart_engine_options o = { .lines = true, .reset_on_loss = p->reset };
	const struct oracle_stream *all = &p->all;
	bool *output = calloc(all->n + 1, sizeof *output);
	struct seen seen = { .p = p, .output = output };
	struct nfart_error e;
	struct nfart_engine *en = nfart_engine_new(im, &o, &e);
	struct nfart_window *w = nfart_window_new_sides(im->window.before, im->window.after,
						       im->stream.limit, property_sink, &seen);
	bool ok = en != NULL && w != NULL && output != NULL;

	for (size_t i = 0; i < all->n && ok; i++) {
		const struct nfart_batch *b = &all->at[i];
		struct nfart_result r;
		const char *what = NULL;
		ok = nfart_engine_step(en, b, &r);
		if (ok && (b->mask != 0 || b->when != 0))
			what = property_compare(&r, &want[i], bits_words(im->labels.n),
						im->substreams.by_line);
		if (what != NULL)
			snprintf(p->why, sizeof p->why, "record %zu (time %" PRIu64 "): %s differ",
				 i, b->time, what);
		t->batches += b->mask != 0 || b->when != 0;
		t->accepted += r.accepted;
		ok = ok && what == NULL && nfart_window_put(w, b, &r);
	}
	ok = ok && nfart_window_end(w) && !seen.wrong;
	for (size_t i = 0; i < all->n && ok; i++)
		if (output[i] != want[i].output) {
			snprintf(p->why, sizeof p->why, "record %zu: output %d, wanted %d", i,
				 output[i], want[i].output);
			ok = false;
		}
	if (!ok && p->why[0] == 0)
		snprintf(p->why, sizeof p->why, "engine or window failed");
	nfart_window_free(w);
	nfart_engine_free(en);
	free(output);
	return ok;
}

/* ---- texts that must mean the same ---- */

/* Compiles the text with the options of p. */
static enum nfart_status property_compile(const struct pair *p, const struct buf *text,
					  struct pipeline *out)
{
	struct pipeline_file f = { "filter.re", text->at, text->n, false };

	return pipeline_run(out, &p->options, &f, 1);
}

static bool same_meaning(struct pair *p, const struct buf *text, const struct oracle_record *want,
			 const char *what, struct totals *t)
{
	struct pipeline again;
	struct nfart_error e;
	struct nfart_image *im = NULL;
	enum nfart_status status = property_compile(p, text, &again);
	bool ok = status == NFART_OK;

	/* An automaton's text has the tests of an image in place of those of the source. They may
	 * be so many that the compiler gives up. */
	if (status == NFART_GAVEUP && p->gen.guards) {
		t->nofit++;
		pipeline_free(&again);
		return true;
	}
	if (ok)
		im = nfart_image_load(again.job.made.image.at, again.job.made.image.n, "again", &e);
	ok = im != NULL && property_run(p, im, want, t);
	if (!ok) {
		diag_print(&again.diags, stderr, false);
		char why[sizeof p->why];
		snprintf(why, sizeof why, "%s printed and compiled again: %.180s", what,
			 p->why[0] != 0 ? p->why : "does not compile");
		memcpy(p->why, why, sizeof why);
	}
	nfart_image_free(im);
	pipeline_free(&again);
	return ok;
}

/* Checks that the printed tree parses to a tree that prints the same. */
static bool ast_fixpoint(struct pair *p, const struct buf *text)
{
	struct pair q = *p;
	struct pipeline again;
	struct buf b = { 0 };
	bool ok;

	q.options.last = STAGE_AST;
	ok = property_compile(&q, text, &again) == NFART_OK;
	if (ok)
		ast_print(&again.front.ast, &b);
	ok = ok && b.n == text->n && memcmp(b.at, text->at, b.n) == 0;
	if (!ok)
		snprintf(p->why, sizeof p->why, "the AST printed twice is not the same");
	buf_free(&b);
	pipeline_free(&again);
	return ok;
}

static bool decodes(struct pair *p, const struct nfart_image *im, struct pipeline *made)
{
	struct buf a = { 0 }, b = { 0 };
	struct spec s;
	struct nfa n;
	bool ok = inspect_nfa(im, made->nfa.preds, &s, &n);
	uint32_t k = 0;

	/* An image has no names of counters. The counters of `made` get the names that
	 * inspect_nfa() makes up, so that both automata print the same. */
	for (size_t i = 0; ok && i < made->nfa.states.n; i++)
		if (made->nfa.states.at[i].kind == NFA_COUNTER && k < n.counters.n)
			made->nfa.counters.at[made->nfa.states.at[i].counter].name =
				n.counters.at[k++].name;
	nfa_print(&made->nfa, &a);
	if (ok)
		nfa_print(&n, &b);
	ok = ok && a.n == b.n && memcmp(a.at, b.at, a.n) == 0;
	if (!ok)
		snprintf(p->why, sizeof p->why,
			 "the image does not decode to the NFA it was made from");
	nfa_free(&n);
	spec_free(&s);
	buf_free(&a);
	buf_free(&b);
	return ok;
}

static bool texts(struct pair *p, const struct nfart_image *im, struct pipeline *made,
		  const struct oracle_record *want, struct totals *t)
{
	struct buf ast = { 0 }, nfa = { 0 };
	bool ok;

	ast_print(&made->front.ast, &ast);
	nfa_print(&made->nfa, &nfa);
	ok = ast_fixpoint(p, &ast) && same_meaning(p, &ast, want, "the AST", t) &&
	     (made->spec.machines.n != 0 ||
	      nfa_count_stes(&made->nfa) != made->nfa.states.n ||
	      same_meaning(p, &nfa, want, "the NFA", t)) &&
	     decodes(p, im, made);
	buf_free(&ast);
	buf_free(&nfa);
	return ok;
}

/* ---- the bound on states ---- */

/* Checks the bound on states where it holds: after simulation, and for overlay none, for which no
 * state is split. */
static bool few_states(struct pair *p, const struct pipeline *made)
{
	uint64_t most = count_positions(&made->spec) + 1;
	bool run = made->job.made.overlay.none && p->options.passes.level >= 2;

	for (size_t i = 0; i < made->passes.n; i++)
		run &= made->passes.at[i].most == 0 ||
		       made->passes.at[i].states[0] <= made->passes.at[i].most;
	if (!run || made->nfa.states.n <= most)
		return true;
	snprintf(p->why, sizeof p->why, "%zu states, more than %" PRIu64, made->nfa.states.n, most);
	return false;
}

/* ---- the test of one pair ---- */

/* Chooses protocol, level and overlay of the pair. If `level` is not -1, the pair gets this
 * level. */
static void property_choose(struct pair *p, const struct nfart_proto *const *protos, int level)
{
	static const int levels[10][2] = { { 0, 0 }, { 0, 1 }, { 1, 1 }, { 1, 2 }, { 2, 2 },
					   { 2, 2 }, { 2, 2 }, { PASS_LEVEL_S, PASS_LEVEL_S },
					   { 1, 1 }, { 2, PASS_LEVEL_S } };
	static const int order[] = { 0, 0, 0, 1, 2 };
	unsigned kind = (unsigned)(p->seed % 10);
	struct diags d = { .werror = false };

	p->gen.proto = protos[order[p->seed / 10 % 5]];
	p->gen.max_batches = MOST_BATCHES;
	pipeline_options_init(&p->options);
	p->reset = p->seed / 50 % 3 == 0;
	p->options.count = p->seed / 3 % 2 == 0 ? COUNT_THRESHOLD : 3;
	p->options.passes.level = level >= 0 ? level : levels[kind][p->seed / 10 % 2];
	if (kind >= 2 && kind < 8)
		p->options.sections.names = p->seed / 10 % 2 == 0;
	if (kind < 8) {
		p->options.overlay.o.none = true;
		strcpy(p->options.overlay.name, "none");
		p->gen.counters = p->seed % 3 != 0;
		p->gen.guards = p->seed / 7 % 3 == 0;
		p->gen.time = p->seed / 11 % 3 == 0;
		p->gen.sides = p->seed / 13 % 3 == 0;
		p->gen.keys = p->seed / 17 % 4 == 0;
		p->gen.machines = kind == 5 && p->seed / 10 % 4 == 3;
		p->gen.payload = p->gen.guards && p->seed / 19 % 2 == 0;
		if (p->gen.payload) {
			p->gen.proto = protos[3 + order[p->seed / 10 % 5]];
			p->options.dirs = folders;
			p->options.ndirs = 1;
		}
	} else {
		size_t i = p->seed / 100 % NOVERLAYS;
		p->gen.positions = overlays[i].positions;
		overlay_parse(&d, "overlay", overlays[i].text, strlen(overlays[i].text),
			      &p->options.overlay);
		p->gen.counters = p->options.overlay.o.counters != 0;
		p->gen.guards = p->options.overlay.o.guards != 0;
	}
	diag_free(&d);
}

/* Compiles the pair's filter, decodes the image, runs it and compares. Returns NFART_OK if all is
 * right, or NFART_NOFIT. With any other status, p->why says what differs. */
static enum nfart_status property_check(struct pair *p, struct totals *t)
{
	struct oracle_options oo = { .reset_on_loss = p->reset };
	struct oracle_record *want = NULL;
	struct nfart_image *im = NULL;
	struct nfart_error e;
	struct pipeline made;
	enum nfart_status status = property_compile(p, &p->filter, &made);

	if (status == NFART_OK) {
		im = nfart_image_load(made.job.made.image.at, made.job.made.image.n, "image", &e);
		if (im == NULL)
			snprintf(p->why, sizeof p->why, "the image is refused: %.200s", e.what);
		else if (oracle_time(&made.front.ast, p->stream, p->n, 0, &p->all) != NFART_OK ||
			 oracle_run(&made.front.ast, p->all.at, p->all.n, &oo, &want) != NFART_OK)
			snprintf(p->why, sizeof p->why, "the reference matcher failed");
		else if (few_states(p, &made) && property_run(p, im, want, t) &&
			 (p->gen.payload || fast_same(im, p->stream, p->n, p->reset, p->why,
						      sizeof p->why)) &&
			 made.job.made.overlay.none && p->options.passes.level >= 1)
			texts(p, im, &made, want, t);
		status = p->why[0] == 0 ? NFART_OK : NFART_INTERNAL;
	} else if (status != NFART_NOFIT && status != NFART_GAVEUP) {
		snprintf(p->why, sizeof p->why, "the filter does not compile: status %d",
			 (int)status);
		diag_print(&made.diags, stderr, false);
	}
	t->sparse += status == NFART_OK && made.job.made.overlay.none;
	t->mapped += status == NFART_OK && !made.job.made.overlay.none;
	t->machines += status == NFART_OK && made.spec.machines.n != 0;
	t->split += status == NFART_OK && made.job.made.splits.splits.n != 0;
	t->counting += status == NFART_OK && nfa_count_stes(&made.nfa) != made.nfa.states.n;
	t->nofit += status == NFART_NOFIT || status == NFART_GAVEUP;
	oracle_free(want, p->all.n);
	nfart_image_free(im);
	pipeline_free(&made);
	return status;
}

static void property_show(const struct pair *p)
{
	struct nfart_writer_options o = { .format = NFART_FORMAT_TEXT,
					  .payload_words = p->gen.payload ? 2 : 0 };
	struct nfart_error e;
	struct nfart_writer *w = nfart_writer_new(stdout, p->gen.proto, &o, &e);

	printf("# seed %" PRIu64 ", overlay %s, -O%c%s: %s\n", p->seed, p->options.overlay.name,
	       "012s"[p->options.passes.level], p->reset ? ", --on-loss reset" : "", p->why);
	fwrite(p->filter.at, 1, p->filter.n, stdout);
	for (size_t i = 0; i < p->n && w != NULL; i++)
		nfart_writer_put(w, &p->stream[i], NULL);
	nfart_writer_close(w, &e);
}

/* Gives the batches two words of payload each, of which most are small. */
static void draw_payload(struct pair *p)
{
	struct gen g;

	gen_init(&g, p->seed ^ 0x9a71, &p->gen);
	for (size_t i = 0; i < p->n; i++) {
		p->stream[i].payload_words = 2;
		p->stream[i].payload = p->payload[i];
		for (size_t k = 0; k < 2 * bits_count(p->stream[i].mask); k++)
			p->payload[i][k] = gen_below(&g, 6) |
					   (gen_chance(&g, 30) ? gen_random(&g) << 60 : 0);
	}
}

static bool property_pair(uint64_t seed, const struct nfart_proto *const *protos, int level,
			  bool verbose, struct totals *t)
{
	struct pair *p = calloc(1, sizeof *p);
	bool ok = p != NULL;

	if (ok) {
		p->seed = seed;
		property_choose(p, protos, level);
		gen_filter(seed, &p->gen, &p->filter);
		p->n = gen_stream(seed, &p->gen, p->stream, MOST_BATCHES);
		if (p->gen.payload)
			draw_payload(p);
		t->pairs++;
		property_check(p, t);
		ok = p->why[0] == 0;
		if (!ok || verbose)
			property_show(p);
		buf_free(&p->filter);
		vec_free(&p->all);
	}
	free(p);
	return ok;
}

/* Writes to `path` where the description of a protocol with the messages of p is. */
static void path_of(const struct nfart_proto *p, char *path, size_t n)
{
	snprintf(path, n, "%s/%s-data.proto", folder, p->name);
}

/* Makes the folder, and a protocol with payload for each of the three. */
static bool make_folder(struct nfart_proto *const *own, const struct nfart_proto **with)
{
	bool ok = mkdtemp(folder) != NULL;

	for (int i = 0; i < 3 && ok; i++) {
		char path[128], text[128];
		struct nfart_error e;
		FILE *f;
		path_of(own[i], path, sizeof path);
		snprintf(text, sizeof text, "protocol %s-data extends %s;\npayload 128;\n",
			 own[i]->name, own[i]->name);
		f = fopen(path, "w");
		ok = f != NULL && fputs(text, f) >= 0;
		ok = f != NULL && fclose(f) == 0 && ok;
		with[i] = nfart_proto_parse(text, strlen(text), path, &e);
		ok = ok && with[i] != NULL;
	}
	return ok;
}

static void drop_folder(struct nfart_proto *const *own, const struct nfart_proto **with)
{
	for (int i = 0; i < 3; i++) {
		char path[128];
		path_of(own[i], path, sizeof path);
		unlink(path);
		nfart_proto_free((struct nfart_proto *)with[i]);
	}
	rmdir(folder);
}

int main(int argc, char **argv)
{
	struct seeds seeds = setting_seeds("NFACC_PAIRS", 1000, 12000);
	uint64_t n = seeds.n, seed = seeds.first, bad = 0, test = 0;
	struct nfart_proto *own[] = { proto_builtin("eci"), proto_builtin("eci-coherence"),
				      proto_builtin("bytes") };
	const struct nfart_proto *protos[] = { own[0], own[1], own[2], NULL, NULL, NULL };
	struct totals t = { 0 };
	bool verbose = false;
	int c, level = -1;

	while ((c = getopt(argc, argv, "n:s:O:v")) != -1) {
		if (c == 'n')
			n = positive("-n", optarg);
		else if (c == 's')
			seed = positive("-s", optarg);
		else if (c == 'O')
			level = optarg[0] == 's' ? PASS_LEVEL_S : atoi(optarg);
		else if (c == 'v')
			verbose = true;
		else
			return NFART_USAGE;
	}
	if (!make_folder(own, protos + 3)) {
		printf("Bail out! can't write descriptions to %s\n", folder);
		return 99;
	}
	for (uint64_t i = 0; i < n; i++) {
		bool ok = property_pair(seed + i, protos, level, verbose, &t);
		bad += !ok;
		if (!ok && bad > 20)
			break;
		if (i % BLOCK == BLOCK - 1 || i + 1 == n)
			printf("%s %" PRIu64 " - pairs up to seed %" PRIu64 "\n",
			       bad == 0 ? "ok" : "not ok", ++test, seed + i);
	}
	printf("# %" PRIu64 " pairs from seed %" PRIu64 ": %" PRIu64 " on sparse images, %" PRIu64
	       " on mapped ones, %" PRIu64 " of them with states split, %" PRIu64
	       " with counters, %" PRIu64 " with machines, %" PRIu64
	       " did not fit their overlay; %" PRIu64 " of %" PRIu64 " batches accepted; %" PRIu64
	       " differ\n",
	       t.pairs, seed, t.sparse, t.mapped, t.split, t.counting, t.machines, t.nofit,
	       t.accepted, t.batches, bad);
	if (n >= 3000) {
		bool enough = t.mapped >= n / 12 && t.split >= n / 500 && t.sparse >= n / 4 * 3 &&
			      t.counting >= n / 12 && t.machines >= n / 48;
		printf("%s %" PRIu64
		       " - of 1000 at least 750 sparse, 83 mapped and 2 split pairs, 83 with "
		       "counters, 20 with machines\n",
		       enough ? "ok" : "not ok", ++test);
		bad += !enough;
	}
	printf("1..%" PRIu64 "\n", test);
	drop_folder(own, protos + 3);
	for (int i = 0; i < 3; i++)
		proto_free(own[i]);
	return bad != 0;
}
