/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * factors: runs random patterns over random bytes with factors (runtime/engine/fast/factor.h) and
 * step by step, and compares what is output. The bytes come in pieces of any size, in blocks of any
 * size, and now and then one by one. Damaged factors must be refused by their proof.
 *
 *   factors [-n ROUNDS] [-s SEED]
 *
 * NFACC_FACTORS and NFACC_SEED set the same.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/engine/engine_state.h"
#include "runtime/engine/filter.h"
#include "support/hash.h"
#include "testsuite/bench/subject.h"
#include "testsuite/setting.h"
#include "testsuite/unit/tap.h"
#include "tools/nfagen/traffic/gen_random.h"

enum { TEXT = 6000, LETTERS = 5 };

static uint32_t factors_below(struct gen_random *r, uint32_t n)
{
	return gen_random_below(r, n);
}

/* Appends a class of letters, and what repeats it. */
static void factors_item(struct gen_random *r, struct buf *re, bool loop)
{
	unsigned letters = loop ? 1 + factors_below(r, 31) : 1u << factors_below(r, LETTERS);
	bool first = true;

	if (!loop && factors_below(r, 3) == 0)
		letters |= 1u << factors_below(r, LETTERS);
	buf_addf(re, " Any(");
	for (unsigned i = 0; i < LETTERS; i++)
		if ((letters >> i & 1) != 0) {
			buf_addf(re, first ? "'%c'" : ", '%c'", (int)('a' + i));
			first = false;
		}
	buf_addf(re, loop ? ")*" : ")");
}

/* Appends a pattern: a word, or words with loops between them. */
static void factors_pattern(struct gen_random *r, struct buf *re, unsigned n)
{
	bool loops = factors_below(r, 2) == 0;

	buf_addf(re, "filter p%u =%s", n, factors_below(r, 12) == 0 ? "" : " true*");
	for (unsigned i = 1; loops && i > 0; i--) {
		factors_item(r, re, false);
		factors_item(r, re, true);
	}
	for (unsigned i = 5 + factors_below(r, 4); i > 0; i--)
		factors_item(r, re, false);
	if (factors_below(r, 2) == 0) {
		factors_item(r, re, true);
		factors_item(r, re, false);
	}
	buf_addf(re, ";\n");
}

/* What a filter puts out: a hash, and how many batches. */
struct factors_out {
	uint64_t hash, n;
};

static bool factors_sink(void *ctx, const struct nfart_batch *b, const struct nfart_result *r)
{
	struct factors_out *o = ctx;

	o->hash = hash_add(hash_add(o->hash, b->time), b->header[0]);
	o->hash = hash_words(o->hash, r->labels, (r->nlabels + 63) / 64);
	o->n++;
	return true;
}

/* Draws a text in which letters often repeat, so that loops stay active for long. */
static void factors_text(struct gen_random *r, unsigned char *text)
{
	unsigned few = 1 + factors_below(r, LETTERS), least = 0;

	for (size_t i = 0; i < TEXT; i++) {
		if (factors_below(r, 400) == 0) {
			few = 1 + factors_below(r, LETTERS);
			least = factors_below(r, LETTERS);
		}
		text[i] = (unsigned char)('a' + (least + factors_below(r, few)) % LETTERS);
		if (factors_below(r, few == 1 ? 2000 : 60) == 0)
			text[i] = (unsigned char)gen_random(r);
	}
}

/* Runs the text. With `factors` it comes in pieces, and the state is saved and loaded now and then.
 * Adds to *on how many pieces ended while the factors ran. */
