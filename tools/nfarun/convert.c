/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfarun/convert.h"

#include <inttypes.h>
#include <string.h>

#include "runtime/trace/reader.h"
#include "tools/nfarun/fits.h"
#include "tools/nfarun/merge_traces.h"
#include "tools/nfarun/output.h"
#include "tools/nfarun/process.h"
#include "tools/nfarun/protocol.h"
#include "tools/nfarun/reading.h"
#include "tools/nfarun/wrong_file.h"

struct conversion {
	const struct nfarun_options *o;
	const struct nfart_proto *p;
	struct output out;
	struct nfart_reader *reader; /* of the current trace */
	struct reading reading;
	struct nfart_reader_stats sum;  /* of the traces before, or of all that are merged */
	bool failed;                    /* the output failed */
};

static bool conversion_put(void *ctx, const struct nfart_batch *b)
{
	struct conversion *c = ctx;

	c->failed = !nfart_writer_put(c->out.writer, b, NULL);
	reading_batch(&c->reading, c->reader);
	return !c->failed && process_stop == 0;
}

static void flush_output(void *ctx)
{
	struct conversion *c = ctx;

	output_show(c->o, c->out.writer);
	fflush(c->out.file.f);
}

/* Writes a trace that was opened. Returns an exit code. */
static int convert_opened(struct conversion *c, const char *trace)
{
	struct nfart_error e;
	int got, code;

	uint32_t payload = nfart_reader_payload(c->reader);

	if (c->out.writer == NULL &&
	    (code = output_writer(&c->out, c->p, NULL, NULL, 0, payload)) != NFART_OK) {
		c->failed = true;
		return code;
	}
	if ((code = output_payload(&c->out, payload, trace)) != NFART_OK)
		return code;
	if (c->o->files.ntraces > 1)
		nfart_writer_trace(c->out.writer, trace);
	got = reader_each(c->reader, conversion_put, c, &e);
	reading_end(&c->reading);
	reader_stats_add(&c->sum, nfart_reader_stats(c->reader));
	if (got < 0 && process_stop == 0) {
		wrong_file_image(trace, "to run it, leave out -p", &e);
		return process_report(&e);
	}
	if (process_stop == 0)
		nfart_writer_until(c->out.writer, nfart_reader_until(c->reader));
	return process_stop != 0 || nfart_reader_stats(c->reader)->bad_chunks != 0 ? NFART_PARTIAL
										     : NFART_OK;
}

static int convert_trace(struct conversion *c, const char *trace)
{
	struct nfart_reader_options reader = c->o->reader;
	struct nfart_error e;
	int code;

	reader.wait = flush_output;
	reader.wait_ctx = c;
	c->reader = nfart_reader_open(trace, c->p, &reader, &e);
	if (c->reader == NULL)
		wrong_file_image(trace, "to run it, leave out -p", &e);
	code = c->reader != NULL   ? convert_opened(c, trace)
	       : process_stop != 0 ? NFART_PARTIAL
				   : process_report(&e);
	nfart_reader_free(c->reader);
	return code;
}

/* Writes the batches of traces that were opened as those of one. Returns an exit code. */
static int write_merged(struct conversion *c, struct merge_traces *m)
{
	struct nfart_batch b;
	struct nfart_error e;
	int got, code = output_writer(&c->out, c->p, NULL, NULL, 0, m->payload.words);

	if (code != NFART_OK)
		return code;
	c->reader = m->sources[0].reader;
	while ((got = merge_traces_next(m, &b, &e)) == 1 && conversion_put(c, &b))
		;
	reading_end(&c->reading);
	for (uint32_t i = 0; i < m->n; i++)
		reader_stats_add(&c->sum, nfart_reader_stats(m->sources[i].reader));
	c->sum.damaged += m->doubled;
	if (got < 0 && process_stop == 0) {
		wrong_file_image(m->wrong, "to run it, leave out -p", &e);
		return process_report(&e);
	}
	if (process_stop == 0)
		nfart_writer_until(c->out.writer, merge_traces_until(m));
	return process_stop != 0 || c->sum.bad_chunks != 0 ? NFART_PARTIAL : NFART_OK;
}

