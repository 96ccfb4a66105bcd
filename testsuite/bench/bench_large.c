/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bench_large: automata of tens of thousands of states. For 3,000 patterns of each shape it prints
 * how long they take to compile at each level, how large their image is, how long the image takes
 * to load, and how fast letters go through it. If Vectorscan is installed, its numbers stand beside
 * ours. In one more filter, no set of active states ever comes again. It is compared with the
 * engine, which steps it batch by batch.
 *
 *   bench_large
 *
 * Times are processor time of one run each, since the longest runs take seconds.
 */
#include <inttypes.h>

#include "ir/pass/passes.h"
#include "support/clock.h"
#include "testsuite/bench/measure.h"
#include "testsuite/bench/peer.h"
#include "testsuite/bench/subject.h"
#include "testsuite/bench/traffic.h"

enum { PATTERNS = 3000, LETTERS = 1 << 24, ADVERSARY = 1 << 22, STEPS = 1 << 18 };

static const struct {
	const char *what;
	enum patterns kind;
} sets[] = {
	{ "simple", PATTERNS_SIMPLE },
	{ "moderate", PATTERNS_MODERATE },
	{ "notx", PATTERNS_NOTX },
	{ "dense", PATTERNS_DENSE },
};

/* Returns the seconds that the filter takes for the first n letters. *matches gets the number of
 * pairs of label and batch. */
static double bench_filter(const struct nfart_image *im, bool stepwise, const struct buf *text,
			   size_t n, uint64_t *matches)
{
	struct nfart_filter_options o = { .stepwise = stepwise };
	struct nfart_error e;
	double begin = clock_cpu_seconds();
	struct nfart_filter *f = nfart_filter_new(im, &o, &e);
	struct nfart_filter_stats s;

	if (f == NULL || !nfart_filter_bytes(f, text->at, n, 0) || !nfart_filter_end(f))
		die("out of memory");
	begin = clock_cpu_seconds() - begin;
	s = nfart_filter_stats(f);
	*matches = 0;
	for (uint32_t k = 0; k < im->labels.n; k++)
		*matches += s.labels[k];
	nfart_filter_free(f);
	return begin;
}

static void set_row(size_t i, const struct buf *text)
{
	struct buf pcre = { 0 }, re = { 0 };
	struct nfart_image *im = NULL, *again;
	struct peer_speed peer;
	struct nfart_error e;
	uint64_t matches;
	double t;

	traffic_patterns(sets[i].kind, PATTERNS, 1, &pcre, &re);
	printf("%-10s", sets[i].what);
	for (int level = PASS_LEVEL_S; level > 0; level--) {
		nfart_image_free(im);
		t = clock_cpu_seconds();
		im = subject_compile(sets[i].what, re.at, re.n, level);
		printf(" %6.2f", clock_cpu_seconds() - t);
	}
	t = clock_cpu_seconds();
	again = nfart_image_load(im->file.bytes, im->file.n, sets[i].what, &e);
	if (again == NULL)
		die(e.what);
	t = clock_cpu_seconds() - t;
	printf(" %7" PRIu32 " %6zu %6.1f", im->nfa.nstates, im->file.n / 1024, t * 1e3);
	nfart_image_free(again);
	t = bench_filter(im, false, text, text->n, &matches);
	peer = peer_vectorscan(&pcre, PATTERNS, text, 1);
	printf(" %8.1f %9" PRIu64, (double)text->n / t / 1e6, matches);
	if (peer.run > 0)
		printf(" %8.2f %8.1f %6.2f%s", peer.compile, (double)text->n / peer.run / 1e6,
		       peer.run / t, peer.matches != matches ? "  other matches" : "");
	putchar('\n');
	fflush(stdout);
	nfart_image_free(im);
	buf_free(&pcre);
	buf_free(&re);
}

/* Measures filters that are chains of 40 states after three letters. Most chains always have some
 * active state. */
static void adversary_row(const struct buf *text)
{
	struct buf re = { 0 };
	struct nfart_image *im;
	uint64_t matches;
	double fast, slow;

	buf_addf(&re, "protocol bytes;\n");
	for (unsigned i = 0; i < 240; i++)
		buf_addf(&re, "filter f%u = true* '%c' '%c' '%c' true{40} '%c' '%c';\n", i,
			 'a' + i % 16, 'a' + i / 16, 'a' + i * 7 % 16, 'a' + i * 5 % 16,
			 'a' + i * 11 % 16);
	im = subject_compile("adversary", re.at, re.n, 1);
	fast = bench_filter(im, false, text, ADVERSARY, &matches) / ADVERSARY;
	slow = bench_filter(im, true, text, STEPS, &matches) / STEPS;
	printf("\nadversarial, %" PRIu32
	       " states: %.2f MB/s, the engine's steps %.2f, ratio %.2f\n",
	       im->nfa.nstates, 1e-6 / fast, 1e-6 / slow, slow / fast);
	nfart_image_free(im);
	buf_free(&re);
}

int main(void)
{
	struct buf text = { 0 };

	if (!traffic_letters(LETTERS, 1, &text))
		die("out of memory");
	printf("\n%d patterns over %d MB of letters: seconds to compile at -Os, -O2 and -O1 "
	       "(target: 10 at\n"
	       "most), states, KiB of the image, ms to load it, MB/s, matches; Vectorscan: "
	       "seconds, MB/s,\n"
	       "ours to its\n"
	       "%-10s %6s %6s %6s %7s %6s %6s %8s %9s %8s %8s %6s\n",
	       PATTERNS, LETTERS >> 20, "", "-Os", "-O2", "-O1", "states", "KiB", "load", "MB/s",
	       "matches", "compile", "MB/s", "ratio");
	for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
		set_row(i, &text);
	adversary_row(&text);
	buf_free(&text);
	return NFART_OK;
}
