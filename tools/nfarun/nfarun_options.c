/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfarun/nfarun_options.h"

#include <getopt.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "runtime/run/shard.h"
#include "support/cli.h"
#include "tools/nfarun/nfarun_checks.h"
#include "tools/nfarun/parts.h"
#include "tools/nfarun/trace_options.h"

enum { MOST_SLOWEST = 10000 };

static int wrong_use(const char *what, const char *arg)
{
	return cli_wrong_use("nfarun", what, arg);
}

/* ---- values ---- */

static struct option_value named(const char *name)
{
	return (struct option_value){ name, NULL };
}

static struct option_value on_loss(size_t i)
{
	static const char *const names[] = { "keep", "reset", NULL };

	return named(names[i]);
}

static struct option_value engines(size_t i)
{
	static const struct option_value values[] = { { "software", "the engine in software" },
						      { "rtl", "the engine in Verilog, simulated" },
						      { NULL, NULL } };

	return values[i];
}

static struct option_value explained(size_t i)
{
	static const char *const names[] = { "first", "all", NULL };

	return named(names[i]);
}

/* In the order of enum nfart_times. */
static struct option_value times(size_t i)
{
	static const char *const names[] = { "absolute", "relative", "delta", NULL };

	return named(names[i]);
}

/* In the order of enum ask_by. */
static struct option_value counted_by(size_t i)
{
	static const char *const names[] = { "line", "label", "type", "group", "pair", NULL };

	return named(names[i]);
}

/* ---- handlers ---- */

static int take_to(const struct option_given *g)
{
	struct nfarun_options *o = g->options;

	o->has_to = true;
	return nfart_format_parse(g->value, &o->to) ? OPTION_GO_ON : OPTION_WRONG;
}

static int take_clock(const struct option_given *g)
{
	struct nfarun_options *o = g->options;

	return cli_frequency(g->value, &o->clock) ? OPTION_GO_ON : OPTION_WRONG;
}

static int take_pretty(const struct option_given *g)
{
	struct nfarun_options *o = g->options;

	o->has_to = true;
	o->to = NFART_FORMAT_PRETTY;
	return OPTION_GO_ON;
}

static int take_raw(const struct option_given *g)
{
	struct nfarun_options *o = g->options;

	o->has_to = true;
	o->to = NFART_FORMAT_TEXT;
	return OPTION_GO_ON;
}

static int take_times(const struct option_given *g)
{
	struct nfarun_options *o = g->options;
	int i = option_choice(times, g->value);

	o->has_times = true;
	o->times = i < 0 ? NFART_TIMES_ABSOLUTE : (enum nfart_times)i;
	return i >= 0 ? OPTION_GO_ON : OPTION_WRONG;
}

static int take_substream(const struct option_given *g)
{
	struct nfarun_options *o = g->options;

	const char *rest;

	o->engine.has_substream = true;
	return cli_number(g->value, ',', &o->engine.base, &rest) &&
			       cli_number(rest, 0, &o->engine.count, NULL) && o->engine.count != 0
		       ? OPTION_GO_ON : OPTION_WRONG;
}

static int take_on_loss(const struct option_given *g)
{
	struct nfarun_options *o = g->options;
	int i = option_choice(on_loss, g->value);

	o->engine.keep_on_loss = i == 0;
	o->engine.reset_on_loss = i == 1;
	return i >= 0 ? OPTION_GO_ON : OPTION_WRONG;
}

/* Handles `--swap K B.BIN`. The value is K; the image is taken from the next word of the command
 * line. */
static int take_swap(const struct option_given *g)
{
	struct nfarun_options *o = g->options;

	if (!cli_number(g->value, 0, &o->swap_at, NULL) || o->swap_at == 0)
		return OPTION_WRONG;
	if (optind >= o->argc)
		return wrong_use("--swap needs an image after the batch", NULL);
	o->second = o->argv[optind++];
	return OPTION_GO_ON;
}

static int take_jobs(const struct option_given *g)
{
	struct nfarun_options *o = g->options;
	uint64_t n;

	if (!cli_number(g->value, 0, &n, NULL) || n > RUN_MOST_JOBS)
		return OPTION_WRONG;
	if (n == 0) {
		long cores = sysconf(_SC_NPROCESSORS_ONLN);
		n = cores < 1 ? 1 : cores > RUN_MOST_JOBS ? RUN_MOST_JOBS : (uint64_t)cores;
	}
	o->jobs = (unsigned)n;
	return OPTION_GO_ON;
}

