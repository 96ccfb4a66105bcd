/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads a trace from begin to end and hands its batches to what answers the question:
 * runtime/pairs/ and runtime/stats/. ask_print.c writes the answers.
 */
#include "tools/nfarun/ask.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "contract/image/image.h"
#include "runtime/trace/batch.h"
#include "runtime/trace/reader.h"
#include "tools/nfarun/ask_against.h"
#include "tools/nfarun/ask_jobs.h"
#include "tools/nfarun/ask_print.h"
#include "tools/nfarun/ask_shard.h"
#include "tools/nfarun/fits.h"
#include "tools/nfarun/images.h"
#include "tools/nfarun/output.h"
#include "tools/nfarun/process.h"
#include "tools/nfarun/protocol.h"
#include "tools/nfarun/wrong_file.h"

/* ---- what comes in ---- */

/* Counts a pair for each label of its batches. False: out of memory. */
static bool take_labelled(struct ask *a, const struct nfart_pair *pair)
{
	const uint32_t *labels;
	size_t n;

	ask_labels_answer(&a->labels, pair->answer_time);
	labels = ask_labels_of(&a->labels, pair->mark, &n);

	return labels != NULL && latency_add_labels(a->latency, pair, labels, n);
}

/* Counts what became of n pairs. Nearly all are answered or asked, and these two are counted
 * without a store for each pair. */
static void count_outcomes(struct ask *a, const struct nfart_pair *pairs, size_t n)
{
	uint64_t answered = 0, asked = 0;

	for (size_t i = 0; i < n; i++) {
		answered += pairs[i].outcome == NFART_PAIR_ANSWERED;
		asked += pairs[i].outcome == PAIRS_ASKED;
	}
	a->outcomes[NFART_PAIR_ANSWERED] += answered;
	a->outcomes[PAIRS_ASKED] += asked;
	for (size_t i = 0; i < n && answered + asked < n; i++)
		if (pairs[i].outcome != NFART_PAIR_ANSWERED && pairs[i].outcome != PAIRS_ASKED)
			a->outcomes[pairs[i].outcome]++;
}

bool ask_take_pairs(void *ctx, const struct nfart_pair *pairs, size_t n)
{
	struct ask *a = ctx;
	bool ok = true;

	count_outcomes(a, pairs, n);
	if (a->flight != NULL && !a->ending)
		return a->flight_told || in_flight_take(a->flight, pairs, n);
	if (a->latency != NULL && a->image == NULL)
		return latency_add_many(a->latency, pairs, n);
	for (size_t i = 0; i < n && ok; i++) {
		enum nfart_pair_outcome outcome = pairs[i].outcome;
		if (a->latency != NULL && outcome == NFART_PAIR_ANSWERED)
			ok = take_labelled(a, &pairs[i]);
		else if (a->o->ask.question == ASK_OPEN && outcome != NFART_PAIR_ANSWERED &&
			 outcome != NFART_PAIR_UNASKED)
			ask_print_open(a, &pairs[i]);
	}
	return ok;
}

/* Returns the number of the set of labels of the batch that the request is in. */
static uint32_t mark_request(void *ctx, const struct nfart_pair *pair)
{
	struct ask *a = ctx;

	return ask_labels_mark(&a->labels, pair->time);
}

/* Counts a record in its period. */
static void take_rate(struct ask *a, const struct nfart_batch *b)
{
	if (!ask_rate_has(&a->rate, b->time, a->o->ask.period)) {
		ask_print_rate(a);
		ask_rate_begin(&a->rate, b->time, a->o->ask.period);
	}
	ask_rate_count(&a->rate, b);
}

/* Shows what is known so far. The reader calls this before a read that may block. */
static void ask_show(void *ctx)
{
	struct ask *a = ctx;

	table_flush(&a->out.table);
	fflush(a->out.table.f);
}

