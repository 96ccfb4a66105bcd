/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "testsuite/bench/subject.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compiler/pipeline.h"
#include "contract/crc.h"
#include "runtime/trace/reader.h"
#include "support/clock.h"
#include "testsuite/bench/measure.h"

struct nfart_image *subject_compile(const char *name, const char *text, size_t n, int level)
{
	struct pipeline_file f = { name, text, n, false };
	struct pipeline_options o;
	struct pipeline *p = malloc(sizeof *p);
	struct nfart_error e;
	struct nfart_image *im = NULL;

	pipeline_options_init(&o);
	o.overlay.o.none = true;
	o.passes.level = level;
	if (p != NULL && pipeline_run(p, &o, &f, 1) == NFART_OK)
		im = nfart_image_load(p->job.made.image.at, p->job.made.image.n, name, &e);
	if (im == NULL)
		die(name);
	pipeline_free(p);
	free(p);
	return im;
}

struct nfart_image *subject_example(const char *dir, const char *name)
{
	struct buf text = { 0 };
	struct nfart_image *im;
	char path[512];

	snprintf(path, sizeof path, "%s/%.*s/%s", dir, (int)strcspn(name, "."), name, name);
	if (buf_read_file(&text, path, 1 << 20) != 0)
		die(path);
	im = subject_compile(name, text.at, text.n, 1);
	buf_free(&text);
	return im;
}

enum nfart_simd subject_level(void)
{
	enum nfart_simd level = nfart_simd_best();
	const char *want = getenv("NFACC_SIMD");

	for (int k = NFART_SIMD_PORTABLE; want != NULL && k < (int)nfart_simd_best(); k++)
		if (strcmp(want, nfart_simd_name((enum nfart_simd)k)) == 0)
			level = (enum nfart_simd)k;
	return level;
}

/* Returns the fastest way to compute CRCs with the instructions of this level. */
static crc32c_fn *crc_of(enum nfart_simd level)
{
	int way = level == NFART_SIMD_PORTABLE ? CRC_PORTABLE :
		  level == NFART_SIMD_AVX2     ? CRC_FOLD_256 : CRC_WAYS - 1;

	while (crc32c_of((enum crc_way)way) == NULL)
		way--;
	return crc32c_of((enum crc_way)way);
}

/* Fetches the filter's matches and returns the sum of their times and labels. This does the work of
 * a program that looks at all matches. */
static uint64_t fetch(struct nfart_filter *f)
{
	const struct nfart_match *m;
	uint64_t sum = 0;
	size_t n;

	m = nfart_filter_matches(f, &n);
	for (size_t i = 0; i < n; i++)
		sum += m[i].time + m[i].label;
	return sum;
}

struct speed subject_filter(const struct nfart_image *im, const struct buf *trace,
			    const struct subject_options *so)
{
	enum nfart_format format =
		strcmp(im->proto->name, "bytes") == 0 ? NFART_FORMAT_RAW : NFART_FORMAT_AUTO;
	struct nfart_reader_options ro = { .format = format, .unchecked = so->unchecked };
	struct nfart_filter_options o = { .simd = so->level, .sink = so->sink, .ctx = so->ctx,
					  .matches = so->matches };
	struct speed s = { 0 };
	double t[SUBJECT_MOST_RUNS];

	o.engine.has_substream = so->lines != 0;
	o.engine.base = im->substreams.first_line << im->proto->header.line_shift;
	o.engine.count = so->lines;
	for (int i = 0; i < so->runs; i++) {
		struct nfart_error e;
		double begin = clock_cpu_seconds();
		struct nfart_reader *r =
			nfart_reader_memory(trace->at, trace->n, "bench", im->proto, &ro, &e);
		struct nfart_filter *f = nfart_filter_new(im, &o, &e);
		struct nfart_filter_stats st;
		if (r == NULL || f == NULL)
			die(e.what);
		r->crc = crc_of(so->level == NFART_SIMD_BEST ? nfart_simd_best() : so->level);
		while (nfart_filter_read(f, r, &e) == 1)
			s.fetched += fetch(f);
		nfart_filter_end(f);
		t[i] = clock_cpu_seconds() - begin;
		st = nfart_filter_stats(f);
		s.batches = st.batches;
		s.accepted = st.accepted;
		s.messages = nfart_reader_stats(r)->messages;
		s.labels = 0;
		for (uint32_t k = 0; k < im->labels.n; k++)
			s.labels += st.labels[k];
		nfart_filter_free(f);
		nfart_reader_free(r);
	}
	s.seconds = median(t, (size_t)so->runs);
	s.least = t[0];
	return s;
}

void subject_write(const char *path, const void *p, size_t n)
{
	FILE *f = fopen(path, "wb");

	if (f == NULL || fwrite(p, 1, n, f) != n || fclose(f) != 0)
		die(path);
}

void subject_process(const char *nfarun, const char *image, const char *trace,
		     const char *substream, struct rusage *u)
{
	int code = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		if (freopen("/dev/null", "w", stdout) != NULL)
			execl(nfarun, nfarun, "-q", "--count", image, trace,
			      substream != NULL ? "--substream" : (char *)NULL, substream,
			      (char *)NULL);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &code, 0, u) < 0 || code != 0)
		die("nfarun failed");
}

double subject_run(const char *const *words)
{
	struct rusage u;
	int code = 0;
	pid_t pid = fork();

	if (pid == 0) {
		int null = open("/dev/null", O_WRONLY);
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		execv(words[0], (char *const *)words);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &code, 0, &u) < 0 || code != 0)
		die(words[0]);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}
