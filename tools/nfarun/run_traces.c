/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfarun/run_traces.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/run/shard.h"
#include "support/cli.h"
#include "tools/nfarun/cover.h"
#include "tools/nfarun/fits.h"
#include "tools/nfarun/nfarun_print.h"
#include "tools/nfarun/output.h"
#include "tools/nfarun/process.h"
#include "tools/nfarun/reading.h"

/* Runs over all traces: what they write to, and what they count together. */
struct runs {
	struct nfarun_options *o;
	struct output out;
	struct run sum;
	struct reading reading;
	struct coverage *coverage; /* of --by rule; or NULL */
	bool failed; /* the output can't be written, so no further trace is read */
	int code;  /* of the first trace with an error, or NFART_PARTIAL, or NFART_OK */
	bool none; /* interrupted before the first input */
};

static int wrong_use(const char *what, const char *arg)
{
	return cli_wrong_use("nfarun", what, arg);
}

static int no_memory(void)
{
	fputs("nfarun: error: out of memory\n", stderr);
	return NFART_SYSTEM;
}

/* The context of flush_output(). The reader calls flush_output() before a read that may block, so
 * that a live pipe shows everything that was decided so far. Compressed output comes later all the
 * same, in blocks of the compressor. */
struct live {
	const struct nfarun_options *o;
	struct run *r;
	struct outfile *out;
};

static void flush_output(void *ctx)
{
	struct live *l = ctx;

	run_wait(l->r);
	output_show(l->o, l->r->writer);
	fflush(l->out->f);
}

static void show_progress(void *ctx, const struct run *r)
{
	reading_show(ctx, run_stats(r));
}

static void show_explaining(void *ctx, const struct nfart_reader_stats *s)
{
	reading_show(ctx, s);
}

/* ---- checks ---- */

/* Refuses what the engine in Verilog can't do, before the run begins. Returns 0 or an exit code. */
static int check_rtl(const struct nfarun_options *o, const struct run *r)
{
	const struct overlay *v = &r->image->overlay;
	struct nfart_error e;

	if (v->none || (r->second != NULL && r->second->overlay.none))
		return wrong_use("an image of overlay none is for no hardware:", o->files.image);
	if (r->second != NULL && r->second->fp.hardware != r->image->fp.hardware)
		return wrong_use("--swap: the images are for different hardware", NULL);
	if (o->run.engine.lines && v->names == 0 &&
	    (r->image->substreams.by_line || o->run.engine.has_substream))
		return wrong_use("--lines: the records of the image's overlay name no lines (names "
				 "1 to 4):", o->files.image);
	if (o->run.engine.has_substream &&
	    (r->image->substreams.nranges > 1 ||
	     (r->second != NULL && r->second->substreams.nranges > 1)))
		return wrong_use("--substream: the engine in Verilog can't replace several ranges",
				 NULL);
	if (o->run.engine.has_substream && o->run.engine.count > v->lines) {
		nfart_fail(&e, NFART_NOFIT,
			   "%" PRIu64 " lines, but the overlay observes at most %" PRIu32,
			   o->run.engine.count, v->lines);
		return process_report(&e);
	}
	return 0;
}

/* Finds the label of --swap. Returns 0 or an exit code. */
static int find_swap_label(const struct nfarun_options *o, struct run *r)
{
	const char *const *names = nfart_image_labels(r->image);
	uint32_t n = r->image->labels.n - r->image->labels.noutputs;

	if (o->run.swap_on == NULL)
		return 0;
	if (r->rtl != NULL)
		return wrong_use("--swap by a label goes without --engine rtl: nfactl has its --on",
				 NULL);
	if (r->image->alphabet.time != IMAGE_NO_TIME)
		return wrong_use("--swap by a label: the first image sees time, so the label could "
				 "accept between two batches of the trace:", o->files.image);
	for (r->swap_label = 0; r->swap_label < n; r->swap_label++)
		if (strcmp(names[r->swap_label], o->run.swap_on) == 0)
			return 0;
	return wrong_use("--swap: the first image has no label", o->run.swap_on);
}

/* Refuses what the images don't allow. Returns 0 or an exit code. */
static int runs_check(const struct nfarun_options *o, struct run *r)
{
	const struct nfart_image *a = r->image, *b = r->second;
	int code;

	if (b != NULL && (a->proto->fp.hardware != b->proto->fp.hardware ||
			  a->proto->fp.names != b->proto->fp.names))
		return wrong_use("--swap: the images are for different protocols", NULL);
	if ((code = find_swap_label(o, r)) != 0)
		return code;
	if (r->rtl != NULL && (code = check_rtl(o, r)) != 0)
		return code;
	if ((code = fits_ring(o, a, o->files.image)) != NFART_OK)
		return code;
	if (o->run.tick != 0 && (a->stream.tick == 0 || (b != NULL && b->stream.tick == 0)))
		return wrong_use("--tick: the image has no ticks", NULL);
	if (o->ask.by_line && !a->substreams.by_line && !o->run.engine.has_substream)
		return wrong_use("--by line: the image has no substreams", NULL);
	return 0;
}

