/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The command line: long because it has many options, each a line in --help, one in the table and a few to
 * read it.
 */
#include "compiler/options.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>

#include "config.h"
#include "ir/pass/passes.h"
#include "support/cli.h"

static const char usage[] =
	"usage: nfacc [options] FILE... -o CFG.BIN\n"
	"       nfacc --fit [options] FILE... [-o OVERLAY.OV]\n"
	"       nfacc --inspect CFG.BIN\n"
	"       nfacc --equal A.re B.re, --contains A.re B.re, --empty A.re, --universal A.re\n"
	"       nfacc --map-graph FILE.g [--map=MODEL]\n"
	"       nfacc --list [PROTOCOL]\n"
	"Compiles filters over hardware event streams; several files are one unit ('-': standard "
	"input).\n"
	"  -o, --output FILE       the output: an image, or what --emit asks for (default then: "
	"stdout)\n"
	"      --overlay WHAT      FILE, C,L,R,N[,NCLS], the name of a shipped overlay, or none:\n"
	"                          an image for the software engine alone (default: default)\n"
	"      --emit=WHAT         image (default), ast, nfa, dot, map, mem or header; of an\n"
	"                          overlay alone: overlay, verilog or regs\n"
	"      --check             compile, write nothing\n"
	"      --fit               find the cheapest overlay that each file fits; print the "
	"trade-offs,\n"
	"                          write its description to -o\n"
	"      --fit-range C,L,R,N[,STES], --fit-weights LUT,FF, --fit-probes N\n"
	"                          the largest overlay tried, what a LUT and a FF cost, a limit\n"
	"  -O0, -O1, -O2, -Os      the thesis's two passes alone; all that are fast (default); fewer\n"
	"                          states; these, within what an STE can be connected with\n"
	"      --count=off|auto|N  repetitions from N on (auto: 16) become counters where that is\n"
	"                          exact and the overlay has them\n"
	"      --stop-after=PASS   with --emit=nfa or dot: stop behind this pass\n"
	"      --no-pass=PASS      leave this pass out\n"
	"  -x re|yaml|nfa          the language of the files (default: by their endings)\n"
	"      --stats             states and transitions before and after every pass, and times\n"
	"      --verify=HOW        prove that the image means what the source says: bounded (default),\n"
	"                          full or off\n"
	"      --proof-steps N     a limit for proofs and questions\n"
	"      --equal, --contains, --empty, --universal\n"
	"                          do both files accept the same; is what A accepts accepted by B;\n"
	"                          does A accept nothing; does it accept always? Exit code 0 or 7\n"
	"      --inspect           turn an image back into NFA text\n"
	"      --protocol NAME, --window N, --log EXPR, --substream ADDR,N\n"
	"                          the statements that the YAML form lacks\n"
	"  -I DIR                  look for NAME.proto here first\n"
	"      --map=MODEL         who maps: auto (default), search, ilp, ilp-baseline, "
	"ilp-symmetry,\n"
	"                          ilp-clique or ilp-clique-symmetry\n"
	"      --map-graph FILE.g  map a raw graph, no filter\n"
	"      --map-steps N, --map-rows N, --map-nodes N, --map-time SECONDS\n"
	"                          limits of the mapper\n"
	"      --no-names          leave places in the source out of the image\n"
	"      --source            put the source files into the image\n"
	"  -Werror, -Wno-NAME      warnings are errors; turn a warning off\n"
	"      --color=WHEN        auto (default), always or never\n"
	"      --list              the shipped protocols and overlays, and the passes;\n"
	"                          with the name of a protocol, its fields, slots, types and events\n"
	"  -h, --help; --version\n";

static int wrong_use(const char *what, const char *arg)
{
	return cli_wrong_use("nfacc", what, arg);
}

static int no_memory(void)
{
	fputs("nfacc: error: out of memory\n", stderr);
	return NFART_SYSTEM;
}

enum { OPT_OVERLAY = 256, OPT_EMIT, OPT_CHECK, OPT_STOP, OPT_NO_PASS, OPT_COUNT, OPT_STATS, OPT_INSPECT,
       OPT_PROTOCOL, OPT_WINDOW, OPT_LOG, OPT_SUBSTREAM, OPT_MAP, OPT_MAP_GRAPH, OPT_STEPS,
       OPT_ROWS, OPT_NODES, OPT_TIME, OPT_NO_NAMES, OPT_SOURCE, OPT_COLOUR, OPT_LIST, OPT_VERSION,
       OPT_FIT, OPT_FIT_RANGE, OPT_FIT_WEIGHTS, OPT_FIT_PROBES, OPT_VERIFY, OPT_PROOF_STEPS, OPT_EQUAL,
       OPT_CONTAINS, OPT_EMPTY, OPT_UNIVERSAL };

