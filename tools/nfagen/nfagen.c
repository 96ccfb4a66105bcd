/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfagen: generates traffic of the ECI link, and puts faults into it if the user wants some. The
 * traffic comes from gen_coherence.c, gen_busy.c, gen_misses.c, gen_blocks.c or gen_rules.c. It
 * goes to a writer of the runtime or to gen_ila.c.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grammar/describe/builtin.h"
#include "runtime/trace/codec/compress.h"
#include "support/buf.h"
#include "support/cli.h"
#include "support/outfile.h"
#include "support/progress.h"
#include "tools/nfagen/blocks/block_random.h"
#include "tools/nfagen/blocks/block_streams.h"
#include "tools/nfagen/nfagen_options.h"
#include "tools/nfagen/traffic/gen_busy.h"
#include "tools/nfagen/traffic/gen_ila.h"
#include "tools/nfagen/traffic/gen_rules.h"

enum { SHOW_EVERY = 4096 }; /* batches between two updates of the progress line */

/* The destination of the batches. Either `writer` or `ila` is not NULL. */
struct sink {
	struct nfart_writer *writer;
	struct gen_ila *ila;
	const struct nfart_image *image; /* whose rules are followed; NULL: of no image */
	FILE *truth;                /* file for what the model counts; NULL: not wanted */
	struct progress_line *line; /* NULL: no progress is shown */
	uint64_t batches, messages; /* how many were written so far */
	uint64_t length;            /* how many there will be; 0: it is not known */
	bool by_message;            /* `length` counts messages, not batches */
	/* What goes beside messages. Its random numbers are not those of the traffic, which is the
	 * same without payload. */
	struct {
		uint32_t words;     /* of a message; 0: there is no payload */
		struct gen_random random;
		uint64_t at[NFART_SLOTS * NFART_PAYLOAD_WORDS]; /* that of a batch */
	} payload;
	/* The summary and the faults, which are printed once the output is complete. */
	struct buf report;
	char of[48];                /* length of the whole trace, as text for the progress line */
};

static bool sink_open(struct sink *s, FILE *f, const struct nfart_proto *p,
		      const struct nfagen_options *o, struct nfart_error *e)
{
	struct gen_random random = {.state = ~o->gen.seed};
	struct gen_ila_options ila = {.format = o->out.format, .ring = o->out.ring,
				      .start = gen_random_below(&random, o->out.ring)};
	struct nfart_writer_options other = {.format = o->out.format,
					     .payload_words = o->out.payload_bits / 64};

	if (o->out.format == NFART_FORMAT_ILA || o->out.format == NFART_FORMAT_DUMP)
		s->ila = gen_ila_new(f, p, &ila, e);
	else
		s->writer = nfart_writer_new(f, p, &other, e);
	if (s->ila == NULL && s->writer == NULL)
		return false;
	s->payload.words = o->out.payload_bits / 64;
	s->payload.random.state = random.state;
	/* If the trace itself goes to the terminal, a progress line would be mixed with it. */
	bool mixed =
		(o->out.file == NULL || strcmp(o->out.file, "-") == 0) && isatty(STDOUT_FILENO);
	if (!o->quiet && !mixed)
		s->line = progress_line_new("nfagen");
	s->length = o->model == MODEL_MISSES || o->end.length == UINT64_MAX ? 0 : o->end.length;
	s->by_message = o->gen.fault.by_message;
	if (s->length == 0)
		snprintf(s->of, sizeof s->of, "batches");
	else
		snprintf(s->of, sizeof s->of, "batches of %" PRIu64 "%s", o->end.length,
			 o->gen.fault.by_message ? " messages" : "");
	return true;
}

/* Writes a batch with a random payload. */
static bool put_payload(struct sink *s, const struct nfart_batch *b)
{
	struct nfart_batch with = *b;
	size_t n = bits_count(b->mask) * (size_t)s->payload.words;

	for (size_t i = 0; i < n; i++)
		s->payload.at[i] = gen_random(&s->payload.random);
	with.payload_words = (uint8_t)s->payload.words;
	with.payload = s->payload.at;
	return nfart_writer_put(s->writer, &with, NULL);
}

static bool sink_put(struct sink *s, const struct nfart_batch *b)
{
	s->messages += bits_count(b->mask);
	if (++s->batches % SHOW_EVERY == 0) {
		progress_at(progress_line_callback(s->line), "trace", s->batches, s->of);
		progress_line_part(s->line, s->by_message ? s->messages : s->batches, s->length);
	}
	if (s->payload.words != 0)
		return put_payload(s, b);
	return s->ila != NULL ? gen_ila_put(s->ila, b) : nfart_writer_put(s->writer, b, NULL);
}

