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
		{ "patch",
		  "after its first fault, an instruction jumps to a copy that records its accesses" },
		{ "stub", "each access faults, and a copy of the instruction carries it out" },
		{ "step", "each access faults, and memory is opened for this one instruction" },
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

	if (o->watching.nwatch == NFAMEM_WATCHED)
		return OPTION_WRONG;
	o->watching.watch[o->watching.nwatch++] = g->value;
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
	  AT(watching.engine), .usual = "patch", .help = "how accesses are recorded" },
	{ WATCHING, .name = "watch", .kind = OPTION_TEXT, .arg = "OBJECT", .take = take_watch,
	  .repeats = true, .takes = "a variable, or malloc@FUNCTION, at most 64 times",
	  .help = "watch only this variable, or what this function allocates (malloc@FUNCTION)" },
	{ WATCHING, .name = "follow", AT(watching.follow),
	  .help = "also watch the processes that the program starts" },
	{ WATCHING, .name = "from-start", AT(watching.from_start),
	  .help = "record the whole run, even if the program calls MadT__start() and MadT__stop()" },
	{ WATCHING, .name = "detach-after", .kind = OPTION_NUMBER, .arg = "N", .least = 1,
	  AT(watching.detach_after),
	  .help = "stop watching after about N accesses; the program goes on" },

	{ WRITING, .letter = 'f', .name = "filter", .kind = OPTION_FILE, .arg = "FILTER",
	  AT(filter),
	  .help = "write the matches of this filter as they are found, and no trace; FILTER is "
		  "an image, or a filter (.re), which is compiled first" },
	{ WRITING, .name = "once", AT(once),
	  .help = "with -f: write only the first of the matches that differ in nothing but "
		  "block, offset and thread" },
	{ WRITING, .name = "format", .kind = OPTION_CHOICE, .arg = "FORM", .value = formats,
	  .take = take_format, .usual = "madt",
	  .help = "the format of the trace; with --summary or --page-map there is a trace only "
		  "if this is given" },
	{ WRITING, .name = "summary", AT(summary),
	  .help = "at the end, write how many events there were" },
	{ WRITING, .name = "page-map", .kind = OPTION_FILE, .arg = "FILE", AT(page_map),
	  .help = "draw how often each page was accessed, as SVG" },
	{ WRITING, .letter = 'o', .name = "output", .kind = OPTION_FILE, .arg = "FILE", AT(out),
	  .usual = "standard output", .help = "write to FILE" },
	{ WRITING, .letter = 'q', .name = "quiet", AT(quiet),
	  .help = "write no notes and no progress to standard error" },

	TERMINAL_ROWS_COLOUR(ABOUT, 0, struct nfamem_options, colour),
	OPTION_ROWS_ABOUT(ABOUT),
};

const struct option_table nfamem_options = {
	.tool = "nfamem",
	.forms = forms,
	.about = "Runs a program and writes its accesses to the heap, and to the data of the program "
		 "and its libraries.",
	.groups = groups,
	OPTION_ROWS_OF(rows),
};

int nfamem_options_parse(struct nfamem_options *o, int argc, char **argv)
{
	int first, code;

	*o = (struct nfamem_options){ .format = FORMAT_MADT };
	code = option_parse(&nfamem_options, argc, argv, o, NULL, &first);
	if (code != OPTION_GO_ON)
		return code;
	if (first == argc)
		return cli_wrong_use("nfamem", "no program to run is given", NULL);
	if (o->summary && o->format >= FORMAT_COMPACT)
		return cli_wrong_use("nfamem",
				     "--summary writes text, which a compact trace can't hold; give "
				     "another --format",
				     NULL);
	if (o->once && o->filter == NULL)
		return cli_wrong_use("nfamem", "--once works only with a filter (-f)", NULL);
	if (o->filter != NULL && o->format_given)
		return cli_wrong_use("nfamem",
				     "--format is for traces; with -f matches are written",
				     NULL);
	if (o->watching.follow && o->format >= FORMAT_COMPACT && o->out == NULL)
		return cli_wrong_use("nfamem",
				     "--follow writes a compact trace for each process, so it needs "
				     "a name for the files (-o)",
				     NULL);
	o->command = argv + first;
	return OPTION_GO_ON;
}