/* Takes a batch or a loss record. False: memory is short, or the run was interrupted. */
static bool ask_take(void *ctx, const struct nfart_batch *b)
{
	struct ask *a = ctx;

	reading_batch(&a->trace.reading, a->trace.reader);
	if (a->o->ask.question == ASK_RATE)
		take_rate(a, b);
	a->failed = (a->image != NULL && !ask_labels_put(&a->labels, b)) ||
		    (a->tally != NULL && !tally_put(a->tally, b)) ||
		    (a->pairs != NULL && !nfart_pairs_put(a->pairs, b));
	return !a->failed && *a->stop == 0;
}

/* Shows how far the trace was read. False: the run was interrupted. */
static bool ask_go_on(void *ctx)
{
	struct ask *a = ctx;

	enum nfart_format format = nfart_reader_format(a->trace.reader);

	/* Chunks are few enough to look at the clock after each of them. */
	if (format == NFART_FORMAT_COMPACT || format == NFART_FORMAT_DENSE)
		reading_show(&a->trace.reading, nfart_reader_stats(a->trace.reader));
	else
		reading_batch(&a->trace.reading, a->trace.reader);
	return *a->stop == 0;
}

/* Reads the whole trace in pieces, where the options and the trace allow that: in several threads,
 * or with labels, which mostly cost less so, in one. Returns what ask_jobs_read() does. */
static enum ordered_end read_in_pieces(struct ask *a, struct nfart_reader *r,
				       struct nfart_error *e)
{
	enum ordered_end end = ORDERED_NONE;

	if (a->o->run.jobs > 1)
		end = ask_jobs_read(a, r, e);
	if (end == ORDERED_NONE && a->image != NULL)
		end = ask_pieces_all(a, r, e);
	return end;
}

/* Reads the whole trace. Returns NFART_OK, NFART_PARTIAL if it was interrupted, or what went wrong,
 * and *e says more. */
static enum nfart_status read_all(struct ask *a, struct nfart_reader *r, struct nfart_error *e)
{
	bool only_pairs = a->pairs != NULL && a->image == NULL, merge = a->o->shards.merge;
	enum ordered_end end = merge ? ORDERED_ALL : read_in_pieces(a, r, e);
	int got = end == ORDERED_ERROR ? -1 : 0;

	a->trace.reader = r;
	if (merge) {
		got = ask_shard_merge(a, r, e);
	} else if (end == ORDERED_NONE || end == ORDERED_AGAIN) {
		got = only_pairs ? pairs_read(a->pairs, r, ask_go_on, a, e)
				 : reader_each(r, ask_take, a, e);
		a->trace.stats = *nfart_reader_stats(r);
	}
	reading_end(&a->trace.reading);
	if (a->pairs != NULL)
		a->outcomes[NFART_PAIR_ANSWERED] += pairs_counted(a->pairs);
	if (got < 0 && *a->stop == 0)
		return e->status;
	a->ending = true;
	if (a->failed || (a->pairs != NULL && !nfart_pairs_end(a->pairs)))
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	return *a->stop != 0 ? NFART_PARTIAL : NFART_OK;
}

/* ---- before and after ---- */

struct pairs_want ask_wants(const struct nfarun_options *o)
{
	bool by_nothing = o->ask.by == BY_PAIR || o->ask.by == BY_NOTHING;
	bool by_rule = o->ask.question == ASK_LATENCY && by_nothing &&
		       o->ask.slowest == 0;

	return (struct pairs_want){ .details = o->ask.question != ASK_IN_FLIGHT && !by_rule,
				    .asked = o->ask.question == ASK_IN_FLIGHT,
				    .prefix = ASK_PREFIX };
}

/* Lets latencies be counted where pairs are joined, if that can be. False: memory is short. */
static bool ask_count_latencies(struct ask *a)
{
	struct pairs_counts c;

	return a->latency == NULL || a->o->shards.merge || !latency_counting(a->latency, &c) ||
	       pairs_count(a->pairs, &c);
}

/* Makes what answers the question for a trace. Counts go on from trace to trace. False: *e says
 * why. */