/* ---- one trace ---- */

/* Explains acceptance (--explain) after the trace was opened. Returns an exit code. */
static int explain_opened(struct runs *s, const struct run *r)
{
	struct explain x = s->o->run.explain;
	struct nfart_error e, close_error;
	enum nfart_status status;

	x.image = r->image;
	x.engine = r->engine;
	x.until = s->o->run.until;
	x.reader = r->reader;
	x.out = s->out.file.f;
	x.stop = &process_stop;
	/* Explanations that come one by one on a terminal would be mixed with the line. */
	if (x.what != EXPLAIN_ALL || !isatty(fileno(x.out)))
		x.progress = s->reading.wanted ? show_explaining : NULL;
	x.progress_ctx = &s->reading;
	status = explain_run(&x, &e);
	reading_end(&s->reading);
	if (status != NFART_OK && status != NFART_PARTIAL &&
	    (status != NFART_NO || x.chart != EXPLAIN_TEXT))
		return process_report(&e);
	return outfile_commit(&s->out.file, &close_error) == NFART_OK
		       ? (int)status : process_report(&close_error);
}

/* Counts which rules the trace exercises, after it was opened. Returns an exit code. */
static int cover_opened(struct runs *s, const struct run *r)
{
	struct nfart_error e;
	enum nfart_status status =
		cover_trace(s->coverage, r->reader, &s->reading, &process_stop, &e);

	reading_end(&s->reading);
	return status == NFART_OK || status == NFART_PARTIAL ? (int)status : process_report(&e);
}

/* Runs one shard of the trace. Its output is for --merge. Returns an exit code. */
static int run_shard(struct runs *s, struct run *r)
{
	const struct nfarun_options *o = s->o;
	enum nfart_status status;
	struct nfart_error e;

	if (o->shards.resume && shard_done(r, o->output.out, o->shards.shard, o->shards.n))
		return NFART_OK;
	status = shard_run(r, o->shards.shard, o->shards.n, s->out.file.f, &e);
	reading_end(&s->reading);
	if (status == NFART_PARTIAL) {
		fputs("nfarun: interrupted\n", stderr);
		return NFART_PARTIAL;
	}
	if (status == NFART_USAGE &&
	    o->shards.rank != 0) /* rank 0 has the same error and reports it */
		return NFART_USAGE;
	if (status != NFART_OK || outfile_commit(&s->out.file, &e) != NFART_OK)
		return process_report(&e);
	return NFART_OK;
}

/* How many words of payload has the output? The engine in Verilog keeps what its overlay says, and
 * takes zeros for what the trace lacks. */
static uint32_t run_payload(const struct run *r, const char *trace)
{
	uint32_t have = nfart_reader_payload(r->reader), keeps = r->image->overlay.payload / 64;

	if (r->rtl == NULL || have <= keeps)
		return have;
	fprintf(stderr, "%s: warning: the messages have %" PRIu32 " bits of payload, and the "
		"engine keeps %" PRIu32 "\n", trace != NULL ? trace : "-", 64 * have, 64 * keeps);
	return keeps;
}

/* Runs the image over the trace, or merges its shards, after the trace was opened. Returns an exit
 * code. */
static int run_opened(struct runs *s, struct run *r, const char *trace)
{
	const struct nfarun_options *o = s->o;
	enum nfart_status status;
	struct nfart_error e;
	uint32_t payload = o->ask.count ? 0 : run_payload(r, trace);
	int code;

	if (!o->ask.count && s->out.writer == NULL &&
	    (code = output_writer(&s->out, r->image->proto, r->image, r->labels, r->nlabels,
				  payload)) != 0) {
		s->failed = true;
		return code;
	}
	if (!o->ask.count && (code = output_payload(&s->out, payload, trace)) != 0)
		return code;
	r->writer = s->out.writer;
	if (r->writer != NULL && o->files.ntraces > 1)
		nfart_writer_trace(r->writer, trace);
	status = o->shards.merge ? shard_merge(r, o->shards.files, o->shards.nfiles, &e)
				 : run_all(r, &e);
	if (r->writer != NULL && !r->result.interrupted)
		nfart_writer_until(r->writer, o->run.until > nfart_reader_until(r->reader)
						      ? o->run.until
						      : nfart_reader_until(r->reader));
	reading_end(&s->reading);
	if (status != NFART_OK && status != NFART_PARTIAL) {
		code = o->files.ntraces > 1 ? NFART_OK : output_close_writer(&s->out);
		return code != NFART_OK ? code : process_report(&e);
	}
	return run_add(&s->sum, r) ? (int)status : no_memory();
}

