/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bench_curves: how the throughput of one core depends on the filter's states and labels, on the
 * lines that are observed, and on how much of the trace is accepted. Each of these varies alone. It
 * prints a table. With a file as an argument it writes the same to that file, for curves.gp to
 * draw.
 *
 *   bench_curves EXAMPLES [DATA]
 *
 * As in bench_engine, traces are in memory and go through libnfart. Times are processor time, and
 * NFACC_SIMD chooses the SIMD level. A run includes making the tables that a filter makes of the
 * batches it meets.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "testsuite/bench/measure.h"
#include "testsuite/bench/subject.h"
#include "testsuite/bench/traffic.h"

enum { RUNS = 5, LETTERS = 1 << 24, FEWEST = 1 << 16 };

/* A run should take about this long, unless the trace is too short for it. */
static const double SECONDS = 0.15;

static enum nfart_simd level;
static FILE *data; /* the file for curves.gp; NULL: print only the table */

/* Begins a curve. `x` names what varies along it. */
static void curve(const char *panel, const char *name, const char *x)
{
	printf("\n%s: %s\n%14s %14s %12s\n", panel, name, x, "M messages/s", "accepted");
	if (data != NULL)
		fprintf(data, "\n\n\"%s\" \"%s\"\n", x, name);
}

static void point(double x, const struct speed *s)
{
	double rate = (double)s->messages / s->least / 1e6;
	double accepted = 100.0 * (double)s->accepted / (double)(s->batches + (s->batches == 0));

	printf("%14.10g %14.2f %10.4f %%\n", x, rate, accepted);
	fflush(stdout);
	if (data != NULL)
		fprintf(data, "%.10g %.4f\n", x, rate);
}

/* ---- curves over letters ---- */

/* Measures how fast the image's filter takes letters. It takes only as many of the letters as a run
 * of SECONDS needs. */
static struct speed over_letters(const struct nfart_image *im, const struct buf *letters)
{
	struct subject_options o = { .level = level, .runs = 1 };
	struct buf some = { .at = letters->at, .n = FEWEST };
	struct speed s = subject_filter(im, &some, &o);

	while (some.n < letters->n && s.seconds < SECONDS / 2) {
		some.n *= 2;
		s = subject_filter(im, &some, &o);
	}
	o.runs = RUNS;
	return subject_filter(im, &some, &o);
}

static void states(const struct buf *letters)
{
	static const struct {
		const char *name;
		enum patterns kind;
		unsigned n[9];
	} sets[] = {
		{ "words of 5 to 8 letters",
		  PATTERNS_SIMPLE,
		  { 2, 5, 17, 50, 170, 270, 520, 2200 } },
		{ "with repeated classes",
		  PATTERNS_MODERATE,
		  { 1, 3, 10, 30, 50, 100, 320, 1110 } },
	};

	for (size_t k = 0; k < sizeof sets / sizeof sets[0]; k++) {
		curve("states, protocol bytes", sets[k].name, "states");
		for (const unsigned *n = sets[k].n; *n != 0; n++) {
			struct buf pcre = { 0 }, text = { 0 };
			struct nfart_image *im;
			struct speed s;
			traffic_patterns(sets[k].kind, *n, 1, &pcre, &text);
			im = subject_compile(sets[k].name, text.at, text.n, 1);
			s = over_letters(im, letters);
			point(nfart_image_nstates(im), &s);
			nfart_image_free(im);
			buf_free(&pcre);
			buf_free(&text);
		}
	}
}

/* Makes a filter of `words` words, each with one of n labels. A word has three letters: those of
 * word k are the digits of k times an odd number. */
static struct nfart_image *labelled(unsigned words, unsigned n)
{
	struct buf text = { 0 };
	struct nfart_image *im;
	char s[64];

	buf_add(&text, "protocol bytes;\n", 16);
	for (unsigned l = 0; l < n; l++) {
		buf_add(&text, s, (size_t)snprintf(s, sizeof s, "filter l%u = true* (", l));
		for (unsigned k = l; k < words; k += n) {
			unsigned w = k * 1597 % 4096;
			buf_add(&text, s,
				(size_t)snprintf(s, sizeof s, "%s'%c' '%c' '%c'",
						 k == l ? "" : " | ", 'a' + (int)(w >> 8),
						 'a' + (int)(w >> 4 & 15), 'a' + (int)(w & 15)));
		}
		buf_add(&text, ");\n", 3);
	}
	im = subject_compile("labels", text.at, text.n, 1);
	buf_free(&text);
	return im;
}

