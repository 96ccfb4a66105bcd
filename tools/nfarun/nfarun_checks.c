/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfarun/nfarun_checks.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/run/shard.h"
#include "support/cli.h"

static int wrong_use(const char *what, const char *arg)
{
	return cli_wrong_use("nfarun", what, arg);
}

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

/* Refuses options that say how an image runs, where no image runs; `what` says why. Returns 0 or an
 * exit code. */
static int check_no_run(const struct nfarun_options *o, const char *what)
{
	if (o->filter != NULL || o->use_explain || o->explain.label != NULL || o->inspect ||
	    o->use_rtl || o->rtl.model != NULL || o->rtl.vcd != NULL || o->second != NULL ||
	    o->shards != 0 || o->merge || o->resume || o->ranks != 0 || o->engine.lines ||
	    o->engine.has_substream || o->engine.reset_on_loss || o->tick != 0 || o->until != 0)
		return wrong_use(what, NULL);
	return 0;
}

/* Takes the n operands at `names` as traces. */
static void take_traces(struct nfarun_options *o, char **names, int n)
{
	o->traces = (const char *const *)names;
	o->ntraces = n > 0 ? (uint32_t)n : 0;
	o->trace = n > 0 ? names[0] : NULL;
}

/* Is standard output a terminal that shows the output? */
static bool to_terminal(const struct nfarun_options *o)
{
	return (o->out == NULL || strcmp(o->out, "-") == 0) && isatty(STDOUT_FILENO);
}

/* Chooses the form and the colours of batches. */
static void choose_form(struct nfarun_options *o)
{
	const char *no_colour = getenv("NO_COLOR");

	if (!o->has_to && !o->count && !o->use_explain && o->shards == 0 && !o->inspect &&
	    o->ranks == 0 && to_terminal(o))
		o->to = NFART_FORMAT_PRETTY;
	o->colour = to_terminal(o) && (no_colour == NULL || *no_colour == 0);
}

/* Checks what goes with batches as output. Returns 0 or an exit code. */
static int check_written(const struct nfarun_options *o)
{
	if (o->has_times && o->to != NFART_FORMAT_PRETTY)
		return wrong_use("--times goes with --pretty", NULL);
	if (o->unhash && o->to != NFART_FORMAT_PRETTY && o->to != NFART_FORMAT_JSON)
		return wrong_use("--unhash goes with --pretty and -t json", NULL);
	if (o->unhash && (o->count || o->ask != ASK_NOTHING))
		return wrong_use("--unhash is for batches, not for counts and answers", NULL);
	if (o->fields && o->to != NFART_FORMAT_JSON)
		return wrong_use("--fields goes with -t json", NULL);
	if (o->fields && (o->count || o->ask != ASK_NOTHING))
		return wrong_use("--fields is for batches, not for counts and answers", NULL);
	if (o->provenance && o->to != NFART_FORMAT_TEXT && o->to != NFART_FORMAT_PRETTY &&
	    o->to != NFART_FORMAT_JSON && o->to != NFART_FORMAT_CSV && o->to != NFART_FORMAT_VCD)
		return wrong_use("--provenance goes with text, pretty, json, csv and vcd, not",
				 nfart_format_name(o->to));
	if (o->provenance &&
	    (o->count || o->ask != ASK_NOTHING || o->use_explain || o->shards != 0))
		return wrong_use("--provenance is for batches", NULL);
	return 0;
}

/* Checks what --by names for the question. Returns 0 or an exit code. */
static int check_by(const struct nfarun_options *o)
{
	if (o->ask == ASK_LATENCY && o->by != BY_NOTHING && o->by != BY_PAIR && o->by != BY_TYPE &&
	    o->by != BY_LINE)
		return wrong_use("--latency --by takes pair, type or line", NULL);
	if (o->ask != ASK_LATENCY && o->ask != ASK_COUNT && o->by != BY_NOTHING)
		return wrong_use("--by goes with --count and --latency", NULL);
	if (o->ask == ASK_COUNT && o->by != BY_TYPE && o->by != BY_GROUP && o->by != BY_LINE)
		return wrong_use("--count --by takes type, group or line without an image", NULL);
	if (o->slowest != 0 && o->ask != ASK_LATENCY)
		return wrong_use("--slowest goes with --latency", NULL);
	if (o->histogram && o->ask != ASK_LATENCY && o->ask != ASK_IN_FLIGHT)
		return wrong_use("--histogram goes with --latency and --in-flight", NULL);
	if (o->histogram && o->slowest != 0 && o->to == NFART_FORMAT_CSV)
		return wrong_use("csv has one table: --histogram or --slowest", NULL);
	return 0;
}