static int convert_merged(struct conversion *c)
{
	struct nfart_reader_options reader = c->o->reader;
	struct merge_traces m;
	struct nfart_error e;
	int code;

	reader.wait = flush_output;
	reader.wait_ctx = c;
	if (merge_traces_open(&m, c->o->files.traces, c->o->files.ntraces, c->p, &reader, &e)) {
		code = write_merged(c, &m);
	} else {
		wrong_file_image(m.wrong, "to run it, leave out -p", &e);
		code = process_stop != 0 ? NFART_PARTIAL : process_report(&e);
	}
	merge_traces_close(&m);
	return code;
}

static void print_summary(const struct conversion *c)
{
	const struct nfart_reader_stats *s = &c->sum;

	fprintf(stderr, "batches read: %" PRIu64 ", messages: %" PRIu64 "\n", s->batches,
		s->messages);
	if (c->out.payload_words != 0)
		fprintf(stderr, "payload of a message: %" PRIu32 " bits\n",
			64 * c->out.payload_words);
	if (s->losses != 0)
		fprintf(stderr, "gaps: %" PRIu64 "\n", s->losses);
	if (s->bad_chunks != 0)
		fprintf(stderr, "damaged chunks: %" PRIu64 "\n", s->bad_chunks);
	if (s->damage != NULL)
		fprintf(stderr, "%s\n", s->damage);
	if (s->damaged != 0)
		fprintf(stderr,
			"batches begun because a slot came twice at one time: %" PRIu64 "\n",
			s->damaged);
	if (process_stop != 0)
		fputs("interrupted: complete up to here\n", stderr);
}

/* Writes the traces one after the other. Returns an exit code. */
static int convert_each(struct conversion *c)
{
	const struct nfarun_options *o = c->o;
	uint32_t n = o->files.ntraces > 1 ? o->files.ntraces : 1;
	int code = NFART_OK;

	for (uint32_t i = 0; i < n && !c->failed && (i == 0 || process_stop == 0); i++) {
		int this = convert_trace(c, o->files.ntraces > 1 ? o->files.traces[i]
								 : o->files.trace);
		if (this != NFART_OK && (code == NFART_OK || code == NFART_PARTIAL))
			code = this;
	}
	return code;
}

/* Writes all traces after the output was opened. Returns an exit code. */
static int convert_all(struct conversion *c)
{
	const struct nfarun_options *o = c->o;
	int code = o->files.merge_traces ? convert_merged(c) : convert_each(c), closed;

	if (code == NFART_PARTIAL && c->out.writer == NULL) /* interrupted before any input */
		code = output_writer(&c->out, c->p, NULL, NULL, 0, 0) == 0 ? code : NFART_SYSTEM;
	closed = output_close_writer(&c->out);
	if (closed != NFART_OK || (code != NFART_OK && code != NFART_PARTIAL))
		return closed != NFART_OK ? closed : code;
	if ((closed = output_commit(&c->out)) != NFART_OK)
		return closed;
	if (!o->output.quiet)
		print_summary(c);
	return code;
}

int convert_run(const struct nfarun_options *o)
{
	struct conversion c = { .o = o, .out.o = o };
	struct protocol x;
	struct nfart_error e;
	int code = protocol_open_any(&x, "nfarun", o->output.when_colour, o->protocol,
				     o->files.trace, &o->dirs, &o->params);

	if (code != NFART_OK)
		return code;
	c.p = x.p;
	reading_begin(&c.reading, "nfarun", o->output.quiet);
	if ((code = fits_ring(o, x.image, o->protocol)) == NFART_OK)
		code = output_begin(&c.out.file, o, &e) == NFART_OK ? convert_all(&c)
								    : process_report(&e);
	output_free(&c.out);
	protocol_close(&x);
	return code;
}
