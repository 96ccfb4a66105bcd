/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfarun/nfarun_options.h"

#include <ctype.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runtime/run/shard.h"
#include "runtime/trace/trace_options.h"
#include "support/cli.h"
#include "tools/nfarun/parts.h"
#include "tools/nfarun/protocol.h"

enum { MOST_SLOWEST = 10000 };

int nfarun_wrong_use(const struct nfarun_options *o, const char *what, const char *arg)
{
	char command[64];

	snprintf(command, sizeof command, "nfarun%s%s", o->verb != VERB_NONE ? " " : "",
		 o->verb != VERB_NONE ? nfarun_options.verbs[o->verb - 1].name : "");
	return cli_wrong_use(command, what, arg);
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

/* In the order of enum explain_chart, from EXPLAIN_MSC on. */
static struct option_value charts(size_t i)
{
	static const char *const names[] = { "msc", "nodes", NULL };

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
	static const char *const names[] = { "line", "label", "type", "group", "pair", "rule",
					     "field", NULL };

	return named(names[i]);
}

/* ---- handlers ---- */

static int take_to(const struct option_given *g)
{
	struct nfarun_options *o = g->options;

	o->output.has_form = true;
	return nfart_format_parse(g->value, &o->output.form) ? OPTION_GO_ON : OPTION_WRONG;
}

static int take_clock(const struct option_given *g)
{
	struct nfarun_options *o = g->options;

	return cli_frequency(g->value, &o->output.clock) ? OPTION_GO_ON : OPTION_WRONG;
}

static int take_pretty(const struct option_given *g)
{
	struct nfarun_options *o = g->options;

	o->output.has_form = true;
	o->output.form = NFART_FORMAT_PRETTY;
	return OPTION_GO_ON;
}

static int take_raw(const struct option_given *g)
{
	struct nfarun_options *o = g->options;

	o->output.has_form = true;
	o->output.form = NFART_FORMAT_TEXT;
	return OPTION_GO_ON;
}

static int take_times(const struct option_given *g)
{
	struct nfarun_options *o = g->options;
	int i = option_choice(times, g->value);

	o->output.has_times = true;
	o->output.times = i < 0 ? NFART_TIMES_ABSOLUTE : (enum nfart_times)i;
	return i >= 0 ? OPTION_GO_ON : OPTION_WRONG;
}

static int take_substream(const struct option_given *g)
{
	struct nfarun_options *o = g->options;

	const char *rest;

	o->run.engine.has_substream = true;
	return cli_number(g->value, ',', &o->run.engine.base, &rest) &&
			       cli_number(rest, 0, &o->run.engine.count, NULL) &&
			       o->run.engine.count != 0
		       ? OPTION_GO_ON : OPTION_WRONG;
}

static int take_on_loss(const struct option_given *g)
{
	struct nfarun_options *o = g->options;
	int i = option_choice(on_loss, g->value);

	o->run.engine.keep_on_loss = i == 0;
	o->run.engine.reset_on_loss = i == 1;
	return i >= 0 ? OPTION_GO_ON : OPTION_WRONG;
}

/* Handles `--swap K B.BIN`, where K may be a label. The image is the next word. */
static int take_swap(const struct option_given *g)
{
	struct nfarun_options *o = g->options;
	bool label = isalpha((unsigned char)g->value[0]) || g->value[0] == '_';

	o->run.swap_on = label ? g->value : NULL;
	if (!label && (!cli_number(g->value, 0, &o->run.swap_at, NULL) || o->run.swap_at == 0))
		return OPTION_WRONG;
	if (optind >= o->args.nwords)
		return nfarun_wrong_use(o, "--swap needs an image after the batch or the label",
					NULL);
	o->files.second = o->args.words[optind++];
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
	o->run.jobs = (unsigned)n;
	return OPTION_GO_ON;
}

static int take_shard(const struct option_given *g)
{
	struct nfarun_options *o = g->options;
	const char *slash;

	return cli_number(g->value, '/', &o->shards.shard, &slash) &&
			       cli_number(slash, 0, &o->shards.n, NULL) &&
			       o->shards.shard < o->shards.n && o->shards.n <= SHARD_MOST
		       ? OPTION_GO_ON : OPTION_WRONG;
}

static int take_engine(const struct option_given *g)
{
	struct nfarun_options *o = g->options;
	int i = option_choice(engines, g->value);

	o->run.use_rtl = i == 1;
	return i >= 0 ? OPTION_GO_ON : OPTION_WRONG;
}

static int take_explain(const struct option_given *g)
{
	struct nfarun_options *o = g->options;
	int i = option_choice(explained, g->value);

	o->run.use_explain = true;
	o->run.explain.what = i < 0 ? EXPLAIN_TIME : i == 0 ? EXPLAIN_FIRST : EXPLAIN_ALL;
	return i >= 0 || cli_number(g->value, 0, &o->run.explain.time, NULL) ? OPTION_GO_ON
									 : OPTION_WRONG;
}

static int take_chart(const struct option_given *g)
{
	int i = option_choice(charts, g->value);

	((struct nfarun_options *)g->options)->run.explain.chart =
		(enum explain_chart)(EXPLAIN_MSC + i);
	return i >= 0 ? OPTION_GO_ON : OPTION_WRONG;
}

static int take_by(const struct option_given *g)
{
	static const char field[] = "field=";
	struct nfarun_ask *a = &((struct nfarun_options *)g->options)->ask;
	int i = option_choice(counted_by, g->value);

	a->field = NULL;
	if (strncmp(g->value, field, sizeof field - 1) == 0) {
		i = BY_FIELD;
		a->field = g->value + sizeof field - 1;
	}
	a->by = i < 0 ? BY_NOTHING : (enum ask_by)i;
	return i >= 0 ? OPTION_GO_ON : OPTION_WRONG;
}

/* Notes the question that the option `name` asks. There may be only one. */
static int take_ask(const struct option_given *g, enum question ask, const char *name)
{
	struct nfarun_options *o = g->options;

	if (o->ask.question != ASK_NOTHING && o->ask.question != ask)
		return nfarun_wrong_use(o, "one question at a time: not another one with", name);
	o->ask.question = ask;
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

	if (!cli_number(g->value, 0, &o->ask.period, NULL) || o->ask.period == 0)
		return OPTION_WRONG;
	return take_ask(g, ASK_RATE, "--rate");
}

/* ---- the table ---- */

enum {
	READING, RUNNING, PARTS, SIMULATED, EXPLAINING, INSPECTING, ASKING, COUNTING, WRITING,
	SHOWING, ABOUT
};

static const char *const groups[] = { "Reading",
				      "Running",
				      "In several processes",
				      "The engine in Verilog",
				      "Explaining",
				      "Inspecting",
				      "Questions about a trace, without an image",
				      "Counting",
				      "Writing",
				      "How batches are written",
				      "About" };

static const struct option_verb verbs[] = {
	{ "run", "Runs an image, or a filter, over traces (standard input if none)." },
	{ "ask", "Answers a question about traces, without an image." },
	{ "convert", "Writes traces in another form." },
	{ "inspect", "Shows what an image, or a protocol, has." },
	{ "merge", "Combines what 'nfarun run --shard' wrote into the output of one run." },
	{ NULL, NULL }
};

/* The verbs that an option belongs to (option_row.verbs). */
enum {
	RUN = 1 << (VERB_RUN - 1),
	ASK = 1 << (VERB_ASK - 1),
	CONVERT = 1 << (VERB_CONVERT - 1),
	INSPECT = 1 << (VERB_INSPECT - 1),
	MERGE = 1 << (VERB_MERGE - 1),
	READERS = RUN | ASK | CONVERT | MERGE, /* those that read traces */
	WRITERS = RUN | CONVERT | MERGE        /* those that write batches */
};

static const struct option_form forms[] = {
	{ "run [options] CFG.BIN [TRACE...]",
	  1 << READING | 1 << RUNNING | 1 << SIMULATED | 1 << COUNTING | 1 << WRITING |
		  1 << SHOWING },
	{ "run [options] -e FILTER [-p PROTOCOL] [TRACE...]", 0 },
	{ "run [options] A.BIN --swap K|LABEL B.BIN [TRACE]", 0 },
	{ "run [options] --shard I/N [--resume] CFG.BIN TRACE -o FILE", 0 },
	{ "run [options] --explain=WHAT [--label NAME] CFG.BIN [TRACE]", 0 },
	{ "ask [options] --latency [--by WHAT] [--histogram] [--slowest N] [TRACE...]",
	  1 << READING | 1 << RUNNING | 1 << WRITING },
	{ "ask [options] --open [TRACE...]", 0 },
	{ "ask [options] --in-flight [--histogram] [TRACE...]", 0 },
	{ "ask [options] --rate PERIOD [TRACE...]", 0 },
	{ "ask [options] --count [--by WHAT] [TRACE...]", 0 },
	{ "ask [options] QUESTION --against OTHER [TRACE]", 0 },
	{ "ask [options] QUESTION --shard I/N TRACE -o FILE", 0 },
	{ "ask [options] QUESTION --merge TRACE FILE...", 0 },
	{ "convert [options] [TRACE...]",
	  1 << READING | 1 << RUNNING | 1 << WRITING | 1 << SHOWING },
	{ "convert [options] --merge-traces TRACE TRACE...", 0 },
	{ "inspect [options] CFG.BIN", 1 << WRITING },
	{ "inspect [options] --list-types [-p PROTOCOL] [-t FORMAT]", 0 },
	{ "inspect [options] --list-signals [-p PROTOCOL] [WAVEFORM]", 0 },
	{ "merge [options] CFG.BIN TRACE FILE...",
	  1 << READING | 1 << RUNNING | 1 << COUNTING | 1 << WRITING | 1 << SHOWING },
	{ "[options] CFG.BIN [TRACE...]", 0 },
	{ NULL, 0 }
};

#define AT(field) OPTION_AT(struct nfarun_options, field)

static const struct option_row rows[] = {
	TRACE_ROWS_READER(READING, READERS, struct nfarun_options, reader, files.map),
	{ READING, .verbs = CONVERT, .name = "merge-traces", AT(files.merge_traces),
	  .help = "read all traces as one, in the order of time: those of two taps with one clock" },
	{ READING, .verbs = RUN | ASK | CONVERT, .name = "follow", AT(files.follow),
	  .help = "wait for what is still written to the trace, until SIGINT or SIGTERM" },
	TRACE_ROWS_WAVE(READING, READERS, struct nfarun_options, wave),

	{ RUNNING, .verbs = RUN | ASK, .letter = 'e', .name = "filter",
	  .kind = OPTION_TEXT, .arg = "FILTER",
	  AT(run.filter),
	  .help = "compile this expression, or these statements, in place of an image" },
	TRACE_ROWS_PROTOCOL(RUNNING, RUN | ASK | CONVERT | INSPECT, struct nfarun_options, protocol,
			    dirs, "that of FILTER or the trace, or eci",
			    "the protocol: a name, a description or an image"),
	PROTOCOL_ROW_PARAM(RUNNING, RUN | ASK | CONVERT | INSPECT, struct nfarun_options, params),
	{ RUNNING, .verbs = RUN | MERGE, .name = "substream",
	  .kind = OPTION_TEXT, .arg = "V,N", .take = take_substream,
	  .takes = "V,N with N >= 1",
	  .help = "observe N lines from address V on, or N values of the key, instead of the "
		  "image's" },
	{ RUNNING, .verbs = RUN | MERGE, .name = "tick",
	  .kind = OPTION_NUMBER, .arg = "N", .least = 1,
	  .most = UINT32_MAX, AT(run.tick), .usual = "the image's",
	  .help = "cycles between two ticks" },
	{ RUNNING, .verbs = RUN | MERGE, .name = "until",
	  .kind = OPTION_NUMBER, .arg = "TIME", AT(run.until),
	  .most = UINT64_MAX, .usual = "that of the last batch",
	  .help = "the stream's last time: ticks go on until then" },
	{ RUNNING, .verbs = RUN | MERGE, .name = "on-loss",
	  .kind = OPTION_CHOICE, .arg = "WHAT", .value = on_loss,
	  .take = take_on_loss, .usual = "keep; of derived checkers: reset",
	  .help = "what a loss does to the automata" },
	{ RUNNING, .verbs = RUN, .name = "swap",
	  .kind = OPTION_TEXT, .arg = "K B.BIN", .take = take_swap,
	  .takes = "a batch, counted from 1, or a label",
	  .help = "from batch K on, or after a first label K, run B.BIN" },
	{ RUNNING, .verbs = RUN | ASK | CONVERT, .letter = 'j', .name = "jobs",
	  .kind = OPTION_NUMBER, .arg = "N",
	  .most = RUN_MOST_JOBS, .take = take_jobs, .usual = "1",
	  .help = "run in N threads (0: one a core); the output is the same" },

	{ PARTS, .verbs = RUN | ASK, .name = "shard",
	  .kind = OPTION_TEXT, .arg = "I/N", .take = take_shard,
	  .takes = "I/N with I below N, N up to 65536",
	  .help = "run shard I of N, from 0, and write what --merge needs" },
	{ PARTS, .verbs = RUN | ASK, .name = "resume", AT(shards.resume),
	  .help = "with --shard: nothing to do where FILE is that already" },
	{ PARTS, .verbs = ASK | MERGE, .name = "merge", AT(shards.merge),
	  .help = "combine the files of all shards into the output of one run" },
	{ PARTS, .verbs = RUN | ASK, .name = "parts",
	  .kind = OPTION_NUMBER, .arg = "N", .least = 1, .most = SHARD_MOST,
	  AT(shards.parts), .usual = "the ranks",
	  .help = "of nfarun-mpi: into how many shards the trace is cut" },

	{ SIMULATED, .verbs = RUN, .name = "engine",
	  .kind = OPTION_CHOICE, .arg = "WHAT", .value = engines,
	  .take = take_engine, .usual = "software", .help = "what runs the image" },
	{ SIMULATED, .verbs = RUN, .name = "model",
	  .kind = OPTION_FILE, .arg = "FILE", AT(run.rtl.model),
	  .help = "the simulated engine, or the folder it is in (see nfamodel)" },
	{ SIMULATED, .verbs = RUN, .name = "gap",
	  .kind = OPTION_NUMBER, .arg = "N", AT(run.rtl.gap), .usual = "2",
	  .help = "at most N cycles between two batches" },
	{ SIMULATED, .verbs = RUN, .name = "vcd",
	  .kind = OPTION_FILE, .arg = "FILE", AT(run.rtl.vcd),
	  .help = "write waveforms there" },

	{ EXPLAINING, .verbs = RUN, .name = "explain",
	  .kind = OPTION_TEXT, .arg = "WHAT", .value = explained,
	  .take = take_explain, .takes = "a time, first or all",
	  .help = "why a batch was accepted: at a time, first, or all" },
	{ EXPLAINING, .verbs = RUN, .name = "label",
	  .kind = OPTION_TEXT, .arg = "NAME", AT(run.explain.label),
	  .help = "with --explain: this label alone, or log" },
	{ EXPLAINING, .verbs = RUN, .name = "emit",
	  .kind = OPTION_CHOICE, .arg = "WHAT", .value = charts, .take = take_chart,
	  .help = "draw an error of a derived checker" },

	{ INSPECTING, .verbs = INSPECT, .name = "inspect", AT(show.inspect),
	  .help = "print the image's sections and registers" },
	{ INSPECTING, .verbs = INSPECT, .name = "list-signals", AT(show.signals),
	  .help = "list a waveform's signals, after the interfaces that taps find in it, as "
		  "options to copy" },
	{ INSPECTING, .verbs = INSPECT, .name = "list-types", AT(show.types),
	  .help = "list the protocol's types: slots, opcode, address, fields, pairs" },

	{ ASKING, .verbs = ASK, .name = "latency",
	  .take = take_latency, .help = "how long answers took" },
	{ ASKING, .verbs = ASK, .name = "open",
	  .take = take_open, .help = "which requests were never answered" },
	{ ASKING, .verbs = ASK, .name = "in-flight", .take = take_in_flight,
	  .help = "how many requests were open at once" },
	{ ASKING, .verbs = ASK, .name = "rate",
	  .kind = OPTION_NUMBER, .arg = "PERIOD", .take = take_rate,
	  .takes = "a number of cycles",
	  .help = "how many batches and messages came in each period of cycles" },
	{ ASKING, .verbs = ASK, .name = "against", .kind = OPTION_FILE, .arg = "OTHER",
	  AT(files.against),
	  .help = "with --latency, --open, --rate, --count: compare the trace with this one, and "
		  "mark what differs beyond noise" },
	{ ASKING, .verbs = ASK, .name = "histogram", AT(ask.histogram),
	  .help = "with --latency, --in-flight: how often what came" },
	{ ASKING, .verbs = ASK, .name = "slowest",
	  .kind = OPTION_NUMBER, .arg = "N", .most = MOST_SLOWEST,
	  AT(ask.slowest), .help = "with --latency: the N pairs that took longest" },

	{ COUNTING, .verbs = RUN | ASK | MERGE, .name = "count", AT(ask.count),
	  .help = "write only the summary, as text, json or csv" },
	{ COUNTING, .verbs = RUN | ASK | MERGE, .name = "by",
	  .kind = OPTION_CHOICE, .arg = "WHAT", .value = counted_by,
	  .take = take_by,
	  .help = "with --count and --latency: for each of these" },

	{ WRITING, .letter = 'o', .name = "output",
	  .kind = OPTION_FILE, .arg = "FILE", AT(output.out),
	  .help = "write there, by a temporary file and a rename" },
	{ WRITING, .verbs = RUN | ASK | CONVERT, .name = "live", AT(output.live),
	  .help = "with -o: write to FILE itself, which can be followed (--follow)" },
	{ WRITING, .letter = 't', .name = "to", .kind = OPTION_CHOICE, .arg = "FORMAT",
	  .value = trace_formats_written, .take = take_to, .usual = "text; on a terminal pretty",
	  .help = "the form of the output" },
	{ WRITING, .verbs = WRITERS, .name = "pretty", .take = take_pretty,
	  .help = "the same as -t pretty: columns, with fields by name" },
	{ WRITING, .verbs = READERS, .name = "raw", .take = take_raw,
	  .help = "the same as -t text: batch text, on a terminal too" },
	{ WRITING, .verbs = READERS, .letter = 'q', .name = "quiet", AT(output.quiet),
	  .help = "no summary and no progress" },

	{ SHOWING, .verbs = WRITERS, .name = "times",
	  .kind = OPTION_CHOICE, .arg = "WHAT", .value = times,
	  .take = take_times, .usual = "absolute",
	  .help = "with pretty output: times as they are, from the first batch that is written, or "
		  "from the one before" },
	{ SHOWING, .verbs = WRITERS, .name = "unhash", AT(output.unhash),
	  .help = "with pretty and json output: physical addresses, before ECI hashed them" },
	{ SHOWING, .verbs = WRITERS | ASK, .name = "clock",
	  .kind = OPTION_TEXT, .arg = "HZ", .take = take_clock,
	  .takes = "a frequency, such as 322M", .usual = "1G",
	  .help = "cycles a second of the tap, for formats with times in seconds; with --latency: "
		  "latencies in nanoseconds" },
	{ SHOWING, .verbs = WRITERS, .name = "split",
	  .kind = OPTION_NUMBER, .arg = "BYTES", .least = PARTS_LEAST,
	  .most = UINT64_MAX, AT(output.split), .usual = "2000000000",
	  .help = "of perfetto: go on in FILE.1, FILE.2 ... when a file has as many bytes" },
	{ SHOWING, .verbs = RUN | MERGE, .name = "lines", AT(run.engine.lines),
	  .help = "name the accepting lines after each label" },
	{ SHOWING, .verbs = WRITERS, .name = "fields", AT(output.fields),
	  .help = "with -t json: each message with its fields" },
	{ SHOWING, .verbs = WRITERS, .name = "provenance", AT(output.provenance),
	  .help = "begin with where the output comes from: tool, image, filter, trace, command" },

	TERMINAL_ROWS_COLOUR(ABOUT, 0, struct nfarun_options, output.when_colour),
	OPTION_ROWS_ABOUT(ABOUT),
};

const struct option_table nfarun_options = {
	.tool = "nfarun",
	.forms = forms,
	.about = "Runs a compiled filter over a trace (standard input if none). That is the verb "
		 "'run', which may be left out. 'nfarun VERB --help' shows one verb on a screen:",
	.groups = groups,
	OPTION_ROWS_OF(rows),
	.verbs = verbs,
	.brief = 1 << READING | 1 << PARTS | 1 << SIMULATED | 1 << SHOWING | 1 << ABOUT,
};
