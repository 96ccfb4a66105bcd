/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bench_engine: how fast one core filters traces that lie in memory. A table compares this with the
 * speed of the memory and, if it is installed, with Vectorscan. Its columns are our speed, the
 * speed of the peer or the limit, the ratio of the two, and the ratio to reach.
 *
 *   bench_engine NFARUN EXAMPLES
 *
 * Traces go through libnfart as in a program that counts the results. Times are processor time,
 * medians of RUNS. NFACC_SIMD=portable, AVX2 or AVX-512 chooses a SIMD level, for CRCs, too.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "contract/crc.h"
#include "runtime/engine/fast/decode_keys.h"
#include "runtime/engine/filter.h"
#include "runtime/trace/binary.h"
#include "support/clock.h"
#include "testsuite/bench/measure.h"
#include "testsuite/bench/peer.h"
#include "testsuite/bench/subject.h"
#include "testsuite/bench/traffic.h"

enum { RUNS = 5, MEMORY = 1 << 28, LETTERS = 1 << 24 };

static enum nfart_simd level;

typedef uint64_t line __attribute__((vector_size(64)));
/* Reads n bytes of memory at p, to measure how many bytes a second one core can read. It returns a
 * result only to keep the compiler from leaving the reads out. */
#if defined(__x86_64__)
__attribute__((target_clones("avx512f", "avx2", "default")))
#endif
static uint64_t read_all(const void *p, size_t n)
{
	const line *v = p;
	line a = { 0 }, b = { 0 }, c = { 0 }, d = { 0 };

	for (size_t k = 0; k + 4 <= n / sizeof(line); k += 4) {
		a |= v[k];
		b |= v[k + 1];
		c |= v[k + 2];
		d |= v[k + 3];
	}
	a |= b | c | d;
	return a[0] | a[1] | a[2] | a[3] | a[4] | a[5] | a[6] | a[7];
}

static double bandwidth(void)
{
	void *p = aligned_alloc(4096, MEMORY);
	volatile uint64_t sum = 0;
	double t[RUNS];

	if (p == NULL)
		die("out of memory");
	memset(p, 1, MEMORY);
	for (int i = 0; i < RUNS; i++) {
		double begin = clock_cpu_seconds();
		sum |= read_all(p, MEMORY);
		t[i] = clock_cpu_seconds() - begin;
	}
	(void)sum;
	free(p);
	return MEMORY / median(t, RUNS);
}

/* ---- our speed ---- */

static struct speed bench_filter(const struct nfart_image *im, const struct buf *trace,
				 uint64_t lines, bool unchecked)
{
	struct subject_options o = { .level = level, .runs = RUNS, .lines = lines,
				     .unchecked = unchecked };

	return subject_filter(im, trace, &o);
}

/* ---- the rows of the table ---- */

static void bench_row(const char *what, double ours, double other, const char *unit, double target,
		      const struct speed *s)
{
	char aim[16] = "-";

	if (target > 0)
		snprintf(aim, sizeof aim, "%.2f", target);
	printf("%-46s %8.2f %8.2f %-8s %6.2f %6s   %.2f %%\n", what, ours, other, unit,
	       ours / other, aim,
	       100.0 * (double)s->accepted / (double)(s->batches + (s->batches == 0)));
	fflush(stdout);
}