static enum nfart_status sink_close(struct sink *s, struct nfart_error *e)
{
	return s->ila != NULL ? gen_ila_close(s->ila, e) : nfart_writer_close(s->writer, e);
}

static enum nfart_status write_busy(struct sink *s, const struct nfart_proto *p,
				    const struct nfagen_options *o, struct nfart_error *e)
{
	struct gen_busy *g = calloc(1, sizeof *g);
	struct nfart_batch b;

	if (g == NULL)
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	g->proto = p;
	g->random.state = o->gen.seed;
	g->first_line = o->gen.lines.first;
	g->lines = o->gen.lines.n;
	g->filled = o->gen.batch.gather == 0 ? NFART_SLOTS : o->gen.batch.gather;
	g->plain = o->gen.plain;
	gen_busy_init(g);
	while ((o->gen.fault.by_message ? g->messages : g->batches) < o->end.length) {
		gen_busy_next(g, &b);
		if (!sink_put(s, &b))
			break;
	}
	if (!o->quiet)
		buf_addf(&s->report, "%" PRIu64 " batches, %" PRIu64 " messages\n", g->batches,
			g->messages);
	free(g);
	return NFART_OK;
}

static void add_summary(struct buf *out, const struct gen_stats *s, const struct nfagen_options *o,
			uint64_t time)
{
	buf_addf(out, "%" PRIu64 " batches, %" PRIu64 " messages, %" PRIu64 " cycles\n",
		s->batches, s->messages, time);
	buf_addf(out, "transactions: %" PRIu64 " reads, %" PRIu64 " writes, %" PRIu64
		" upgrades, %" PRIu64 " evictions, %" PRIu64 " forwards (%" PRIu64
		" crossed), %" PRIu64 " I/O, %" PRIu64 " GSYNC\n",
		s->ops[GEN_READ], s->ops[GEN_WRITE], s->ops[GEN_UPGRADE], s->ops[GEN_EVICT],
		s->ops[GEN_FORWARD], s->crossed, s->io, s->syncs);
	if ((o->gen.fault.by_message ? s->messages : s->batches) < o->end.length)
		buf_addf(out, "the trace is shorter than asked for: every line has gone silent\n");
}

/* Reports where in the trace the faults are. NFART_GAVEUP: a fault found no opportunity to
 * happen. */
static enum nfart_status add_faults(struct buf *out, const struct gen_options *o)
{
	enum nfart_status status = NFART_OK;

	for (uint32_t i = 0; i < o->fault.n; i++) {
		const struct gen_fault *f = &o->fault.list[i];
		const char *name = gen_fault_name(f->kind);
		if (!f->shown) {
			buf_addf(out, "nfagen: fault %s found no opportunity\n", name);
			status = NFART_GAVEUP;
		} else if (f->kind == GEN_LOST_BLOCK) {
			buf_addf(out, "fault %s at %" PRIu64 " from %s\n", name, f->time,
				f->from_cpu ? "cpu" : "fpga");
		} else if (f->kind == GEN_CREDIT_OVERRUN) {
			buf_addf(out, "fault %s at %" PRIu64 " from %s channel %u\n", name,
				f->time, f->from_cpu ? "cpu" : "fpga", f->vc);
		} else if (f->kind == GEN_LOST_SAMPLES) {
			buf_addf(out, "fault %s at %" PRIu64 " lost %" PRIu64 "\n", name,
				f->time, f->lost);
		} else {
			buf_addf(out, "fault %s at %" PRIu64 " line 0x%" PRIx64 "\n", name,
				f->time, f->address);
		}
	}
	return status;
}

/* Generates traffic that follows the protocol and writes it to the sink. An error of the sink ends
 * the loops, too; sink_close() reports it. */
static enum nfart_status write_coherence(struct sink *s, const struct nfart_proto *p,
					 const struct nfagen_options *o, struct nfart_error *e)
{
	struct gen *g = gen_new(p, &o->gen, e);
	struct nfart_batch b = {.time = 0};
	enum nfart_status status;

	if (g == NULL)
		return e->status;
	const struct gen_stats *stats = gen_stats(g);
	const uint64_t *progress = o->gen.fault.by_message ? &stats->messages : &stats->batches;
	while (*progress < o->end.length && gen_next(g, &b) && sink_put(s, &b))
		;
	if (o->end.drain) {
		gen_drain(g);
		while (gen_next(g, &b) && sink_put(s, &b))
			;
	}
	if (!o->quiet)
		add_summary(&s->report, stats, o, b.time);
	status = add_faults(&s->report, &o->gen);
	gen_free(g);
	return status;
}

