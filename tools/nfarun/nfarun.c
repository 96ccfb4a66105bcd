/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfarun: runs an image over a trace, in the software engine or in the simulated engine in Verilog.
 * nfarun_options.c reads the options, and nfarun_print.c prints the summary and the counts.
 * runtime/run/run.c does the work; for --explain runtime/explain/explain.c does it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime/run/ranks.h"
#include "runtime/run/shard.h"
#include "runtime/trace/codec/compress.h"
#include "support/cli.h"
#include "support/outfile.h"
#include "tools/nfarun/ask.h"
#include "tools/nfarun/compile.h"
#include "tools/nfarun/nfarun_print.h"
#include "tools/nfarun/parts.h"
#include "tools/nfarun/wrong_file.h"

/* A signal has asked nfarun to end. The variable is global because a handler gets no context. */
static volatile sig_atomic_t stop;

static int wrong_use(const char *what, const char *arg)
{
	return cli_wrong_use("nfarun", what, arg);
}

/* ---- progress ---- */

struct progress {
	struct timespec begin, last;
	bool shown;
};

static double seconds(const struct timespec *a, const struct timespec *b)
{
	return (double)(b->tv_sec - a->tv_sec) + 1e-9 * (double)(b->tv_nsec - a->tv_nsec);
}

/* Shows a progress line, twice a second, after the run has taken a second. */
static void show_progress(void *ctx, const struct run *r)
{
	struct progress *p = ctx;
	const struct nfart_reader_stats *s = run_stats(r);
	struct timespec now;
	double t;

	clock_gettime(CLOCK_MONOTONIC, &now);
	t = seconds(&p->begin, &now);
	if (t < 1 || seconds(&p->last, &now) < 0.5)
		return;
	p->last = now;
	p->shown = true;
	fprintf(stderr, "\r%" PRIu64 " batches, %.1f MB/s", s->batches, (double)s->bytes / t / 1e6);
	if (s->size > s->bytes && s->bytes != 0)
		fprintf(stderr, ", %.0f %%, %.0f s left",
			100.0 * (double)s->bytes / (double)s->size,
			t * (double)(s->size - s->bytes) / (double)s->bytes);
	fputs("\033[K", stderr);
}

/* ---- the run ---- */

static void on_signal(int n)
{
	(void)n;
	stop = 1;
}

/* Where the trace is mapped into memory. The variable is global because a handler gets no
 * context. */
static struct nfart_mapping mapping;

/* Handles SIGBUS. It is raised if another process makes the trace shorter while it is mapped. Then
 * the mapping is filled with zeros, and the reader notices the damage. Any other SIGBUS ends the
 * process. */
static void on_bus(int n, siginfo_t *info, void *context)
{
	(void)context;
	if (!nfart_mapping_fill(&mapping, info->si_addr))
		signal(n, SIG_DFL);
}

/* Installs the handlers. The first SIGINT or SIGTERM ends the run between two batches, and a second
 * one ends the process. */
static void catch_signals(void)
{
	struct sigaction a = { .sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND };
	struct sigaction bus = { .sa_sigaction = on_bus, .sa_flags = SA_SIGINFO };

	sigaction(SIGINT, &a, NULL);
	sigaction(SIGTERM, &a, NULL);
	sigaction(SIGBUS, &bus, NULL);
}

static int report(const struct nfart_error *e)
{
	if (e->file[0] == 0)
		fputs("nfarun: ", stderr);
	nfart_error_print(stderr, e);
	return (int)e->status;
}

/* The context of flush_output(). The reader calls flush_output() before a read that may block, so
 * that a live pipe shows everything that was decided so far. Compressed output comes later all the
 * same, in blocks of the compressor. */
struct live {
	struct run *r;
	struct outfile *out;
};

static void flush_output(void *ctx)
{
	struct live *l = ctx;

	run_wait(l->r);
	fflush(l->out->f);
}

/* Refuses what the engine in Verilog can't do, before the run begins. Returns 0 or an exit code. */
static int check_rtl(const struct nfarun_options *o, const struct run *r)
{
	const struct overlay *v = &r->image->overlay;
	struct nfart_error e;

	if (v->none || (r->second != NULL && r->second->overlay.none))
		return wrong_use("an image of overlay none is for no hardware:", o->image);
	if (r->second != NULL && r->second->hardware_fp != r->image->hardware_fp)
		return wrong_use("--swap: the images are for different hardware", NULL);
	if (o->engine.has_substream &&
	    (r->image->nranges > 1 || (r->second != NULL && r->second->nranges > 1)))
		return wrong_use("--substream: the engine in Verilog can't replace several ranges",
				 NULL);
	if (o->engine.has_substream && o->engine.count > v->lines) {
		nfart_fail(&e, NFART_NOFIT,
			   "%" PRIu64 " lines, but the overlay observes at most %" PRIu32,
			   o->engine.count, v->lines);
		return report(&e);
	}
	return 0;
}

