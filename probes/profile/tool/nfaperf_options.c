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
		{ "speedscope", "stacks as JSON for the viewer speedscope" },
		{ "pprof", "a profile for pprof, compressed with gzip: cycles and instructions" },
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
		{ "firesim", "text or rows of FireSim's TraceRV; only the kernel is known" },
		{ "spike", "the log of spike --log-commits; an instruction takes one cycle" },
		{ "gem5", "what gem5 --debug-flags=ExecAll prints; a cycle is a tick" },
		{ "rvfi", "CVA6's RVFI trace as text; an instruction takes one cycle" },
		{ "etrace", "packets of E-Trace; an instruction takes one cycle" },
		{ "ntrace", "messages of N-Trace; an instruction takes one cycle" },
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

static int take_encoder(const struct option_given *g)
{
	struct nfaperf_options *o = g->options;

	o->encoder = g->value;
	return etrace_encoder_read(&o->source.encoder, g->value) ? OPTION_GO_ON : OPTION_WRONG;
}

static int take_folder(const struct option_given *g)
{
	struct nfaperf_options *o = g->options;

	if (o->nfolders == NFAPERF_MOST_NAMES)
		return OPTION_WRONG;
	o->folders[o->nfolders++] = g->value;
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
	{ READING, .name = "debug-dir", .kind = OPTION_DIR, .arg = "DIR", .take = take_folder,
	  .repeats = true, .takes = "a folder, at most 64 times",
	  .help = "also search this folder for debug files, before /usr/lib/debug" },
	{ READING, .name = "modules", .kind = OPTION_FILE, .arg = "FILE", AT(modules),
	  .help = "where the kernel has loaded its modules (.ko), each of which is an --elf behind "
		  "that of the kernel; FILE is made by `grep -H '' /sys/module/*/sections/.[a-z]*`" },
	{ READING, .name = "no-demangle", AT(keeps_symbols),
	  .help = "show functions of C++ and Rust by their symbols, not by their names" },
	{ READING, .letter = 'f', .name = "from", .kind = OPTION_CHOICE, .arg = "FORM",
	  .value = forms_read, AT(source.form), .usual = "tokens",
	  .help = "the format of the input" },
	{ READING, .name = "encoder", .kind = OPTION_TEXT, .arg = "LIST", .take = take_encoder,
	  .takes = "parameters of an encoder, as in context_width=16,return_stack_size=3",
	  .help = "etrace, ntrace: parameters of the encoder that are not the usual ones" },
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
	  .help = "flame, speedscope: the title" },
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
	etrace_encoder_read(&o->source.encoder, "");
	code = option_parse(&nfaperf_options, argc, argv, o, NULL, &first);
	if (code != OPTION_GO_ON)
		return code;
	o->folders[o->nfolders++] = "/usr/lib/debug";
	if (o->nelfs == 0)
		return wrong_use("no ELF file is given (--elf FILE)", NULL);
	if ((o->to == NFAPERF_EVENTS || o->to == NFAPERF_TRACE) != (o->events.functions != NULL))
		return wrong_use("--to events, --to trace and --functions need each other", NULL);
	if (o->events.protocol != NULL && o->events.functions == NULL)
		return wrong_use("--protocol needs --functions LIST", NULL);
	if (o->to >= NFAPERF_EVENTS && (o->every != 0 || o->count.program != NULL))
		return wrong_use("--every and --program can't be given with --to",
				 output_values(o->to).name);
	if (o->encoder != NULL && o->source.form != TOKENS_ETRACE &&
	    o->source.form != TOKENS_NTRACE)
		return wrong_use("--encoder needs --from etrace or ntrace", NULL);
	if (!etrace_encoder_fits(&o->source.encoder, o->source.form == TOKENS_NTRACE))
		return wrong_use("an encoder of this form has no such parameter:", o->encoder);
	if (argc - first > 1)
		return wrong_use("too many arguments:", argv[first + 1]);
	o->source.path = argc - first == 1 ? argv[first] : NULL;
	if (o->source.path == NULL && isatty(STDIN_FILENO))
		return wrong_use("no tokens are given, as a file or from a pipe", NULL);
	return OPTION_GO_ON;
}
