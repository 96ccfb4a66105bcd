/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bench_memory: how much memory nfarun takes, compared with its bound of 64 MiB and 16 bytes for
 * each observed line. The length of the trace must not matter.
 *
 *   bench_memory NFARUN EXAMPLES
 *
 * The system counts what a parent has at the fork as memory of the child. So this process keeps
 * almost no memory while nfarun runs.
 */
#include <malloc.h>

#include "testsuite/bench/measure.h"
#include "testsuite/bench/subject.h"
#include "testsuite/bench/traffic.h"

static const char image_name[] = "bench.bin", trace_name[] = "bench.trace";

static double mib(uint64_t bytes)
{
	return (double)bytes / (1 << 20);
}

/* Writes the image and the trace to files and frees both. Returns the bytes of the trace. */
static size_t bench_prepare(const char *dir, const char *example, const struct traffic *t)
{
	struct nfart_image *im = subject_example(dir, example);
	struct buf trace = { 0 };
	size_t n;

	if (!traffic_make(im, t, &trace))
		die("out of memory");
	subject_write(image_name, im->file.bytes, im->file.n);
	subject_write(trace_name, trace.at, trace.n);
	n = trace.n;
	buf_free(&trace);
	nfart_image_free(im);
	malloc_trim(0);
	return n;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *what, *example, *substream;
		uint64_t lines; /* the number of lines that are observed */
		struct traffic t;
	} rows[] = {
		{ "dense, inflight.re", "inflight.re", NULL, 0,
		  { NFART_FORMAT_DENSE, 40000, 1, 3, 300, 0, false } },
		{ "dense, inflight.re, 10 times as long", "inflight.re", NULL, 0,
		  { NFART_FORMAT_DENSE, 400000, 1, 3, 300, 0, false } },
		{ "compact, inflight.re", "inflight.re", NULL, 0,
		  { NFART_FORMAT_COMPACT, 300000, 2, 2, 300, 0, false } },
		{ "compact, inflight.re, 10 times as long", "inflight.re", NULL, 0,
		  { NFART_FORMAT_COMPACT, 3000000, 2, 2, 300, 0, false } },
		{ "compact, checks.re, 1 M lines at random", "checks.re", "0x8080,1048576", 1 << 20,
		  { NFART_FORMAT_COMPACT, 300000, 2, 2, 2, 1 << 20, false } },
		{ "compact, checks.re, 1 M lines, 10 times as long", "checks.re", "0x8080,1048576",
		  1 << 20, { NFART_FORMAT_COMPACT, 3000000, 2, 2, 2, 1 << 20, false } },
	};

	if (argc != 3) {
		fputs("usage: bench_memory NFARUN EXAMPLES\n", stderr);
		return NFART_USAGE;
	}
	printf("\nmemory of nfarun --count: the most that was resident, beside 64 MiB and 16 bytes "
	       "a line\nobserved\n\n%-52s %10s %10s %10s\n",
	       "", "trace, MiB", "ours, MiB", "bound, MiB");
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		size_t n = bench_prepare(argv[2], rows[i].example, &rows[i].t);
		uint64_t bound = (64 << 20) + 16 * rows[i].lines, took;
		struct rusage u;
		subject_process(argv[1], image_name, trace_name, rows[i].substream, &u);
		took = (uint64_t)u.ru_maxrss << 10;
		printf("%-52s %10.1f %10.1f %10.1f%s\n", rows[i].what, mib(n), mib(took),
		       mib(bound), took > bound ? "  above" : "");
	}
	remove(image_name);
	remove(trace_name);
	return NFART_OK;
}