static const struct option longs[] = {
	{ "output", 1, NULL, 'o' },
	{ "overlay", 1, NULL, OPT_OVERLAY },
	{ "emit", 1, NULL, OPT_EMIT },
	{ "check", 0, NULL, OPT_CHECK },
	{ "stop-after", 1, NULL, OPT_STOP },
	{ "no-pass", 1, NULL, OPT_NO_PASS },
	{ "count", 1, NULL, OPT_COUNT },
	{ "stats", 0, NULL, OPT_STATS },
	{ "inspect", 1, NULL, OPT_INSPECT },
	{ "protocol", 1, NULL, OPT_PROTOCOL },
	{ "window", 1, NULL, OPT_WINDOW },
	{ "log", 1, NULL, OPT_LOG },
	{ "substream", 1, NULL, OPT_SUBSTREAM },
	{ "map", 1, NULL, OPT_MAP },
	{ "map-graph", 1, NULL, OPT_MAP_GRAPH },
	{ "map-steps", 1, NULL, OPT_STEPS },
	{ "map-rows", 1, NULL, OPT_ROWS },
	{ "map-nodes", 1, NULL, OPT_NODES },
	{ "map-time", 1, NULL, OPT_TIME },
	{ "fit", 0, NULL, OPT_FIT },
	{ "fit-range", 1, NULL, OPT_FIT_RANGE },
	{ "fit-weights", 1, NULL, OPT_FIT_WEIGHTS },
	{ "fit-probes", 1, NULL, OPT_FIT_PROBES },
	{ "verify", 1, NULL, OPT_VERIFY },
	{ "proof-steps", 1, NULL, OPT_PROOF_STEPS },
	{ "equal", 0, NULL, OPT_EQUAL },
	{ "contains", 0, NULL, OPT_CONTAINS },
	{ "empty", 0, NULL, OPT_EMPTY },
	{ "universal", 0, NULL, OPT_UNIVERSAL },
	{ "no-names", 0, NULL, OPT_NO_NAMES },
	{ "source", 0, NULL, OPT_SOURCE },
	{ "color", 1, NULL, OPT_COLOUR },
	{ "colour", 1, NULL, OPT_COLOUR },
	{ "list", 0, NULL, OPT_LIST },
	{ "help", 0, NULL, 'h' },
	{ "version", 0, NULL, OPT_VERSION },
	{ NULL, 0, NULL, 0 }
};

/* The place of s in a list that ends with NULL; -1: it is not there. */
static int choice(const char *s, const char *const *names)
{
	for (int i = 0; names[i] != NULL; i++)
		if (strcmp(s, names[i]) == 0)
			return i;
	return -1;
}

static int emit(const char *s, struct options *o)
{
	static const char *const names[] = { "image", "ast", "nfa", "dot", "map", "mem", "header",
					     "overlay", "verilog", "regs", NULL };
	static const enum pipeline_stage last[] = { STAGE_IMAGE, STAGE_AST, STAGE_NFA, STAGE_NFA,
						    STAGE_IMAGE, STAGE_IMAGE, STAGE_IMAGE,
						    STAGE_AST, STAGE_AST, STAGE_AST };
	int i = choice(s, names);

	if (i < 0)
		return wrong_use("--emit takes image, ast, nfa, dot, map, mem, header, overlay, verilog or regs, not", s);
	o->emit = (enum emit)i;
	o->pipeline.last = last[i];
	return -1;
}

static bool is_pass(const char *s)
{
	for (size_t i = 0; pass_name(i) != NULL; i++)
		if (strcmp(pass_name(i), s) == 0)
			return true;
	return false;
}

static int no_pass(const char *s, struct options *o)
{
	if (!is_pass(s))
		return wrong_use("no pass", s);
	for (size_t i = 0; pass_name(i) != NULL; i++)
		if (strcmp(pass_name(i), s) == 0)
			o->pipeline.passes.off |= 1u << i;
	return -1;
}

static int count(const char *s, struct options *o)
{
	uint64_t n = COUNT_THRESHOLD;

	if (strcmp(s, "off") == 0)
		n = 0;
	else if (strcmp(s, "auto") != 0 && (!cli_number(s, 0, &n, NULL) || n < 2 || n > UINT32_MAX))
		return wrong_use("--count takes off, auto or a number of at least 2, not", s);
	o->pipeline.count = (uint32_t)n;
	return -1;
}