static bool ask_prepare(struct ask *a, struct nfart_error *e)
{
	const struct nfarun_options *o = a->o;
	bool ok = true;

	if (ask_needs_pairs(o))
		ok = (a->pairs = pairs_new(a->p, ask_wants(o), ask_take_pairs, a, e)) != NULL;
	if (o->ask.question == ASK_LATENCY)
		ok = ok && (a->latency = latency_new(a->p,
						     o->ask.by == BY_TYPE    ? LATENCY_BY_TYPE
						     : o->ask.by == BY_LINE  ? LATENCY_BY_LINE
						     : o->ask.by == BY_GROUP ? LATENCY_BY_GROUP
						     : o->ask.by == BY_LABEL ? LATENCY_BY_LABEL
									     : LATENCY_BY_PAIR,
						     o->ask.slowest)) != NULL;
	ok = ok && ask_count_latencies(a);
	if (o->ask.question == ASK_IN_FLIGHT)
		ok = ok && (a->flight = in_flight_new(a->p->names.npairs)) != NULL;
	if (o->ask.question == ASK_COUNT && a->tally == NULL)
		ok = (a->tally = ask_tally_new(a)) != NULL;
	if (!ok) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return false;
	}
	if (a->image == NULL)
		return true;
	nfart_pairs_on_request(a->pairs, mark_request);
	return ask_labels_begin(&a->labels, a->image, e);
}

/* Frees what answered the question for a trace. */
static void ask_drop(struct ask *a)
{
	nfart_pairs_free(a->pairs);
	ask_labels_free(&a->labels);
	latency_free(a->latency);
	in_flight_free(a->flight);
	a->ending = false;
	a->pairs = NULL;
	a->latency = NULL;
	a->flight = NULL;
	a->rate = (struct ask_rate){ .begin = 0 };
}

/* Counts requests in flight up to the end. False: out of memory. */
static bool ask_flight_end(struct ask *a)
{
	uint64_t first = 0, last = 0;

	if (a->flight == NULL)
		return true;
	if (!pairs_span(a->pairs, &first, &last))
		first = last = 0;
	return in_flight_end(a->flight, first, last);
}

/* Reads a trace and writes the answer. Returns an exit code. */
static int ask_answer(struct ask *a, struct nfart_reader *r)
{
	enum nfart_status status;
	struct nfart_error e;

	memset(&e, 0, sizeof e);
	if (!ask_prepare(a, &e))
		return process_report(&e);
	if (a->o->shards.n != 0)
		return ask_shard_run(a, r);
	ask_print_begin(a);
	status = read_all(a, r, &e);
	reader_stats_add(&a->trace.sum, &a->trace.stats);
	if (status != NFART_OK && status != NFART_PARTIAL)
		return process_report(&e);
	if (!ask_flight_end(a) || !ask_print_end(a)) {
		nfart_fail(&e, NFART_SYSTEM, "out of memory");
		return process_report(&e);
	}
	if (a->trace.stats.bad_chunks != 0)
		status = NFART_PARTIAL;
	return (int)status;
}

/* Answers for one trace (NULL: standard input). Returns an exit code. */
static int ask_trace(struct ask *a, const char *trace)
{
	struct nfart_reader_options reader = a->o->reader;
	struct nfart_reader *r;
	struct nfart_error e;
	int code;

	reader.wait = ask_show;
	reader.wait_ctx = a;
	a->out.table.trace =
		a->o->files.ntraces > 1 && a->o->ask.question != ASK_COUNT ? trace : NULL;
	r = nfart_reader_open(trace, a->p, &reader, &e);
	if (r == NULL)
		wrong_file_image(trace, "with -p its protocol is taken", &e);
	if (r == NULL)
		code = process_report(&e);
	else if (a->image == NULL || (code = fits_payload(r, a->image, trace)) == NFART_OK)
		code = ask_answer(a, r);
	nfart_reader_free(r);
	ask_drop(a);
	return code;
}