/* Opens a trace (NULL: standard input) and does with it what the options say. Returns an exit
 * code. */
static int run_trace(struct runs *s, const struct run *first, const char *trace)
{
	struct run r = *first;
	struct live live = { s->o, &r, &s->out.file };
	struct nfart_reader_options reader = s->o->reader;
	struct nfart_error e;
	int code;

	reader.wait = flush_output;
	reader.wait_ctx = &live;
	reader.mapping = &process_mapping;
	r.progress = s->reading.wanted ? show_progress : NULL;
	r.progress_ctx = &s->reading;
	r.reader = nfart_reader_open(trace, r.image->proto, &reader, &e);
	if (r.reader != NULL &&
	    ((code = fits_payload(r.reader, r.image, trace)) != NFART_OK ||
	     (r.second != NULL && (code = fits_payload(r.reader, r.second, trace)) != NFART_OK)))
		;
	else if (r.reader != NULL)
		code = s->o->run.use_explain ? explain_opened(s, &r)
		       : s->coverage != NULL ? cover_opened(s, &r)
		       : s->o->shards.n != 0 ? run_shard(s, &r)
					     : run_opened(s, &r, trace);
	else if (process_stop != 0)
		code = NFART_PARTIAL;
	else
		code = process_report(&e);
	s->none = s->none && r.reader == NULL;
	run_free(&r);
	nfart_reader_free(r.reader);
	return code;
}

/* ---- all traces ---- */

/* Completes the output and prints the summary. Returns an exit code. */
static int runs_finish(struct runs *s, const struct run *first)
{
	const struct nfarun_options *o = s->o;
	int code;

	if (s->none && !o->ask.count && !o->run.use_explain &&
	    (code = output_writer(&s->out, first->image->proto, first->image, first->labels,
				  first->nlabels, 0)) != 0)
		return code;
	if ((code = output_close_writer(&s->out)) != 0)
		return code;
	if (s->code != NFART_OK && s->code != NFART_PARTIAL)
		return s->code;
	if (s->coverage != NULL) {
		if (!cover_print(s->coverage, o, s->out.file.f))
			return no_memory();
		return output_commit(&s->out) != 0 ? NFART_SYSTEM : s->code;
	}
	if (o->ask.count && !s->none && !print_counts(&s->sum, o, s->out.file.f))
		return no_memory();
	if ((code = output_commit(&s->out)) != 0)
		return code;
	if (!o->output.quiet && s->none)
		fputs("interrupted before the first input\n", stderr);
	else if (!o->output.quiet && (!o->ask.count || o->ask.by_line || o->ask.by_label ||
						o->ask.field != NULL))
		print_summary(&s->sum, o, stderr);
	else if (s->sum.result.forgot) /* also if the output is quiet */
		fputs("warning: " RULES_FORGOT "\n", stderr);
	return s->code;
}

/* Runs over all traces after the output was opened. Returns an exit code. */
static int run_all_traces(struct runs *s, const struct run *first)
{
	const struct nfarun_options *o = s->o;
	uint32_t n = o->files.ntraces > 1 ? o->files.ntraces : 1;

	s->none = true;
	for (uint32_t i = 0; i < n && !s->failed && (i == 0 || process_stop == 0); i++) {
		int code = run_trace(s, first,
				     o->files.ntraces > 1 ? o->files.traces[i] : o->files.trace);
		if (code != NFART_OK && (s->code == NFART_OK || s->code == NFART_PARTIAL))
			s->code = code;
	}
	s->none = s->none && s->code == NFART_PARTIAL;
	if (!s->none && (o->run.use_explain || o->shards.n != 0))
		return s->code;
	return runs_finish(s, first);
}

int run_traces(struct nfarun_options *o, struct run *r)
{
	struct runs s = { .o = o, .out.o = o };
	const char **labels;
	struct nfart_error e;
	int code = runs_check(o, r);

	if (code != 0)
		return code;
	labels = run_labels(r->image, r->second, &r->nlabels);
	if (labels == NULL)
		return no_memory();
	r->labels = s.sum.labels = labels;
	s.sum.nlabels = r->nlabels;
	s.sum.image = r->image;
	s.sum.rtl = r->rtl;
	process_catch_signals();
	reading_begin(&s.reading, "nfarun", o->output.quiet);
	if (o->ask.by_rule) {
		s.coverage = coverage_new(r->image, &o->run.engine, &e);
		if (s.coverage == NULL) {
			code = process_report(&e);
			goto out;
		}
	}
	if ((o->shards.n != 0 ? outfile_open(&s.out.file, o->output.out, &e)
			      : output_begin(&s.out.file, o, &e)) == NFART_OK)
		code = run_all_traces(&s, r);
	else
		code = process_report(&e);
out:
	coverage_free(s.coverage);
	output_free(&s.out);
	run_free(&s.sum);
	free(labels);
	return code;
}
