/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/tool/nfamem_options.h"

#include <string.h>

#include "probes/memory/reader/channel.h"
#include "probes/memory/reader/findings.h"
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

static struct option_value losses(size_t i)
{
	static const struct option_value values[] = { { "run", "the program goes on unwatched" },
						      { "kill", "the program is killed, too" },
						      { NULL, NULL } };

	return values[i];
}

static struct option_value forms_of_reports(size_t i)
{
	static const struct option_value values[] = {
		{ "text", "a line for each match, and a line for each caller" },
		{ "json", "an object for each match, a line each" },
		{ "sarif", "a document of SARIF 2.1.0, which editors read" },
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

const char *const nfamem_check_words[NFAMEM_CHECKS] = {
	[CHECK_USE_AFTER_FREE] = "use-after-free", [CHECK_DOUBLE_FREE] = "double-free",
	[CHECK_BEYOND] = "beyond", [CHECK_UNINITIALISED] = "uninitialised",
	[CHECK_RACE] = "race", [CHECK_ORDER] = "order", [CHECK_LEAK] = "leak",
	[CHECK_STACK] = "stack"
};

/* Whether a text is a word of --check. */
static bool is_word(const char *s)
{
	bool is = strcmp(s, "all") == 0;

	for (unsigned i = 0; i < CHECK_STACK; i++)
		is |= strcmp(s, nfamem_check_words[i]) == 0;
	return is;
}

/* Takes a word of --check, of n characters. Returns false if there is no such word. */
static bool take_word(struct nfamem_options *o, const char *word, size_t n)
{
	bool all = n == 3 && memcmp(word, "all", n) == 0, known = all;

	for (unsigned i = 0; i < CHECK_STACK; i++) {
		const char *w = nfamem_check_words[i];

		if (all || (strlen(w) == n && memcmp(w, word, n) == 0)) {
			o->checking.checks |= 1U << i;
			known = true;
		}
	}
	return known;
}

static int take_check(const struct option_given *g)
{
	struct nfamem_options *o = g->options;
	const char *word = g->value;

	o->checking.bare |= g->value == g->row->without;
	for (;;) {
		size_t n = strcspn(word, ",");

		if (!take_word(g->options, word, n))
			return OPTION_WRONG;
		if (word[n] == 0)
			return OPTION_GO_ON;
		word += n + 1;
	}
}

static int take_stack(const struct option_given *g)
{
	struct nfamem_options *o = g->options;

	o->checking.checks |= 1U << CHECK_STACK;
	return OPTION_GO_ON;
}

static int take_ignore(const struct option_given *g)
{
	struct nfamem_options *o = g->options;

	if (o->checking.nignore == NFAMEM_IGNORED)
		return OPTION_WRONG;
	o->checking.ignore[o->checking.nignore++] = g->value;
	return OPTION_GO_ON;
}

enum { WATCHING, WRITING, ABOUT };

static const char *const groups[] = { "Watching", "Writing", "About" };

static const struct option_form forms[] = {
	{ "[options] [-o FILE] -- PROGRAM [ARGUMENT...]", 1 << WATCHING | 1 << WRITING },
	{ "[options] [-o FILE] -p PID", 0 },
	{ NULL, 0 }
};

#define AT(field) OPTION_AT(struct nfamem_options, field)

static const struct option_row rows[] = {
	{ WATCHING, .letter = 'p', .name = "pid", .kind = OPTION_NUMBER, .arg = "PID", .least = 1,
	  AT(watching.pid), .help = "watch this process, which runs already, until it ends" },
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

	{ WATCHING, .name = "duration", .kind = OPTION_NUMBER, .arg = "SECONDS", .least = 1,
	  AT(watching.duration),
	  .help = "stop watching after so many seconds; the program goes on" },
	{ WATCHING, .name = "when-lost", .kind = OPTION_CHOICE, .arg = "WHAT", .value = losses,
	  AT(watching.when_lost), .usual = "run", .help = "what happens if nfamem is killed" },

	{ WRITING, .letter = 'f', .name = "filter", .kind = OPTION_FILE, .arg = "FILTER",
	  AT(filter),
	  .help = "write the matches of this filter as they are found, and no trace; FILTER is "
		  "an image, or a filter (.re), which is compiled first" },
	{ WRITING, .name = "check", .kind = OPTION_TEXT, .arg = "LIST", .take = take_check,
	  .repeats = true, .without = "all",
	  .takes = "all, or words of use-after-free, double-free, beyond, uninitialised, race, "
		   "order and leak, with commas",
	  .help = "write what these checks find, once for each place, and no trace: "
		  "use-after-free, double-free, beyond, uninitialised, race, order, leak, or all" },
	{ WRITING, .name = "stack", .take = take_stack,
	  .help = "also check accesses to variables on the stack, as far as debug information tells "
		  "where they are; alone, or with --check" },
	{ WRITING, .name = "reachable", AT(checking.reachable),
	  .help = "with --check=leak: also write the blocks in use that a pointer leads to" },
	{ WRITING, .name = "ignore", .kind = OPTION_TEXT, .arg = "PATTERN", .take = take_ignore,
	  .repeats = true, .takes = "a pattern as in the shell, at most 64 times",
	  .help = "leave out matches by functions, programs and libraries with such a name" },
	{ WRITING, .name = "suppressions", .kind = OPTION_FILE, .arg = "FILE", AT(checking.suppressions),
	  .help = "leave out matches as --ignore does, by the patterns in FILE, one a line" },
	{ WRITING, .name = "stacks", .kind = OPTION_NUMBER, .arg = "N", .least = 1,
	  AT(checking.stacks),
	  .help = "with each match write call stacks of at most N callers: of the access, and of "
		  "the calls that allocated and freed the block" },
	{ WRITING, .name = "no-demangle", AT(checking.keeps_symbols),
	  .help = "in matches, write names of C++ and Rust functions as the linker has them" },
	{ WRITING, .name = "report-format", .kind = OPTION_CHOICE, .arg = "FORM",
	  .value = forms_of_reports, AT(checking.form), .usual = "text",
	  .help = "the format of matches" },
	{ WRITING, .name = "error-exitcode", .kind = OPTION_NUMBER, .arg = "N", .least = 1,
	  AT(checking.error_exitcode), .help = "exit with N if there was a match" },
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
	.about = "Runs a program, or attaches to one, and writes its accesses to the heap, and to "
		 "the data of the program and its libraries.",
	.groups = groups,
	OPTION_ROWS_OF(rows),
};

/* With -p. `program`: a program is given, too. */
static int check_attach(const struct nfamem_options *o, bool program)
{
	if (program)
		return cli_wrong_use("nfamem", "-p watches a process that runs already, so no "
					       "program can be given",
				     NULL);
	if (o->watching.pid > INT32_MAX)
		return cli_wrong_use("nfamem", "-p takes the number of a process", NULL);
	if (o->watching.follow || o->watching.nwatch > 0 || o->checking.stacks != 0 ||
	    o->checking.checks >> CHECK_STACK & 1)
		return cli_wrong_use("nfamem", "-p does not go together with --follow, --watch, "
					       "--stack and --stacks",
				     NULL);
	return OPTION_GO_ON;
}

int nfamem_options_parse(struct nfamem_options *o, int argc, char **argv)
{
	int first, code;

	*o = (struct nfamem_options){ .format = FORMAT_MADT };
	code = option_parse(&nfamem_options, argc, argv, o, NULL, &first);
	if (code != OPTION_GO_ON)
		return code;
	if (o->watching.pid != 0)
		code = check_attach(o, first < argc);
	else if (first == argc)
		code = cli_wrong_use("nfamem", "no program to run is given", NULL);
	if (code != OPTION_GO_ON)
		return code;
	if (o->checking.bare && first < argc && is_word(argv[first]))
		return cli_wrong_use("nfamem",
				     "--check takes a list only behind a '=', as in --check=race",
				     NULL);
	if (o->summary && o->format >= FORMAT_COMPACT)
		return cli_wrong_use("nfamem",
				     "--summary writes text, which a compact trace can't hold; give "
				     "another --format",
				     NULL);
	if (o->filter != NULL && o->checking.checks != 0)
		return cli_wrong_use("nfamem", "--check or --stack, and -f do not go together", NULL);
	if (o->filter == NULL && o->checking.checks == 0 &&
	    (o->checking.nignore > 0 || o->checking.suppressions != NULL ||
	     o->checking.error_exitcode != 0 || o->checking.stacks != 0 ||
	     o->checking.keeps_symbols || o->checking.form != FINDINGS_TEXT))
		return cli_wrong_use("nfamem",
				     "--ignore, --suppressions, --stacks, --no-demangle, "
				     "--report-format and --error-exitcode are about matches, so "
				     "they need --check or -f",
				     NULL);
	if (o->summary && o->checking.form != FINDINGS_TEXT)
		return cli_wrong_use("nfamem",
				     "--summary writes text, which a report in JSON or SARIF "
				     "can't hold",
				     NULL);
	if (o->checking.reachable && !(o->checking.checks >> CHECK_LEAK & 1))
		return cli_wrong_use("nfamem", "--reachable works only with --check=leak", NULL);
	if (o->checking.checks >> CHECK_STACK & 1 && o->watching.engine != MEM_PATCH)
		return cli_wrong_use("nfamem", "--stack works only with --engine=patch", NULL);
	if (o->checking.stacks > MEM_FRAMES_MAX)
		return cli_wrong_use("nfamem", "--stacks takes a number from 1 to 64", NULL);
	if (o->checking.error_exitcode > 255)
		return cli_wrong_use("nfamem", "--error-exitcode takes a number from 1 to 255", NULL);
	if (o->once && o->filter == NULL)
		return cli_wrong_use("nfamem", "--once works only with a filter (-f)", NULL);
	if ((o->filter != NULL || o->checking.checks != 0) && o->format_given)
		return cli_wrong_use("nfamem",
				     "--format is for traces; with -f or --check matches are written",
				     NULL);
	if (o->watching.follow && o->format >= FORMAT_COMPACT && o->out == NULL)
		return cli_wrong_use("nfamem",
				     "--follow writes a compact trace for each process, so it needs "
				     "a name for the files (-o)",
				     NULL);
	o->command = argv + first;
	return OPTION_GO_ON;
}
