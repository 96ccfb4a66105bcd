/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * options.h: reads the command line of nfacc into a struct options.
 */
#ifndef NFACC_COMPILER_OPTIONS_H
#define NFACC_COMPILER_OPTIONS_H

#include "backends/etm/etm_rate.h"
#include "backends/overlay/fit/fit_search.h"
#include "compiler/command/output.h"
#include "compiler/pipeline.h"
#include "support/option.h"
#include "support/terminal.h"

/* The values of the options -x, --diagnostics and --color, in the order in which options_take.c
 * lists them. The default of -x is LANGUAGE_BY_NAME, which is not listed: the ending of a file's
 * name decides. */
enum language { LANGUAGE_RE, LANGUAGE_NFA, LANGUAGE_YAML, LANGUAGE_COHERENCE, LANGUAGE_BY_NAME };
enum diagnostics { DIAGNOSTICS_TEXT, DIAGNOSTICS_JSON, DIAGNOSTICS_SARIF };
/* The values of --form. */
enum checker_form { CHECKER_ANY, CHECKER_ONLY, CHECKER_STATES, CHECKER_FOLLOW };
enum checker_restart { CHECKER_ANEW, CHECKER_NEVER };

/* What is written. */
struct options_emit {
	const struct output *what;
	const char *file;          /* of -o, or NULL */
	bool depends, stats;
};

/* How errors and warnings are shown. */
struct options_say {
	enum terminal_colour colour;
	enum diagnostics form;
	VEC(const char *) disabled; /* names of the warnings that are off */
	VEC(const char *) fatal;    /* names of the warnings that are errors */
};

/* What the filters are for. */
struct options_hardware {
	const char *target;        /* the value of --target, or NULL */
	struct etm_core core;      /* its description, once core_read() has read it */
	const char *overlay_file;  /* the overlay to read before the command runs; NULL if
				    * pipeline.overlay is already filled */
};

struct options {
	struct pipeline_options pipeline;
	const struct command *command;
	const char *operand;       /* the file given to --inspect or --map-graph */
	enum language language;
	struct options_emit emit;
	struct options_say say;
	struct options_hardware hardware;
	/* Checkers that are derived from rules. */
	struct {
		enum checker_form form;
		enum checker_restart restart;
		uint32_t states; /* 0: the usual limits */
		bool project_auto;
		VEC(const char *) projections; /* of --project */
	} checker;
	bool check;
	struct {
		bool asked;            /* --bound, */
		uint32_t overrun;      /* and its value */
	} bound;
	struct etm_rate rate;
	struct etm_rate_numbers rate_numbers; /* with --rate, once rate_apply() has run */
	struct options_rate_text {            /* as strings of -D, to which params points */
		char budget[32], period[32];
	} rate_text;
	struct fit_options search; /* the options of --fit */
	VEC(const char *) dirs;     /* the folders of -I */
	VEC(const char *) params;   /* of -D */
	struct {
		VEC(const char *) at;      /* of --at */
		VEC(const char *) signals; /* of --signal */
	} taps;
	VEC(const char *) files;
};

extern const struct option_table nfacc_options;

/* Fills *o from the command line. Its strings point into argv. Returns OPTION_GO_ON, or an exit
 * code after everything was printed that has to be. Free *o with options_free() in any case. */
int options_parse(struct options *o, int argc, char **argv);
void options_free(struct options *o);

/* Checks that the target can do what the command and --emit ask for. It is called after the overlay
 * was read. Returns NFART_OK, or an exit code after it printed the error. */
int options_check_target(const struct options *o);

/* Returns the name of the i-th pass. A pass that runs twice is listed once. The name is NULL after
 * the last pass. */
struct option_value options_pass(size_t i);

#endif
