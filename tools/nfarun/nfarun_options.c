/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfarun/nfarun_options.h"

#include <getopt.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "runtime/run/shard.h"
#include "support/cli.h"

static const char usage[] =
	"usage: nfarun [options] CFG.BIN [TRACE]\n"
	"       nfarun [options] A.BIN --swap K B.BIN [TRACE]\n"
	"       nfarun [options] --shard I/N CFG.BIN TRACE -o FILE\n"
	"       nfarun [options] --merge CFG.BIN TRACE FILE...\n"
	"Runs a compiled filter over a trace (standard input if none).\n"
	"  -o, --output FILE      write there, by a temporary file and a rename\n"
	"  -f, --from FORMAT      text, records, compact, dense, ila, dump or raw (default: look)\n"
	"  -t, --to FORMAT        text (default), records, compact, dense, json or csv\n"
	"      --lines            name the accepting lines behind each label\n"
	"      --on-loss WHAT     keep (default) or reset: what a loss does to the automata\n"
	"      --substream ADDR,N observe these lines instead of the image's\n"
	"      --swap K B.BIN     from batch K on, counted from 1, run B.BIN\n"
	"      --count            write only the summary, as text, json or csv\n"
	"      --by line          with --count: how often each label accepted on each line\n"
	"      --ring-start N     the oldest sample of a ring, counted from 0\n"
	"      --map FILE         JSON that says what sources and widths of samples mean\n"
	"      --strict           a damaged chunk is an error, not a loss\n"
	"      --engine WHAT      software (default) or rtl: the engine in Verilog, simulated\n"
	"      --model FILE       of it, or the folder it is in (see nfamodel)\n"
	"  -j, --jobs N           run in N threads (0: one a core); the output is the same\n"
	"      --shard I/N        run part I of N, from 0, and write what --merge needs\n"
	"      --resume           with --shard: nothing to do where FILE is that already\n"
	"      --merge            put the files of all parts together to the output of one run\n"
	"      --parts N          of nfarun-mpi: into how many the trace is cut (default: the ranks)\n"
	"      --gap N            with rtl: at most N cycles between two batches (default 2)\n"
	"      --vcd FILE         with rtl: write waveforms there\n"
	"      --explain WHAT     why: a time, or 'first' or 'all' of the batches accepted\n"
	"      --label NAME       with --explain: this label alone, or log\n"
	"      --inspect          print the image's sections and registers\n"
	"  -q, --quiet            no summary and no progress\n"
	"  -h, --help; --version\n";

static int wrong_use(const char *what, const char *arg)
{
	return cli_wrong_use("nfarun", what, arg);
}

enum { OPT_LINES = 256, OPT_LOSS, OPT_SUBSTREAM, OPT_SWAP, OPT_COUNT, OPT_BY, OPT_RING, OPT_MAP,
       OPT_STRICT, OPT_INSPECT, OPT_ENGINE, OPT_MODEL, OPT_GAP, OPT_VCD,
       OPT_EXPLAIN, OPT_LABEL, OPT_SHARD, OPT_RESUME, OPT_MERGE, OPT_PARTS, OPT_VERSION };

static const struct option longs[] = {
	{ "output", 1, NULL, 'o' },          { "from", 1, NULL, 'f' },
	{ "to", 1, NULL, 't' },              { "lines", 0, NULL, OPT_LINES },
	{ "on-loss", 1, NULL, OPT_LOSS },    { "substream", 1, NULL, OPT_SUBSTREAM },
	{ "swap", 1, NULL, OPT_SWAP },       { "count", 0, NULL, OPT_COUNT },
	{ "by", 1, NULL, OPT_BY },           { "ring-start", 1, NULL, OPT_RING },
	{ "map", 1, NULL, OPT_MAP },         { "strict", 0, NULL, OPT_STRICT },
	{ "inspect", 0, NULL, OPT_INSPECT }, { "quiet", 0, NULL, 'q' },
	{ "engine", 1, NULL, OPT_ENGINE },   { "model", 1, NULL, OPT_MODEL },
	{ "gap", 1, NULL, OPT_GAP },         { "vcd", 1, NULL, OPT_VCD },
	{ "jobs", 1, NULL, 'j' },            { "shard", 1, NULL, OPT_SHARD },
	{ "resume", 0, NULL, OPT_RESUME },   { "merge", 0, NULL, OPT_MERGE },
	{ "parts", 1, NULL, OPT_PARTS },
	{ "explain", 1, NULL, OPT_EXPLAIN }, { "label", 1, NULL, OPT_LABEL },
	{ "help", 0, NULL, 'h' },            { "version", 0, NULL, OPT_VERSION },
	{ NULL, 0, NULL, 0 }
};

