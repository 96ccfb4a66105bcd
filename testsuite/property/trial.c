/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "testsuite/property/trial.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "compiler/pipeline.h"
#include "runtime/run/shard.h"

static volatile sig_atomic_t stop;

struct nfart_image *trial_compile(const char *text, size_t n)
{
	struct pipeline_options options;
	struct nfart_image *im = NULL;
	struct nfart_error e;
	struct pipeline made;

	pipeline_options_init(&options);
	options.overlay.o.none = true;
	strcpy(options.overlay.name, "none");
	if (pipeline_run(&made, &options,
			 &(struct pipeline_file){ "filter.re", text, n, false }, 1) == NFART_OK)
		im = nfart_image_load(made.job.made.image.at, made.job.made.image.n, "image", &e);
	pipeline_free(&made);
	return im;
}

/* ---- a pipe ---- */

enum { STALLS = 8 }; /* how often the writer waits until the reader has nothing left to read */

/* The thread that writes a trace into the pipe that is standard input. */
struct feeder {
	pthread_t thread;
	const char *at; /* n bytes to write */
	size_t n;
	int fd;         /* the pipe's writing end */
	bool any;       /* there is such a thread */
	atomic_bool stop;
	bool masked;    /* signals are blocked; those in `old` were before */
	sigset_t old;
};

static void *feed(void *ctx)
{
	struct feeder *f = ctx;
	size_t step = 1 + f->n / STALLS;
	ssize_t got = 1;

	for (size_t done = 0; done < f->n && got > 0; done += (size_t)got) {
		int left = 1;
		got = write(f->fd, f->at + done, f->n - done < step ? f->n - done : step);
		while (left > 0 && !f->stop && ioctl(f->fd, FIONREAD, &left) == 0)
			sched_yield();
	}
	close(f->fd);
	return NULL;
}

static bool feeder_start(struct feeder *f, const void *p, size_t n)
{
	sigset_t all;
	int ends[2];

	memset(f, 0, sizeof *f);
	signal(SIGPIPE, SIG_IGN); /* a run that ends at its limit does not read the rest */
	/* A signal would interrupt the run. libFuzzer's clock sends some. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &f->old);
	f->masked = true;
	if (pipe(ends) != 0 || dup2(ends[0], STDIN_FILENO) < 0 || close(ends[0]) != 0)
		return false;
	f->at = p;
	f->n = n;
	f->fd = ends[1];
	f->any = pthread_create(&f->thread, NULL, feed, f) == 0;
	return f->any;
}

static void feeder_end(struct feeder *f)
{
	int nothing = open("/dev/null", O_RDONLY);

	if (f->any) {
		f->stop = true;
		/* Without a reading end, a write() that waits for the reader ends. Standard input
		 * is never closed: another thread would get its number. */
		dup2(nothing, STDIN_FILENO);
		pthread_join(f->thread, NULL);
	}
	if (f->masked)
		pthread_sigmask(SIG_SETMASK, &f->old, NULL);
	close(nothing);
}

/* ---- runs ---- */

static void wait_in_run(void *ctx)
{
	run_wait(ctx);
}

/* Opens the trial's trace in memory or, with a feeder, as standard input. */
static struct nfart_reader *open_reader(const struct trial *t, struct feeder *f, struct run *r,
					struct nfart_error *e)
{
	struct nfart_reader_options o = t->reader;

	if (f == NULL)
		return nfart_reader_memory(t->trace.at, t->trace.n, "trace", t->proto, &o, e);
	o.wait = wait_in_run;
	o.wait_ctx = r;
	return feeder_start(f, t->trace.at, t->trace.n) ? nfart_reader_open(NULL, t->proto, &o, e)
							 : NULL;
}

static void set_up(const struct trial *t, struct run *r)
{
	memset(r, 0, sizeof *r);
	r->image = t->image;
	r->second = t->second;
	r->swap_at = t->swap_at;
	r->engine = t->engine;
	r->how.count_lines = t->count_lines;
	r->stop = &stop;
	r->how.piece_bytes = t->piece;
}

void trial_run(const struct trial *t, const struct trial_way *way, struct outcome *o)
{
	struct nfart_writer_options w = { .format = t->to, .with_labels = true };
	struct run *r = &o->run;
	struct feeder feeder = { .any = false };
	struct nfart_error e;
	FILE *f = open_memstream(&o->out, &o->n);

	set_up(t, r);
	r->how.jobs = way->jobs;
	r->how.simd = way->simd;
	o->labels = run_labels(t->image, t->second, &r->nlabels);
	r->labels = o->labels;
	w.labels = o->labels;
	w.nlabels = r->nlabels;
	o->error.status = o->status = NFART_SYSTEM;
	r->reader = open_reader(t, way->pipe ? &feeder : NULL, r, &o->error);
	if (r->reader != NULL && nfart_format_payload(t->to))
		w.payload_words = nfart_reader_payload(r->reader);
	r->writer = nfart_writer_new(f, t->proto, &w, &e);
	if (r->reader == NULL)
		o->status = o->error.status;
	else if (r->writer != NULL)
		o->status = way->names != NULL ? shard_merge(r, way->names, way->n, &o->error) :
						 run_all(r, &o->error);
	o->closed = nfart_writer_close(r->writer, &e);
	fclose(f);
	feeder_end(&feeder);
	if (r->reader != NULL && o->status != NFART_SYSTEM)
		o->stats = *run_stats(r);
	o->parallel = r->work.parallel != NULL;
}

