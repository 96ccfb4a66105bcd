/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Tests that a filter keeps its meaning when its repetitions become counters (ir/count/count.h).
 * The test draws random filters with repetitions. Its threshold for counters is so low that short
 * streams reach it, and streams are long runs. For each pair of filter and stream it compares
 * labels and log, batch by batch. The reference matcher evaluates the filters as written. The
 * software engine runs an image in which repetitions are counters. Every fourth pair also compares
 * all fast ways through a filter. Each kind of rewriting must be used often, in filters that accept
 * often.
 *
 * NFACC_COUNT_PAIRS is the number of pairs, NFACC_SEED the first seed. A pair that fails prints its
 * seed, and `count SEED` runs it alone.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/pipeline.h"
#include "grammar/describe/builtin.h"
#include "testsuite/oracle/oracle.h"
#include "testsuite/property/fast.h"
#include "testsuite/property/gen_draw.h"
#include "testsuite/setting.h"

enum { MOST_BATCHES = 70, PREDICATES = 8, LATER = COUNT_GAVE_UP + 1 };

/* A batch is drawn as a set of the SYMBOLS messages of a language, one bit for each. If two
 * messages of the set have the same slot, the second one is dropped. (The protocol `bytes` has only
 * one slot.) */
enum { SYMBOLS = 4 };

struct language {
	const char *protocol;
	const char *predicates[PREDICATES];
	struct { uint32_t slot, opcode; } message[SYMBOLS];
};

static const struct language languages[] = {
	{ "bytes",
	  { "'a'", "'b'", "'c'", "Any('a', 'b')", "None('a')", "None('a', 'b')", "true", "'d'" },
	  { { 0, 'a' }, { 0, 'b' }, { 0, 'c' }, { 0, 'd' } } },
	{ "eci",
	  { "cpu.#0@6", "cpu.#1@6", "fpga.#9@4", "Any(cpu.#0@6, fpga.#9@4)", "None(cpu.#0@6)",
	    "None(cpu.#0..1@6)", "true", "cpu.#0..1@6" },
	  { { 6, 0 }, { 6, 1 }, { 18, 9 }, { 7, 0 } } },
};
enum { NLANGUAGES = sizeof languages / sizeof *languages };

struct totals {
	uint64_t pairs, batches, accepted, several, sequences, bad;
	uint64_t how[LATER],      /* [kind of rewriting]: how often it was used */
		accepting[LATER]; /* [kind of rewriting]: uses in files that accepted a batch */
};

/* ---- making a file of filters --------------------------------------------------------------- */

static void add_pred(struct gen *g)
{
	static const uint32_t often[] = { 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 4, 4, 5, 6, 7 };

	buf_addf(g->b, "p%" PRIu32, often[gen_below(g, sizeof often / sizeof *often)]);
}

/* Adds an expression to be repeated: mostly a sequence of predicates. */
static void add_body(struct gen *g)
{
	static const char *const odd[] = { "(p0+ p1)", "(p1 | p2{2})", "(p1{1,2} p2)", "(p0 | eps)",
					   "(p1 (p0 | p2+))" };
	uint32_t kind = gen_below(g, 100);

	if (kind < 5)
		buf_addf(g->b, "%s", odd[kind]);
	else if (kind < 45)
		add_pred(g);
	else if (kind < 75)
		buf_addf(g->b, "%s",
			 kind < 60 ? "(p0 p1)" : kind < 66 ? "(p1 p2 p0)" : kind < 70 ? "(p0 p4)" :
									   "(p5 (p0 | p1))");
	else if (kind < 80)
		buf_addf(g->b, kind < 78 ? "(p1 | p2)" : "(None(p0) | None(p2))");
	else if (kind < 84)
		buf_addf(g->b, "p%" PRIu32 "{%" PRIu32 "}", gen_below(g, 3), 2 + gen_below(g, 2));
	else {
		buf_addf(g->b, "(");
		add_pred(g);
		buf_addf(g->b, kind < 92 ? " " : kind < 96 ? " | " : "* ");
		add_pred(g);
		buf_addf(g->b, ")");
	}
}

