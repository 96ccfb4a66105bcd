/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * large: files of many filters, whose automata have hundreds or thousands of states, and of few
 * filters, whose states fit into one vector or half of one (bit_parallel.h). It compares
 * bit-parallel steps (bit_parallel.h) with the engine's steps, batch by batch and at every SIMD
 * level, and the fast ways through a filter as a whole. Some filters are chains or chains with a
 * common beginning. Some have gaps, which keep the set of states changing. Others are expressions
 * with cycles and alternatives, which give exceptions (bit_parallel.h, Note [bit-parallel steps]).
 *
 * NFACC_LARGE is the number of files, NFACC_SEED the first seed. A file that fails prints its seed.
 * `large SEED` runs it alone, and `large -p SEED` prints it.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/pipeline.h"
#include "grammar/describe/builtin.h"
#include "runtime/engine/filter.h"
#include "testsuite/bench/traffic.h"
#include "testsuite/property/fast.h"
#include "testsuite/property/gen_draw.h"
#include "testsuite/setting.h"
#include "testsuite/unit/tap.h"

enum { BATCHES = 1200, FORMS = 8, LETTERS = 8 };

struct totals {
	uint64_t files,
		several,   /* files whose states take more than one vector (bit_parallel.h) */
		far,       /* places that have exceptions, in all files of `several` together */
		late,      /* stretches after which an exception was still to be followed */
		half,      /* files whose states take half a vector */
		whole,     /* files whose states take one vector */
		whole_far; /* those files of `whole` that have exceptions */
};

/* ---- making a file of filters --------------------------------------------------------------- */

static void add_class(struct gen *g, bool bytes)
{
	/* With several slots, keys can tell only few sets of opcodes apart. */
	uint32_t n = gen_chance(g, 60) || !bytes ? 1 : 1 + gen_below(g, 5);

	buf_addf(g->b, gen_chance(g, 15) ? " None(" : " Any(");
	for (uint32_t i = 0; i < n; i++)
		if (bytes)
			buf_addf(g->b, "%s'%c'", i != 0 ? ", " : "",
				 (int)('a' + gen_below(g, LETTERS)));
		else
			buf_addf(g->b, "%s%s.#%" PRIu32 "@%" PRIu32, i != 0 ? ", " : "",
				 gen_chance(g, 50) ? "cpu" : "fpga", gen_below(g, 4),
				 gen_below(g, 3));
	buf_addf(g->b, ")");
}

static void add_expression(struct gen *g, bool bytes, uint32_t depth)
{
	uint32_t n = 1 + gen_below(g, 4), kind = gen_below(g, 100);

	for (uint32_t i = 0; i < n; i++) {
		if (depth == 0 || gen_chance(g, 40)) {
			add_class(g, bytes);
		} else {
			buf_addf(g->b, " (");
			add_expression(g, bytes, depth - 1);
			if (gen_chance(g, 50)) {
				buf_addf(g->b, " |");
				add_expression(g, bytes, depth - 1);
			}
			buf_addf(g->b, ")");
		}
		buf_addf(g->b, "%s", kind < 12 ? "*" : kind < 20 ? "+" : kind < 28 ? "?" :
				     kind < 32 ? "{2,4}" : "");
		kind = gen_below(g, 100);
	}
}

/* Adds a filter: a gap or an expression. */
static void add_filter(struct gen *g, uint32_t form, uint32_t i)
{
	bool bytes = form != FORMS - 1;

	buf_addf(g->b, "filter f%" PRIu32 " =%s", i, gen_chance(g, 90) ? " true*" : "");
	add_class(g, bytes);
	if (form == 4)
		buf_addf(g->b, " true{%" PRIu32 "}", 5 + gen_below(g, 60));
	else
		add_expression(g, bytes, 3);
	add_class(g, bytes);
	buf_addf(g->b, ";\n");
}