static bool factors_run(struct gen_random *r, const struct nfart_image *im,
			const unsigned char *text, bool factors, struct factors_out *out,
			uint64_t *on)
{
	struct nfart_filter_options o = { .stepwise = !factors, .sink = factors_sink, .ctx = out };
	struct nfart_error e;
	struct nfart_filter *f;
	struct engine_state state = { 0 };
	bool ok;

	o.simd = (enum nfart_simd)factors_below(r, NFART_SIMD_AVX512 + 1);
	f = nfart_filter_new(im, &o, &e);
	ok = f != NULL;
	for (size_t i = 0, n; i < TEXT && ok; i += n) {
		n = factors_below(r, 10) == 0 ? 1 : 1 + factors_below(r, 3000);
		n = n < TEXT - i ? n : TEXT - i;
		if (factors)
			f->in.most =
				1 + factors_below(r, factors_below(r, 2) == 0 ? 30 : FILTER_BLOCK);
		if (n == 1) {
			struct nfart_batch b = { .time = i, .mask = 1, .header = { text[i] } };
			ok = nfart_filter_put(f, &b);
		} else {
			ok = nfart_filter_bytes(f, text + i, n, i);
		}
		*on += factors && f->factor != NULL && f->factor->stream.on;
		if (factors && factors_below(r, 6) == 0)
			ok = ok && filter_save(f, &state) && filter_load(f, &state);
		if (factors && f->factor != NULL && factors_below(r, 3) == 0)
			f->factor->stream.wait = 0;
	}
	ok = ok && nfart_filter_end(f);
	engine_state_free(&state);
	nfart_filter_free(f);
	return ok;
}

/* A loop stays active for far more bytes than are kept: it is entered, or not, or left again, and
 * then the pattern ends, or not. */
static bool factors_long(struct gen_random *r, uint64_t *on)
{
	static const char re[] = "protocol bytes;\n"
				 "filter p = true* 'a' Any('b', 'c')* 'd' 'e' 'd' 'e' 'a';\n"
				 "filter q = true* 'b' Any('b', 'd')* 'c' 'e' 'c' 'e' 'b';\n";
	static const char *const begins[] = { "a", "ae",    "ea", "ada", "aa", "b",
					      "be", "abcbd", "" };
	static const char *const ends[] = { "dedea", "cecb", "ceceb", "dedeb" };
	struct nfart_image *im = subject_compile("long", re, sizeof re - 1, 1);
	unsigned char *text = malloc(TEXT);
	uint64_t accepted = 0;
	bool ok = text != NULL;

	for (size_t i = 0; i < 9 * 4 * 3 && ok; i++) {
		struct factors_out a = { 0 }, b = { 0 };
		const char *begin = begins[i % 9], *end = ends[i / 9 % 4];
		for (size_t k = 0; k < TEXT; k++)
			text[k] = (unsigned char)(i / 36 == 0 ? 'b' : "bcbd"[k % (i / 36 + 1)]);
		memcpy(text + 1000, begin, strlen(begin));
		memcpy(text + 3000, end, strlen(end));
		ok = factors_run(r, im, text, true, &a, on) &&
		     factors_run(r, im, text, false, &b, on) && a.hash == b.hash && a.n == b.n;
		accepted += b.n;
	}
	nfart_image_free(im);
	free(text);
	return ok && accepted > 10;
}

/* Damages one part of the factors that all have. Each kind leaves something out. */
static void factors_damage(struct gen_random *r, struct factor *x, unsigned kind)
{
	struct factor_tables *t = &x->table;
	uint32_t s = factors_below(r, x->nfa->nstates);
	struct factor_gram *g = &t->gram[factors_below(r, (uint32_t)t->grams)];
	struct factor_walk *w = &t->walk[0];
	uint64_t gram = g->word;

	if (kind == 0) { /* no byte may end this gram */
		uint64_t bit = factor_bit(&t->grams_of, factor_eight(t, gram));
		t->grams_of.has[bit / 64] &= ~((uint64_t)1 << bit % 64);
	} else if (kind == 1) { /* the gram leads to another state */
		g->node++;
	} else if (kind == 2) { /* a walk begins somewhere else */
		t->walk_state[g->walk][0]++;
	} else if (kind == 5) { /* Teddy does not know the last byte of this gram */
		t->teddy.low[0][gram >> 8 * (t->length - 1) & 15] = 0;
	} else if (kind == 6) { /* no window of this gram is found */
		uint64_t bit = factor_bit(&t->windows, factor_eight(t, gram));
		t->windows.has[bit / 64] &= ~((uint64_t)1 << bit % 64);
	} else if (kind == 7) { /* a walk does not see a predecessor, or sees one more */
		w->before[factors_below(r, w->n)] ^= (uint8_t)(1u << factors_below(r, w->n));
	} else if (kind == 8) { /* a state of a walk is active after other bytes */
		w->pred[factors_below(r, w->n)]++;
	} else if (kind == 9) { /* a walk ends too early, or not where it may */
		w->always ^= (uint8_t)(1u << factors_below(r, w->n));
	} else { /* a state of the cut is none, or none is after it */
		while ((t->kind[s] & FACTOR_CUT) == 0)
			s = (s + 1) % x->nfa->nstates;
		t->kind[s] &= (uint8_t) ~(kind == 3 ? FACTOR_CUT : FACTOR_CUT | FACTOR_AFTER);
	}
}