static void dense_rows(const char *dir)
{
	static const char *const names[] = { "inflight.re", "messages.re", "stall.re" };
	static const struct {
		const char *what;
		struct traffic t;
		double avx512, avx2, unchecked;
	} kinds[] = {
		{ "1-3 messages", { NFART_FORMAT_DENSE, 400000, 1, 3, 300, 0, false },
		  0.65, 0.50, 0.65 },
		{ "every slot busy", { NFART_FORMAT_DENSE, 400000, 28, 28, 2000, 0, false },
		  0.55, 0.42, 0.65 },
		{ "1-3 messages, most accepted", { NFART_FORMAT_DENSE, 200000, 1, 3, 1, 0, false },
		  0, 0, 0 },
	};

	for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
		for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
			struct nfart_image *im = subject_example(dir, names[i]);
			struct buf trace = { 0 };
			char what[80];
			double target =
				level == NFART_SIMD_AVX512 ? kinds[k].avx512 : kinds[k].avx2;
			if (!traffic_make(im, &kinds[k].t, &trace))
				die("out of memory");
			for (int unchecked = 0; unchecked < 2; unchecked++) {
				double memory = bandwidth();
				struct speed s = bench_filter(im, &trace, 0, unchecked != 0);
				snprintf(what, sizeof what, "dense, %s, %.*s%s", kinds[k].what,
					 (int)strlen(names[i]) - 3, names[i],
					 unchecked != 0 ? ", no CRC" : "");
				bench_row(what, (double)trace.n / s.seconds / 1e9, memory / 1e9,
					  "GB/s", unchecked != 0 ? kinds[k].unchecked : target, &s);
			}
			buf_free(&trace);
			nfart_image_free(im);
		}
}

/* ---- what a dense run consists of, on a chunk in the cache ---- */

enum { CHUNK_RUNS = 1000, MOST_ROWS = TRACE_CHUNK / 16 };

/* Returns the bytes that one core reads in a second from n bytes in the cache. */
static double cache_bandwidth(const void *p, size_t n)
{
	volatile uint64_t sum = 0;
	double t[RUNS];

	for (int i = 0; i < RUNS; i++) {
		double begin = clock_cpu_seconds();
		for (int k = 0; k < CHUNK_RUNS; k++)
			sum |= read_all(p, n);
		t[i] = clock_cpu_seconds() - begin;
	}
	(void)sum;
	return (double)n * CHUNK_RUNS / median(t, RUNS);
}

static void crc_rows(void)
{
	static const char *const names[] = { "by table", "crc32", "128 bits", "256 bits",
					     "512 bits" };
	static unsigned char chunk[TRACE_CHUNK] __attribute__((aligned(64)));
	const struct speed none = { 0 };

	for (size_t i = 0; i < sizeof chunk; i++)
		chunk[i] = (unsigned char)(i * 7);
	for (int way = 0; way < CRC_WAYS; way++) {
		crc32c_fn *run = crc32c_of((enum crc_way)way);
		double limit = cache_bandwidth(chunk, sizeof chunk), t[RUNS];
		volatile uint32_t sum = 0;
		char what[80];
		for (int i = 0; run != NULL && i < RUNS; i++) {
			double begin = clock_cpu_seconds();
			for (int k = 0; k < CHUNK_RUNS; k++)
				sum ^= run(0, chunk, sizeof chunk);
			t[i] = clock_cpu_seconds() - begin;
		}
		if (run == NULL)
			continue;
		(void)sum;
		snprintf(what, sizeof what, "a chunk's CRC, %s, beside the cache", names[way]);
		bench_row(what, sizeof chunk * CHUNK_RUNS / median(t, RUNS) / 1e9, limit / 1e9,
			  "GB/s", 0, &none);
	}
}

/* Prints how fast the keys of a chunk's rows are made, all slots busy, where one message in `often`
 * is named. */
