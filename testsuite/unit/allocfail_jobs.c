/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Makes allocations fail in runs in one thread and in several, in runs of shards, in merges of
 * shards, and where a second filter takes over. With several threads, the order of the allocations
 * differs from run to run. The result must be right whichever of them fails.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/pipeline.h"
#include "runtime/run/shard.h"
#include "runtime/trace/writer.h"
#include "testsuite/unit/allocfail.h"

enum { BATCHES = 120, CHUNK = 300, PIECE = 700, SHARDS = 3 };

struct job {
	const struct nfart_image *image, *second; /* second: takes over in the middle; or NULL */
	const struct buf *trace;
	enum nfart_format format;
	unsigned jobs;
	const char *const *names; /* [SHARDS]: shards' files to merge; NULL: the job merges none */
	bool shard;               /* the job runs only the second of the SHARDS shards */
};

static const volatile sig_atomic_t stop;

static struct nfart_image *make_image(const char *text)
{
	struct pipeline_file file = { "jobs", text, strlen(text), false };
	struct nfart_image *im = NULL;
	struct pipeline_options o;
	struct nfart_error e;
	struct pipeline p;

	pipeline_options_init(&o);
	o.overlay.o.none = true;
	if (pipeline_run(&p, &o, &file, 1) == NFART_OK)
		im = nfart_image_load(p.job.made.image.at, p.job.made.image.n, "jobs", &e);
	pipeline_free(&p);
	return im;
}

static bool make_trace(const struct nfart_image *im, enum nfart_format format, struct buf *out)
{
	struct nfart_writer_options o = { .format = format };
	struct nfart_error e;
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);
	struct nfart_writer *w = nfart_writer_new(f, nfart_image_proto(im), &o, &e);
	bool ok = w != NULL;

	if (ok)
		w->chunk = CHUNK;
	for (uint64_t i = 0; i < BATCHES && ok; i++) {
		struct nfart_batch b = { .time = i + 1,
					 .mask = i % 40 == 7 ? 0 : (uint64_t)1 << 6 };
		b.header[6] = (i * 7 % 5) << 7;
		b.lost = b.mask == 0;
		ok = nfart_writer_put(w, &b, NULL);
	}
	ok = nfart_writer_close(w, &e) == NFART_OK && ok;
	fclose(f);
	buf_add(out, text, n);
	free(text);
	return ok && !out->failed;
}

/* ---- scenarios: runs in threads and shards ---- */

static enum nfart_status perform(struct run *r, const struct job *j, FILE *f)
{
	struct nfart_writer_options wo = { .format = NFART_FORMAT_TEXT, .labels = r->labels,
					   .nlabels = r->nlabels, .with_labels = true };
	enum nfart_status status, closed;
	struct nfart_error e = { .status = NFART_SYSTEM };

	if (j->shard)
		return shard_run(r, 1, SHARDS, f, &e);
	r->writer = nfart_writer_new(f, nfart_image_proto(j->image), &wo, &e);
	if (r->writer == NULL)
		return e.status;
	status = j->names != NULL ? shard_merge(r, j->names, SHARDS, &e) : run_all(r, &e);
	closed = nfart_writer_close(r->writer, &e);
	return status == NFART_OK ? closed : status;
}

static struct outcome run_job(const void *what)
{
	const struct job *j = what;
	struct nfart_reader_options ro = { .format = j->format };
	struct outcome out = { NFART_SYSTEM, 0 };
	struct run r = { .image = j->image, .second = j->second, .swap_at = BATCHES / 2,
			 .how.jobs = j->jobs, .stop = &stop, .how.piece_bytes = PIECE,
			 .engine = { .lines = true }, .how.count_lines = true };
	struct nfart_error e;
	const char **names = run_labels(j->image, j->second, &r.nlabels);
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	r.labels = names;
	if (f != NULL && names != NULL)
		r.reader = nfart_reader_memory(j->trace->at, j->trace->n, "trace",
					       nfart_image_proto(j->image), &ro, &e);
	if (r.reader != NULL)
		out.status = perform(&r, j, f);
	if (f != NULL)
		fclose(f);
	if (out.status == NFART_OK) {
		outcome_add(&out, text, n);
		outcome_add(&out, &r.result.accepted_any, sizeof r.result.accepted_any);
		outcome_add(&out, &r.result.logged, sizeof r.result.logged);
	}
	run_free(&r);
	nfart_reader_free(r.reader);
	free(names);
	free(text);
	return out;
}