static int take_shard(const struct option_given *g)
{
	struct nfarun_options *o = g->options;
	const char *slash;

	return cli_number(g->value, '/', &o->shard, &slash) &&
			       cli_number(slash, 0, &o->shards, NULL) && o->shard < o->shards &&
			       o->shards <= SHARD_MOST
		       ? OPTION_GO_ON : OPTION_WRONG;
}

static int take_engine(const struct option_given *g)
{
	struct nfarun_options *o = g->options;
	int i = option_choice(engines, g->value);

	o->use_rtl = i == 1;
	return i >= 0 ? OPTION_GO_ON : OPTION_WRONG;
}

static int take_explain(const struct option_given *g)
{
	struct nfarun_options *o = g->options;
	int i = option_choice(explained, g->value);

	o->use_explain = true;
	o->explain.what = i < 0 ? EXPLAIN_TIME : i == 0 ? EXPLAIN_FIRST : EXPLAIN_ALL;
	return i >= 0 || cli_number(g->value, 0, &o->explain.time, NULL) ? OPTION_GO_ON
									 : OPTION_WRONG;
}

static int take_by(const struct option_given *g)
{
	int i = option_choice(counted_by, g->value);

	((struct nfarun_options *)g->options)->by = i < 0 ? BY_NOTHING : (enum ask_by)i;
	return i >= 0 ? OPTION_GO_ON : OPTION_WRONG;
}

/* Notes the question that the option `name` asks. There may be only one. */
static int take_ask(const struct option_given *g, enum question ask, const char *name)
{
	struct nfarun_options *o = g->options;

	if (o->ask != ASK_NOTHING && o->ask != ask)
		return wrong_use("one question at a time: not another one with", name);
	o->ask = ask;
	return OPTION_GO_ON;
}

static int take_latency(const struct option_given *g)
{
	return take_ask(g, ASK_LATENCY, "--latency");
}

static int take_open(const struct option_given *g)
{
	return take_ask(g, ASK_OPEN, "--open");
}

static int take_in_flight(const struct option_given *g)
{
	return take_ask(g, ASK_IN_FLIGHT, "--in-flight");
}

static int take_rate(const struct option_given *g)
{
	struct nfarun_options *o = g->options;

	if (!cli_number(g->value, 0, &o->period, NULL) || o->period == 0)
		return OPTION_WRONG;
	return take_ask(g, ASK_RATE, "--rate");
}

/* ---- the table ---- */

enum { READING, RUNNING, PARTS, SIMULATED, INSTEAD, ASKING, WRITING, ABOUT };

static const char *const groups[] = { "Reading",
				      "Running",
				      "In several processes",
				      "The engine in Verilog",
				      "Instead of running",
				      "Questions about a trace, without an image",
				      "Writing",
				      "About" };

static const struct option_form forms[] = {
	{ "[options] CFG.BIN [TRACE...]",
	  1 << READING | 1 << RUNNING | 1 << SIMULATED | 1 << WRITING },
	{ "[options] -e FILTER [-p PROTOCOL] [TRACE...]", 0 },
	{ "[options] -p PROTOCOL [-t FORMAT] [TRACE...]", 0 },
	{ "[options] A.BIN --swap K B.BIN [TRACE]", 0 },
	{ "[options] --shard I/N [--resume] CFG.BIN TRACE -o FILE", 0 },
	{ "[options] --merge CFG.BIN TRACE FILE...", 0 },
	{ "[options] --explain=WHAT [--label NAME] CFG.BIN [TRACE]", 0 },
	{ "--inspect CFG.BIN", 0 },
	{ "--list-types [-p PROTOCOL] [-t FORMAT]", 0 },
	{ "[options] --latency [--histogram] [--slowest N] [-p PROTOCOL] [TRACE...]", 0 },
	{ "[options] --open [-p PROTOCOL] [TRACE...]", 0 },
	{ "[options] --in-flight [--histogram] [-p PROTOCOL] [TRACE...]", 0 },
	{ "[options] --rate PERIOD [-p PROTOCOL] [TRACE...]", 0 },
	{ "[options] --count --by WHAT [-p PROTOCOL] [TRACE...]", 0 },
	{ NULL, 0 }
};

#define AT(field) OPTION_AT(struct nfarun_options, field)

