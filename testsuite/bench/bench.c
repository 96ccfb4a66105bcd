/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bench: measures how long the examples and a filter of 10,000 factors take to compile, and prints
 * medians of processor time.
 *
 *   bench NFACC EXAMPLES
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compiler/pipeline.h"
#include "support/clock.h"
#include "testsuite/bench/measure.h"

enum { COMPILES = 25, FACTORS = 10000, FACTORS_COMPILES = 5 };

/* ---- measuring compile times ---- */

/* A filter to compile, and the folder that may have its protocol. */
struct subject {
	struct pipeline_file file;
	const char *dir;
};

/* Compiles the filter, and returns the milliseconds that took, or -1 if it does not fit. */
static double compile_ms(const struct subject *x, bool mapped, enum verify_level level)
{
	double begin = clock_cpu_seconds(), end;
	struct pipeline *p = malloc(sizeof *p);
	struct pipeline_options o;
	enum nfart_status status;

	if (p == NULL)
		die("out of memory");
	pipeline_options_init(&o);
	o.overlay.o.none = !mapped;
	o.proof.level = level;
	o.dirs = &x->dir;
	o.ndirs = 1;
	status = pipeline_run(p, &o, &x->file, 1);
	end = clock_cpu_seconds();
	if (status != NFART_OK && !(mapped && status == NFART_NOFIT))
		die(x->file.name);
	if (status == NFART_OK && level != VERIFY_OFF && p->verify.verdict != VERIFY_PROVED)
		die("the proof is bounded");
	pipeline_free(p);
	free(p);
	return status == NFART_OK ? (end - begin) * 1e3 : -1;
}

/* Prints the milliseconds without and with the proof, and their ratio. With and without take turns,
 * so that both see the same machine. Returns the milliseconds with the proof, as compile_ms(). */
static double print_compile(const struct subject *x, bool mapped, int runs)
{
	double without[COMPILES], with[COMPILES], a, b;

	for (int i = 0; i < runs; i++) {
		without[i] = compile_ms(x, mapped, VERIFY_OFF);
		with[i] = compile_ms(x, mapped, VERIFY_BOUNDED);
	}
	a = median(without, (size_t)runs);
	b = median(with, (size_t)runs);
	if (a < 0)
		printf(" %9s %9s %6s", "no fit", "", "");
	else
		printf(" %9.3f %9.3f %6.2f", a, b, b / a);
	fflush(stdout);
	return b;
}

static double process_ms(const char *nfacc, const char *dir, const char *file)
{
	double t[COMPILES];

	for (int i = 0; i < COMPILES; i++) {
		struct rusage used;
		pid_t pid = fork();
		int code = 0;
		if (pid == 0) {
			execl(nfacc, nfacc, file, "-I", dir, "--overlay", "none", "-o", "/dev/null",
			      "-Wno-contained-label", "-Wno-useless-log", (char *)NULL);
			_exit(127);
		}
		if (pid < 0 || wait4(pid, &code, 0, &used) < 0 || code != 0)
			die("nfacc failed");
		t[i] = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e3 +
		       (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e3;
	}
	return median(t, COMPILES);
}

/* Prints the row of a filter that is a chain of many different letters. */
static void print_factors(void)
{
	struct buf text = { 0 };
	struct subject x = { { .name = "10,000 factors" }, "." };

	buf_addf(&text, "protocol bytes;\nfilter f = true*");
	for (unsigned i = 0; i < FACTORS; i++)
		buf_addf(&text, " '\\x%02x'", (7 * i + i / 256) % 256);
	buf_addf(&text, ";\n");
	if (text.failed)
		die("out of memory");
	x.file.text = text.at;
	x.file.n = text.n;
	printf("%-18s", x.file.name);
	print_compile(&x, false, FACTORS_COMPILES);
	putchar('\n');
	buf_free(&text);
}

/* ---- the examples ---- */

struct example {
	const char *name, *path;
	char folder[512];
	struct buf text;
};

static void read_example(const char *path, struct example *x)
{
	const char *slash = strrchr(path, '/');

	x->path = path;
	x->name = slash != NULL ? slash + 1 : path;
	snprintf(x->folder, sizeof x->folder, "%.*s", slash != NULL ? (int)(slash - path) : 1,
		 slash != NULL ? path : ".");
	if (buf_read_file(&x->text, path, 1 << 20) != 0)
		die(path);
}

/* Prints the row of an example. Returns the milliseconds of the slower of its compiles with the
 * proof, without and with mapping. */
static double print_example(const char *nfacc, const struct example *v)
{
	bool yaml = v->name[strlen(v->name) - 1] == 'l';
	struct subject x = { { v->name, v->text.at, v->text.n, yaml }, v->folder };
	double without, mapped;

	printf("%-18s", v->name);
	without = print_compile(&x, false, COMPILES);
	mapped = print_compile(&x, true, COMPILES);
	printf(" %8.3f\n", process_ms(nfacc, v->folder, v->path));
	return without > mapped ? without : mapped;
}

int main(int argc, char **argv)
{
	static struct example v[64];
	double most = 0;
	size_t n, slowest = 0;

	if (argc < 3 || argc > 66) {
		fputs("usage: bench NFACC FILTER... (at most 64)\n", stderr);
		return NFART_USAGE;
	}
	n = (size_t)argc - 2;
	for (size_t i = 0; i < n; i++)
		read_example(argv[i + 2], &v[i]);
	printf("compile time, ms of processor time (median of %d; %d for many factors): "
	       "in-process, without mapping and with\n"
	       "the default overlay, each without proof, with proof, and with to without; and the "
	       "whole process without\n"
	       "mapping (targets: 20 ms in-process with proof, a ratio of at most 2)\n",
	       COMPILES, FACTORS_COMPILES);
	for (size_t i = 0; i < n; i++) {
		double ms = print_example(argv[1], &v[i]);
		if (ms > most)
			slowest = i;
		most = ms > most ? ms : most;
	}
	if (n != 0)
		printf("slowest example with proof: %s, %.3f ms\n", v[slowest].name, most);
	print_factors();
	return NFART_OK;
}
