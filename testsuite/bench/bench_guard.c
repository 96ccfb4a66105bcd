/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bench_guard: is this build as fast as an earlier one? Each row is a command that users run, in
 * both builds in turn. Its speed is the processor time in the earlier build, divided by that in
 * this one; medians are compared. Below BAR a row is measured again, up to AGAIN times, with more
 * runs. It is slow only if every measurement says so: one that others on the machine have
 * disturbed does not decide.
 *
 *   bench_guard NOW BEFORE [ROW]
 *
 * NOW and BEFORE are folders with nfacc, nfagen and nfarun. With ROW only the rows whose names
 * contain it are measured. Files are written into the working folder, and removed. The earlier
 * build makes the traces, which the later one can read; each compiles its own images. Exit code 1:
 * a row is slow.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testsuite/bench/measure.h"
#include "testsuite/bench/subject.h"
#include "testsuite/bench/traffic.h"

#define BAR 0.9

enum { RUNS = 9, MORE_RUNS = 21, AGAIN = 3, MOST_WORDS = 12, LETTERS = 1 << 24 };
enum { NOW, BEFORE, SIDES };

/* ---- what is measured ---- */

#define REQ "Any(cpu.MREQ_RLDD, cpu.MREQ_RLDI, cpu.MREQ_RLDX)"
#define PAIR "filter f = true* " REQ " None(fpga.MRSP_PEMD, fpga.MRSP_PSHA)* " REQ ";\n"

/* Filters; those without a text are patterns of one kind. `%NAME` in a command is the image. */
static const struct {
	const char *name, *text;
	enum patterns kind;
} filters[] = {
	{ "inflight", "protocol eci;\n" PAIR, 0 },
	{ "lines", "protocol eci;\nsubstream cl from 0 count 1048576;\n" PAIR, 0 },
	{ "every", "protocol eci;\nfilter every = true+;\n", 0 },
	{ "simple", NULL, PATTERNS_SIMPLE },
	{ "moderate", NULL, PATTERNS_MODERATE },
};
enum { FILTERS = sizeof filters / sizeof filters[0] };

#define COMPACT "guard.compact"
#define SOME "guard.some"
#define DENSE "guard.dense"
#define TEXT "guard.text"
#define SHORT "guard.short"
#define RAW "guard.raw"
#define OUT "guard.out"

static const struct {
	const char *name, *messages, *format;
} traces[] = {
	{ COMPACT, "3000000", "compact" },
	{ SOME, "300000", "compact" },
	{ DENSE, "1000000", "dense" },
	{ TEXT, "300000", "text" },
	{ SHORT, "40", "compact" },
};
enum { TRACES = sizeof traces / sizeof traces[0] };

static const struct row {
	const char *name;
	unsigned times; /* the command runs so often in each measurement */
	const char *words[MOST_WORDS]; /* after `nfarun`, up to a NULL */
} rows[] = {
	{ "count, compact", 1, { "-q", "--count", "%inflight", COMPACT } },
	{ "count, dense", 1, { "-q", "--count", "%inflight", DENSE } },
	{ "count, text", 1, { "-q", "--count", "%inflight", TEXT } },
	{ "a filter per line", 1, { "-q", "--count", "%lines", COMPACT } },
	{ "a filter per line, two threads", 1,
	  { "-q", "-j", "2", "--count", "%lines", COMPACT } },
	{ "latency", 1, { "-q", "--latency", COMPACT } },
	{ "latency by type", 1, { "-q", "--latency", "--by", "type", COMPACT } },
	{ "latency by line", 1, { "-q", "--latency", "--by", "line", COMPACT } },
	{ "open", 1, { "-q", "--open", COMPACT } },
	{ "in flight", 1, { "-q", "--in-flight", COMPACT } },
	{ "rate", 1, { "-q", "--rate", "100000", COMPACT } },
	{ "count by line", 1, { "-q", "--count", "--by", "line", "-p", "eci", COMPACT } },
	{ "bytes, 30 simple", 4, { "-q", "--count", "--from", "raw", "%simple", RAW } },
	{ "bytes, 30 moderate", 1, { "-q", "--count", "--from", "raw", "%moderate", RAW } },
	{ "start, -e", 20, { "-q", "-e", "true* MREQ_RLDD", SHORT } },
	{ "start, an image", 20, { "-q", "--count", "%inflight", SHORT } },
	{ "convert, compact to dense", 1,
	  { "convert", "-q", "--to", "dense", "-o", OUT, SOME } },
	{ "convert, dense to compact", 1,
	  { "convert", "-q", "--to", "compact", "-o", OUT, DENSE } },
	{ "convert, text to compact", 1,
	  { "convert", "-q", "--to", "compact", "-o", OUT, TEXT } },
	{ "write text", 1, { "-q", "-t", "text", "-o", OUT, "%every", DENSE } },
};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* ---- running ---- */

/* Runs a program without output. Returns its seconds of processor time, those of its children
 * included; or -1, if it failed. */
static double guard_run(const char *const *words)
{
	struct rusage u;
	int code = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		int null = open("/dev/null", O_RDWR);
		for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
			dup2(null, fd);
		execv(words[0], (char *const *)words);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &code, 0, &u) < 0)
		die(strerror(errno));
	if (code != 0)
		return -1;
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* The two builds, and where the image of each filter is for each of them. */
struct guard {
	char nfarun[SIDES][4096], nfacc[SIDES][4096], nfagen[4096];
	char image[SIDES][FILTERS][64];
};