static const char *check_swap(const struct nfart_image *a, const struct nfart_image *b)
{
	if (a->proto->hardware_fp != b->proto->hardware_fp ||
	    a->proto->names_fp != b->proto->names_fp)
		return "--swap: the images are for different protocols";
	return NULL;
}

/* Explains acceptance (--explain) after image, trace and output were opened. Returns an exit
 * code. */
static int explain_opened(const struct nfarun_options *o, const struct run *r, struct outfile *out)
{
	struct explain x = o->explain;
	struct nfart_error e, close_error;
	enum nfart_status status;

	x.image = r->image;
	x.engine = r->engine;
	x.until = o->until;
	x.reader = r->reader;
	x.out = out->f;
	x.stop = &stop;
	status = explain_run(&x, &e);
	if (status != NFART_OK && status != NFART_PARTIAL && status != NFART_NO)
		return report(&e);
	return outfile_commit(out, &close_error) == NFART_OK ? (int)status : report(&close_error);
}

/* Runs the image or merges shards after image, trace and output were opened. Then closes the output
 * and prints the summary. Returns an exit code. */
static int run_in_parts(struct nfarun_options *o, struct run *r, struct outfile *out,
			struct parts *parts)
{
	struct nfart_writer_options w = {
		.format = o->to, .labels = r->labels, .nlabels = r->nlabels, .with_labels = true,
		.clock = o->clock, .by_line = o->engine.lines
	};
	struct progress p = { .shown = false };
	struct nfart_error e, close_error;
	enum nfart_status status, closed = NFART_OK;

	if (o->split != 0)
		w.part_bytes = o->split;
	else if (o->to == NFART_FORMAT_PERFETTO && out->temp != NULL)
		w.part_bytes = PARTS_USUAL;
	w.next_part = parts_next;
	w.next_part_ctx = parts;
	if (!o->count) {
		r->writer = nfart_writer_new(out->f, r->image->proto, &w, &e);
		if (r->writer == NULL)
			return report(&e);
		nfart_writer_name_key(r->writer, nfart_image_key(r->image));
	}
	clock_gettime(CLOCK_MONOTONIC, &p.begin);
	p.last = p.begin;
	if (!o->quiet && isatty(STDERR_FILENO)) {
		r->progress = show_progress;
		r->progress_ctx = &p;
	}
	status = o->merge ? shard_merge(r, o->files, o->nfiles, &e) : run_all(r, &e);
	if (r->writer != NULL && !r->interrupted)
		nfart_writer_until(r->writer, o->until > nfart_reader_until(r->reader) ?
						      o->until : nfart_reader_until(r->reader));
	if (r->writer != NULL)
		closed = nfart_writer_close(r->writer, &close_error);
	if (p.shown)
		fputs("\r\033[K", stderr);
	if (closed != NFART_OK)
		return report(parts->failed ? &parts->error : &close_error);
	if (status != NFART_OK && status != NFART_PARTIAL)
		return report(&e);
	if (o->count && !print_counts(r, o, out->f)) {
		fputs("nfarun: error: out of memory\n", stderr);
		return NFART_SYSTEM;
	}
	if (outfile_commit(out, &close_error) != NFART_OK ||
	    parts_commit(parts, &close_error) != NFART_OK)
		return report(&close_error);
	if (!o->quiet && (!o->count || o->by_line || o->by_label))
		print_summary(r, o, stderr);
	return (int)status;
}

static int run_opened(struct nfarun_options *o, struct run *r, struct outfile *out)
{
	struct parts parts = { .o = o };
	int code = run_in_parts(o, r, out, &parts);

	if (!o->quiet && parts.written != 0)
		fprintf(stderr, "files written: %zu\n", 1 + parts.written);
	parts_abort(&parts);
	return code;
}

/* Runs one shard of the trace. Its output is for --merge. Returns an exit code. */
static int run_shard(const struct nfarun_options *o, struct run *r, struct outfile *out)
{
	enum nfart_status status;
	struct nfart_error e;

	if (o->resume && shard_done(r, o->out, o->shard, o->shards))
		return NFART_OK;
	status = shard_run(r, o->shard, o->shards, out->f, &e);
	if (status == NFART_PARTIAL) {
		fputs("nfarun: interrupted\n", stderr);
		return NFART_PARTIAL;
	}
	if (status == NFART_USAGE && o->rank != 0) /* rank 0 has the same error and reports it */
		return NFART_USAGE;
	if (status != NFART_OK || outfile_commit(out, &e) != NFART_OK)
		return report(&e);
	return NFART_OK;
}