static void add_repetition(struct gen *g)
{
	uint32_t kind = gen_below(g, 100), n = 2 + gen_below(g, 5);

	add_body(g);
	if (kind < 35)
		buf_addf(g->b, "{%" PRIu32 "}", n);
	else if (kind < 55)
		buf_addf(g->b, "{%" PRIu32 ",}", n);
	else
		buf_addf(g->b, "{%" PRIu32 ",%" PRIu32 "}", kind < 90 ? n : kind % 2,
			 n + 1 + gen_below(g, 8));
}

static void add_chain(struct gen *g, uint32_t depth, uint32_t n);

static void add_factor(struct gen *g, uint32_t depth)
{
	uint32_t kind = gen_below(g, 100);

	if (kind < 45 || depth == 0) {
		add_repetition(g);
	} else if (kind < 78) {
		add_pred(g);
		buf_addf(g->b, "%s", kind < 62 ? "" : kind < 68 ? "*" : kind < 72 ? "+" : "?");
	} else if (kind < 82) {
		add_body(g);
		buf_addf(g->b, "*");
	} else {
		buf_addf(g->b, "(");
		add_chain(g, depth - 1, 1 + gen_below(g, 2));
		if (kind < 95) {
			buf_addf(g->b, " | ");
			add_chain(g, depth - 1, 1 + gen_below(g, 2));
		}
		buf_addf(g->b, "%s", kind >= 98 ? ")*" : ")");
	}
}

static void add_chain(struct gen *g, uint32_t depth, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		buf_addf(g->b, "%s", i != 0 ? " " : "");
		add_factor(g, depth);
	}
}

static void add_expression(struct gen *g, bool counters)
{
	static const char *const heads[] = {
		"", "", "true* ", "true* ", "true* ", "true* p2 ", "true* p0 ", "true* p1 p2* ",
		"p2* ", "(p1 | true* p2) ", "true* None(p1)* ", "(p0 p1)* ", "p2? ",
		"true* p2 p2* ", "true* p2 p0* ", "p1 p0+ p7? ", "true* p2 (p0{2})* ",
		"true* (p2 p0?) ", "(p2 p1*) ", "p2 (p0{2})* ", "(p0{2})* ", "true* p2 (p0{3})+ "
	};

	if (counters && gen_chance(g, 40))
		buf_addf(g->b, "@c%" PRIu32 " ", gen_below(g, 3));
	else
		buf_addf(g->b, "%s", heads[gen_below(g, sizeof heads / sizeof *heads)]);
	add_chain(g, 2, 1 + gen_below(g, 3));
	if (gen_chance(g, 10)) {
		buf_addf(g->b, " | ");
		add_chain(g, 1, 2);
	}
}

static void add_file(struct gen *g, const struct language *l)
{
	bool counters = gen_chance(g, 25);
	uint32_t n = 1 + gen_below(g, 3);

	buf_addf(g->b, "protocol %s;\n", l->protocol);
	for (int i = 0; i < PREDICATES; i++)
		buf_addf(g->b, "let p%d = %s;\n", i, l->predicates[i]);
	if (g->proto->header.addr_bits != 0 && gen_chance(g, 30))
		buf_addf(g->b, "substream cl from 0 count 2;\n");
	if (counters)
		buf_addf(g->b, "counter c0 = true* p2 at 1 roll; counter c1 = true* p1 reset true* "
			       "p2 at 2 latch;\ncounter c2 = true* p0{2,} | @c0 p1 reset true* p5 "
			       "at 3;\n");
	for (uint32_t i = 0; i < n; i++) {
		buf_addf(g->b, "filter f%" PRIu32 " = ", i);
		add_expression(g, counters);
		buf_addf(g->b, ";\n");
	}
	if (gen_chance(g, 40)) {
		buf_addf(g->b, "log = ");
		add_expression(g, counters);
		buf_addf(g->b, ";\n");
	}
}

/* ---- making a stream ------------------------------------------------------------------------ */

/* Draws the messages of a batch, mostly only one. A second message is dropped if it has the slot of
 * the first one. */
static uint32_t draw_messages(struct gen *g)
{
	uint32_t set = 1u << (gen_chance(g, 70) ? gen_below(g, 2) : gen_below(g, SYMBOLS));

	if (gen_chance(g, 15))
		set |= 1u << gen_below(g, SYMBOLS);
	return set;
}