/* Are damaged factors refused? Adds to *teddies if they have a Teddy, and to *walks how many walks
 * were damaged. */
static bool factors_refused(struct gen_random *r, const struct nfart_image *im, uint64_t *teddies,
			    uint64_t *walks)
{
	bool ok = true;

	for (unsigned kind = 0; kind < 10 && ok; kind++) {
		struct factor *x = factor_new(im, nfart_simd_best(), &ok);
		if (x == NULL)
			return ok;
		ok = factor_check(x);
		if (kind == 5 && x->table.teddy.bytes == 0) {
			factor_free(x);
			continue;
		}
		*teddies += kind == 5;
		*walks += kind > 6 && x->table.walk[0].n != 0;
		if (kind <= 6 || x->table.walk[0].n != 0) {
			factors_damage(r, x, kind);
			ok = ok && !factor_check(x);
		}
		factor_free(x);
	}
	return ok;
}

int main(int argc, char **argv)
{
	uint64_t n = setting("NFACC_FACTORS", 150), seed = setting("NFACC_SEED", 1), on = 0;
	uint64_t accepted = 0, teddies = 0, walks = 0;
	unsigned char *text = malloc(TEXT);
	struct tap tap = { 0 };
	bool ok = text != NULL, refused = true;

	if (!setting_arguments(argc, argv, &n, &seed, NULL))
		return NFART_USAGE;
	for (uint64_t i = 0; i < n && ok && refused; i++) {
		struct gen_random r = { .state = seed + i };
		struct factors_out a = { 0 }, b = { 0 };
		struct nfart_image *im;
		struct buf re = { 0 };
		buf_addf(&re, "protocol bytes;\n");
		for (unsigned k = 1 + factors_below(&r, 6); k > 0; k--)
			factors_pattern(&r, &re, k);
		im = subject_compile("factors", re.at, re.n, (int)factors_below(&r, 3));
		factors_text(&r, text);
		ok = factors_run(&r, im, text, true, &a, &on) &&
		     factors_run(&r, im, text, false, &b, &on) && a.hash == b.hash && a.n == b.n;
		refused = factors_refused(&r, im, &teddies, &walks);
		accepted += b.n;
		if (!ok || !refused)
			printf("# seed %" PRIu64 "\n%.*s", seed + i, (int)re.n, re.at);
		nfart_image_free(im);
		buf_free(&re);
	}
	tap_case(&tap, ok && on > n && accepted > n, "factors find what steps find");
	for (uint64_t i = 0; i < 5 && ok; i++) {
		struct gen_random r = { .state = seed + i };
		ok = factors_long(&r, &on);
	}
	tap_case(&tap, ok, "loops that are active for long are found");
	refused = refused && (teddies > 0 || nfart_simd_best() == NFART_SIMD_PORTABLE);
	refused = refused && on > 0 && walks > n;
	tap_case(&tap, refused, "factors that leave out too much are refused");
	printf("# %" PRIu64 " rounds from seed %" PRIu64 ", %" PRIu64 " batches accepted, %" PRIu64
	       " pieces by factors, %" PRIu64 " Teddies\n", n, seed, accepted, on, teddies);
	free(text);
	return tap_end(&tap);
}