static void add_file(struct gen *g, uint32_t form, bool few)
{
	uint32_t filters = few ? 1 + gen_below(g, 10) : 20 + gen_below(g, 100);
	struct buf pcre = { 0 };

	if (form < 4) {
		traffic_patterns((enum patterns)form, 5 * filters, gen_below(g, 1000), &pcre, g->b);
		buf_free(&pcre);
	} else {
		buf_addf(g->b, "protocol %s;\n", form == FORMS - 1 ? "eci" : "bytes");
		for (uint32_t i = 0; i < filters; i++)
			add_filter(g, form, i);
	}
	if (gen_chance(g, 50)) {
		buf_addf(g->b, "window 3; log = true*");
		add_class(g, form != FORMS - 1);
		buf_addf(g->b, ";\n");
	}
}

/* ---- making a stream ------------------------------------------------------------------------ */

/* Makes a stream. With one slot it is a text of letters, whose stretches often repeat earlier ones.
 * With several slots each batch has messages in a few of them. */
static void make_stream(struct gen *g, const struct nfart_proto *p, struct nfart_batch *b)
{
	for (uint32_t i = 0; i < BATCHES; i++) {
		memset(&b[i], 0, sizeof b[i]);
		b[i].time = i + 1;
		if (p->nslots == 1) {
			b[i].mask = 1;
			b[i].header[0] = i > 90 && gen_chance(g, 70)
						 ? b[i - 83].header[0]
						 : 'a' + gen_below(g, 2 * LETTERS);
			continue;
		}
		for (uint32_t k = gen_chance(g, 1) ? 0 : 1 + gen_below(g, 3); k > 0; k--) {
			uint32_t s = gen_below(g, 2) * 14 + gen_below(g, 3);
			b[i].mask |= (uint64_t)1 << s;
			b[i].header[s] = (uint64_t)gen_below(g, 5) << p->header.op_lsb;
		}
	}
}

static uint64_t key_of(const struct dfa_cache *d, const struct nfart_batch *b)
{
	uint64_t key = 0;

	for (uint64_t m = b->mask; m != 0; m &= m - 1) {
		uint32_t s = (uint32_t)__builtin_ctzll(m);
		key |= key_of_message(&d->keys, s, b->header[s]);
	}
	return key;
}

/* ---- bit-parallel steps and the engine's ---------------------------------------------------- */

static uint64_t count_places(const bp_vector *s, size_t n)
{
	uint64_t k = 0;

	for (size_t b = 0; b < n; b++)
		for (int w = 0; w < BP_WORDS; w++)
			k += (uint64_t)__builtin_popcountll(s[b][w]);
	return k;
}

/* Stores the symbols of the first batches, at most n, and stops at a symbol for which the cache has
 * no room. Returns how many it stored. */
static size_t find_symbols(struct dfa_cache *d, const struct nfart_batch *b, size_t n,
			   uint16_t *symbol)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t key = key_of(d, &b[i]);
		if (symbol_find(&d->symbols, key) == NO_SYMBOL && !dfa_add_symbol(d, key)) {
			if (i != 0)
				return i;
			dfa_flush(d, true);
			dfa_add_symbol(d, key);
		}
		symbol[i] = (uint16_t)symbol_find(&d->symbols, key);
	}
	return n;
}

/* The batches of a stretch as bytes. */
struct bytes {
	unsigned char at[200];
	uint16_t symbol_of[256];
};

/* Fills in *l for n batches of a protocol of bytes. Returns whether bp_run() can take bytes. */
static bool find_bytes(const struct bit_parallel *bp, const struct nfart_batch *b,
			 const uint16_t *symbol, size_t n, struct bytes *l)
{
	bool can = bp->nvectors == 1 && bp->im->proto->nslots == 1;

	for (size_t i = 0; can && i < n; i++) {
		l->at[i] = (unsigned char)b[i].header[0];
		l->symbol_of[l->at[i]] = symbol[i];
		can = symbol[i] != 0;
	}
	return can;
}

