/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfarun/nfarun_checks.h"

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

/* Refuses options that say how an image runs, where no image runs. Returns 0 or an exit code. */
static int check_no_run(const struct nfarun_options *o)
{
	if (o->filter != NULL || o->use_explain || o->explain.label != NULL || o->inspect || o->use_rtl ||
	    o->rtl.model != NULL || o->rtl.vcd != NULL || o->second != NULL || o->shards != 0 ||
	    o->merge || o->resume || o->ranks != 0 || o->engine.lines || o->engine.has_substream ||
	    o->engine.reset_on_loss || o->tick != 0 || o->until != 0)
		return wrong_use("questions about a trace run no image: only options for reading "
				 "and writing go with them", NULL);
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

/* Checks a question about a trace, and takes its operand. Returns 0 or an exit code. */
static int check_ask(struct nfarun_options *o, int argc, char **argv, int first)
{
	int code = check_no_run(o);

	if (code == 0)
		code = check_by(o);
	if (code != 0)
		return code;
	if (o->count && o->ask != ASK_COUNT)
		return wrong_use("one question at a time: not another one with --count", NULL);
	if (o->to != NFART_FORMAT_TEXT && o->to != NFART_FORMAT_JSON && o->to != NFART_FORMAT_CSV)
		return wrong_use("answers are text, json or csv, not", nfart_format_name(o->to));
	if (argc - first > 1)
		return wrong_use("a question about a trace takes no image besides -p:",
				 argv[first]);
	o->trace = argc > first ? argv[first] : NULL;
	return 0;
}

int nfarun_options_check(struct nfarun_options *o, int argc, char **argv, int first)
{
	if (o->count && o->ask == ASK_NOTHING && o->filter == NULL &&
	    (o->by == BY_TYPE || o->by == BY_GROUP || o->protocol != NULL))
		o->ask = ASK_COUNT;
	if (o->ask != ASK_NOTHING)
		return check_ask(o, argc, argv, first);
	if ((o->protocol != NULL || o->ndirs != 0) && o->filter == NULL)
		return wrong_use("-p and -I go with -e, and with questions about a trace", NULL);
	if (o->histogram || o->slowest != 0)
		return wrong_use("--histogram and --slowest go with questions about a trace", NULL);
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
	if (o->split != 0 && (o->out == NULL || o->to != NFART_FORMAT_PERFETTO))
		return wrong_use("--split goes with --to perfetto and -o FILE", NULL);
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
	return check_explain(o);
}
