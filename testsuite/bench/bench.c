/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bench: how long examples take to compile, and how fast the software engine filters traces that lie
 * in memory, beside what the memory delivers. Prints medians; ratios are what to compare.
 *
 *   bench NFACC NFAGEN EXAMPLES
 *
 * Throughput goes through libnfart as a program would use it: a reader over the buffer (chunk CRCs
 * verified), the engine, the window, results counted.
 */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "compiler/pipeline.h"
#include "runtime/image.h"

enum { RUNS = 7, COMPILES = 25, MEMORY = 1 << 29 };

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_value(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

static double median(double *v, size_t n)
{
	qsort(v, n, sizeof *v, by_value);
	return v[n / 2];
}

static void die(const char *what)
{
	fprintf(stderr, "bench: %s\n", what);
	exit(NFART_SYSTEM);
}

/* ---- compile times ---- */

/* Everything but the proof; *proof: the proof alone. */
static double compile_ms(const struct pipeline_file *f, bool mapped, struct buf *image, double *proof)
{
	struct pipeline_options o;
	double t[COMPILES], v[COMPILES];

	pipeline_options_init(&o);
	o.overlay.o.none = !mapped;
	for (int i = 0; i < COMPILES; i++) {
		struct pipeline *p = malloc(sizeof *p);
		double begin = now();
		if (p == NULL)
			die("out of memory");
		enum nfart_status s = pipeline_run(p, &o, f, 1);
		t[i] = (now() - begin) * 1e3;
		v[i] = (double)p->verify.nanoseconds / 1e6;
		t[i] -= v[i];
		if (s != NFART_OK && !mapped)
			die(f->name);
		if (s != NFART_OK)
			t[i] = -1;
		if (i == 0 && image != NULL)
			buf_add(image, p->image.at, p->image.n);
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
		double begin = now();
		pid_t pid = fork();
		int code = 0;
		if (pid == 0) {
			execl(nfacc, nfacc, file, "--overlay", "none", "-o", "/dev/null",
			      (char *)NULL);
			_exit(127);
		}
		if (pid < 0 || waitpid(pid, &code, 0) < 0 || code != 0)
			die("nfacc failed");
		t[i] = (now() - begin) * 1e3;
	}
	return median(t, COMPILES);
}

/* ---- throughput ---- */

static bool count_output(void *ctx, const struct nfart_batch *b, const struct nfart_result *r)
{
	(void)b;
	(void)r;
	++*(uint64_t *)ctx;
	return true;
}

struct speed {
	double seconds;
	uint64_t batches, messages, accepted, output;
};

static struct speed filter(const struct nfart_image *im, const struct buf *trace)
{
	struct speed s = { 0 };
	double t[RUNS];

	for (int i = 0; i < RUNS; i++) {
		struct nfart_reader_options ro = { .format = NFART_FORMAT_AUTO };
		struct nfart_engine_options eo = { .lines = false };
		struct nfart_error e;
		struct nfart_batch b;
		struct nfart_result r;
		double begin = now();
		struct nfart_reader *rd =
			nfart_reader_memory(trace->at, trace->n, "bench", im->proto, &ro, &e);
		struct nfart_engine *en = nfart_engine_new(im, &eo, &e);
		struct nfart_window *w =
			nfart_window_new(im->window, im->limit, count_output, &s.output);
		if (rd == NULL || en == NULL || w == NULL)
			die("out of memory");
		s.accepted = s.output = 0;
		while (nfart_reader_next(rd, &b, &e) == 1) {
			if (!nfart_engine_step(en, &b, &r) || !nfart_window_put(w, &b, &r))
				die("out of memory");
			s.accepted += r.accepted;
		}
		t[i] = now() - begin;
		s.batches = nfart_reader_stats(rd)->batches;
		s.messages = nfart_reader_stats(rd)->messages;
		nfart_window_free(w);
		nfart_engine_free(en);
		nfart_reader_free(rd);
	}
	s.seconds = median(t, RUNS);
	return s;
}

/* What one core reads from memory, in bytes a second. */
static double bandwidth(void)
{
	uint64_t *p = malloc(MEMORY), sum = 0;
	double t[RUNS];

	if (p == NULL)
		die("out of memory");
	memset(p, 1, MEMORY);
	for (int i = 0; i < RUNS; i++) {
		double begin = now();
		uint64_t a = 0, b = 0, c = 0, d = 0;
		for (size_t k = 0; k < MEMORY / 8; k += 4) {
			a += p[k];
			b += p[k + 1];
			c += p[k + 2];
			d += p[k + 3];
		}
		sum += a + b + c + d;
		t[i] = now() - begin;
	}
	free(p);
	return sum == 0 ? 0 : MEMORY / median(t, RUNS);
}

static void make_trace(const char *nfagen, const char *options, struct buf *b)
{
	char command[512];
	FILE *f;
	size_t n;

	snprintf(command, sizeof command, "'%s' -q --seed 1 %s", nfagen, options);
	f = popen(command, "r");
	if (f == NULL)
		die("can't start nfagen");
	do {
		if (!vec_reserve_((void **)&b->at, &b->n, &b->cap, 1 << 20, 1))
			die("out of memory");
		n = fread(b->at + b->n, 1, 1 << 20, f);
		b->n += n;
	} while (n != 0);
	if (pclose(f) != 0)
		die("nfagen failed");
}

static const struct {
	const char *name, *options;
} traces[] = {
	{ "dense, 1-3 messages a batch", "--length 400000 --messages-per-batch 2 --format dense" },
	{ "compact, 1-3 messages a batch",
	  "--length 1500000 --messages-per-batch 2 --format compact" },
	{ "dense, every slot busy", "--busy --length 400000 --format dense" },
};
enum { NTRACES = sizeof traces / sizeof traces[0] };

static void throughput(const struct nfart_image *im, const char *name, const struct buf *trace,
		       const char *what, double memory)
{
	struct speed s = filter(im, trace);
	double rate = (double)trace->n / s.seconds;

	printf("%-14s %-30s %8.2f GB/s %9.1f M messages/s %6.3f of memory, %5.2f %% accepted\n",
	       name, what, rate / 1e9, (double)s.messages / s.seconds / 1e6, rate / memory,
	       100.0 * (double)s.accepted / (double)(s.batches != 0 ? s.batches : 1));
}

/* ---- the examples ---- */

struct example {
	char *name, *path;
	struct buf text, image;
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
	struct buf trace[NTRACES] = { 0 };
	size_t n;
	double memory;

	if (argc != 4) {
		fputs("usage: bench NFACC NFAGEN EXAMPLES\n", stderr);
		return NFART_USAGE;
	}
	n = find_examples(argv[3], v, 64);
	printf("compile time, ms (median of %d): in-process without mapping, with the default "
	       "overlay,\n"
	       "each beside its proof, and the whole process without mapping (targets: 20 ms in-process "
	       "without\n"
	       "mapping, the proof at most as long as the rest)\n",
	       COMPILES);
	for (size_t i = 0; i < n; i++) {
		size_t k = strlen(v[i].name);
		struct pipeline_file f = { v[i].name, v[i].text.at, v[i].text.n,
					   v[i].name[k - 1] == 'l' };
		double proof[2], none = compile_ms(&f, false, &v[i].image, &proof[0]),
				 mapped = compile_ms(&f, true, NULL, &proof[1]);
		printf("%-18s %8.3f + %7.3f ", v[i].name, none, proof[0]);
		if (mapped >= 0)
			printf("%8.3f + %7.3f ", mapped, proof[1]);
		else
			printf("%8s   %7s ", "no fit", "");
		printf("%8.3f\n", process_ms(argv[1], v[i].path));
	}
	memory = bandwidth();
	printf("\nmemory read bandwidth of one core: %.1f GB/s\n"
	       "software engine, one core, trace in memory, CRCs verified\n"
	       "(target: 1 GB/s dense with 1-3 messages a batch)\n",
	       memory / 1e9);
	for (int k = 0; k < NTRACES; k++)
		make_trace(argv[2], traces[k].options, &trace[k]);
	for (size_t i = 0; i < n; i++) {
		struct nfart_error e;
		struct nfart_image *im =
			nfart_image_load(v[i].image.at, v[i].image.n, v[i].name, &e);
		if (im == NULL)
			die(e.what);
		for (int k = 0; k < NTRACES && strcmp(im->proto->name, "eci") == 0; k++)
			throughput(im, v[i].name, &trace[k], traces[k].name, memory);
		nfart_image_free(im);
	}
	return NFART_OK;
}