static int overlay(const char *s, struct options *o)
{
	bool bad;

	o->overlay_file = NULL;
	if (overlay_numbers(s, &o->pipeline.overlay, &bad))
		return bad ? wrong_use("--overlay takes C,L,R,N[,NCLS] in range, not", s) : -1;
	o->overlay_file = s;
	return -1;
}

static int warning(const char *s, struct options *o)
{
	if (strcmp(s, "error") == 0)
		o->werror = true;
	else if (strncmp(s, "no-", 3) != 0 || choice(s + 3, front_warnings) < 0)
		return wrong_use("no warning", strncmp(s, "no-", 3) == 0 ? s + 3 : s);
	else if (!vec_push(&o->disabled, s + 3))
		return no_memory();
	return -1;
}

static int level(const char *s, struct options *o)
{
	static const char *const names[] = { "0", "1", "2", "s", NULL }; /* PASS_LEVEL_S */
	int i = choice(s, names);

	if (i < 0)
		return wrong_use("-O takes 0, 1, 2 or s, not", s);
	o->pipeline.passes.level = i;
	return -1;
}

static int language(const char *s, struct options *o)
{
	static const char *const names[] = { "re", "nfa", "yaml", NULL };
	int i = choice(s, names);

	if (i < 0)
		return wrong_use("-x takes re, nfa or yaml, not", s);
	o->language = i == 2 ? LANGUAGE_YAML : LANGUAGE_RE;
	return -1;
}

static int colour(const char *s, struct options *o)
{
	static const char *const names[] = { "never", "always", "auto", NULL };

	o->colour = choice(s, names);
	return o->colour < 0 ? wrong_use("--color takes auto, always or never, not", s) : -1;
}

static int statement(int c, struct options *o)
{
	struct front_options *f = &o->pipeline.front;

	switch (c) {
	case OPT_PROTOCOL:
		f->protocol = optarg;
		return -1;
	case OPT_LOG:
		f->log = optarg;
		return strchr(optarg, ';') == NULL
			       ? -1
			       : wrong_use("--log takes one expression, not", optarg);
	case OPT_WINDOW:
		f->has_window = true;
		return cli_number(optarg, 0, &f->window, NULL)
			       ? -1
			       : wrong_use("--window takes a number, not", optarg);
	default:
		f->has_substream = true;
		return cli_substream(optarg, &f->address, &f->lines)
			       ? -1
			       : wrong_use(
					 "--substream takes ADDR,N with an address below 2^40 and "
					 "N >= 1, not",
					 optarg);
	}
}

static int model(const char *s, struct options *o)
{
	int i = choice(s, map_model_names);

	if (i < 0)
		return wrong_use(
			"--map takes auto, search, ilp, ilp-baseline, ilp-symmetry, ilp-clique "
			"or ilp-clique-symmetry, not",
			s);
	o->pipeline.map.model = (enum map_model)i;
	return -1;
}

static int limit(int c, struct options *o)
{
	struct map_options *m = &o->pipeline.map;
	uint64_t v;

	if (!cli_number(optarg, 0, &v, NULL) || (c == OPT_TIME && v > UINT32_MAX))
		return wrong_use("limits of the mapper are numbers, not", optarg);
	if (c == OPT_STEPS)
		m->steps = v;
	else if (c == OPT_ROWS)
		m->rows = v;
	else if (c == OPT_NODES)
		m->nodes = v;
	else
		m->seconds = (uint32_t)v;
	return -1;
}

/* Numbers with commas between them, `fewest` to `most`, each in its range. */
static bool numbers(const char *s, uint32_t *const *out, const uint32_t (*range)[2], size_t fewest,
		    size_t most)
{
	for (size_t i = 0; i < most; i++) {
		size_t n = strcspn(s, ",");
		uint64_t v;
		if (!cli_number(s, s[n], &v, NULL) || v < range[i][0] || v > range[i][1])
			return false;
		*out[i] = (uint32_t)v;
		s += n;
		if (*s == 0)
			return i + 1 >= fewest;
		s++;
	}
	return false;
}

