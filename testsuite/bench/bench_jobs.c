/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bench_jobs: how much faster several threads are. A run does what `nfarun --count` does on a file
 * in the page cache, with 1, 2, … threads, up to twice as many as there are cores. For comparison,
 * as many processes as there are cores run at once. They share nothing, so threads can't be faster.
 * The best of several runs counts, since others may use the machine.
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

enum { RUNS = 7 };

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

/* Returns the seconds that the best of several runs takes, and stores in *cpu its processor time.
 * */
static double best(const struct nfart_image *im, const char *trace, unsigned jobs, double *cpu,
		   uint64_t *messages, uint64_t *accepted)
{
	double least = 1e9;

	for (int i = 0; i < RUNS; i++) {
		double wall = clock_seconds(), used = clock_cpu_seconds();
		bench_once(im, trace, jobs, messages, accepted);
		wall = clock_seconds() - wall;
		used = clock_cpu_seconds() - used;
		if (wall < least) {
			least = wall;
			*cpu = used;
		}
	}
	return least;
}

/* Runs n processes of one thread at once, each over the whole trace. Returns the seconds until all
 * of them are done. Threads can't be faster than these processes. */
static double at_once(const struct nfart_image *im, const char *trace, long n)
{
	uint64_t messages, accepted;
	double least = 1e9;

	for (int i = 0; i < RUNS; i++) {
		double wall = clock_seconds();
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
		wall = clock_seconds() - wall;
		least = wall < least ? wall : least;
	}
	return least;
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
	printf("\nnfarun -j: a trace in the page cache, %ld cores, best of %d "
	       "(target: 1.7 times one thread with two)\n", cores, RUNS);
	for (int i = 0; i < NROWS; i++) {
		struct nfart_image *im =
			subject_compile("bench", rows[i].filter, strlen(rows[i].filter), 1);
		uint64_t messages, accepted;
		double one = 0, cpu = 0;
		snprintf(command, sizeof command, "'%s' -q --seed 1 %s -o %s", argv[1],
			 rows[i].trace, path);
		if (system(command) != 0)
			die("nfagen failed");
		for (long j = 1; j <= 2 * cores && j <= RUN_MOST_JOBS; j *= 2) {
			double t = best(im, path, (unsigned)j, &cpu, &messages, &accepted);
			one = j == 1 ? t : one;
			printf("%-34s -j%-3ld %8.1f M messages/s %5.2f times one thread, %5.1f ms "
			       "of processor time, %" PRIu64 " accepted\n",
			       rows[i].name, j, (double)messages / t / 1e6, one / t, cpu * 1e3,
			       accepted);
		}
		printf("%-34s limit %42.2f times: %ld processes at once, each over the whole "
		       "trace\n",
		       rows[i].name, (double)cores * one / at_once(im, path, cores), cores);
		nfart_image_free(im);
	}
	unlink(path);
	return NFART_OK;
}
