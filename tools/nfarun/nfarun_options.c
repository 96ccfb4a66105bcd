/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfarun/nfarun_options.h"

#include <getopt.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "runtime/run/shard.h"
#include "runtime/trace/format.h"
#include "support/cli.h"

static int wrong_use(const char *what, const char *arg)
{
	return cli_wrong_use("nfarun", what, arg);
}

/* ---- values ---- */

static struct option_value named(const char *name)
{
	return (struct option_value){ name, NULL };
}

/* Returns the name of the i-th format for this use, which is to read or to write a trace. The name
 * is NULL after the last format. */
static struct option_value format_name(enum format_use use, size_t i)
{
	enum nfart_format f = trace_format_nth(use, i);

	return named(f != NFART_FORMAT_AUTO ? nfart_format_name(f) : NULL);
}

static struct option_value formats_read(size_t i)
{
	return format_name(FORMAT_READ, i);
}

static struct option_value formats_written(size_t i)
{
	return format_name(FORMAT_WRITE, i);
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

static struct option_value counted_by(size_t i)
{
	return named(i == 0 ? "line" : NULL);
}

/* ---- handlers ---- */

static int take_from(const struct option_given *g)
{
	struct nfarun_options *o = g->options;

	return nfart_format_parse(g->value, &o->reader.format) ? OPTION_GO_ON : OPTION_WRONG;
}

static int take_to(const struct option_given *g)
{
	struct nfarun_options *o = g->options;

	return nfart_format_parse(g->value, &o->to) ? OPTION_GO_ON : OPTION_WRONG;
}

static int take_ring_start(const struct option_given *g)
{
	struct nfarun_options *o = g->options;

	o->reader.has_ring_start = true;
	return cli_number(g->value, 0, &o->reader.ring_start, NULL) ? OPTION_GO_ON : OPTION_WRONG;
}

static int take_dir(const struct option_given *g)
{
	struct nfarun_options *o = g->options;

	if (o->ndirs == NFARUN_MOST_DIRS)
		return OPTION_WRONG;
	o->dirs[o->ndirs++] = g->value;
	return OPTION_GO_ON;
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
	((struct nfarun_options *)g->options)->by_line = true;
	return option_choice(counted_by, g->value) >= 0 ? OPTION_GO_ON : OPTION_WRONG;
}

/* ---- the table ---- */

enum { READING, RUNNING, PARTS, SIMULATED, INSTEAD, WRITING, ABOUT };

static const char *const groups[] = { "Reading",
				      "Running",
				      "In several processes",
				      "The engine in Verilog",
				      "Instead of running",
				      "Writing",
				      "About" };

static const struct option_form forms[] = {
	{ "[options] CFG.BIN [TRACE]",
	  1 << READING | 1 << RUNNING | 1 << SIMULATED | 1 << WRITING },
	{ "[options] -e FILTER [-p PROTOCOL] [TRACE]", 0 },
	{ "[options] A.BIN --swap K B.BIN [TRACE]", 0 },
	{ "[options] --shard I/N [--resume] CFG.BIN TRACE -o FILE", 0 },
	{ "[options] --merge CFG.BIN TRACE FILE...", 0 },
	{ "[options] --explain=WHAT [--label NAME] CFG.BIN [TRACE]", 0 },
	{ "--inspect CFG.BIN", 0 },
	{ NULL, 0 }
};

#define AT(field) OPTION_AT(struct nfarun_options, field)

static const struct option_row rows[] = {
	{ READING, .letter = 'f', .name = "from", .kind = OPTION_CHOICE, .arg = "FORMAT",
	  .value = formats_read, .take = take_from, .usual = "by its first bytes",
	  .help = "the form of the trace" },
	{ READING, .name = "ring-start", .kind = OPTION_NUMBER, .arg = "N", .take = take_ring_start,
	  .help = "the oldest sample of a ring, counted from 0" },
	{ READING, .name = "map", .kind = OPTION_FILE, .arg = "FILE", AT(map),
	  .help = "JSON that says what sources and widths of samples mean" },
	{ READING, .name = "strict", AT(reader.strict),
	  .help = "a damaged chunk is an error, not a loss" },
	{ READING, .name = "as-is", AT(reader.as_is),
	  .help = "read a trace that looks compressed as it stands" },

	{ RUNNING, .letter = 'e', .name = "filter", .kind = OPTION_TEXT, .arg = "FILTER", AT(filter),
	  .help = "compile this expression, or these statements, in place of an image" },
	{ RUNNING, .letter = 'p', .name = "protocol", .kind = OPTION_TEXT, .arg = "NAME",
	  AT(protocol), .usual = "what FILTER says, or eci",
	  .help = "with -e: the protocol" },
	{ RUNNING, .letter = 'I', .kind = OPTION_DIR, .arg = "DIR", .take = take_dir, .repeats = true,
	  .takes = "a folder, at most 64 times", .help = "with -e: look for NAME.proto there first" },
	{ RUNNING, .name = "substream", .kind = OPTION_TEXT, .arg = "V,N",
	  .take = take_substream, .takes = "V,N with N >= 1",
	  .help = "observe N lines from address V on, or N values of the key, instead of the "
		  "image's" },
	{ RUNNING, .name = "tick", .kind = OPTION_NUMBER, .arg = "N", .least = 1,
	  .most = UINT32_MAX, AT(tick), .usual = "the image's",
	  .help = "cycles between two ticks" },
	{ RUNNING, .name = "until", .kind = OPTION_NUMBER, .arg = "TIME", AT(until),
	  .most = UINT64_MAX, .usual = "that of the last batch",
	  .help = "the stream's last time: ticks go on until then" },
	{ RUNNING, .name = "on-loss", .kind = OPTION_CHOICE, .arg = "WHAT", .value = on_loss,
	  .take = take_on_loss, .usual = "keep", .help = "what a loss does to the automata" },
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

	{ WRITING, .letter = 'o', .name = "output", .kind = OPTION_FILE, .arg = "FILE", AT(out),
	  .help = "write there, by a temporary file and a rename" },
	{ WRITING, .letter = 't', .name = "to", .kind = OPTION_CHOICE, .arg = "FORMAT",
	  .value = formats_written, .take = take_to, .usual = "text",
	  .help = "the form of the output" },
	{ WRITING, .name = "lines", AT(engine.lines),
	  .help = "name the accepting lines after each label" },
	{ WRITING, .name = "count", AT(count),
	  .help = "write only the summary, as text, json or csv" },
	{ WRITING, .name = "by", .kind = OPTION_TEXT, .arg = "line", .value = counted_by,
	  .take = take_by, .takes = "'line'",
	  .help = "with --count: how often each label accepted on each line" },
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

/* ---- what can only be said of all options together ---- */

/* Refuses options that can't be given together with --explain or --label. Returns 0 or an exit
 * code. */
static int check_explain(const struct nfarun_options *o)
{
	if (!o->use_explain)
		return o->explain.label == NULL ? 0
						: wrong_use("--label goes with --explain", NULL);
	if (o->use_rtl || o->second != NULL)
		return wrong_use("--explain knows one image in the software engine: no "
				 "--engine rtl, no --swap", NULL);
	if (o->jobs > 1 || o->shards != 0 || o->merge || o->ranks != 0)
		return wrong_use("--explain goes without --jobs and shards", NULL);
	if (o->count || o->engine.lines || o->to != NFART_FORMAT_TEXT)
		return wrong_use("--explain writes text of its own: no --to, --lines, --count",
				 NULL);
	return 0;
}

/* Checks the options about shards and ranks against the other options. Returns 0 or an exit
 * code. */
static int check_shards(const struct nfarun_options *o)
{
	if (o->ranks == 0 && o->parts != 0)
		return wrong_use("--parts is for nfarun-mpi", NULL);
	if (o->ranks != 0 && (o->shards != 0 || o->merge || o->out == NULL || o->trace == NULL))
		return wrong_use("nfarun-mpi needs a trace and -o FILE, and does --shard and "
				 "--merge by itself", NULL);
	if (o->resume && o->shards == 0 && o->ranks == 0)
		return wrong_use("--resume goes with --shard", NULL);
	if (o->shards == 0 && !o->merge && o->ranks == 0)
		return 0;
	if (o->shards != 0 && o->merge)
		return wrong_use("--shard and --merge are two runs", NULL);
	if (o->second != NULL || o->use_rtl || o->jobs > 1)
		return wrong_use("shards go without --swap, --engine rtl and --jobs", NULL);
	if (o->shards != 0 && (o->out == NULL || o->count))
		return wrong_use("--shard needs -o FILE; --count is for --merge", NULL);
	if (o->merge && (o->nfiles == 0 || o->nfiles > SHARD_MOST))
		return wrong_use("--merge needs a trace and the files of all shards", NULL);
	return 0;
}

int nfarun_options_parse(int argc, char **argv, struct nfarun_options *o)
{
	int first, code;

	o->to = NFART_FORMAT_TEXT;
	o->rtl.gap = 2;
	o->argc = argc;
	o->argv = argv;
	code = option_parse(&nfarun_options, argc, argv, o, NULL, &first);
	if (code != OPTION_GO_ON)
		return code != NFART_OK ? code : -1;
	if ((o->protocol != NULL || o->ndirs != 0) && o->filter == NULL)
		return wrong_use("-p and -I go with -e", NULL);
	if (o->filter != NULL && (o->second != NULL || o->inspect || o->use_rtl))
		return wrong_use("-e goes without --swap, --inspect and --engine rtl", NULL);
	if (o->filter != NULL)
		first--; /* there is no image */
	if (argc == first)
		return wrong_use("no image, and no -e", NULL);
	if (argc - first > 2 && !o->merge)
		return wrong_use("too many arguments:", argv[first + 2]);
	o->image = o->filter == NULL ? argv[first] : NULL;
	o->trace = argc - first >= 2 ? argv[first + 1] : NULL;
	o->files = (const char *const *)argv + first + 2;
	o->nfiles = argc - first > 2 ? (uint32_t)(argc - first - 2) : 0;
	if (o->by_line && !o->count)
		return wrong_use("--by goes with --count", NULL);
	if (o->count && o->to != NFART_FORMAT_TEXT && o->to != NFART_FORMAT_JSON &&
	    o->to != NFART_FORMAT_CSV)
		return wrong_use("--count writes text, json or csv, not", nfart_format_name(o->to));
	if (o->by_line)
		o->engine.lines = true;
	if (!o->use_rtl && (o->rtl.model != NULL || o->rtl.vcd != NULL))
		return wrong_use("--model and --vcd go with --engine rtl", NULL);
	if (check_shards(o) != 0)
		return NFART_USAGE;
	if (o->use_rtl && o->jobs > 1)
		return wrong_use("--jobs goes with the software engine", NULL);
	if (o->use_rtl && o->engine.lines)
		return wrong_use("the engine in Verilog does not tell lines: no --lines, no --by",
				 NULL);
	return check_explain(o);
}
