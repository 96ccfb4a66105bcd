/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/tool/nfaperf_options.h"

#include <unistd.h>

#include "probes/profile/stacks/rv_chain.h"
#include "support/cli.h"

static int wrong_use(const char *what, const char *arg)
{
	return cli_wrong_use("nfaperf", what, arg);
}

/* ---- values ---- */

static struct option_value output_values(size_t i)
{
	static const struct option_value values[] = {
		{ "folded", "a line for each stack, and what was spent in its last function" },
		{ "flame", "a flame graph as SVG, in which functions can be searched" },
		{ "top", "the functions in which most was spent" },
		{ "maps", "which file was found in which address space, and where" },
		{ "events", "when functions begin and end, as batch text for nfarun" },
		{ "trace", "the same as a compact trace, with checksums and an index" },
		{ "perfetto", "slices of time for the viewer of Perfetto" },
		{ NULL, NULL }
	};

	return values[i];
}

static struct option_value forms_read(size_t i)
{
	static const struct option_value values[] = {
		{ "tokens", "tokens of 32 bytes" },
		{ "firesim", "rows that FireSim's TraceRV stores; only the kernel is known" },
		{ NULL, NULL }
	};

	return values[i];
}

static struct option_value match_values(size_t i)
{
	static const struct option_value values[] = {
		{ "mappings", "find out which file is mapped where" },
		{ "chain", "match chains of tokens one by one, and only count what matches" },
		{ "cache", "the same, but try the last match of the address space first" },
		{ NULL, NULL }
	};

	return values[i];
}

static struct option_value units(size_t i)
{
	static const struct option_value values[] = {
		{ "cycles", NULL }, { "instructions", NULL }, { NULL, NULL }
	};

	return values[i];
}

/* ---- handlers ---- */

static int take_elf(const struct option_given *g)
{
	struct nfaperf_options *o = g->options;

	if (o->nelfs == NFAPERF_MOST_ELFS)
		return OPTION_WRONG;
	o->elfs[o->nelfs++] = g->value;
	return OPTION_GO_ON;
}

static int take_switch(const struct option_given *g)
{
	struct nfaperf_options *o = g->options;

	if (o->nswitches == NFAPERF_MOST_NAMES)
		return OPTION_WRONG;
	o->switches[o->nswitches++] = g->value;
	return OPTION_GO_ON;
}

/* ---- the table ---- */

enum { READING, COUNTING, WRITING, ABOUT };

static const char *const groups[] = { "Reading", "Counting", "Writing", "About" };

static const struct option_form forms[] = {
	{ "[options] [TOKENS] [-o FILE]", 1 << READING | 1 << COUNTING },
	{ NULL, 0 }
};

#define AT(field) OPTION_AT(struct nfaperf_options, field)