static void key_row(const struct nfart_image *im, const struct nfart_filter *f, unsigned often)
{
	const struct traffic t = { NFART_FORMAT_DENSE, 400, 28, 28, often, 0, false };
	const struct speed none = { 0 };
	struct buf trace = { 0 };
	const unsigned char *rows;
	uint64_t key[MOST_ROWS];
	double limit, s[RUNS];
	size_t n, at = 0;
	struct rows_pace pace = { 0 };
	char what[80];

	if (!traffic_make(im, &t, &trace))
		die("out of memory");
	while (at + CHUNK_HEAD <= trace.n && memcmp(trace.at + at, CHUNK_MAGIC, 8) != 0)
		at++;
	rows = (const unsigned char *)trace.at + at;
	if (at + CHUNK_HEAD > trace.n || get_le32(rows + CHUNK_COUNT) > MOST_ROWS)
		die("no chunk of rows");
	n = get_le32(rows + CHUNK_COUNT);
	rows += CHUNK_HEAD;
	limit = cache_bandwidth(rows, n * row_bytes(&f->dfa->keys));
	for (int i = 0; i < RUNS; i++) {
		double begin = clock_cpu_seconds();
		for (int k = 0; k < CHUNK_RUNS; k++)
			decode_rows(&f->dfa->keys, rows, n, false, &pace, key);
		s[i] = clock_cpu_seconds() - begin;
	}
	snprintf(what, sizeof what, "keys of rows, 1 in %u named, beside the cache", often);
	bench_row(what, (double)(n * row_bytes(&f->dfa->keys)) * CHUNK_RUNS / median(s, RUNS) / 1e9,
		  limit / 1e9, "GB/s", 0, &none);
	buf_free(&trace);
}

static void key_rows(const char *dir)
{
	struct nfart_image *im = subject_example(dir, "inflight.re");
	struct nfart_filter_options o = { .simd = level };
	struct nfart_error e;
	struct nfart_filter *f = nfart_filter_new(im, &o, &e);

	if (f == NULL || f->dfa == NULL)
		die("no filter by keys");
	key_row(im, f, 2000);
	key_row(im, f, 100);
	key_row(im, f, 10);
	nfart_filter_free(f);
	nfart_image_free(im);
}

static void compact_rows(const char *dir)
{
	static const struct {
		const char *what, *name;
		struct traffic t;
		double target; /* the speed to reach, in million messages a second */
	} kinds[] = {
		{ "compact, 2 messages", "inflight.re",
		  { NFART_FORMAT_COMPACT, 3000000, 2, 2, 300, 0, false }, 400 },
		{ "compact, 2 messages, 128 lines", "checks.re",
		  { NFART_FORMAT_COMPACT, 3000000, 2, 2, 100, 128, false }, 100 },
		{ "compact, 2 messages, 1 M lines", "checks.re",
		  { NFART_FORMAT_COMPACT, 3000000, 2, 2, 100, 1 << 20, false }, 25 },
		{ "compact, 1 in 2,000 named, 1 M lines", "checks.re",
		  { NFART_FORMAT_COMPACT, 3000000, 2, 2, 2000, 1 << 20, false }, 100 },
	};

	for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
		struct nfart_image *im = subject_example(dir, kinds[k].name);
		struct buf trace = { 0 };
		char what[80];
		if (!traffic_make(im, &kinds[k].t, &trace))
			die("out of memory");
		for (int unchecked = 0; unchecked < 2; unchecked++) {
			struct speed s = bench_filter(im, &trace, kinds[k].t.lines, unchecked != 0);
			snprintf(what, sizeof what, "%s%s", kinds[k].what,
				 unchecked != 0 ? ", no CRC" : "");
			bench_row(what, (double)s.messages / s.seconds / 1e6, kinds[k].target,
				  "M msg/s", unchecked != 0 ? 0 : 1, &s);
		}
		buf_free(&trace);
		nfart_image_free(im);
	}
}

/* ---- nfarun as a process ---- */

