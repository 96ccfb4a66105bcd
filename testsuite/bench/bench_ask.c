/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bench_ask: how fast nfarun answers questions about a trace, beside `nfarun --count` with the
 * example inflight.re on the same trace. Each number is the processor time of that run, divided by
 * that of the question: above 0.5 a question takes less than twice as long. Runs take turns, so
 * that all see the same machine, and the medians are compared. In one column the rules for pairs
 * are in order. Labels are those of inflight.re, of a filter with a copy a line, and of one with
 * ticks.
 *
 * Then come the same questions in two threads: their processor time and their speed beside one
 * thread, and how much faster two processes at once are than one after the other, which is the
 * limit. The last row is how long nfarun -e takes for a trace of one kilobyte, beside an nfarun
 * that only prints its version.
 *
 *   bench_ask NFARUN NFAGEN EXAMPLES PROTOCOLS
 */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/buf.h"
#include "support/clock.h"
#include "testsuite/bench/measure.h"
#include "testsuite/bench/subject.h"

enum { RUNS = 11, MOST_WORDS = 8 };

static const char image_name[] = "bench.bin", lines_name[] = "bench-lines.bin",
		  ticks_name[] = "bench-ticks.bin", trace_name[] = "bench.trace",
		  protocol_name[] = "./bench.proto";

/* What is measured: the words after the name of the program, up to a NULL. The first is the plain
 * count. */
static const char *const questions[][MOST_WORDS] = {
	{ "--count", image_name },
	{ "--latency" },
	{ "--latency", "-p", protocol_name },
	{ "--latency", "--by", "type" },
	{ "--latency", "--by", "line" },
	{ "--latency", "--by", "label", image_name },
	{ "--latency", "--by", "label", lines_name },
	{ "--latency", "--by", "label", ticks_name },
	{ "--open" },
	{ "--in-flight" },
	{ "--rate", "100000" },
	{ "--count", "--by", "type" },
	{ "--count", "--by", "line", "-p", "eci" },
};
enum { QUESTIONS = sizeof questions / sizeof questions[0] };

static double bench_question(const char *nfarun, const char *const *question)
{
	const char *words[MOST_WORDS + 4] = { nfarun, "-q" };
	size_t n = 2;

	for (; *question != NULL; question++)
		words[n++] = *question;
	words[n++] = trace_name;
	return subject_run(words);
}

static void print_row(const char *nfarun, const char *nfagen, const char *format)
{
	const char *const make[] = { nfagen, "-q", "--messages", "3000000", "-f", format, "-o",
				     trace_name, NULL };
	double t[QUESTIONS][RUNS], plain;

	subject_run(make);
	for (int i = 0; i < RUNS; i++)
		for (size_t q = 0; q < QUESTIONS; q++)
			t[q][i] = bench_question(nfarun, questions[q]);
	plain = median(t[0], RUNS);
	printf("%-10s", format);
	for (size_t q = 1; q < QUESTIONS; q++)
		printf(" %9.2f", plain / median(t[q], RUNS));
	putchar('\n');
	fflush(stdout);
}

/* ---- threads ---- */

static const char *const threaded[][MOST_WORDS] = {
	{ "--latency" },
	{ "--latency", "--by", "type" },
	{ "--latency", "--by", "line" },
	{ "--latency", "--by", "label", image_name },
	{ "--latency", "--by", "label", lines_name },
	{ "--latency", "--by", "label", ticks_name },
	{ "--open" },
	{ "--in-flight" },
};
enum { THREADED = sizeof threaded / sizeof threaded[0] };

/* The seconds of a question: of the clock and of the processor. */
struct cost {
	double wall, cpu;
};

static struct cost cost_of(const char *nfarun, const char *const *question, const char *jobs)
{
	const char *words[MOST_WORDS + 6] = { nfarun, "-q", "-j", jobs };
	struct cost c = { clock_seconds(), 0 };
	size_t n = 4;

	for (; *question != NULL; question++)
		words[n++] = *question;
	words[n++] = trace_name;
	c.cpu = subject_run(words);
	c.wall = clock_seconds() - c.wall;
	return c;
}

/* Asks the question in two processes at once. Returns the seconds of the clock. */
static double two_at_once(const char *nfarun, const char *const *question)
{
	double begin = clock_seconds();
	int code = 0;

	fflush(stdout);
	for (int k = 0; k < 2; k++) {
		pid_t pid = fork();
		if (pid == 0) {
			cost_of(nfarun, question, "1");
			_exit(0);
		}
		if (pid < 0)
			die("no process");
	}
	for (int k = 0; k < 2; k++)
		if (wait(&code) < 0 || code != 0)
			die("a process failed");
	return clock_seconds() - begin;
}