/* Steps `bp` and the engine over n batches, as many at a time as bp_run() takes. Returns whether
 * states and flags agree. */
static bool step_both(struct dfa_cache *d, struct bit_parallel *bp, enum nfart_simd level,
		      const struct nfart_batch *b, const uint16_t *symbol, size_t n, bool bytes,
		      uint64_t *active, uint64_t *got)
{
	struct bytes l;
	bool as_bytes = bytes && find_bytes(bp, b, symbol, n, &l);
	size_t words = d->en->words;

	for (size_t i = 0; i < n;) {
		size_t prepared = bp_prepare(bp, d, symbol + i, n - i), taken;
		uint32_t flags, want = 0;
		if (prepared == 0 || bp_count_unprepared(bp, symbol + i, prepared) != 0)
			return false;
		taken = bp_run(bp, level,
			       &(struct bp_input){ symbol + i, l.symbol_of,
						   as_bytes ? l.at + i : NULL },
			       0, prepared, &flags);
		if (taken == 0)
			return false;
		for (size_t end = i + taken; i < end; i++) {
			uint64_t key = key_of(d, &b[i]);
			if (want != 0)
				return false;
			if (key != 0) {
				dfa_step(d, key, active, NULL);
				want = dfa_flags(d, active);
			}
		}
		bp_store(bp, got, words);
		if (flags != want || memcmp(got, active, words * 8) != 0)
			return false;
	}
	return true;
}

/* Compares bit-parallel steps with the engine's over the stream, in stretches. Between two
 * stretches, `bp` often loads the states of the engine. */
static bool parallel_same(struct gen *g, struct dfa_cache *d, struct bit_parallel *bp,
			  enum nfart_simd level, const struct nfart_batch *b, struct totals *t)
{
	size_t words = d->en->words;
	uint64_t *active = malloc(words * 8), *got = malloc(words * 8);
	uint16_t symbol[200];
	bool ok = active != NULL && got != NULL;

	if (ok) {
		memcpy(active, d->en->table.start, words * 8);
		bp_load(bp, active);
	}
	for (size_t i = 0; ok && i < BATCHES;) {
		size_t n = 1 + gen_below(g, 200);
		if (gen_chance(g, 20))
			dfa_flush(d, true);
		n = find_symbols(d, b + i, n < BATCHES - i ? n : BATCHES - i, symbol);
		ok = step_both(d, bp, level, b + i, symbol, n, gen_chance(g, 50), active, got);
		t->late += bits_any(bp->copy.late, bp->busy_words);
		if (gen_chance(g, 50))
			bp_load(bp, active);
		i += n;
	}
	free(active);
	free(got);
	return ok;
}

/* Compares bit-parallel steps with the engine's at every SIMD level, once with room for all symbols
 * and once with room for two. */
static bool parallel_agree(struct gen *g, const struct nfart_image *im, const struct nfart_batch *b,
			struct totals *t)
{
	struct nfart_engine_options o = { .lines = false };
	struct nfart_error e;
	struct nfart_engine *en = nfart_engine_new(im, &o, &e);
	bool ok = en != NULL;

	for (int k = 0; k < 6 && ok; k++) {
		enum nfart_simd level = (enum nfart_simd)(NFART_SIMD_PORTABLE + k / 2);
		struct bit_parallel *bp = bp_new(im, &ok);
		struct dfa_cache *d = ok ? dfa_new(en, level, &ok) : NULL;
		ok = bp != NULL && d != NULL;
		if (ok && k == 0) {
			t->several += bp->nvectors > 1;
			t->far += bp->nvectors > 1 ? count_places(bp->to.from, bp->nvectors) : 0;
			t->half += bp->half;
			t->whole += bp->nvectors == 1 && !bp->half;
			t->whole_far += bp->nvectors == 1 && count_places(bp->to.from, 1) != 0;
		}
		if (ok && k % 2 != 0)
			bp->symbols.most = 2;
		if (ok && level <= nfart_simd_best())
			ok = parallel_same(g, d, bp, level, b, t);
		bp_free(bp);
		dfa_free(d);
	}
	nfart_engine_free(en);
	return ok;
}