/* Completes an output without batches, for a run that was interrupted before there was any input.
 * Returns an exit code. */
static int run_nothing(const struct nfarun_options *o, const struct run *r, struct outfile *out)
{
	struct nfart_writer_options w = {
		.format = o->to, .labels = r->labels, .nlabels = r->nlabels, .with_labels = true,
		.clock = o->clock, .by_line = o->engine.lines
	};
	struct nfart_error e;
	bool silent = o->count || o->use_explain;
	struct nfart_writer *writer =
		silent ? NULL : nfart_writer_new(out->f, r->image->proto, &w, &e);

	if ((writer == NULL && !silent) || nfart_writer_close(writer, &e) != NFART_OK ||
	    outfile_commit(out, &e) != NFART_OK)
		return report(&e);
	if (!o->quiet)
		fputs("interrupted before the first input\n", stderr);
	return NFART_PARTIAL;
}

/* Opens the output file. It is compressed if the ending of its name says so. */
static enum nfart_status open_output(struct outfile *out, const char *path, struct nfart_error *e)
{
	enum nfart_status status = outfile_open(out, path, e);

	if (status != NFART_OK)
		return status;
	status = compress_outfile(out, path, e);
	if (status != NFART_OK)
		outfile_abort(out);
	return status;
}

static int run_images(struct nfarun_options *o, struct run *r)
{
	struct outfile out = { 0 };
	struct live live = { r, &out };
	struct nfart_error e;
	const char **labels;
	int code;

	if (o->second != NULL && check_swap(r->image, r->second) != NULL)
		return wrong_use(check_swap(r->image, r->second), NULL);
	if (r->rtl != NULL && (code = check_rtl(o, r)) != 0)
		return code;
	if (o->tick != 0 && (r->image->tick == 0 || (r->second != NULL && r->second->tick == 0)))
		return wrong_use("--tick: the image has no ticks", NULL);
	labels = run_labels(r->image, r->second, &r->nlabels);
	if (labels == NULL) {
		fputs("nfarun: error: out of memory\n", stderr);
		return NFART_SYSTEM;
	}
	r->labels = labels;
	catch_signals();
	if (o->by_line && !r->image->by_line && !o->engine.has_substream) {
		code = wrong_use("--by line: the image has no substreams", NULL);
	} else if ((o->shards != 0 ? outfile_open : open_output)(&out, o->out, &e) != NFART_OK) {
		code = report(&e);
	} else {
		o->reader.wait = flush_output;
		o->reader.wait_ctx = &live;
		o->reader.mapping = &mapping;
		r->reader = nfart_reader_open(o->trace, r->image->proto, &o->reader, &e);
		code = r->reader != NULL && o->use_explain ? explain_opened(o, r, &out) :
		       r->reader != NULL && o->shards != 0 ? run_shard(o, r, &out) :
		       r->reader != NULL ? run_opened(o, r, &out) :
		       stop != 0	  ? run_nothing(o, r, &out) : report(&e);
		outfile_abort(&out);
	}
	run_free(r);
	nfart_reader_free(r->reader);
	free(labels);
	return code;
}

static int inspect(const struct nfarun_options *o, const struct nfart_image *im)
{
	struct outfile out;
	struct nfart_error e;

	if (open_output(&out, o->out, &e) != NFART_OK)
		return report(&e);
	print_image(im, out.f);
	return outfile_commit(&out, &e) == NFART_OK ? NFART_OK : report(&e);
}

/* Refuses an output file of the options that is also an input. Returns 0 or an exit code. */
static int check_outputs(const struct nfarun_options *o)
{
	struct nfart_error e;

	if (parts_check(o, o->out, &e) != NFART_OK ||
	    (o->rtl.vcd != NULL && parts_check(o, o->rtl.vcd, &e) != NFART_OK))
		return report(&e);
	return 0;
}

/* Opens the images, or compiles the filter of -e. Returns an exit code after an error, which was
 * reported. */
static int open_images(const struct nfarun_options *o, struct nfart_image **a,
		       struct nfart_image **b)
{
	struct module_request request = { .text = o->filter,
					  .protocol = o->protocol,
					  .dirs = o->dirs,
					  .ndirs = o->ndirs,
					  .colour = isatty(STDERR_FILENO) };
	struct nfart_error e;

