/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfaplot/nfaplot_options.h"

#include <string.h>
#include <unistd.h>

#include "runtime/ask/ordered.h"
#include "runtime/trace/trace_options.h"
#include "support/cli.h"
#include "tools/nfarun/protocol.h"

enum {
	LEAST_SIZE = 200,
	MOST_SIZE = 10000,
	MOST_CELLS = 2000, /* the most columns or rows that a user may ask for */
	MOST_POINTS = 1000000,
	USUAL_ROWS = 128,
	USUAL_POINTS = 5000
};

static int wrong_use(const char *what, const char *arg)
{
	return cli_wrong_use("nfaplot", what, arg);
}

/* ---- values ---- */

static struct option_value plot_names(size_t i)
{
	static const struct option_value values[] = {
		{ "scatter", "when each request came, for which line, and how long it took" },
		{ "heat", "messages for each line over time" },
		{ "rate", "messages over time" },
		{ "histogram", "how long answers took" },
		{ "in-flight", "requests that are open over time" },
		{ NULL, NULL }
	};

	return values[i];
}

/* ---- handlers ---- */

static int take_size(const struct option_given *g)
{
	struct nfaplot_options *o = g->options;
	uint64_t width, height;
	const char *rest;

	if (!cli_number(g->value, 'x', &width, &rest) || !cli_number(rest, 0, &height, NULL) ||
	    width < LEAST_SIZE || width > MOST_SIZE || height < LEAST_SIZE || height > MOST_SIZE)
		return OPTION_WRONG;
	o->picture.width = (uint32_t)width;
	o->picture.height = (uint32_t)height;
	return OPTION_GO_ON;
}

static int take_jobs(const struct option_given *g)
{
	struct nfaplot_options *o = g->options;
	uint64_t n;
	long cores = sysconf(_SC_NPROCESSORS_ONLN);

	if (!cli_number(g->value, 0, &n, NULL) || n > ORDERED_MOST_JOBS)
		return OPTION_WRONG;
	if (n == 0)
		n = cores < 1 ? 1 : (uint64_t)cores;
	o->jobs = (uint32_t)(n < ORDERED_MOST_JOBS ? n : ORDERED_MOST_JOBS);
	return OPTION_GO_ON;
}

/* ---- the table ---- */

enum { READING, DRAWING, WRITING, ABOUT };

static const char *const groups[] = { "Reading", "Drawing", "Writing", "About" };

static const struct option_form forms[] = {
	{ "[options] PLOT [TRACE] [-o FILE]", 1 << READING | 1 << DRAWING },
	{ NULL, 0 }
};

#define AT(field) OPTION_AT(struct nfaplot_options, field)

static const struct option_row rows[] = {
	TRACE_ROWS_PROTOCOL(READING, 0, struct nfaplot_options, protocol, dirs,
			    "what the trace says, or eci",
			    "the protocol of the trace: a name, or the file of an image or a "
			    "description"),
	TRACE_ROWS_READER(READING, 0, struct nfaplot_options, reader, map),
	TRACE_ROWS_WAVE(READING, 0, struct nfaplot_options, wave),
	PROTOCOL_ROW_PARAM(READING, 0, struct nfaplot_options, params),
	{ READING, .letter = 'j', .name = "jobs", .kind = OPTION_NUMBER, .arg = "N",
	  .most = ORDERED_MOST_JOBS, .take = take_jobs, .usual = "1",
	  .help = "read in N threads (0: one a core); the picture is the same" },

	{ DRAWING, .name = "size", .kind = OPTION_TEXT, .arg = "WxH", .take = take_size,
	  .takes = "WIDTHxHEIGHT, each from 200 to 10000", .usual = "what suits the plot",
	  .help = "width and height of the picture in pixels" },
	{ DRAWING, .name = "title", .kind = OPTION_TEXT, .arg = "TEXT", AT(picture.title),
	  .help = "what stands above the plot" },
	{ DRAWING, .name = "log", AT(picture.log),
	  .help = "a logarithmic scale of latencies, counts or colours" },
	{ DRAWING, .name = "columns", .kind = OPTION_NUMBER, .arg = "N", .least = 2,
	  .most = MOST_CELLS, AT(most.columns), .usual = "what suits the plot",
	  .help = "heat, rate, in-flight: at most N columns of time" },
	{ DRAWING, .name = "rows", .kind = OPTION_NUMBER, .arg = "N", .least = 1,
	  .most = MOST_CELLS, AT(most.rows), .usual = "128",
	  .help = "heat: at most N rows of lines" },
	{ DRAWING, .name = "points", .kind = OPTION_NUMBER, .arg = "N", .least = 2,
	  .most = MOST_POINTS, AT(most.points), .usual = "5000",
	  .help = "scatter: at most N requests, besides the slowest" },

	{ WRITING, .letter = 'o', .name = "output", .kind = OPTION_FILE, .arg = "FILE",
	  AT(picture.file), .usual = "SVG to standard output",
	  .help = "write to FILE: by the end of its name .svg, .png, or .gp for gnuplot's input" },
	{ WRITING, .letter = 'q', .name = "quiet", AT(quiet), .help = "no progress" },

	TERMINAL_ROWS_COLOUR(ABOUT, 0, struct nfaplot_options, colour),
	OPTION_ROWS_ABOUT(ABOUT),
};

const struct option_table nfaplot_options = {
	.tool = "nfaplot",
	.forms = forms,
	.about = "Draws what is in a trace: scatter, heat, rate, histogram or in-flight.",
	.groups = groups,
	OPTION_ROWS_OF(rows),
	.operand = plot_names,
	.operand_no_file = true,
};

/* Finds the form of the output by the end of its name. False: no form has such a name. */
static bool find_form(struct nfaplot_options *o)
{
	static const char *const ends[] = { ".svg", ".png", ".gp" };
	size_t n = o->picture.file != NULL ? strlen(o->picture.file) : 0;

	if (o->picture.file == NULL || strcmp(o->picture.file, "-") == 0)
		return true;
	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
		if (n > strlen(ends[i]) &&
		    strcmp(o->picture.file + n - strlen(ends[i]), ends[i]) == 0) {
			o->picture.form = (enum plot_form)i;
			return true;
		}
	return false;
}

int nfaplot_options_parse(struct nfaplot_options *o, int argc, char **argv)
{
	int first, code, kind;

	*o = (struct nfaplot_options){ .jobs = 1, .most.rows = USUAL_ROWS,
				       .most.points = USUAL_POINTS };
	code = option_parse(&nfaplot_options, argc, argv, o, NULL, &first);
	if (code != OPTION_GO_ON)
		return code;
	if (first == argc)
		return wrong_use("a plot is expected: scatter, heat, rate, histogram or in-flight",
				 NULL);
	kind = option_choice(plot_names, argv[first]);
	if (kind < 0)
		return wrong_use("no such plot (scatter, heat, rate, histogram, in-flight):",
				 argv[first]);
	if (argc - first > 2)
		return wrong_use("too many arguments:", argv[first + 2]);
	o->kind = (enum plot_kind)kind;
	o->trace = argc - first == 2 ? argv[first + 1] : NULL;
	if (!find_form(o))
		return wrong_use("the output's name ends neither in .svg nor in .png or .gp:",
				 o->picture.file);
	if (o->trace == NULL && isatty(STDIN_FILENO))
		return wrong_use("a trace is expected, as a file or from a pipe", NULL);
	return OPTION_GO_ON;
}