/* Refuses a form that is not one of tables. Returns 0 or an exit code. */
static int check_table(const struct nfarun_options *o)
{
	if (o->to != NFART_FORMAT_TEXT && o->to != NFART_FORMAT_JSON && o->to != NFART_FORMAT_CSV)
		return wrong_use("answers are text, json or csv, not", nfart_format_name(o->to));
	return 0;
}

/* Checks --list-types, which reads no trace. Returns 0 or an exit code. */
static int check_list(const struct nfarun_options *o, int argc, char **argv, int first)
{
	if (o->ask != ASK_NOTHING || o->count || o->by != BY_NOTHING || o->histogram ||
	    o->slowest != 0 || o->jobs > 1 || o->fields || o->provenance || o->unhash ||
	    o->has_times)
		return wrong_use("--list-types stands alone, with -p, -I, -t and -o", NULL);
	if (check_no_run(o, "--list-types stands alone, with -p, -I, -t and -o") != 0)
		return NFART_USAGE;
	return argc > first ? wrong_use("too many arguments:", argv[first]) : check_table(o);
}

static int check_split(const struct nfarun_options *o)
{
	if (o->split != 0 && (o->out == NULL || o->to != NFART_FORMAT_PERFETTO))
		return wrong_use("--split goes with --to perfetto and -o FILE", NULL);
	return 0;
}

/* Checks a conversion, and takes its operands. Returns 0 or an exit code. */
static int check_convert(struct nfarun_options *o, int argc, char **argv, int first)
{
	o->convert = true;
	choose_form(o);
	take_traces(o, argv + first, argc - first);
	if (o->histogram || o->slowest != 0 || o->by != BY_NOTHING || o->jobs > 1)
		return wrong_use("-p without -e or an image converts: only options for reading and "
				 "writing go with it", NULL);
	if (check_no_run(o, "-p without -e or an image converts: only options for reading and "
			    "writing go with it") != 0 || check_split(o) != 0)
		return NFART_USAGE;
	return check_written(o);
}

/* Checks a question about a trace, and takes its operand. Returns 0 or an exit code. */
static int check_ask(struct nfarun_options *o, int argc, char **argv, int first)
{
	int code = check_no_run(o, "questions about a trace run no image: only options for reading "
				   "and writing go with them");

	if (code == 0)
		code = check_by(o);
	if (code == 0)
		code = check_written(o);
	if (code != 0)
		return code;
	if (o->count && o->ask != ASK_COUNT)
		return wrong_use("one question at a time: not another one with --count", NULL);
	if (check_table(o) != 0)
		return NFART_USAGE;
	take_traces(o, argv + first, argc - first);
	return 0;
}

int nfarun_options_check(struct nfarun_options *o, int argc, char **argv, int first)
{
	if (o->count && o->ask == ASK_NOTHING && o->filter == NULL &&
	    (o->by == BY_TYPE || o->by == BY_GROUP || o->protocol != NULL))
		o->ask = ASK_COUNT;
	if (o->list_types)
		return check_list(o, argc, argv, first);
	if (o->ask != ASK_NOTHING)
		return check_ask(o, argc, argv, first);
	if (o->protocol != NULL && o->filter == NULL)
		return check_convert(o, argc, argv, first);
	if (o->dirs.n != 0 && o->filter == NULL)
		return wrong_use("-I goes with -e, -p and questions about a trace", NULL);
	if (o->histogram || o->slowest != 0)
		return wrong_use("--histogram and --slowest go with questions about a trace", NULL);
	if (o->filter != NULL && (o->second != NULL || o->inspect || o->use_rtl))
		return wrong_use("-e goes without --swap, --inspect and --engine rtl", NULL);
	if (o->filter != NULL)
		first--; /* there is no image */
	if (argc == first)
		return wrong_use("no image, and no -e", NULL);
	choose_form(o);
	if (argc - first > 2 && !o->merge && (o->use_explain || o->shards != 0 || o->inspect ||
					      o->ranks != 0 || o->rtl.vcd != NULL))
		return wrong_use("too many arguments:", argv[first + 2]);
	o->image = o->filter == NULL ? argv[first] : NULL;
	take_traces(o, argv + first + 1, o->merge && argc - first > 2 ? 1 : argc - first - 1);
	o->files = (const char *const *)argv + first + 2;
	o->nfiles = o->merge && argc - first > 2 ? (uint32_t)(argc - first - 2) : 0;
	if (check_split(o) != 0)
		return NFART_USAGE;
	if (o->by != BY_NOTHING && !o->count)
		return wrong_use("--by goes with --count", NULL);
	if (o->by != BY_NOTHING && o->by != BY_LINE && o->by != BY_LABEL)
		return wrong_use("--count --by takes line or label with an image or -e", NULL);
	o->by_line = o->by == BY_LINE;
	o->by_label = o->by == BY_LABEL;
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
	if (check_written(o) != 0)
		return NFART_USAGE;
	return check_explain(o);
}