static void labels(const struct buf *letters)
{
	static const unsigned words[] = { 64, 512 };

	for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
		char name[64];
		snprintf(name, sizeof name, "%u words of 3 letters", words[k]);
		curve("labels, protocol bytes", name, "labels");
		for (unsigned n = 1; n <= words[k]; n *= k == 0 || n >= 64 ? 2 : 4) {
			struct nfart_image *im = labelled(words[k], n);
			struct speed s = over_letters(im, letters);
			point(n, &s);
			nfart_image_free(im);
		}
	}
}

/* ---- curves over messages ---- */

static void make_trace(const struct nfart_image *im, const struct traffic *t, struct buf *trace)
{
	if (!traffic_make(im, t, trace))
		die("out of memory");
}

static void lines(const char *dir)
{
	static const unsigned often[] = { 100, 2 };
	struct nfart_image *im = subject_example(dir, "checks.re");

	for (size_t k = 0; k < sizeof often / sizeof often[0]; k++) {
		char name[64];
		snprintf(name, sizeof name, "1 message in %u named by the filter", often[k]);
		curve("lines, protocol eci", name, "lines");
		for (uint64_t n = 1; n <= 1 << 20; n *= 4) {
			struct traffic t = { NFART_FORMAT_COMPACT, 2000000, 2, 2, often[k], n, false };
			struct subject_options o = { .level = level, .runs = RUNS, .lines = n };
			struct buf trace = { 0 };
			struct speed s;
			make_trace(im, &t, &trace);
			s = subject_filter(im, &trace, &o);
			point((double)n, &s);
			buf_free(&trace);
		}
	}
	nfart_image_free(im);
}

static bool curves_take(void *ctx, const struct nfart_batch *b, const struct nfart_result *r)
{
	*(uint64_t *)ctx += b->time + r->labels[0];
	return true;
}

/* The ways in which a program can get what is accepted. */
enum { HOW_COUNTED, HOW_FUNCTION, HOW_ARRAY, HOWS };
static const char *const hows[] = { "counted", "each to a function", "in arrays" };

/* Runs over the same trace in each of these ways. The runs of the ways take turns, so that a slow
 * moment of the machine slows all of them. */
static void in_all_ways(const struct nfart_image *im, const struct buf *trace, struct speed s[HOWS])
{
	uint64_t sum = 0;
	struct subject_options o = { .level = level, .runs = 1, .ctx = &sum };

	for (int run = 0; run < RUNS; run++)
		for (int how = 0; how < HOWS; how++) {
			struct speed now;
			o.sink = how == HOW_FUNCTION ? curves_take : NULL;
			o.matches = how == HOW_ARRAY;
			now = subject_filter(im, trace, &o);
			if (run == 0 || now.least < s[how].least)
				s[how] = now;
		}
}

static void rates(void)
{
	static const char text[] =
		"protocol eci;\nfilter some = true* Any(R12, RA2, F21, A21, V21);\n";
	static const unsigned often[] = { 200000, 20000, 2000, 200, 60, 20, 6, 3, 1 };
	enum { POINTS = sizeof often / sizeof often[0] };
	struct nfart_image *im = subject_compile("rates", text, sizeof text - 1, 1);
	struct speed s[POINTS][HOWS];

	for (int i = 0; i < POINTS; i++) {
		struct traffic t = { NFART_FORMAT_COMPACT, 2000000, 2, 2, often[i], 0, false };
		struct buf trace = { 0 };
		make_trace(im, &t, &trace);
		in_all_ways(im, &trace, s[i]);
		buf_free(&trace);
	}
	for (int how = 0; how < HOWS; how++) {
		curve("match rate, protocol eci", hows[how], "% accepted");
		for (int i = 0; i < POINTS; i++)
			point(100.0 * (double)s[i][how].accepted / (double)s[i][how].batches,
			      &s[i][how]);
	}
	nfart_image_free(im);
}

int main(int argc, char **argv)
{
	struct buf letters = { 0 };

	if (argc != 2 && argc != 3) {
		fputs("usage: bench_curves EXAMPLES [DATA]\n", stderr);
		return NFART_USAGE;
	}
	level = subject_level();
	data = argc == 3 ? fopen(argv[2], "w") : NULL;
	if ((argc == 3 && data == NULL) || !traffic_letters(LETTERS, 1, &letters))
		die(argc == 3 ? argv[2] : "out of memory");
	printf("\nthroughput of one core, %s instructions, against one thing at a time; processor "
	       "time,\nbest of %d, since others may use the machine\n",
	       nfart_simd_name(level), RUNS);
	if (data != NULL)
		fprintf(data, "# %s\n", nfart_simd_name(level));
	states(&letters);
	labels(&letters);
	lines(argv[1]);
	rates();
	buf_free(&letters);
	if (data != NULL && fclose(data) != 0)
		die(argv[2]);
	return NFART_OK;
}