/* Prints a question's row, for the trace that lies in the working folder. */
static void thread_row(const char *nfarun, const char *const *question)
{
	double one[RUNS], two[RUNS], cpu_one[RUNS], cpu_two[RUNS], both[RUNS], m;
	char name[64] = "";

	for (int i = 0; i < RUNS; i++) {
		struct cost a = cost_of(nfarun, question, "1"), b = cost_of(nfarun, question, "2");
		one[i] = a.wall;
		two[i] = b.wall;
		cpu_one[i] = a.cpu;
		cpu_two[i] = b.cpu;
		both[i] = two_at_once(nfarun, question);
	}
	for (size_t k = 0; question[k] != NULL; k++)
		snprintf(name + strlen(name), sizeof name - strlen(name), "%s ", question[k]);
	m = median(one, RUNS);
	printf("%-36s %14.2f %9.2f %9.2f\n", name,
	       median(cpu_two, RUNS) / median(cpu_one, RUNS), m / median(two, RUNS),
	       2 * m / median(both, RUNS));
	fflush(stdout);
}

static void thread_rows(const char *nfarun, const char *nfagen)
{
	const char *const make[] = { nfagen, "-q", "--messages", "3000000", "-f", "compact", "-o",
				     trace_name, NULL };

	subject_run(make);
	printf("\nquestions in two threads, compact: processor time beside one thread (target: at "
	       "most 1.15),\ntimes as fast as one thread, and the limit, two processes at once\n\n"
	       "%-36s %14s %9s %9s\n", "question", "processor time", "faster", "limit");
	for (size_t q = 0; q < THREADED; q++)
		thread_row(nfarun, threaded[q]);
}

/* ---- the start ---- */

static void start_row(const char *nfarun, const char *nfagen)
{
	const char *const make[] = { nfagen, "-q", "--messages", "40", "-f", "compact", "-o",
				     trace_name, NULL };
	const char *const run[] = { nfarun, "-q", "-e", "true* MREQ_RLDD", trace_name, NULL };
	const char *const nothing[] = { nfarun, "--version", NULL };
	double t[RUNS], least[RUNS], ms;

	subject_run(make);
	for (int i = 0; i < RUNS; i++) {
		t[i] = subject_run(run) * 1e3;
		least[i] = subject_run(nothing) * 1e3;
	}
	ms = median(t, RUNS);
	printf("\nnfarun -e with a trace of one kilobyte: %.2f ms of processor time (target: at "
	       "most 3), %.1f times\nnfarun --version\n", ms, ms / median(least, RUNS));
}

/* Writes protocol eci with all rules for pairs in order. False: it can't be read. */
static bool write_protocol(const char *protocols)
{
	struct buf path = { 0 }, text = { 0 }, out = { 0 };
	bool ok;

	buf_addf(&path, "%s/eci.proto", protocols);
	ok = !path.failed && buf_read_file(&text, path.at, 1 << 20) == 0;
	buf_add(&text, "", 1);
	for (const char *s = text.at; ok && !text.failed && *s != 0;) {
		size_t n = strcspn(s, "\n"), end = strcspn(s, ";\n");
		if (strncmp(s, "pair ", 5) == 0)
			buf_addf(&out, "%.*s in order;\n", (int)end, s);
		else
			buf_addf(&out, "%.*s\n", (int)n, s);
		s += n + (s[n] != 0);
	}
	ok = ok && !text.failed && !out.failed;
	if (ok)
		subject_write(protocol_name, out.at, out.n);
	buf_free(&path);
	buf_free(&text);
	buf_free(&out);
	return ok;
}

/* Writes an image to a file, and frees it. */
static void write_image(const char *name, struct nfart_image *im)
{
	subject_write(name, im->file.bytes, im->file.n);
	nfart_image_free(im);
}

int main(int argc, char **argv)
{
	static const char *const formats[] = { "compact", "dense", "records", "text" };
	static const char lines[] = "substream cl from 0 count 1000000; filter a = true* R12 true* "
				    "R13;",
			  ticks[] = "tick 100; let req = Any(R12, R13); filter inflight = "
				    "true* req None(RA2, RA3, tick)* req;";

	if (argc != 5) {
		fputs("usage: bench_ask NFARUN NFAGEN EXAMPLES PROTOCOLS\n", stderr);
		return NFART_USAGE;
	}
	if (!write_protocol(argv[4])) {
		fputs("bench_ask: error: can't read eci.proto\n", stderr);
		return NFART_INPUT;
	}
	write_image(image_name, subject_example(argv[3], "inflight.re"));
	write_image(lines_name, subject_compile("lines", lines, strlen(lines), 1));
	write_image(ticks_name, subject_compile("ticks", ticks, strlen(ticks), 1));
	puts("\nquestions about a trace of 3,000,000 messages: the speed of nfarun, divided "
	     "by that of\nnfarun --count with inflight.re\n");
	printf("%-10s %9s %9s %9s %9s %9s %9s %9s %9s %9s %9s %9s %9s\n", "trace", "latency",
	       "in order", "by type", "by line", "by label", "of lines", "of ticks", "open",
	       "in flight", "rate", "types", "lines");
	for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
		print_row(argv[1], argv[2], formats[i]);
	thread_rows(argv[1], argv[2]);
	start_row(argv[1], argv[2]);
	remove(image_name);
	remove(lines_name);
	remove(ticks_name);
	remove(trace_name);
	remove(protocol_name);
	return NFART_OK;
}
