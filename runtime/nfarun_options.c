/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/nfarun_options.h"

#include <getopt.h>
#include <string.h>

#include "compiler/support/cli.h"
#include "config.h"

static const char usage[] =
	"usage: nfarun [options] CFG.BIN [TRACE]\n"
	"       nfarun [options] A.BIN --swap K B.BIN [TRACE]\n"
	"Runs a compiled filter over a trace (standard input if none).\n"
	"  -o, --output FILE      write there, by a temporary file and a rename\n"
	"  -f, --from FORMAT      text, records, compact, dense, ila, dump or raw (default: look)\n"
	"  -t, --to FORMAT        text (default), records, compact, dense, json or csv\n"
	"      --lines            name the accepting lines behind each label\n"
	"      --on-loss WHAT     keep (default) or reset: what a loss does to the automata\n"
	"      --substream ADDR,N observe these lines instead of the image's\n"
	"      --swap K B.BIN     from batch K on, counted from 1, run B.BIN\n"
	"      --count            print only the summary, on standard output\n"
	"      --by line          with --count: how often each label accepted on each line\n"
	"      --ring-start N     the oldest sample of a ring, counted from 0\n"
	"      --map FILE         JSON that says what sources and widths of samples mean\n"
	"      --strict           a damaged chunk is an error, not a loss\n"
	"      --engine WHAT      software (default) or rtl: the engine in Verilog, simulated\n"
	"      --model FILE       of it, or the folder it is in (see nfamodel)\n"
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
       OPT_EXPLAIN, OPT_LABEL, OPT_VERSION };

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
	if (o->count || o->engine.lines || o->to != NFART_FORMAT_TEXT)
		return wrong_use("--explain writes text of its own: no --to, --lines, --count", NULL);
	return 0;
}

int nfarun_options_parse(int argc, char **argv, struct nfarun_options *o)
{
	int c, r;

	o->to = NFART_FORMAT_TEXT;
	o->rtl.gap = 2;
	while ((c = getopt_long(argc, argv, "o:f:t:qh", longs, NULL)) != -1)
		if ((r = option(c, o, argc, argv)) != 0)
			return r;
	if (argc == optind)
		return wrong_use("no image", NULL);
	if (argc - optind > 2)
		return wrong_use("too many arguments:", argv[optind + 2]);
	o->image = argv[optind];
	o->trace = argc - optind == 2 ? argv[optind + 1] : NULL;
	if (o->by_line && !o->count)
		return wrong_use("--by goes with --count", NULL);
	if (o->by_line)
		o->engine.lines = true;
	if (!o->use_rtl && (o->rtl.model != NULL || o->rtl.vcd != NULL))
		return wrong_use("--model and --vcd go with --engine rtl", NULL);
	if (o->use_rtl && o->engine.lines)
		return wrong_use("the engine in Verilog does not tell lines: no --lines, no --by", NULL);
	return check_explain(o);
}