	*a = o->filter != NULL ? compile_filter(&request, &e) : nfart_image_open(o->image, &e);
	if (*a != NULL && o->second != NULL)
		*b = nfart_image_open(o->second, &e);
	if (*a != NULL && (o->second == NULL || *b != NULL))
		return NFART_OK;
	if (e.status == NFART_INPUT && o->filter == NULL)
		wrong_file_explain(*a == NULL ? o->image : o->second, o->trace, &e);
	return e.what[0] != 0 ? report(&e) : (int)e.status;
}

/* Does everything that the options ask of this process. Returns an exit code. */
static int run_command(struct nfarun_options *o)
{
	struct run r = { .stop = &stop };
	struct nfart_image *a = NULL, *b = NULL;
	int code = check_outputs(o);

	if (code == 0 && o->ask != ASK_NOTHING) {
		catch_signals();
		return ask_run(o, &stop);
	}
	if (code == 0)
		code = open_images(o, &a, &b);
	if (code == 0 && o->inspect) {
		code = inspect(o, a);
	} else if (code == 0) {
		r.image = a;
		r.second = b;
		r.swap_at = o->swap_at;
		r.engine = o->engine;
		r.engine.tick = (uint32_t)o->tick;
		r.until = o->until;
		r.rtl = o->use_rtl ? &o->rtl : NULL;
		r.count_lines = o->by_line;
		r.jobs = o->jobs;
		code = run_images(o, &r);
	}
	nfart_image_free(a);
	nfart_image_free(b);
	return code;
}

static char *shard_name(const struct nfarun_options *o, uint32_t i, uint32_t n)
{
	size_t size = strlen(o->out) + 40;
	char *s = malloc(size);

	if (s != NULL)
		snprintf(s, size, "%s.part-%" PRIu32 "-of-%" PRIu32, o->out, i, n);
	return s;
}

/* Does the work of one rank of nfarun-mpi. It runs the rank's shards. After all ranks have run
 * theirs, rank 0 merges the shards. Returns an exit code, the same in all ranks. */
static int run_rank(struct nfarun_options *o)
{
	uint32_t n = o->parts != 0 ? (uint32_t)o->parts : o->ranks;
	char **names = calloc(n, sizeof *names);
	int code = names == NULL ? NFART_SYSTEM : NFART_OK;

	for (uint32_t i = 0; i < n && code == NFART_OK; i++) {
		struct nfarun_options shard = *o;
		names[i] = shard_name(o, i, n);
		if (names[i] == NULL)
			code = NFART_SYSTEM;
		if (code != NFART_OK || i % o->ranks != o->rank)
			continue;
		shard.out = names[i];
		shard.shard = i;
		shard.shards = n;
		shard.by_line = shard.by_label = shard.count = false;
		code = run_command(&shard);
	}
	code = ranks_most(code);
	if (code == NFART_OK && o->rank == 0) {
		o->merge = true;
		o->files = (const char *const *)names;
		o->nfiles = n;
		code = run_command(o);
		for (uint32_t i = 0;
		     i < n && (code == NFART_OK || code == NFART_PARTIAL) && stop == 0; i++)
			unlink(names[i]);
	}
	for (uint32_t i = 0; names != NULL && i < n; i++)
		free(names[i]);
	free(names);
	return ranks_most(code);
}

/* Reads the options into *o. If there are several ranks, rank 0 reads them first and the others
 * only if it found no error, so that an error is reported once. Returns what nfarun_options_parse()
 * does. */
static int parse_options(int argc, char **argv, struct nfarun_options *o)
{
	int code = -1;

	if (o->rank == 0)
		code = nfarun_options_parse(argc, argv, o);
	if (o->rank == 0 && code == 0)
		code = check_outputs(o);
	code = ranks_most(code);
	return code == 0 && o->rank != 0 ? nfarun_options_parse(argc, argv, o) : code;
}

int main(int argc, char **argv)
{
	struct nfarun_options o = { 0 };
	struct buf map = { 0 };
	int code;

	o.ranks = ranks_open(&argc, &argv, &o.rank);
	code = parse_options(argc, argv, &o);
	if (code == 0 && o.map != NULL) {
		int error = buf_read_file(&map, o.map, 1 << 20);
		if (error != 0) {
			fprintf(stderr, "nfarun: error: %s: %s\n", o.map, strerror(error));
			code = NFART_SYSTEM;
		}
		o.reader.map = map.at != NULL ? map.at : "";
		o.reader.map_name = o.map;
	}
	if (code == 0)
		code = o.ranks != 0 ? run_rank(&o) : run_command(&o);
	buf_free(&map);
	ranks_close();
	return cli_finish("nfarun", code < 0 ? 0 : code);
}
