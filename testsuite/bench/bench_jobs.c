/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bench_jobs: how much faster several threads are, and how much more processor time they take. A
 * run does what `nfarun --count` does on a file in the page cache, with 1, 2, 4, … threads, up to
 * twice as many as there are cores. For comparison, as many processes as there are cores run at
 * once. They share nothing, so threads can't be faster. All of these run in turn, several times.
 * The best run counts for the clock, since others may use the machine, and for processor time the
 * median of the quotients of each turn.
 *
 *   bench_jobs NFAGEN
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/run/run.h"
#include "support/clock.h"
#include "testsuite/bench/measure.h"
#include "testsuite/bench/subject.h"

enum { RUNS = 9, MOST_WAYS = 10 };

static const struct {
	const char *name, *filter, *trace;
} rows[] = {
	{ "compact, no substreams, 8 states",
	  "filter a = true* R12 R13 R12 R13 R12; filter b = true* R13 None(RA2) R12 R12;",
	  "--length 6000000 --lines 1000 -f compact" },
	{ "dense, no substreams, 8 states",
	  "filter a = true* R12 R13 R12 R13 R12; filter b = true* R13 None(RA2) R12 R12;",
	  "--length 1600000 --messages-per-batch 2 -f dense" },
	{ "compact, 128 lines",
	  "substream cl from 0x8080 count 128; filter a = true* R12 R12 R12 R12;",
	  "--length 6000000 --lines 128 -f compact" },
	{ "compact, 100,000 lines",
	  "substream cl from 0 count 1000000; filter a = true* R12 R12 R12 R12;",
	  "--length 6000000 --lines 100000 -f compact" },
	{ "compact, 1,000,000 lines",
	  "substream cl from 0 count 1048576; filter a = true* R12 R12 R12 R12;",
	  "--length 16000000 --lines 1000000 -f compact" },
	{ "compact, 1,000 lines, 2 messages",
	  "substream cl from 0 count 1000; filter a = true* R12 R12 R12 R12;",
	  "--length 2000000 --lines 1000 --messages-per-batch 2 -f compact" },
};
enum { NROWS = sizeof rows / sizeof rows[0] };

static void bench_once(const struct nfart_image *im, const char *trace, unsigned jobs,
		       uint64_t *messages, uint64_t *accepted)
{
	static volatile sig_atomic_t stop;
	struct run r = { .image = im, .stop = &stop, .how.jobs = jobs };
	struct nfart_reader_options ro = { .format = NFART_FORMAT_AUTO };
	struct nfart_error e;

	r.labels = run_labels(im, NULL, &r.nlabels);
	r.reader = nfart_reader_open(trace, im->proto, &ro, &e);
	if (r.reader == NULL || run_all(&r, &e) != NFART_OK)
		die(e.what);
	*messages = run_stats(&r)->messages;
	*accepted = r.result.accepted_any;
	run_free(&r);
	nfart_reader_free(r.reader);
	free((void *)r.labels);
}

/* Runs n processes of one thread at once, each over the whole trace. Returns the seconds until all
 * of them are done. Threads can't be faster than these processes. */
static double at_once(const struct nfart_image *im, const char *trace, long n)
{
	double wall = clock_seconds();
	uint64_t messages, accepted;
	int code = 0;

	fflush(stdout);
	for (long k = 0; k < n; k++) {
		pid_t pid = fork();
		if (pid == 0) {
			bench_once(im, trace, 1, &messages, &accepted);
			_exit(0);
		}
		if (pid < 0)
			die("no process");
	}
	for (long k = 0; k < n; k++)
		if (wait(&code) < 0 || code != 0)
			die("a process failed");
	return clock_seconds() - wall;
}

/* One number of threads. */
struct way {
	unsigned jobs;
	double wall, cpu[RUNS],  /* the seconds of the best run, and the processor time of each */
		of_one[RUNS];    /* this divided by that of one thread in the same turn */
	uint64_t messages, accepted;
};

/* Runs each way several times, in turn. way[0] is one thread. Returns the seconds of `cores`
 * processes at once. */
static double measure(const struct nfart_image *im, const char *trace, struct way *way, size_t n,
		      long cores)
{
	double least = 1e9;

	for (int i = 0; i < RUNS; i++) {
		double t;
		for (struct way *w = way; w < way + n; w++) {
			double used = clock_cpu_seconds();
			t = clock_seconds();
			bench_once(im, trace, w->jobs, &w->messages, &w->accepted);
			t = clock_seconds() - t;
			w->cpu[i] = clock_cpu_seconds() - used;
			w->of_one[i] = w->cpu[i] / way->cpu[i];
			w->wall = i == 0 || t < w->wall ? t : w->wall;
		}
		t = at_once(im, trace, cores);
		least = t < least ? t : least;
	}
	return least;
}

static void print_row(const char *name, struct way *way, size_t n, long cores, double processes)
{
	for (struct way *w = way; w < way + n; w++) {
		printf("%-34s -j%-3u %7.1f M messages/s %5.2f times one thread, %6.1f ms of "
		       "processor time, %.2f of one thread's, %" PRIu64 " accepted\n",
		       name, w->jobs, (double)w->messages / w->wall / 1e6, way->wall / w->wall,
		       median(w->cpu, RUNS) * 1e3, median(w->of_one, RUNS), w->accepted);
		if (w->jobs == cores)
			printf("%-34s limit %39.2f times: %ld processes at once, each over the "
			       "whole trace; threads gain %.2f of it\n",
			       name, (double)cores * way->wall / processes, cores,
			       processes / ((double)cores * w->wall));
	}
}

int main(int argc, char **argv)
{
	char path[] = "/tmp/nfacc-bench.XXXXXX", command[512];
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	int fd;

	if (argc != 2) {
		fputs("usage: bench_jobs NFAGEN\n", stderr);
		return NFART_USAGE;
	}
	fd = mkstemp(path);
	if (fd < 0)
		die("no temporary file");
	close(fd);
	printf("\nnfarun -j: a trace in the page cache, %ld cores, best of %d, processor time: "
	       "medians (target: two threads take 1.15 times the processor time of one, and gain "
	       "0.9 of what two processes gain)\n",
	       cores, RUNS);
	for (int i = 0; i < NROWS; i++) {
		struct nfart_image *im =
			subject_compile("bench", rows[i].filter, strlen(rows[i].filter), 1);
		struct way way[MOST_WAYS] = { { .jobs = 1 } };
		size_t n = 1;
		for (; n < MOST_WAYS && 1 << n <= 2 * cores && 1 << n <= RUN_MOST_JOBS; n++)
			way[n].jobs = 1u << n;
		snprintf(command, sizeof command, "'%s' -q --seed 1 %s -o %s", argv[1],
			 rows[i].trace, path);
		if (system(command) != 0)
			die("nfagen failed");
		print_row(rows[i].name, way, n, cores, measure(im, path, way, n, cores));
		nfart_image_free(im);
	}
	unlink(path);
	return NFART_OK;
}