static int fit_option(int c, struct options *o)
{
	static const uint32_t sizes[][2] = { { 1, 4096 }, { 1, 65536 }, { 1, 65536 }, { 0, 65535 },
					     { 1, OVERLAY_MOST_STES } };
	static const uint32_t weights[][2] = { { 0, FIT_MOST_WEIGHT }, { 0, FIT_MOST_WEIGHT } };
	struct fit_range *r = &o->search.range;
	struct fit_weights *w = &o->search.weights;
	uint32_t *const in_range[] = { &r->clique, &r->length, &r->rings, &r->reach, &r->stes };
	uint32_t *const in_weights[] = { &w->lut, &w->ff };

	if (c == OPT_FIT_RANGE)
		return numbers(optarg, in_range, sizes, 4, 5) ? -1 :
			wrong_use("--fit-range takes C,L,R,N[,STES] in range, not", optarg);
	if (c == OPT_FIT_WEIGHTS)
		return numbers(optarg, in_weights, weights, 2, 2) && w->lut + w->ff != 0
			       ? -1
			       : wrong_use("--fit-weights takes LUT,FF, at most 1000 and not both "
					   "0, not",
					   optarg);
	return cli_number(optarg, 0, &o->search.probes, NULL) ? -1 :
		wrong_use("--fit-probes takes a number, not", optarg);
}

static int verify(const char *s, struct options *o)
{
	static const char *const names[] = { "off", "bounded", "full", NULL };
	int i = choice(s, names);

	if (i < 0)
		return wrong_use("--verify takes off, bounded or full, not", s);
	o->pipeline.verify = (enum verify_level)i;
	return -1;
}

static int proof_steps(const char *s, struct options *o)
{
	return cli_number(s, 0, &o->pipeline.proof_steps, NULL) && o->pipeline.proof_steps != 0
		       ? -1
		       : wrong_use("--proof-steps takes a number from 1, not", s);
}

static int question(int c, struct options *o)
{
	if (o->question != QUESTION_NONE)
		return wrong_use("one question at a time", NULL);
	o->question = c == OPT_EQUAL	  ? QUESTION_EQUAL
		      : c == OPT_CONTAINS ? QUESTION_CONTAINS
		      : c == OPT_EMPTY	  ? QUESTION_EMPTY
					  : QUESTION_UNIVERSAL;
	o->pipeline.last = STAGE_SPEC;
	return -1;
}

/* One option. -1: go on; else an exit code. */
static int option(int c, struct options *o)
{
	switch (c) {
	case 'o':
		o->out = optarg;
		return -1;
	case 'O':
		return level(optarg, o);
	case 'W':
		return warning(optarg, o);
	case 'x':
		return language(optarg, o);
	case 'I':
		return vec_push(&o->dirs, optarg) ? -1 : no_memory();
	case OPT_OVERLAY:
		return overlay(optarg, o);
	case OPT_EMIT:
		return emit(optarg, o);
	case OPT_CHECK:
		o->check = true;
		return -1;
	case OPT_STOP:
		o->pipeline.passes.stop_after = optarg;
		return is_pass(optarg) ? -1 : wrong_use("no pass", optarg);
	case OPT_NO_PASS:
		return no_pass(optarg, o);
	case OPT_COUNT:
		return count(optarg, o);
	case OPT_STATS:
		o->stats = true;
		return -1;
	case OPT_INSPECT:
		o->inspect = optarg;
		return -1;
	case OPT_PROTOCOL:
	case OPT_LOG:
	case OPT_WINDOW:
	case OPT_SUBSTREAM:
		return statement(c, o);
	case OPT_MAP:
		return model(optarg, o);
	case OPT_MAP_GRAPH:
		o->map_graph = optarg;
		return -1;
	case OPT_STEPS:
	case OPT_ROWS:
	case OPT_NODES:
	case OPT_TIME:
		return limit(c, o);
	case OPT_FIT:
		o->fit = true;
		return -1;
	case OPT_FIT_RANGE:
	case OPT_FIT_WEIGHTS:
	case OPT_FIT_PROBES:
		return fit_option(c, o);
	case OPT_VERIFY:
		return verify(optarg, o);
	case OPT_PROOF_STEPS:
		return proof_steps(optarg, o);
	case OPT_EQUAL:
	case OPT_CONTAINS:
	case OPT_EMPTY:
	case OPT_UNIVERSAL:
		return question(c, o);
	case OPT_NO_NAMES:
		o->pipeline.names = false;
		return -1;
	case OPT_SOURCE:
		o->pipeline.source = true;
		return -1;
	case OPT_COLOUR:
		return colour(optarg, o);
	case OPT_LIST:
		o->list = true;
		return -1;
	case 'h':
		fputs(usage, stdout);
		return NFART_OK;
	case OPT_VERSION:
		puts("nfacc " PACKAGE_VERSION);
		return NFART_OK;
	default:
		fputs("Try 'nfacc --help'.\n", stderr);
		return NFART_USAGE;
	}
}

