/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * options.h: the command line of nfacc.
 */
#ifndef NFACC_COMPILER_OPTIONS_H
#define NFACC_COMPILER_OPTIONS_H

#include "backends/overlay/fit/fit_search.h"
#include "compiler/command/output.h"
#include "compiler/pipeline.h"
#include "support/option.h"

/* As the values of -x and --color are listed; what is not listed is the default. */
enum language { LANGUAGE_RE, LANGUAGE_NFA, LANGUAGE_YAML, LANGUAGE_BY_NAME };
enum colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

struct options {
	struct pipeline_options pipeline;
	const struct command *command;
	const char *operand;       /* of a command with a value: --inspect, --map-graph */
	const struct output *output;
	enum language language;
	enum colour colour;
	const char *out;           /* -o, or NULL */
	const char *overlay_file;  /* to be read before the command; NULL: pipeline.overlay is set */
	bool check, stats;
	struct fit_options search; /* of --fit */
	VEC(const char *) disabled; /* warnings: -Wno-NAME, and those off unless asked for */
	VEC(const char *) dirs;     /* -I */
	VEC(const char *) files;
};

extern const struct option_table nfacc_options;

/* Fills *o from the command line; strings are argv's. OPTION_GO_ON; else an exit code, everything said.
 * Free with options_free(). */
int options_parse(struct options *o, int argc, char **argv);
void options_free(struct options *o);

/* Has the target what the command and --emit need? To be asked once the overlay is read. An exit code. */
int options_check_target(const struct options *o);

/* The passes, each once, in the order of their first run. */
struct option_value options_pass(size_t i);

#endif