static bool explain_what(const char *s, struct explain *x)
{
	if (strcmp(s, "first") == 0 || strcmp(s, "all") == 0) {
		x->what = s[0] == 'f' ? EXPLAIN_FIRST : EXPLAIN_ALL;
		return true;
	}
	x->what = EXPLAIN_TIME;
	return cli_number(s, 0, &x->time, NULL);
}

static int option_jobs(struct nfarun_options *o)
{
	uint64_t n;

	if (!cli_number(optarg, 0, &n, NULL) || n > RUN_MOST_JOBS)
		return wrong_use("--jobs takes a number up to 256, not", optarg);
	if (n == 0) {
		long cores = sysconf(_SC_NPROCESSORS_ONLN);
		n = cores < 1 ? 1 : cores > RUN_MOST_JOBS ? RUN_MOST_JOBS : (uint64_t)cores;
	}
	o->jobs = (unsigned)n;
	return 0;
}

static int option_shard(struct nfarun_options *o)
{
	const char *slash;

	if (!cli_number(optarg, '/', &o->shard, &slash) || !cli_number(slash, 0, &o->shards, NULL) ||
	    o->shard >= o->shards || o->shards > SHARD_MOST)
		return wrong_use("--shard takes I/N with I below N, N up to 65536, not", optarg);
	return 0;
}

/* One option. 0, or an exit code; -1: done, successfully. */
static int option(int c, struct nfarun_options *o, int argc, char **argv)
{
	switch (c) {
	case 'o':
		o->out = optarg;
		return 0;
	case 'f':
		return nfart_format_parse(optarg, &o->reader.format)
			       ? 0
			       : wrong_use("no format", optarg);
	case 't':
		return nfart_format_parse(optarg, &o->to) ? 0 : wrong_use("no format", optarg);
	case OPT_LINES:
		o->engine.lines = true;
		return 0;
	case OPT_LOSS:
		o->engine.reset_on_loss = strcmp(optarg, "reset") == 0;
		return o->engine.reset_on_loss || strcmp(optarg, "keep") == 0
			       ? 0 : wrong_use("--on-loss is keep or reset, not", optarg);
	case OPT_SUBSTREAM:
		o->engine.has_substream = true;
		return cli_substream(optarg, &o->engine.base, &o->engine.count) ? 0
					    : wrong_use("--substream takes ADDR,N with an address "
							"below 2^40 and N >= 1, not",
							optarg);
	case OPT_SWAP:
		if (!cli_number(optarg, 0, &o->swap_at, NULL) || o->swap_at == 0)
			return wrong_use("--swap takes a batch, counted from 1, not", optarg);
		if (optind >= argc)
			return wrong_use("--swap needs an image behind the batch", NULL);
		o->second = argv[optind++];
		return 0;
	case OPT_COUNT:
		o->count = true;
		return 0;
	case OPT_BY:
		o->by_line = true;
		return strcmp(optarg, "line") == 0 ? 0
						   : wrong_use("--by takes 'line', not", optarg);
	case OPT_RING:
		o->reader.has_ring_start = true;
		return cli_number(optarg, 0, &o->reader.ring_start, NULL)
			       ? 0 : wrong_use("--ring-start takes a number, not", optarg);
	case OPT_MAP:
		o->map = optarg;
		return 0;
	case OPT_STRICT:
		o->reader.strict = true;
		return 0;
	case OPT_INSPECT:
		o->inspect = true;
		return 0;
	case OPT_ENGINE:
		o->use_rtl = strcmp(optarg, "rtl") == 0;
		return o->use_rtl || strcmp(optarg, "software") == 0
			       ? 0 : wrong_use("--engine is software or rtl, not", optarg);
	case OPT_MODEL:
		o->rtl.model = optarg;
		return 0;
	case OPT_GAP:
		return cli_number(optarg, 0, &o->rtl.gap, NULL)
			       ? 0 : wrong_use("--gap takes a number of cycles, not", optarg);
	case OPT_VCD:
		o->rtl.vcd = optarg;
		return 0;
	case OPT_EXPLAIN:
		o->use_explain = true;
		return explain_what(optarg, &o->explain)
			       ? 0 : wrong_use("--explain takes a time, first or all, not", optarg);
	case OPT_LABEL:
		o->explain.label = optarg;
		return 0;
	case 'j':
		return option_jobs(o);
	case OPT_SHARD:
		return option_shard(o);
	case OPT_RESUME:
		o->resume = true;
		return 0;
	case OPT_MERGE:
		o->merge = true;
		return 0;
	case OPT_PARTS:
		return cli_number(optarg, 0, &o->parts, NULL) && o->parts != 0 &&
				       o->parts <= SHARD_MOST
			       ? 0 : wrong_use("--parts takes a number up to 65536, not", optarg);
	case 'q':
		o->quiet = true;
		return 0;
	case 'h':
		fputs(usage, stdout);
		return -1;
	case OPT_VERSION:
		puts("nfarun " PACKAGE_VERSION);
		return -1;
	default:
		fputs("Try 'nfarun --help'.\n", stderr);
		return NFART_USAGE;
	}
}