/* Answers for all traces after the output was opened. Returns an exit code. */
static int ask_traces(struct ask *a)
{
	const struct nfarun_options *o = a->o;
	uint32_t n = o->files.ntraces > 1 ? o->files.ntraces : 1;
	int code = NFART_OK;

	for (uint32_t i = 0; i < n && (i == 0 || *a->stop == 0); i++) {
		int this = ask_trace(a, o->files.ntraces > 1 ? o->files.traces[i] : o->files.trace);
		if (this != NFART_OK && (code == NFART_OK || code == NFART_PARTIAL))
			code = this;
	}
	if ((code != NFART_OK && code != NFART_PARTIAL) || o->ask.question != ASK_COUNT ||
	    o->shards.n != 0)
		return code;
	if (ask_print_counts(a))
		return code;
	fputs("nfarun: error: out of memory\n", stderr);
	return NFART_SYSTEM;
}

static void ask_free(struct ask *a)
{
	tally_free(a->tally);
	buf_free(&a->out.text);
	buf_free(&a->out.other);
	buf_free(&a->out.keys);
	table_free(&a->out.table);
}

/* Do rows come on a terminal while a trace is read? They show how far it is, and a line of progress
 * would be mixed with them. */
static bool rows_on_terminal(const struct ask *a, FILE *f)
{
	enum question q = a->o->ask.question;

	return (q == ASK_OPEN || q == ASK_RATE) && isatty(fileno(f));
}

/* Answers after the protocol was opened. Returns an exit code. */
static int ask_opened(struct ask *a)
{
	const struct nfarun_options *o = a->o;
	struct outfile out;
	struct nfart_error e;
	int code;

	if (output_begin(&out, o, &e) != NFART_OK)
		return process_report(&e);
	a->out.table.f = out.f;
	a->out.table.form = o->output.form;
	reading_begin(&a->trace.reading, "nfarun", o->output.quiet || rows_on_terminal(a, out.f));
	for (uint32_t i = 0; i < o->files.ntraces; i++)
		if (strlen(o->files.traces[i]) > a->out.table.trace_width)
			a->out.table.trace_width = strlen(o->files.traces[i]);
	code = ask_traces(a);
	if (code != NFART_OK && code != NFART_PARTIAL && o->files.ntraces > 1)
		table_flush(&a->out.table); /* the answers of the traces without errors */
	else if ((code == NFART_OK || (code == NFART_PARTIAL && o->shards.n == 0)) && !a->done &&
		 outfile_commit(&out, &e) != NFART_OK)
		code = process_report(&e);
	else if ((code == NFART_OK || code == NFART_PARTIAL) && o->shards.n == 0)
		ask_print_summary(a, &a->trace.sum, *a->stop != 0);
	outfile_abort(&out);
	ask_free(a);
	return code;
}

/* Answers with the protocol in `a`. Returns an exit code. */
static int ask_protocol(struct ask *a)
{
	if (a->p->names.npairs != 0 || !ask_needs_pairs(a->o))
		return ask_opened(a);
	fprintf(stderr, "nfarun: error: protocol '%s' has no rules for pairs\n", a->p->name);
	return NFART_INPUT;
}

/* Answers for each label of an image, or of the filter of -e. Returns an exit code. */
static int ask_by_label(struct ask *a)
{
	int code = images_open(a->o, &a->image, NULL);

	if (code == NFART_OK && (code = fits_ring(a->o, a->image, a->o->files.image)) == NFART_OK) {
		a->p = a->image->proto;
		code = ask_protocol(a);
	}
	nfart_image_free(a->image);
	return code;
}

int ask_run(const struct nfarun_options *o, const volatile sig_atomic_t *stop)
{
	struct ask a = { .o = o, .stop = stop };
	struct protocol x;
	int code;

	if (o->files.against != NULL)
		return ask_against(o, stop);
	if (o->ask.by == BY_LABEL)
		return ask_by_label(&a);
	code = protocol_open_any(&x, "nfarun", o->output.when_colour, o->protocol, o->files.trace,
				 &o->dirs, &o->params);
	if (code != NFART_OK)
		return code;
	a.p = x.p;
	if ((code = fits_ring(o, x.image, o->protocol)) == NFART_OK)
		code = ask_protocol(&a);
	protocol_close(&x);
	return code;
}