static void make_batch(struct gen *g, const struct language *l, uint32_t set, uint64_t time,
		       struct nfart_batch *b)
{
	memset(b, 0, sizeof *b);
	b->time = time;
	for (int i = 0; i < SYMBOLS; i++) {
		uint32_t slot = l->message[i].slot;
		if ((set >> i & 1) == 0 || (b->mask >> slot & 1) != 0)
			continue;
		b->mask |= (uint64_t)1 << slot;
		b->header[slot] = (uint64_t)l->message[i].opcode << g->proto->header.op_lsb;
		if (g->proto->header.addr_bits != 0 && gen_chance(g, 10))
			b->header[slot] |= (uint64_t)1 << g->proto->header.addr_lsb;
	}
}

/* Makes a stream of runs. A run repeats one to three batches, sometimes with a wrong batch between.
 * Returns how many batches there are. */
static size_t make_stream(struct gen *g, const struct language *l, struct nfart_batch *b)
{
	size_t n = 0, most = 20 + gen_below(g, MOST_BATCHES - 19);

	while (n < most) {
		uint32_t word[3], len = 1 + gen_below(g, 3), times = 1 + gen_below(g, 14);
		for (uint32_t i = 0; i < len; i++)
			word[i] = draw_messages(g);
		if (len == 2 && gen_chance(g, 60))
			word[1] = 3 ^ (word[0] = 1u << gen_below(g, 2));
		for (uint32_t i = 0; i < len * times && n < most; i++, n++)
			make_batch(g, l, gen_chance(g, 3) ? draw_messages(g) : word[i % len], n + 1,
				   &b[n]);
	}
	return n;
}

/* ---- the test of one pair ------------------------------------------------------------------- */

static bool engine_agrees(const struct pipeline *p, const struct nfart_batch *b, size_t n,
			  const struct oracle_record *want, bool fast)
{
	struct nfart_engine_options o = { .lines = false };
	struct nfart_error e;
	char why[256];
	struct nfart_image *im =
		nfart_image_load(p->job.made.image.at, p->job.made.image.n, "image", &e);
	struct nfart_engine *en = im != NULL ? nfart_engine_new(im, &o, &e) : NULL;
	bool ok = en != NULL;

	for (size_t i = 0; i < n && ok; i++) {
		struct nfart_result r;
		ok = nfart_engine_step(en, &b[i], &r) && r.labels[0] == want[i].labels[0] &&
		     r.logged == want[i].logged;
		if (!ok)
			printf("# batch %zu: the engine differs\n", i);
	}
	nfart_engine_free(en);
	if (ok && fast) {
		ok = fast_same(im, b, n, false, why, sizeof why);
		if (!ok)
			printf("# %s\n", why);
	}
	nfart_image_free(im);
	return ok;
}

static void count_kinds(const struct pipeline *p, const struct oracle_record *r, size_t n,
			struct totals *t)
{
	uint64_t labels = 0;
	uint32_t rewritten = 0;
	bool logged = false;

	for (size_t i = 0; i < n; i++) {
		labels |= r[i].labels[0];
		logged |= r[i].logged;
		t->accepted += r[i].labels[0] != 0;
	}
	t->batches += n;
	for (size_t i = 0; i < p->counts.records.n; i++) {
		const struct count_record *c = &p->counts.records.at[i];
		t->how[c->how]++;
		rewritten += c->how < COUNT_LOWER;
		t->sequences += c->how < COUNT_LOWER && c->length > 1;
		t->accepting[c->how] += labels != 0 || logged;
	}
	t->several += rewritten > p->spec.filters.n + 1;
}