/* Returns the seconds of a row in a build, or -1. */
static double row_once(const struct guard *g, int side, const struct row *r)
{
	const char *words[MOST_WORDS + 2] = { g->nfarun[side] };
	double sum = 0, t = 0;
	size_t n = 1;

	for (size_t i = 0; i < MOST_WORDS && r->words[i] != NULL; i++) {
		words[n] = r->words[i];
		for (size_t k = 0; k < FILTERS && words[n][0] == '%'; k++)
			if (strcmp(words[n] + 1, filters[k].name) == 0)
				words[n] = g->image[side][k];
		n++;
	}
	for (unsigned i = 0; i < r->times && t >= 0; i++) {
		t = guard_run(words);
		sum += t;
	}
	return t < 0 ? -1 : sum;
}

/* Measures a row, and prints it. Returns its speed beside the earlier build; 0: that has no such
 * command, or its image could not be compiled there. */
static double row_measure(const struct guard *g, const struct row *r, int runs, const char *note)
{
	double t[SIDES][MORE_RUNS], now, before;

	for (int i = 0; i < runs; i++)
		for (int k = 0; k < SIDES; k++) {
			int side = (i + k) % SIDES;
			t[side][i] = row_once(g, side, r);
			if (side == NOW && t[side][i] < 0)
				die(r->name);
			/* A command that worked before must go on working. */
			if (t[side][i] < 0 && (i != 0 || *note != '\0'))
				die(r->name);
			if (side == BEFORE && t[side][i] < 0) {
				printf("%-32s %10s\n", r->name, "none");
				return 0;
			}
		}
	now = median(t[NOW], (size_t)runs);
	before = median(t[BEFORE], (size_t)runs);
	printf("%-32s %10.2f %10.2f %8.2f %s\n", r->name, before * 1e3 / r->times,
	       now * 1e3 / r->times, before / now, note);
	fflush(stdout);
	return before / now;
}

/* Measures a row as often as it takes. False: it is slow. */
static bool row_good(const struct guard *g, const struct row *r)
{
	double speed = row_measure(g, r, RUNS, "");

	for (int i = 0; i < AGAIN && speed != 0 && speed < BAR; i++)
		speed = row_measure(g, r, MORE_RUNS, "again");
	return speed == 0 || speed >= BAR;
}

/* ---- before ---- */

static void guard_path(char *to, size_t size, const char *dir, const char *name)
{
	if ((size_t)snprintf(to, size, "%s/%s", dir, name) >= size)
		die("a name is too long");
}

/* Writes the filters, and compiles each in both builds. What the earlier build can't compile it has
 * no image of. */
static void make_images(struct guard *g)
{
	static const char source[] = "guard.re";

	for (size_t k = 0; k < FILTERS; k++) {
		struct buf re = { 0 }, pcre = { 0 };
		if (filters[k].text != NULL)
			buf_addf(&re, "%s", filters[k].text);
		else
			traffic_patterns(filters[k].kind, 30, 1, &pcre, &re);
		if (re.failed || pcre.failed)
			die("out of memory");
		subject_write(source, re.at, re.n);
		for (int side = 0; side < SIDES; side++) {
			char *to = g->image[side][k];
			snprintf(to, sizeof g->image[side][k], "guard-%d-%s.bin", side,
				 filters[k].name);
			if (guard_run((const char *const[]){ g->nfacc[side], "--overlay", "none",
							     "-o", to, source, NULL }) < 0 &&
			    side == NOW)
				die(filters[k].name);
		}
		buf_free(&re);
		buf_free(&pcre);
	}
	remove(source);
}

static void make_traces(const struct guard *g)
{
	struct buf text = { 0 };

	for (size_t i = 0; i < TRACES; i++)
		if (guard_run((const char *const[]){ g->nfagen, "-q", "--messages",
						     traces[i].messages, "-f", traces[i].format,
						     "-o", traces[i].name, NULL }) < 0)
			die(g->nfagen);
	if (!traffic_letters(LETTERS, 1, &text))
		die("out of memory");
	subject_write(RAW, text.at, text.n);
	buf_free(&text);
}

static void guard_clean(const struct guard *g)
{
	for (size_t k = 0; k < FILTERS; k++)
		for (int side = 0; side < SIDES; side++)
			remove(g->image[side][k]);
	for (size_t i = 0; i < TRACES; i++)
		remove(traces[i].name);
	remove(RAW);
	remove(OUT);
}

int main(int argc, char **argv)
{
	static struct guard g;
	bool slow[ROWS] = { false };
	size_t measured = 0, nslow = 0;

	if (argc != 3 && argc != 4) {
		fputs("usage: bench_guard NOW BEFORE [ROW]\n", stderr);
		return NFART_USAGE;
	}
	for (int side = 0; side < SIDES; side++) {
		guard_path(g.nfarun[side], sizeof g.nfarun[side], argv[1 + side], "nfarun");
		guard_path(g.nfacc[side], sizeof g.nfacc[side], argv[1 + side], "nfacc");
	}
	guard_path(g.nfagen, sizeof g.nfagen, argv[1 + BEFORE], "nfagen");
	make_images(&g);
	make_traces(&g);
	printf("milliseconds of processor time, and the speed beside before (at least %.1f)\n\n"
	       "%-32s %10s %10s %8s\n", BAR, "row", "before", "now", "speed");
	for (size_t i = 0; i < ROWS; i++)
		if (argc == 3 || strstr(rows[i].name, argv[3]) != NULL) {
			measured++;
			slow[i] = !row_good(&g, &rows[i]);
			nslow += slow[i];
		}
	guard_clean(&g);
	for (size_t i = 0; i < ROWS; i++)
		if (slow[i])
			printf("slower than before: %s\n", rows[i].name);
	if (measured == 0)
		die("no row has such a name");
	if (nslow == 0)
		printf("no row is slower than before: %zu rows\n", measured);
	return nslow != 0;
}