/* Writes what happened to each line as a row of CSV. An error of the file is left to its closing.
 * */
static void write_truth(FILE *f, const struct gen_misses *g)
{
	fputs("line,accesses,compulsory,capacity,coherency\n", f);
	for (uint32_t i = 0; i < GEN_TREE_LINES; i++) {
		const struct gen_misses_line *l = gen_misses_line(g, i);
		fprintf(f, "0x%" PRIx64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n",
			l->address, l->accesses, l->compulsory, l->capacity, l->coherency);
	}
}

static void add_misses(struct buf *out, const struct gen_misses *g, const struct nfagen_options *o)
{
	struct gen_misses_line sum = {0};

	for (uint32_t i = 0; i < GEN_TREE_LINES; i++) {
		const struct gen_misses_line *l = gen_misses_line(g, i);
		sum.accesses += l->accesses;
		sum.compulsory += l->compulsory;
		sum.capacity += l->capacity;
		sum.coherency += l->coherency;
	}
	buf_addf(out, "lookups: %" PRIu32 ", accesses: %" PRIu64 ", misses: %" PRIu64
		" compulsory, %" PRIu64 " capacity, %" PRIu64 " coherency\n", o->misses.lookups,
		sum.accesses, sum.compulsory, sum.capacity, sum.coherency);
}

/* Writes the experiment on cache misses to the sink, with its counts if the sink wants them. */
static enum nfart_status write_misses(struct sink *s, const struct nfart_proto *p,
				      const struct nfagen_options *o, struct nfart_error *e)
{
	struct gen_misses *g = gen_misses_new(p, &o->misses, e);
	struct nfart_batch b = {.time = 0};
	uint64_t messages = 0;

	if (g == NULL)
		return e->status;
	while (gen_misses_next(g, &b) && sink_put(s, &b))
		messages += (uint64_t)__builtin_popcountll(b.mask);
	if (!o->quiet) {
		buf_addf(&s->report,
			 "%" PRIu64 " batches, %" PRIu64 " messages, %" PRIu64 " cycles\n",
			 s->batches, messages, b.time);
		add_misses(&s->report, g, o);
	}
	if (s->truth != NULL)
		write_truth(s->truth, g);
	gen_misses_free(g);
	return NFART_OK;
}

/* Generates the traffic of a link with its block layer, which a model makes, and writes it to the
 * sink. */
static enum nfart_status write_traffic(struct sink *s, const struct nfart_proto *p,
				       const struct nfagen_options *o,
				       const struct block_traffic *traffic, struct nfart_error *e)
{
	struct gen_blocks *g = calloc(1, sizeof *g);
	struct gen_blocks_options b = { .seed = o->gen.seed,
					.idle = o->blocks.idle,
					.by_message = o->gen.fault.by_message,
					.faults = o->gen.fault.list,
					.nfaults = o->gen.fault.n };
	struct nfart_batch batch;
	enum nfart_status status;

	if (g == NULL || !gen_blocks_begin(g, p, &b, traffic)) {
		free(g);
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	}
	const uint64_t *progress = o->gen.fault.by_message ? &g->messages : &g->batches;
	while (*progress < o->end.length && gen_blocks_next(g, &batch) && sink_put(s, &batch))
		;
	if (!o->quiet)
		buf_addf(&s->report,
			 "%" PRIu64 " batches, %" PRIu64 " messages, %" PRIu64 " cycles\n",
			 g->batches, g->messages, g->now);
	status = add_faults(&s->report, &o->gen);
	gen_blocks_end(g);
	free(g);
	return status;
}

static enum nfart_status write_blocks(struct sink *s, const struct nfart_proto *p,
				      const struct nfagen_options *o, struct nfart_error *e)
{
	struct block_random r = { .random.state = o->gen.seed, .first_line = o->gen.lines.first,
				  .lines = o->gen.lines.n, .rate = o->gen.rate };
	struct block_traffic traffic = block_random_init(&r);

	return write_traffic(s, p, o, &traffic, e);
}

static enum nfart_status write_streams(struct sink *s, const struct nfart_proto *p,
				       const struct nfagen_options *o, struct nfart_error *e)
{
	struct block_streams m = { .random.state = o->gen.seed,
				   .base = o->gen.lines.first << 7,
				   .cores = o->blocks.cores,
				   .rounds = o->blocks.rounds,
				   .proto = p };
	struct block_traffic traffic = block_streams_init(&m);

	return write_traffic(s, p, o, &traffic, e);
}