/* Is pass i of the chosen level run? */
static bool runs(const struct options *o, const char *name)
{
	for (size_t i = 0; pass_name(i) != NULL; i++)
		if (strcmp(pass_name(i), name) == 0 && pass_at_level(i, o->pipeline.passes.level) &&
		    (o->pipeline.passes.off >> i & 1) == 0)
			return true;
	return false;
}

static int check_passes(const struct options *o)
{
	const char *stop = o->pipeline.passes.stop_after;
	bool text = o->emit == EMIT_NFA || o->emit == EMIT_DOT;

	if (stop != NULL && !text)
		return wrong_use("--stop-after goes with --emit=nfa or --emit=dot", NULL);
	if (stop != NULL && !runs(o, stop))
		return wrong_use("--stop-after: this pass does not run:", stop);
	if (!text && o->emit != EMIT_AST && (!runs(o, "epsilon") || !runs(o, "homogenise")))
		return wrong_use("an image needs the passes epsilon and homogenise", NULL);
	return -1;
}

/* A question takes its files and nothing that makes an image. */
static int check_question(const struct options *o)
{
	bool two = o->question == QUESTION_EQUAL || o->question == QUESTION_CONTAINS;

	if (o->files.n != (two ? 2 : 1))
		return wrong_use(two ? "--equal and --contains take two files"
				     : "--empty and --universal take one file", NULL);
	if (o->out != NULL || o->emit != EMIT_IMAGE || o->check || o->fit || o->stats ||
	    o->inspect != NULL)
		return wrong_use("a question about filters makes no output file", NULL);
	return -1;
}

/* What can only be said of all options together. */
static int check_together(const struct options *o)
{
	if (o->list)
		return o->files.n <= 1 ? -1 : wrong_use("--list takes one protocol at most", NULL);
	if (o->map_graph != NULL)
		return o->files.n == 0 && o->inspect == NULL && o->emit == EMIT_IMAGE ? -1 :
			wrong_use("--map-graph takes one graph and no filter", NULL);
	if (o->question != QUESTION_NONE)
		return check_question(o);
	if (o->fit && (o->stats || o->pipeline.map.model != MAP_AUTO))
		return wrong_use("--fit takes neither --stats nor --map", NULL);
	if (o->inspect != NULL)
		return o->files.n == 0 ? -1
				       : wrong_use("--inspect takes one image and no filter", NULL);
	if (o->files.n == 0 && o->emit < EMIT_OVERLAY)
		return wrong_use("no filter", NULL);
	if (o->fit && (o->emit != EMIT_IMAGE || o->check))
		return wrong_use("--fit goes without --emit and --check", NULL);
	if (o->fit && o->pipeline.overlay.o.none && o->overlay_file == NULL)
		return wrong_use("--fit: overlay none has no cost", NULL);
	if (o->emit == EMIT_IMAGE && o->out == NULL && !o->check && !o->fit)
		return wrong_use("no output: -o FILE, or --check to write none", NULL);
	if (o->emit >= EMIT_OVERLAY && o->files.n != 0)
		return wrong_use("--emit=overlay, verilog and regs take no filter:", o->files.at[0]);
	if (o->emit >= EMIT_OVERLAY && o->pipeline.overlay.o.none && o->overlay_file == NULL)
		return wrong_use("overlay none is no hardware", NULL);
	if ((o->emit == EMIT_MEM || o->emit == EMIT_HEADER) && o->pipeline.overlay.o.none &&
	    o->overlay_file == NULL)
		return wrong_use("an image of overlay none is for no hardware", NULL);
	return check_passes(o);
}

int options_parse(struct options *o, int argc, char **argv)
{
	int c, r = -1;

	memset(o, 0, sizeof *o);
	o->colour = 2;
	pipeline_options_init(&o->pipeline);
	fit_options_init(&o->search);
	while (r < 0 && (c = getopt_long(argc, argv, "o:O:W:x:I:h", longs, NULL)) != -1)
		r = option(c, o);
	for (int i = optind; r < 0 && i < argc; i++)
		if (!vec_push(&o->files, argv[i]))
			r = no_memory();
	o->pipeline.dirs = o->dirs.at;
	o->pipeline.ndirs = o->dirs.n;
	o->pipeline.disabled = o->disabled.at;
	o->pipeline.ndisabled = o->disabled.n;
	o->pipeline.werror = o->werror;
	return r < 0 ? check_together(o) : r;
}

void options_free(struct options *o)
{
	vec_free(&o->disabled);
	vec_free(&o->dirs);
	vec_free(&o->files);
}
