/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/etm/tool/etmsim_options.h"

#include <string.h>
#include <unistd.h>

#include "contract/builtin.h"
#include "runtime/trace/trace_options.h"
#include "support/cli.h"

/* ---- values ---- */

static struct option_value cores(size_t i)
{
	return (struct option_value){ builtin_targets[i].name, NULL };
}

/* ---- handlers ---- */

static int take_to(const struct option_given *g)
{
	struct etmsim_options *o = g->options;

	return nfart_format_parse(g->value, &o->to) ? OPTION_GO_ON : OPTION_WRONG;
}

/* Takes `default`, or names of points with `+` between them, as nfacc writes readings. */
static int take_reading(const struct option_given *g)
{
	struct etmsim_options *o = g->options;
	struct etm_reading r = { .priority = false };
	const char *s = g->value;

	while (strcmp(g->value, "default") != 0) {
		size_t n = strcspn(s, "+");

		if (n == 8 && memcmp(s, "priority", n) == 0)
			r.priority = true;
		else if (n == 4 && memcmp(s, "zero", n) == 0)
			r.zero = true;
		else if (n == 5 && memcmp(s, "delay", n) == 0)
			r.delay = true;
		else if (n == 7 && memcmp(s, "overlap", n) == 0)
			r.overlap = true;
		else
			return OPTION_WRONG;
		if (s[n] == 0)
			break;
		s += n + 1;
	}
	o->reading = r;
	return OPTION_GO_ON;
}

/* ---- the table ---- */

enum { EXECUTING, READING, WRITING, ABOUT };

static const char *const groups[] = { "Executing", "Reading", "Writing", "About" };

static const struct option_form forms[] = {
	{ "[options] REGISTERS [TRACE]", 1 << EXECUTING | 1 << READING | 1 << WRITING },
	{ NULL, 0 }
};

#define AT(field) OPTION_AT(struct etmsim_options, field)

static const struct option_row rows[] = {
	{ EXECUTING, .name = "core", .kind = OPTION_TEXT, .arg = "NAME", .value = cores,
	  AT(core), .usual = "a53",
	  .help = "the core: what its trace unit has, and on which inputs events come" },
	{ EXECUTING, .letter = 'I', .kind = OPTION_DIR, .arg = "DIR", .take = option_take_dir,
	  AT(dirs), .repeats = true, .takes = "a folder, at most 64 times",
	  .help = "look for NAME.etm there first" },
	{ EXECUTING, .name = "reading", .kind = OPTION_TEXT, .arg = "NAME", .take = take_reading,
	  .takes = "default, or priority, zero, delay and overlap with + between",
	  .usual = "default",
	  .help = "what the trace unit does at the points that no text settles" },
	{ EXECUTING, .name = "until", .kind = OPTION_NUMBER, .arg = "N", .least = 1, AT(until),
	  .usual = "the last batch",
	  .help = "go on up to cycle N; without TRACE nothing comes in" },

	TRACE_ROW_FROM(READING, 0, struct etmsim_options, from),

	{ WRITING, .letter = 't', .name = "to", .kind = OPTION_CHOICE, .arg = "FORMAT",
	  .value = trace_formats_written, .take = take_to, .usual = "text",
	  .help = "the form of the output" },
	{ WRITING, .name = "all", AT(all),
	  .help = "write every batch, not only cycles that change the state or an output" },
	{ WRITING, .letter = 'o', .name = "output", .kind = OPTION_FILE, .arg = "FILE", AT(out),
	  .usual = "standard output", .help = "write to FILE" },

	TERMINAL_ROWS_COLOUR(ABOUT, 0, struct etmsim_options, colour),
	OPTION_ROWS_ABOUT(ABOUT),
};

const struct option_table etmsim_options = {
	.tool = "etmsim",
	.forms = forms,
	.about = "Executes register values of an Arm trace unit on a trace of events.",
	.groups = groups,
	OPTION_ROWS_OF(rows),
};

int etmsim_options_parse(struct etmsim_options *o, int argc, char **argv)
{
	int first, code;

	*o = (struct etmsim_options){ .core = "a53", .to = NFART_FORMAT_TEXT };
	code = option_parse(&etmsim_options, argc, argv, o, NULL, &first);
	if (code != OPTION_GO_ON)
		return code;
	if (first == argc)
		return cli_wrong_use("etmsim", "no file with values of registers is given", NULL);
	if (argc - first > 2)
		return cli_wrong_use("etmsim", "too many arguments:", argv[first + 2]);
	o->registers = argv[first];
	o->trace = argc - first == 2 ? argv[first + 1] : NULL;
	if (o->trace == NULL && o->until == 0)
		return cli_wrong_use("etmsim", "without a trace, --until says when to end", NULL);
	if (o->trace != NULL && strcmp(o->trace, "-") == 0 && strcmp(o->registers, "-") == 0)
		return cli_wrong_use("etmsim", "registers and trace can't both be read from", "-");
	return OPTION_GO_ON;
}