/* ---- the test of one file ------------------------------------------------------------------- */

/* Writes a file of filters. Afterwards *g is ready to draw the stream. Returns false if memory is
 * short. */
static bool make_file(struct gen *g, uint64_t seed, struct buf *text)
{
	struct gen_options o = { .proto = proto_builtin(seed % FORMS == FORMS - 1 ? "eci"
										  : "bytes") };

	if (o.proto == NULL)
		return false;
	gen_init(g, seed, &o);
	g->b = text;
	add_file(g, (uint32_t)(seed % FORMS), seed / FORMS % 2 != 0);
	return !text->failed;
}

static int print_file(uint64_t seed)
{
	struct buf text = { 0 };
	struct gen g;
	bool ok = make_file(&g, seed, &text);

	if (ok) {
		fwrite(text.at, 1, text.n, stdout);
		proto_free((struct nfart_proto *)g.proto);
	}
	buf_free(&text);
	return !ok;
}

static bool large_file(uint64_t seed, struct totals *t)
{
	static struct nfart_batch b[BATCHES];
	struct pipeline_options o;
	struct pipeline p;
	struct nfart_image *im = NULL;
	struct nfart_error e;
	struct buf text = { 0 };
	struct gen g;
	char why[256] = "bit-parallel steps are not what the engine does";
	bool ok;

	if (!make_file(&g, seed, &text))
		return false;
	pipeline_options_init(&o);
	o.overlay.o.none = true;
	o.passes.level = (int)gen_below(&g, 3);
	o.count = 0;
	o.proof.level = VERIFY_OFF;
	struct pipeline_file f = { "filter.re", text.at, text.n, false };
	ok = pipeline_run(&p, &o, &f, 1) == NFART_OK;
	if (ok)
		im = nfart_image_load(p.job.made.image.at, p.job.made.image.n, "image", &e);
	else
		diag_print(&p.diags, stdout, false);
	ok = im != NULL;
	if (ok) {
		make_stream(&g, im->proto, b);
		ok = parallel_agree(&g, im, b, t) &&
		     fast_same(im, b, BATCHES, seed % 3 == 0, why, sizeof why);
	}
	if (!ok)
		printf("# seed %" PRIu64 ": %s\n", seed, im != NULL ? why : "does not compile");
	t->files++;
	nfart_image_free(im);
	pipeline_free(&p);
	proto_free((struct nfart_proto *)g.proto);
	buf_free(&text);
	return ok;
}

int main(int argc, char **argv)
{
	uint64_t n = argc > 1 ? 1 : setting("NFACC_LARGE", 20), bad = 0;
	uint64_t seed = argc > 1 ? positive("seed", argv[argc - 1]) : setting("NFACC_SEED", 1);
	struct totals t = { 0 };
	struct tap tap = { 0 };

	if (argc > 2)
		return print_file(seed);
	for (uint64_t i = 0; i < n && bad < 3; i++)
		bad += !large_file(seed + i, &t);
	tap_case(&tap, bad == 0, "%" PRIu64 " files from seed %" PRIu64, t.files, seed);
	printf("# %" PRIu64 " files of several vectors, %" PRIu64 " exceptions in them, %" PRIu64
	       " times some were followed\n", t.several, t.far, t.late);
	printf("# %" PRIu64 " files of half a vector, %" PRIu64 " of one, %" PRIu64
	       " of these with exceptions\n", t.half, t.whole, t.whole_far);
	if (n >= FORMS)
		tap_case(&tap, t.several >= n / 3 && t.far >= n && t.late >= n, "enough of each");
	if (n >= 4 * FORMS)
		tap_case(&tap, t.half >= 2 && t.whole >= t.whole_far + 2 && t.whole_far >= 2,
			 "enough of one vector");
	return tap_end(&tap);
}