/* What --explain and --label don't go with. */
static int check_explain(const struct nfarun_options *o)
{
	if (!o->use_explain)
		return o->explain.label == NULL ? 0 : wrong_use("--label goes with --explain", NULL);
	if (o->use_rtl || o->second != NULL)
		return wrong_use("--explain knows one image in the software engine: no --engine rtl, no "
				 "--swap", NULL);
	if (o->jobs > 1 || o->shards != 0 || o->merge || o->ranks != 0)
		return wrong_use("--explain goes without --jobs and shards", NULL);
	if (o->count || o->engine.lines || o->to != NFART_FORMAT_TEXT)
		return wrong_use("--explain writes text of its own: no --to, --lines, --count", NULL);
	return 0;
}

/* What goes with --shard and --merge, and what does not. */
static int check_shards(const struct nfarun_options *o)
{
	if (o->ranks == 0 && o->parts != 0)
		return wrong_use("--parts is for nfarun-mpi", NULL);
	if (o->ranks != 0 && (o->shards != 0 || o->merge || o->out == NULL || o->trace == NULL))
		return wrong_use("nfarun-mpi needs a trace and -o FILE, and does --shard and --merge "
				 "by itself", NULL);
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
	int c, r;

	o->to = NFART_FORMAT_TEXT;
	o->rtl.gap = 2;
	while ((c = getopt_long(argc, argv, "o:f:t:j:qh", longs, NULL)) != -1)
		if ((r = option(c, o, argc, argv)) != 0)
			return r;
	if (argc == optind)
		return wrong_use("no image", NULL);
	if (argc - optind > 2 && !o->merge)
		return wrong_use("too many arguments:", argv[optind + 2]);
	o->image = argv[optind];
	o->trace = argc - optind >= 2 ? argv[optind + 1] : NULL;
	o->files = (const char *const *)argv + optind + 2;
	o->nfiles = argc - optind > 2 ? (uint32_t)(argc - optind - 2) : 0;
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
		return wrong_use("the engine in Verilog does not tell lines: no --lines, no --by", NULL);
	return check_explain(o);
}