/* ---- the cases and their input ---- */

static bool write_shards(const struct job *job, const char *const *names)
{
	bool ok = true;

	for (uint32_t i = 0; i < SHARDS && ok; i++) {
		struct nfart_reader_options ro = { .format = job->format };
		struct run r = { .image = job->image, .stop = &stop, .how.piece_bytes = PIECE,
				 .engine = { .lines = true } };
		struct nfart_error e;
		FILE *f = fopen(names[i], "wb");
		r.reader = nfart_reader_memory(job->trace->at, job->trace->n, "trace",
					       nfart_image_proto(job->image), &ro, &e);
		ok = f != NULL && r.reader != NULL && shard_run(&r, i, SHARDS, f, &e) == NFART_OK;
		if (f != NULL)
			ok = fclose(f) == 0 && ok;
		nfart_reader_free(r.reader);
	}
	return ok;
}

static void inject_shards(struct tap *t, struct job job, const char *name)
{
	char dir[] = "/tmp/nfacc-allocfail.XXXXXX", file[SHARDS][64], what[100];
	const char *names[SHARDS];
	bool ok = mkdtemp(dir) != NULL;

	for (int i = 0; i < SHARDS; i++) {
		snprintf(file[i], sizeof file[i], "%s/%d", dir, i);
		names[i] = file[i];
	}
	ok = ok && write_shards(&job, names);
	tap_case(t, ok, "shards of %s are written", name);
	job.names = names;
	snprintf(what, sizeof what, "merging shards of %s", name);
	inject(t, what, run_job, &job);
	for (int i = 0; i < SHARDS; i++)
		unlink(file[i]);
	rmdir(dir);
	job.shard = true;
	snprintf(what, sizeof what, "a shard of %s", name);
	inject(t, what, run_job, &job);
}

/* Runs in one thread, and runs in which one image takes over from another. */
static void inject_swaps(struct tap *t, struct nfart_image *const *im)
{
	struct buf trace = { 0 };
	bool ok = im[0] != NULL && im[1] != NULL &&
		  make_trace(im[0], NFART_FORMAT_COMPACT, &trace);

	for (uint32_t i = 0; i < 4 && ok; i++) {
		struct job job = { .image = im[i % 2], .second = i < 2 ? NULL : im[(i + 1) % 2],
				   .trace = &trace, .format = NFART_FORMAT_COMPACT, .jobs = 1 };
		char name[100];
		snprintf(name, sizeof name, "%s filter, %s",
			 i % 2 != 0 ? "the second" : "the first",
			 i < 2 ? "in one thread" : "then the other");
		inject(t, name, run_job, &job);
		job.jobs = 3;
		if (i >= 2)
			inject(t, "the same in threads", run_job, &job);
	}
	tap_case(t, ok, "filters and trace for a swap");
	buf_free(&trace);
}

void inject_jobs(struct tap *t)
{
	static const struct {
		const char *name, *text;
	} made[] = {
		{ "a filter", "window 2; log = true+; filter f = true* MREQ_RLDD{3}; filter g = "
			      "true* MREQ_RLDD;" },
		{ "a filter by line",
		  "substream cl from 0 count 4; filter f = true* MREQ_RLDD true* MREQ_RLDD;" },
	};
	static const enum nfart_format formats[] = { NFART_FORMAT_COMPACT, NFART_FORMAT_DENSE,
						     NFART_FORMAT_TEXT };

	struct nfart_image *images[sizeof made / sizeof made[0]];

	for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) {
		struct nfart_image *im = images[i] = make_image(made[i].text);
		for (size_t k = 0; im != NULL && k < sizeof formats / sizeof formats[0]; k++) {
			struct buf trace = { 0 };
			struct job job = { .image = im, .trace = &trace, .format = formats[k],
					   .jobs = 3 };
			char name[100];
			if (!make_trace(im, formats[k], &trace))
				job.jobs = 0;
			snprintf(name, sizeof name, "%s in threads, %s", made[i].name,
				 nfart_format_name(formats[k]));
			inject(t, name, run_job, &job);
			if (formats[k] == NFART_FORMAT_COMPACT)
				inject_shards(t, job, made[i].name);
			buf_free(&trace);
		}
		tap_case(t, im != NULL, "%s for several threads compiles", made[i].name);
	}
	inject_swaps(t, images);
	for (size_t i = 0; i < sizeof made / sizeof made[0]; i++)
		nfart_image_free(images[i]);
}