static double process_seconds(const char *nfarun, const char *image, const char *trace)
{
	double t[RUNS];

	for (int i = 0; i < RUNS; i++) {
		struct rusage u;
		subject_process(nfarun, image, trace, NULL, &u);
		t[i] = (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
		       1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
	}
	return median(t, RUNS);
}

static void tool_row(const char *nfarun, const char *dir)
{
	static const struct traffic t = { NFART_FORMAT_DENSE, 1600000, 1, 3, 300, 0, false };
	struct nfart_image *im = subject_example(dir, "inflight.re");
	struct buf trace = { 0 };
	struct speed s;

	if (!traffic_make(im, &t, &trace))
		die("out of memory");
	s = bench_filter(im, &trace, 0, false);
	subject_write("bench.bin", im->file.bytes, im->file.n);
	subject_write("bench.trace", trace.at, trace.n);
	bench_row("nfarun --count, dense, 1-3 messages, inflight",
		  (double)trace.n / process_seconds(nfarun, "bench.bin", "bench.trace") / 1e9,
		  (double)trace.n / s.seconds / 1e9, "GB/s", 0.7, &s);
	remove("bench.bin");
	remove("bench.trace");
	buf_free(&trace);
	nfart_image_free(im);
}

/* ---- traces of bytes ---- */

static void bytes_rows(void)
{
	static const struct {
		const char *what;
		enum patterns kind;
		double target;
	} sets[] = {
		{ "moderate", PATTERNS_MODERATE, 3 },
		{ "notx", PATTERNS_NOTX, 3 },
		{ "dense", PATTERNS_DENSE, 1.5 },
		{ "simple", PATTERNS_SIMPLE, 0.3 },
	};
	struct buf text = { 0 };

	if (!traffic_letters(LETTERS, 1, &text))
		die("out of memory");
	for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
		struct buf pcre = { 0 }, re = { 0 };
		struct nfart_image *im;
		struct speed s;
		struct peer_speed peer;
		char what[80];
		traffic_patterns(sets[i].kind, 30, 1, &pcre, &re);
		im = subject_compile(sets[i].what, re.at, re.n, 1);
		s = bench_filter(im, &text, 0, false);
		peer = peer_vectorscan(&pcre, 30, &text, RUNS);
		snprintf(what, sizeof what, "bytes, 30 patterns, %s, beside Vectorscan",
			 sets[i].what);
		bench_row(what, (double)text.n / s.seconds / 1e9,
			  peer.run > 0 ? (double)text.n / peer.run / 1e9 : 0, "GB/s",
			  sets[i].target, &s);
		if (peer.run > 0 && peer.matches != s.labels)
			printf("  differ: %" PRIu64 " matches here, %" PRIu64 " there\n", s.labels,
			       peer.matches);
		buf_free(&pcre);
		buf_free(&re);
		nfart_image_free(im);
	}
	buf_free(&text);
}

/* Measures a filter whose set of active states keeps changing, because it depends on each of the
 * last 40 batches. */
static void adversary_row(void)
{
	static const char filter_text[] =
		"protocol bytes;\nfilter far = true* 'a' true{40} 'b';\n";
	struct nfart_image *im =
		subject_compile("adversary", filter_text, sizeof filter_text - 1, 1);
	struct nfart_filter_options o = { .stepwise = true };
	struct buf text = { 0 };
	struct nfart_filter *f;
	struct nfart_error e;
	struct speed s;
	double begin, steps;

	if (!traffic_letters(LETTERS / 4, 2, &text))
		die("out of memory");
	s = bench_filter(im, &text, 0, false);
	f = nfart_filter_new(im, &o, &e);
	begin = clock_cpu_seconds();
	if (f == NULL || !nfart_filter_bytes(f, text.at, text.n, 0))
		die("out of memory");
	steps = clock_cpu_seconds() - begin;
	bench_row("bytes, adversarial, beside the engine's steps", (double)text.n / s.seconds / 1e6,
		  (double)text.n / steps / 1e6, "MB/s", 1, &s);
	nfart_filter_free(f);
	nfart_image_free(im);
	buf_free(&text);
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		fputs("usage: bench_engine NFARUN EXAMPLES\n", stderr);
		return NFART_USAGE;
	}
	level = subject_level();
	printf("\nsoftware engine, one core, %s instructions, trace in memory, CRCs verified;\n"
	       "processor time, medians of %d; dense rows beside the memory's read\n"
	       "bandwidth just before\n\n"
	       "%-46s %8s %8s %-8s %6s %6s   %s\n",
	       nfart_simd_name(level), RUNS, "", "ours", "other", "", "ratio", "aim", "accepted");
	dense_rows(argv[2]);
	crc_rows();
	key_rows(argv[2]);
	compact_rows(argv[2]);
	tool_row(argv[1], argv[2]);
	bytes_rows();
	adversary_row();
	return NFART_OK;
}
