/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bench_bytes: how fast many patterns go over bytes: with factors, by the automata alone, and, if
 * it is installed, in Vectorscan; in MB of processor time a second. The runs take turns, and the
 * medians are printed. The last rows are a text that is full of factors, where the factors give up.
 *
 *   bench_bytes
 */
#include <inttypes.h>
#include <string.h>

#include "runtime/engine/filter.h"
#include "support/clock.h"
#include "testsuite/bench/measure.h"
#include "testsuite/bench/peer.h"
#include "testsuite/bench/subject.h"
#include "testsuite/bench/traffic.h"

enum { LETTERS = 1 << 24, SLOW_LETTERS = 1 << 20, RUNS = 5 };

static const struct {
	const char *what;
	enum patterns kind;
} sets[] = {
	{ "simple", PATTERNS_SIMPLE },
	{ "moderate", PATTERNS_MODERATE },
	{ "notx", PATTERNS_NOTX },
	{ "dense", PATTERNS_DENSE },
};

struct run_of {
	double speed; /* in MB/s */
	uint64_t matches;
};

/* Runs a filter over the first n letters, without its factors if they are not wanted. */
static struct run_of bytes_run(const struct nfart_image *im, bool factors, const struct buf *text,
			       size_t n)
{
	struct nfart_filter_options o = { .stepwise = false };
	struct run_of r = { 0 };
	struct nfart_error e;
	struct nfart_filter *f = nfart_filter_new(im, &o, &e);
	double begin;

	if (f == NULL)
		die("out of memory");
	if (!factors) {
		factor_free(f->factor);
		f->factor = NULL;
	}
	begin = clock_cpu_seconds();
	if (!nfart_filter_bytes(f, text->at, n, 0) || !nfart_filter_end(f))
		die("out of memory");
	r.speed = (double)n / (clock_cpu_seconds() - begin) / 1e6;
	for (uint32_t k = 0; k < im->labels.n; k++)
		r.matches += nfart_filter_stats(f).labels[k];
	nfart_filter_free(f);
	return r;
}

static void bytes_row(const char *what, const struct nfart_image *im, const struct buf *pcre,
		      unsigned npatterns, const struct buf *text)
{
	double with[RUNS], without[RUNS], other[RUNS], a, b, c;
	struct buf few = { .at = text->at, .n = SLOW_LETTERS };
	struct run_of x, y;
	struct peer_speed peer;
	bool ok = true;

	for (int i = 0; i < RUNS; i++) {
		x = bytes_run(im, true, text, text->n);
		with[i] = x.speed;
		y = bytes_run(im, false, text, SLOW_LETTERS);
		without[i] = y.speed;
		peer = peer_vectorscan(pcre, npatterns, i == 0 ? text : &few, 1);
		other[i] = peer.run > 0 ? (double)(i == 0 ? text->n : few.n) / peer.run / 1e6 : 0;
		ok = ok && (i != 0 || peer.run == 0 || peer.matches == x.matches);
	}
	ok = ok && bytes_run(im, true, text, SLOW_LETTERS).matches == y.matches;
	a = median(with, RUNS);
	b = median(without, RUNS);
	c = median(other, RUNS);
	printf("%6u %-12s %9.1f %9.1f %9.1f %8.2f %8.2f %9" PRIu64 "%s\n", npatterns, what, a, b, c,
	       a / b, c > 0 ? a / c : 0, x.matches, ok ? "" : "  differ");
	fflush(stdout);
}

int main(void)
{
	static const unsigned numbers[] = { 30, 3000 };
	struct buf text = { 0 }, full = { 0 };

	if (!traffic_letters(LETTERS, 1000, &text))
		die("out of memory");
	printf("\npatterns over bytes, in MB/s\n\n%6s %-12s %9s %9s %9s %8s %8s %9s\n", "", "",
	       "factors", "automata", "peer", "gain", "of peer", "matches");
	for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++)
		for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
			struct buf pcre = { 0 }, re = { 0 };
			struct nfart_image *im;
			traffic_patterns(sets[i].kind, numbers[k], 1, &pcre, &re);
			im = subject_compile(sets[i].what, re.at, re.n, 1);
			bytes_row(sets[i].what, im, &pcre, numbers[k], &text);
			/* The patterns themselves, one after the other, as far as they are words.
			 * */
			full.n = 0;
			while (sets[i].kind == PATTERNS_SIMPLE && full.n < LETTERS)
				for (size_t at = 0; at < pcre.n && full.n < LETTERS; at++)
					if (pcre.at[at] >= 'a' && pcre.at[at] <= 'p')
						buf_add(&full, pcre.at + at, 1);
			if (full.n != 0)
				bytes_row("all factors", im, &pcre, numbers[k], &full);
			nfart_image_free(im);
			buf_free(&pcre);
			buf_free(&re);
		}
	buf_free(&text);
	buf_free(&full);
	return NFART_OK;
}
