/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bench: measures how long the examples take to compile, and prints medians.
 *
 *   bench NFACC EXAMPLES
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compiler/pipeline.h"
#include "testsuite/bench/measure.h"

enum { COMPILES = 25 };

/* ---- measuring compile times ---- */

/* Returns the milliseconds that a compilation takes without its proof. Stores in *proof the
 * milliseconds that the proof takes. */
static double compile_ms(const struct pipeline_file *f, bool mapped, double *proof)
{
	struct pipeline_options o;
	double t[COMPILES], v[COMPILES];

	pipeline_options_init(&o);
	o.overlay.o.none = !mapped;
	for (int i = 0; i < COMPILES; i++) {
		struct pipeline *p = malloc(sizeof *p);
		double begin = measure_now(CLOCK_MONOTONIC);
		if (p == NULL)
			die("out of memory");
		enum nfart_status s = pipeline_run(p, &o, f, 1);
		t[i] = (measure_now(CLOCK_MONOTONIC) - begin) * 1e3;
		v[i] = (double)p->verify.nanoseconds / 1e6;
		t[i] -= v[i];
		if (s != NFART_OK && !mapped)
			die(f->name);
		if (s != NFART_OK)
			t[i] = -1;
		pipeline_free(p);
		free(p);
	}
	*proof = median(v, COMPILES);
	return median(t, COMPILES);
}

static double process_ms(const char *nfacc, const char *file)
{
	double t[COMPILES];

	for (int i = 0; i < COMPILES; i++) {
		double begin = measure_now(CLOCK_MONOTONIC);
		pid_t pid = fork();
		int code = 0;
		if (pid == 0) {
			execl(nfacc, nfacc, file, "--overlay", "none", "-o", "/dev/null",
			      "-Wno-contained-label", "-Wno-useless-log", (char *)NULL);
			_exit(127);
		}
		if (pid < 0 || waitpid(pid, &code, 0) < 0 || code != 0)
			die("nfacc failed");
		t[i] = (measure_now(CLOCK_MONOTONIC) - begin) * 1e3;
	}
	return median(t, COMPILES);
}

/* ---- finding the examples ---- */

struct example {
	char *name, *path;
	struct buf text;
};

static bool is_filter(const char *name)
{
	size_t n = strlen(name);

	return (n > 3 && strcmp(name + n - 3, ".re") == 0) ||
	       (n > 5 && strcmp(name + n - 5, ".yaml") == 0);
}

static int by_name(const void *x, const void *y)
{
	return strcmp(((const struct example *)x)->name, ((const struct example *)y)->name);
}

static size_t find_examples(const char *dir, struct example *v, size_t most)
{
	DIR *d = opendir(dir);
	struct dirent *f;
	size_t n = 0;

	if (d == NULL)
		die(strerror(errno));
	while ((f = readdir(d)) != NULL && n < most) {
		if (!is_filter(f->d_name))
			continue;
		v[n].name = strdup(f->d_name);
		v[n].path = malloc(strlen(dir) + strlen(f->d_name) + 2);
		if (v[n].name == NULL || v[n].path == NULL)
			die("out of memory");
		sprintf(v[n].path, "%s/%s", dir, f->d_name);
		if (buf_read_file(&v[n].text, v[n].path, 1 << 20) != 0)
			die(v[n].path);
		n++;
	}
	closedir(d);
	qsort(v, n, sizeof *v, by_name);
	return n;
}

int main(int argc, char **argv)
{
	static struct example v[64];
	size_t n;

	if (argc != 3) {
		fputs("usage: bench NFACC EXAMPLES\n", stderr);
		return NFART_USAGE;
	}
	n = find_examples(argv[2], v, 64);
	printf("compile time, ms (median of %d): in-process without mapping, with the default "
	       "overlay,\n"
	       "each beside its proof, and the whole process without mapping (targets: 20 ms "
	       "in-process without\n"
	       "mapping, the proof at most as long as the rest)\n",
	       COMPILES);
	for (size_t i = 0; i < n; i++) {
		size_t k = strlen(v[i].name);
		struct pipeline_file f = { v[i].name, v[i].text.at, v[i].text.n,
					   v[i].name[k - 1] == 'l' };
		double proof[2], none = compile_ms(&f, false, &proof[0]),
				 mapped = compile_ms(&f, true, &proof[1]);
		printf("%-18s %8.3f + %7.3f ", v[i].name, none, proof[0]);
		if (mapped >= 0)
			printf("%8.3f + %7.3f ", mapped, proof[1]);
		else
			printf("%8s   %7s ", "no fit", "");
		printf("%8.3f\n", process_ms(argv[1], v[i].path));
	}
	return NFART_OK;
}
