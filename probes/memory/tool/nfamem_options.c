/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/tool/nfamem_options.h"

#include "support/cli.h"

static struct option_value formats(size_t i)
{
	static const struct option_value values[] = {
		{ "madt", "a line for each event, with names" },
		{ "madt-raw", "a line for each event, with numbers" },
		{ "madt-both", "both lines" },
		{ "compact", "a compact trace of protocol mem" },
		{ "compact-word", "a compact trace of protocol mem-word" },
		{ NULL, NULL }
	};

	return values[i];
}

static struct option_value engines(size_t i)
{
	static const struct option_value values[] = {
		{ "patch", "an instruction jumps to a copy that records, once it has faulted" },
		{ "stub", "each access faults, and a copy of the instruction does it" },
		{ "step", "each access faults, and memory is open for one instruction" },
		{ NULL, NULL }
	};

	return values[i];
}

static int take_format(const struct option_given *g)
{
	struct nfamem_options *o = g->options;
	int i = option_choice(formats, g->value);

	if (i < 0)
		return OPTION_WRONG;
	o->format = i;
	o->format_given = true;
	return OPTION_GO_ON;
}

static int take_watch(const struct option_given *g)
{
	struct nfamem_options *o = g->options;

	if (o->nwatch == NFAMEM_WATCHED)
		return OPTION_WRONG;
	o->watch[o->nwatch++] = g->value;
	return OPTION_GO_ON;
}

enum { WATCHING, WRITING, ABOUT };

static const char *const groups[] = { "Watching", "Writing", "About" };

static const struct option_form forms[] = {
	{ "[options] [-o FILE] -- PROGRAM [ARGUMENT...]", 1 << WATCHING | 1 << WRITING },
	{ NULL, 0 }
};

#define AT(field) OPTION_AT(struct nfamem_options, field)

static const struct option_row rows[] = {
	{ WATCHING, .name = "engine", .kind = OPTION_CHOICE, .arg = "HOW", .value = engines,
	  AT(engine), .usual = "patch", .help = "how accesses are seen" },
	{ WATCHING, .name = "watch", .kind = OPTION_TEXT, .arg = "OBJECT", .take = take_watch,
	  .repeats = true, .takes = "a variable, or malloc@FUNCTION, at most 64 times",
	  .help = "watch only this variable, or what this function allocates (malloc@FUNCTION)" },
	{ WATCHING, .name = "follow", AT(follow),
	  .help = "watch the processes that the program starts, too" },
	{ WATCHING, .name = "from-start", AT(from_start),
	  .help = "record the whole run, also if the program calls MadT__start() and MadT__stop()" },
	{ WATCHING, .name = "detach-after", .kind = OPTION_NUMBER, .arg = "N", .least = 1,
	  AT(detach_after), .help = "leave the program alone after N accesses" },

	{ WRITING, .letter = 'f', .name = "filter", .kind = OPTION_FILE, .arg = "FILTER", AT(filter),
	  .help = "write what this filter finds, as soon as it does: an image, or a filter (.re) that "
		  "is compiled" },
	{ WRITING, .name = "once", AT(once),
	  .help = "with -f: write equal matches once, whichever block, offset and thread" },
	{ WRITING, .name = "format", .kind = OPTION_CHOICE, .arg = "FORM", .value = formats,
	  .take = take_format, .usual = "madt",
	  .help = "the form of the trace; with -f or --summary there is none unless this is given" },
	{ WRITING, .name = "summary", AT(summary), .help = "at the end, how many events there were" },
	{ WRITING, .name = "page-map", .kind = OPTION_FILE, .arg = "FILE", AT(page_map),
	  .help = "draw how often each page was accessed, as SVG; then there is no trace either" },
	{ WRITING, .letter = 'o', .name = "output", .kind = OPTION_FILE, .arg = "FILE", AT(out),
	  .usual = "standard output", .help = "write to FILE" },
	{ WRITING, .letter = 'q', .name = "quiet", AT(quiet),
	  .help = "no notes on standard error" },

	TERMINAL_ROWS_COLOUR(ABOUT, 0, struct nfamem_options, colour),
	{ ABOUT, .letter = 'h', .name = "help", .take = option_help, .help = "this text" },
	{ ABOUT, .letter = 'V', .name = "version", .take = option_version, .help = "the version" },
};

const struct option_table nfamem_options = {
	.tool = "nfamem",
	.forms = forms,
	.about = "Runs a program and writes its memory accesses: data, bss and heap of the program and "
		 "its libraries.",
	.groups = groups,
	.rows = rows,
	.n = sizeof rows / sizeof rows[0]
};

int nfamem_options_parse(struct nfamem_options *o, int argc, char **argv)
{
	int first, code;

	*o = (struct nfamem_options){ .format = FORMAT_MADT };
	code = option_parse(&nfamem_options, argc, argv, o, NULL, &first);
	if (code != OPTION_GO_ON)
		return code;
	if (first == argc)
		return cli_wrong_use("nfamem", "no program is given", NULL);
	if (o->summary && o->format >= FORMAT_COMPACT)
		return cli_wrong_use("nfamem", "--summary: in a compact trace there is no text", NULL);
	if (o->once && o->filter == NULL)
		return cli_wrong_use("nfamem", "--once goes with -f", NULL);
	if (o->filter != NULL && o->format_given)
		return cli_wrong_use("nfamem", "--format: with -f there is no trace", NULL);
	if (o->follow && o->format >= FORMAT_COMPACT && o->out == NULL)
		return cli_wrong_use("nfamem",
				     "--follow: compact traces need a file (-o): each process has "
				     "one of its own",
				     NULL);
	o->command = argv + first;
	return OPTION_GO_ON;
}