static bool count_pair(uint64_t seed, struct nfart_proto *const *protos, struct totals *t)
{
	uint32_t which = (uint32_t)(seed % NLANGUAGES);
	struct gen_options go = { .proto = protos[which] };
	struct nfart_batch b[MOST_BATCHES];
	struct oracle_record *want = NULL;
	struct pipeline_options o;
	struct pipeline p;
	struct buf text = { 0 };
	struct gen g;
	size_t n;
	bool ok;

	gen_init(&g, seed, &go);
	g.b = &text;
	add_file(&g, &languages[which]);
	n = make_stream(&g, &languages[which], b);
	pipeline_options_init(&o);
	o.overlay.o.none = true;
	o.count = 2 + gen_below(&g, 3);
	struct pipeline_file f = { "filter.re", text.at, text.n, false };
	ok = pipeline_run(&p, &o, &f, 1) == NFART_OK;
	if (!ok)
		diag_print(&p.diags, stdout, false);
	ok = ok && oracle_run(&p.front.ast, b, n, NULL, &want) == NFART_OK &&
	     engine_agrees(&p, b, n, want, seed % 8 < 2);
	if (ok)
		count_kinds(&p, want, n, t);
	t->pairs++;
	t->bad += !ok;
	if (!ok) {
		struct buf what = { 0 };
		for (size_t i = 0; i < p.counts.records.n; i++)
			count_print(&p.spec, &p.counts.records.at[i], &p.diags, &what);
		printf("# seed %" PRIu64 ", --count=%" PRIu32 "\n%s\n%s", seed, o.count, text.at,
		       what.n != 0 ? what.at : "");
		buf_free(&what);
	}
	oracle_free(want, n);
	pipeline_free(&p);
	buf_free(&text);
	return ok;
}

/* ---- the main program ----------------------------------------------------------------------- */

/* How often each kind of rewriting must come up in a thousand pairs. */
static const struct {
	enum count_how how;
	const char *name;
	uint32_t least;
} kinds[] = {
	{ COUNT_LATCH, "latch", 100 },
	{ COUNT_PULSE, "pulse", 100 },
	{ COUNT_STAR, "copies after", 50 },
	{ COUNT_TAIL, "bounded copies after", 20 },
	{ COUNT_RANGE, "two counters", 20 },
	{ COUNT_LOWER, "lower bound", 20 },
	/* Repetitions that must not become counters. */
	{ COUNT_OVERLAP, "overlap", 20 },
	{ COUNT_AMBIGUOUS, "ambiguous", 50 },
};

int main(int argc, char **argv)
{
	struct seeds seeds = setting_seeds("NFACC_COUNT_PAIRS", 1000, 8000);
	uint64_t n = argc > 1 ? 1 : seeds.n, bad = 0;
	uint64_t seed = argc > 1 ? positive("seed", argv[1]) : seeds.first;
	struct nfart_proto *protos[NLANGUAGES];
	struct totals t = { 0 };
	unsigned test = 0;

	for (int i = 0; i < NLANGUAGES; i++)
		protos[i] = proto_builtin(languages[i].protocol);
	for (uint64_t i = 0; i < n && t.bad < 5; i++)
		count_pair(seed + i, protos, &t);
	printf("%s %u - %" PRIu64 " pairs from seed %" PRIu64 ": %" PRIu64 " differ\n",
	       t.bad == 0 ? "ok" : "not ok", ++test, t.pairs, seed, t.bad);
	printf("# %" PRIu64 " of %" PRIu64 " batches accepted\n", t.accepted, t.batches);
	for (size_t i = 0; n >= 1000 && i < sizeof kinds / sizeof *kinds; i++) {
		uint64_t got = t.how[kinds[i].how], least = n / 1000 * kinds[i].least;
		bool enough = got >= least && 3 * t.accepting[kinds[i].how] >= got;
		printf("%s %u - %s: %" PRIu64 " times, at least %" PRIu64
		       ", and a third of them or more in a file that accepts: %" PRIu64 "\n",
		       enough ? "ok" : "not ok", ++test, kinds[i].name, got, least,
		       t.accepting[kinds[i].how]);
		bad += !enough;
	}
	if (n >= 1000) {
		bool enough = t.sequences >= n / 20 && t.several >= n / 50;
		printf("%s %u - %" PRIu64 " of sequences, %" PRIu64
		       " files with several in one expression\n",
		       enough ? "ok" : "not ok", ++test, t.sequences, t.several);
		bad += !enough;
	}
	printf("1..%u\n", test);
	for (int i = 0; i < NLANGUAGES; i++)
		proto_free(protos[i]);
	return bad != 0 || t.bad != 0;
}