static enum nfart_status write_rules(struct sink *s, const struct nfart_proto *p,
				     const struct nfagen_options *o, struct nfart_error *e)
{
	struct gen_rules_options r = { .seed = o->gen.seed,
				       .base = o->gen.lines.first * NFAGEN_LINE_BYTES,
				       .lines = o->gen.lines.n,
				       .faults = o->gen.fault.list,
				       .nfaults = o->gen.fault.n };
	struct gen_rules *g = gen_rules_new(s->image, &r, e);
	struct nfart_batch b = {.time = 0};
	enum nfart_status status;

	(void)p;
	if (g == NULL)
		return e->status;
	while (s->batches < o->end.length && gen_rules_next(g, &b) && sink_put(s, &b))
		;
	if (!o->quiet)
		buf_addf(&s->report, "%" PRIu64 " batches, %" PRIu64 " cycles\n", s->batches,
			 b.time);
	status = add_faults(&s->report, &o->gen);
	gen_rules_free(g);
	return status;
}

/* Writes the batches of a model to the sink. Returns NFART_OK, NFART_GAVEUP if a fault found no
 * opportunity, or the status of an error that is in *e. */
typedef enum nfart_status write_model(struct sink *s, const struct nfart_proto *p,
				      const struct nfagen_options *o, struct nfart_error *e);

static write_model *const write_models[MODELS] = {
	[MODEL_COHERENCE] = write_coherence, [MODEL_BUSY] = write_busy,
	[MODEL_MISSES] = write_misses, [MODEL_BLOCKS] = write_blocks,
	[MODEL_STREAMS] = write_streams, [MODEL_RULES] = write_rules,
};

/* Opens the trace, which is compressed where its name asks for that, and the file for the model's
 * counts if the user wants it. On failure nothing is left open. */
static enum nfart_status open_outputs(const struct nfagen_options *o, struct outfile *trace,
				      struct outfile *truth, struct nfart_error *e)
{
	enum nfart_status status = outfile_open(trace, o->out.file, e);

	if (status != NFART_OK)
		return status;
	status = compress_outfile(trace, o->out.file, e);
	if (status == NFART_OK && o->truth != NULL)
		status = outfile_open(truth, o->truth, e);
	if (status != NFART_OK)
		outfile_abort(trace);
	return status;
}

/* Generates the trace and writes the output. NFART_OK and NFART_GAVEUP mean that the output is
 * complete and has its final name. After any other status *e says what is wrong. */
static enum nfart_status generate(const struct nfagen_options *o, const struct nfart_proto *p,
				  const struct nfart_image *image, struct nfart_error *e)
{
	struct outfile out = {0}, truth = {0};
	struct sink sink = {.image = image};
	enum nfart_status status = open_outputs(o, &out, &truth, e), closed;

	if (status != NFART_OK)
		return status;
	sink.truth = truth.f;
	if (!sink_open(&sink, out.f, p, o, e)) {
		status = e->status;
		goto out;
	}
	status = write_models[o->model](&sink, p, o, e);
	progress_line_free(sink.line);
	bool failed = status != NFART_OK && status != NFART_GAVEUP;
	closed = sink_close(&sink, failed ? NULL : e);
	if (failed || closed != NFART_OK) {
		status = failed ? status : closed;
		goto out;
	}
	closed = outfile_commit(&out, e);
	if (closed == NFART_OK && o->truth != NULL)
		closed = outfile_commit(&truth, e);
	if (closed != NFART_OK)
		status = closed;
	else if (sink.report.failed)
		status = nfart_fail(e, NFART_SYSTEM, "out of memory");
	else if (sink.report.n != 0)
		fputs(sink.report.at, stderr);
out:
	buf_free(&sink.report);
	outfile_abort(&out);
	outfile_abort(&truth);
	return status;
}

int main(int argc, char **argv)
{
	struct nfagen_options o;
	struct nfart_error e = {0};
	enum nfart_status status;
	int code = nfagen_options_parse(&o, argc, argv);

	if (code != OPTION_GO_ON)
		return cli_finish("nfagen", code);
	if (o.rules != NULL) {
		struct nfart_image *image = nfart_image_open(o.rules, &e);
		status = image == NULL ? e.status
				       : generate(&o, nfart_image_proto(image), image, &e);
		nfart_image_free(image);
	} else {
		struct nfart_proto *p = proto_builtin(o.protocol);
		status = p != NULL ? generate(&o, p, NULL, &e)
				   : nfart_fail(&e, NFART_SYSTEM, "out of memory for protocol %s",
						o.protocol);
		proto_free(p);
	}
	if (status != NFART_OK && status != NFART_GAVEUP) {
		fprintf(stderr, "nfagen: ");
		nfart_error_print(stderr, &e);
	}
	return status;
}