static const struct option_row rows[] = {
	{ READING, .letter = 'e', .name = "elf", .kind = OPTION_FILE, .arg = "FILE",
	  .take = take_elf, .repeats = true, .takes = "an ELF file, at most 4096 times",
	  .help = "a program, library, kernel or firmware that may have been executed" },
	{ READING, .letter = 'f', .name = "from", .kind = OPTION_CHOICE, .arg = "FORM",
	  .value = forms_read, AT(form), .usual = "tokens", .help = "the format of the input" },
	{ READING, .name = "switch", .kind = OPTION_TEXT, .arg = "NAME", .take = take_switch,
	  .repeats = true, .takes = "a name, at most 64 times",
	  .usual = "__switch_to, swtch, cpu_switch_to",
	  .help = "a function in which the kernel switches tasks" },
	{ READING, .name = "match", .kind = OPTION_CHOICE, .arg = "HOW", .value = match_values,
	  AT(match), .usual = "mappings",
	  .help = "how nfaperf finds the file that a token is from" },
	{ READING, .name = "depth", .kind = OPTION_NUMBER, .arg = "N", .least = 1, .most = 64,
	  AT(depth), .usual = "8", .help = "chain, cache: how many tokens a chain has" },

	{ COUNTING, .name = "count", .kind = OPTION_CHOICE, .arg = "UNIT", .value = units,
	  AT(count.unit), .usual = "cycles", .help = "what is added up for each stack" },
	{ COUNTING, .name = "program", .kind = OPTION_TEXT, .arg = "NAME", AT(count.program),
	  .help = "show only the processes of the program that has this file name" },

	{ WRITING, .letter = 't', .name = "to", .kind = OPTION_CHOICE, .arg = "FORM",
	  .value = output_values, AT(to), .usual = "folded", .help = "what is written" },
	{ WRITING, .name = "functions", .kind = OPTION_TEXT, .arg = "LIST", AT(events.functions),
	  .help = "events, trace: names of the functions, separated by commas" },
	{ WRITING, .name = "protocol", .kind = OPTION_FILE, .arg = "FILE", AT(events.protocol),
	  .help = "events, trace: write the description of their protocol to FILE, too" },
	{ WRITING, .name = "hart", .kind = OPTION_NUMBER, .arg = "N", .least = 0, .most = 65535,
	  AT(events.hart), .usual = "0",
	  .help = "events, trace, perfetto: write what this hart did" },
	{ WRITING, .name = "width", .kind = OPTION_NUMBER, .arg = "N", .least = 200,
	  .most = 100000, AT(layout.width), .usual = "1200", .help = "flame: width in pixels" },
	{ WRITING, .name = "title", .kind = OPTION_TEXT, .arg = "TEXT", AT(layout.title),
	  .help = "flame: title above the picture" },
	{ WRITING, .letter = 'n', .name = "rows", .kind = OPTION_NUMBER, .arg = "N", .least = 1,
	  .most = UINT32_MAX, AT(layout.rows), .usual = "30",
	  .help = "top: show at most N functions" },
	{ WRITING, .letter = 'o', .name = "output", .kind = OPTION_FILE, .arg = "FILE", AT(out),
	  .usual = "standard output", .help = "write to FILE" },
	{ WRITING, .name = "every", .kind = OPTION_NUMBER, .arg = "SECONDS", .least = 1,
	  .most = 86400, AT(every),
	  .help = "also write the output each time this many seconds have passed" },
	{ WRITING, .letter = 'q', .name = "quiet", AT(quiet),
	  .help = "do not write to standard error how many tokens were read and are unknown" },

	OPTION_ROWS_ABOUT(ABOUT),
};

const struct option_table nfaperf_options = {
	.tool = "nfaperf",
	.forms = forms,
	.about = "Makes call stacks with cycles of the instructions that a RISC-V machine commits.",
	.groups = groups,
	OPTION_ROWS_OF(rows),
};

int nfaperf_options_parse(struct nfaperf_options *o, int argc, char **argv)
{
	int first, code;

	*o = (struct nfaperf_options){ .layout.rows = 30, .layout.width = 1200,
					.depth = RV_CHAIN_DEPTH };
	code = option_parse(&nfaperf_options, argc, argv, o, NULL, &first);
	if (code != OPTION_GO_ON)
		return code;
	if (o->nelfs == 0)
		return wrong_use("no ELF file is given (--elf FILE)", NULL);
	if ((o->to == NFAPERF_EVENTS || o->to == NFAPERF_TRACE) != (o->events.functions != NULL))
		return wrong_use("--to events, --to trace and --functions need each other", NULL);
	if (o->events.protocol != NULL && o->events.functions == NULL)
		return wrong_use("--protocol needs --functions LIST", NULL);
	if (o->to >= NFAPERF_EVENTS && (o->every != 0 || o->count.program != NULL))
		return wrong_use("--every and --program can't be given with --to",
				 output_values(o->to).name);
	if (argc - first > 1)
		return wrong_use("too many arguments:", argv[first + 1]);
	o->tokens = argc - first == 1 ? argv[first] : NULL;
	if (o->tokens == NULL && isatty(STDIN_FILENO))
		return wrong_use("no tokens are given, as a file or from a pipe", NULL);
	return OPTION_GO_ON;
}