static const struct option_row rows[] = {
	{ READING, .letter = 'f', .name = "from", .kind = OPTION_CHOICE, .arg = "FORMAT",
	  .value = trace_formats_read, .take = trace_take_format, AT(reader.format),
	  .usual = "by its first bytes",
	  .help = "the form of the trace" },
	{ READING, .name = "ring-start", .kind = OPTION_NUMBER, .arg = "N",
	  .take = trace_take_ring_start, AT(reader),
	  .help = "the oldest sample of a ring, counted from 0" },
	{ READING, .name = "map", .kind = OPTION_FILE, .arg = "FILE", AT(map),
	  .help = "JSON that says what sources and widths of samples mean" },
	{ READING, .name = "strict", AT(reader.strict),
	  .help = "a damaged chunk is an error, not a loss" },
	{ READING, .name = "as-is", AT(reader.as_is),
	  .help = "read a trace that looks compressed as it stands" },

	{ RUNNING, .letter = 'e', .name = "filter", .kind = OPTION_TEXT, .arg = "FILTER",
	  AT(filter),
	  .help = "compile this expression, or these statements, in place of an image" },
	{ RUNNING, .letter = 'p', .name = "protocol", .kind = OPTION_TEXT, .arg = "NAME",
	  AT(protocol), .usual = "what FILTER says, or eci",
	  .help = "the protocol of FILTER, of a question, or of traces to convert: a name, or "
		  "the file of a description or an image" },
	{ RUNNING, .letter = 'I', .kind = OPTION_DIR, .arg = "DIR", .take = option_take_dir,
	  AT(dirs), .repeats = true, .takes = "a folder, at most 64 times",
	  .help = "look for NAME.proto there first" },
	{ RUNNING, .name = "substream", .kind = OPTION_TEXT, .arg = "V,N", .take = take_substream,
	  .takes = "V,N with N >= 1",
	  .help = "observe N lines from address V on, or N values of the key, instead of the "
		  "image's" },
	{ RUNNING, .name = "tick", .kind = OPTION_NUMBER, .arg = "N", .least = 1,
	  .most = UINT32_MAX, AT(tick), .usual = "the image's",
	  .help = "cycles between two ticks" },
	{ RUNNING, .name = "until", .kind = OPTION_NUMBER, .arg = "TIME", AT(until),
	  .most = UINT64_MAX, .usual = "that of the last batch",
	  .help = "the stream's last time: ticks go on until then" },
	{ RUNNING, .name = "on-loss", .kind = OPTION_CHOICE, .arg = "WHAT", .value = on_loss,
	  .take = take_on_loss, .usual = "keep; of derived checkers: reset",
	  .help = "what a loss does to the automata" },
	{ RUNNING, .name = "swap", .kind = OPTION_NUMBER, .arg = "K B.BIN", .take = take_swap,
	  .takes = "a batch, counted from 1",
	  .help = "from batch K on, counted from 1, run B.BIN" },
	{ RUNNING, .letter = 'j', .name = "jobs", .kind = OPTION_NUMBER, .arg = "N",
	  .most = RUN_MOST_JOBS, .take = take_jobs, .usual = "1",
	  .help = "run in N threads (0: one a core); the output is the same" },

	{ PARTS, .name = "shard", .kind = OPTION_TEXT, .arg = "I/N", .take = take_shard,
	  .takes = "I/N with I below N, N up to 65536",
	  .help = "run shard I of N, from 0, and write what --merge needs" },
	{ PARTS, .name = "resume", AT(resume),
	  .help = "with --shard: nothing to do where FILE is that already" },
	{ PARTS, .name = "merge", AT(merge),
	  .help = "combine the files of all shards into the output of one run" },
	{ PARTS, .name = "parts", .kind = OPTION_NUMBER, .arg = "N", .least = 1, .most = SHARD_MOST,
	  AT(parts), .usual = "the ranks",
	  .help = "of nfarun-mpi: into how many shards the trace is cut" },

	{ SIMULATED, .name = "engine", .kind = OPTION_CHOICE, .arg = "WHAT", .value = engines,
	  .take = take_engine, .usual = "software", .help = "what runs the image" },
	{ SIMULATED, .name = "model", .kind = OPTION_FILE, .arg = "FILE", AT(rtl.model),
	  .help = "the simulated engine, or the folder it is in (see nfamodel)" },
	{ SIMULATED, .name = "gap", .kind = OPTION_NUMBER, .arg = "N", AT(rtl.gap), .usual = "2",
	  .help = "at most N cycles between two batches" },
	{ SIMULATED, .name = "vcd", .kind = OPTION_FILE, .arg = "FILE", AT(rtl.vcd),
	  .help = "write waveforms there" },

	{ INSTEAD, .name = "explain", .kind = OPTION_TEXT, .arg = "WHAT", .value = explained,
	  .take = take_explain, .takes = "a time, first or all",
	  .help = "why a batch was accepted, or not: that of a time, or first or all of those "
		  "accepted" },
	{ INSTEAD, .name = "label", .kind = OPTION_TEXT, .arg = "NAME", AT(explain.label),
	  .help = "with --explain: this label alone, or log" },
	{ INSTEAD, .name = "inspect", AT(inspect),
	  .help = "print the image's sections and registers" },
	{ INSTEAD, .name = "list-types", AT(list_types),
	  .help = "list the protocol's types: slots, opcode, address, fields, pairs" },

	{ ASKING, .name = "latency", .take = take_latency, .help = "how long answers took" },
	{ ASKING, .name = "open", .take = take_open, .help = "which requests were never answered" },
	{ ASKING, .name = "in-flight", .take = take_in_flight,
	  .help = "how many requests were open at once" },
	{ ASKING, .name = "rate", .kind = OPTION_NUMBER, .arg = "PERIOD", .take = take_rate,
	  .takes = "a number of cycles",
	  .help = "how many batches and messages came in each period of cycles" },
	{ ASKING, .name = "histogram", AT(histogram),
	  .help = "with --latency, --in-flight: how often which number came" },
	{ ASKING, .name = "slowest", .kind = OPTION_NUMBER, .arg = "N", .most = MOST_SLOWEST,
	  AT(slowest), .help = "with --latency: the N pairs that took longest" },

	{ WRITING, .letter = 'o', .name = "output", .kind = OPTION_FILE, .arg = "FILE", AT(out),
	  .help = "write there, by a temporary file and a rename" },
	{ WRITING, .letter = 't', .name = "to", .kind = OPTION_CHOICE, .arg = "FORMAT",
	  .value = trace_formats_written, .take = take_to, .usual = "text; on a terminal pretty",
	  .help = "the form of the output" },
	{ WRITING, .name = "pretty", .take = take_pretty,
	  .help = "the same as -t pretty: columns, with fields by name" },
	{ WRITING, .name = "raw", .take = take_raw,
	  .help = "the same as -t text: batch text, on a terminal too" },
	{ WRITING, .name = "times", .kind = OPTION_CHOICE, .arg = "WHAT", .value = times,
	  .take = take_times, .usual = "absolute",
	  .help = "with pretty output: times as they are, from the first batch that is written, or "
		  "from the one before" },
	{ WRITING, .name = "unhash", AT(unhash),
	  .help = "with pretty and json output: physical addresses, before ECI hashed them" },
	{ WRITING, .name = "clock", .kind = OPTION_TEXT, .arg = "HZ", .take = take_clock,
	  .takes = "a frequency, such as 322M", .usual = "1G",
	  .help = "cycles a second of the tap, for formats with times in seconds" },
	{ WRITING, .name = "split", .kind = OPTION_NUMBER, .arg = "BYTES", .least = PARTS_LEAST,
	  .most = UINT64_MAX, AT(split), .usual = "2000000000",
	  .help = "of perfetto: go on in FILE.1, FILE.2 ... when a file has as many bytes" },
	{ WRITING, .name = "lines", AT(engine.lines),
	  .help = "name the accepting lines after each label" },
	{ WRITING, .name = "fields", AT(fields),
	  .help = "with -t json: each message with its fields" },
	{ WRITING, .name = "provenance", AT(provenance),
	  .help = "begin with where the output comes from: tool, image, filter, trace, command" },
	{ WRITING, .name = "count", AT(count),
	  .help = "write only the summary, as text, json or csv" },
	{ WRITING, .name = "by", .kind = OPTION_CHOICE, .arg = "WHAT", .value = counted_by,
	  .take = take_by,
	  .help = "with --count: how often each label accepted, on each line or in all, or how "
		  "many messages a trace has; with --latency: for each of these" },
	{ WRITING, .letter = 'q', .name = "quiet", AT(quiet),
	  .help = "no summary and no progress" },

	{ ABOUT, .letter = 'h', .name = "help", .take = option_help, .help = "this text" },
	{ ABOUT, .name = "version", .take = option_version, .help = "the version" },
};

const struct option_table nfarun_options = {
	.tool = "nfarun",
	.version = "nfarun " PACKAGE_VERSION,
	.forms = forms,
	.about = "Runs a compiled filter over a trace (standard input if none).",
	.groups = groups,
	.rows = rows,
	.n = sizeof rows / sizeof rows[0],
};

int nfarun_options_parse(int argc, char **argv, struct nfarun_options *o)
{
	int first, code;

	o->to = NFART_FORMAT_TEXT;
	o->by = BY_NOTHING;
	o->rtl.gap = 2;
	o->argc = argc;
	o->argv = argv;
	code = option_parse(&nfarun_options, argc, argv, o, NULL, &first);
	if (code != OPTION_GO_ON)
		return code != NFART_OK ? code : -1;
	return nfarun_options_check(o, argc, argv, first);
}