void outcome_free(struct outcome *o)
{
	run_free(&o->run);
	nfart_reader_free(o->run.reader);
	free(o->labels);
	free(o->out);
}

static bool same_lines(const struct run *a, const struct run *b)
{
	if (a->result.nlines != b->result.nlines)
		return false;
	for (size_t i = 0; i < a->result.nlines; i++)
		if (a->result.lines[i].label != b->result.lines[i].label ||
		    a->result.lines[i].n != b->result.lines[i].n ||
		    a->result.lines[i].address != b->result.lines[i].address)
			return false;
	return true;
}

/* The bytes taken and the size are not compared: of a pipe the size is not known, and a run that
 * ends at a limit may have read ahead. */
static bool same_stats(const struct nfart_reader_stats *a, const struct nfart_reader_stats *b)
{
	return a->batches == b->batches && a->messages == b->messages && a->losses == b->losses &&
	       a->lost == b->lost && a->lost_unknown == b->lost_unknown &&
	       a->damaged == b->damaged && a->bad_chunks == b->bad_chunks;
}

const char *outcome_compare(const struct outcome *a, const struct outcome *b)
{
	if (a->status != b->status || a->closed != b->closed)
		return "status";
	if (a->n != b->n || memcmp(a->out, b->out, a->n) != 0)
		return "output";
	if (a->status != NFART_OK && a->status != NFART_PARTIAL &&
	    (strcmp(a->error.what, b->error.what) != 0 || a->error.line != b->error.line))
		return "error";
	if (a->status != NFART_OK && a->status != NFART_PARTIAL)
		return NULL;
	if (a->run.result.accepted_any != b->run.result.accepted_any ||
	    a->run.result.logged != b->run.result.logged ||
	    a->run.result.output != b->run.result.output ||
	    a->run.result.after_loss != b->run.result.after_loss ||
	    a->run.result.swapped != b->run.result.swapped ||
	    a->run.result.interrupted != b->run.result.interrupted)
		return "counters";
	if (a->run.result.accepted != NULL &&
	    memcmp(a->run.result.accepted, b->run.result.accepted, a->run.nlabels * 8) != 0)
		return "counts of labels";
	if (!same_lines(&a->run, &b->run))
		return "lines";
	return same_stats(&a->stats, &b->stats) ? NULL : "statistics";
}

/* ---- shards ---- */

bool trial_shard_done(const struct trial *t, uint32_t i, uint32_t n, const char *name)
{
	struct nfart_error e;
	struct run r;
	bool done;

	set_up(t, &r);
	r.reader = open_reader(t, NULL, &r, &e);
	done = r.reader != NULL && shard_done(&r, name, i, n);
	nfart_reader_free(r.reader);
	return done;
}

/* Writes the file of shard i of n. Returns NFART_INTERNAL if the file does not count as done
 * afterwards; otherwise the status of the shard's run. */
static enum nfart_status run_shard(const struct trial *t, uint32_t i, uint32_t n, const char *name)
{
	enum nfart_status status = NFART_SYSTEM;
	struct nfart_error e = { .status = NFART_SYSTEM };
	FILE *f = fopen(name, "wb");
	struct run r;

	set_up(t, &r);
	r.reader = open_reader(t, NULL, &r, &e);
	if (f != NULL && r.reader != NULL)
		status = shard_run(&r, i, n, f, &e);
	else
		status = e.status;
	if (f != NULL)
		fclose(f);
	nfart_reader_free(r.reader);
	if (status == NFART_OK && !trial_shard_done(t, i, n, name))
		status = NFART_INTERNAL;
	return status;
}

const char *trial_shards(const struct trial *t, const struct outcome *one,
			 const char *const *names, uint32_t n, bool *made)
{
	enum nfart_status status = NFART_OK;

	for (uint32_t i = 0; i < n && status == NFART_OK; i++)
		status = run_shard(t, i, n, names[i]);
	*made = status == NFART_OK;
	if (status == NFART_OK || status == NFART_USAGE)
		return NULL;
	if (status == NFART_INPUT)
		return one->status == NFART_INPUT || t->image->stream.limit != 0 ? NULL
										 : "an error";
	return "status of a shard";
}
