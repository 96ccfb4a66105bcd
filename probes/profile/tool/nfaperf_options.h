/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfaperf_options.h: reads and checks the command line of nfaperf.
 */
#ifndef NFART_NFAPERF_OPTIONS_H
#define NFART_NFAPERF_OPTIONS_H

#include "include/nfart.h"
#include "probes/profile/stacks/token_reader.h"
#include "support/option.h"
#include "probes/profile/tool/print.h"

enum { NFAPERF_MOST_ELFS = 4096, NFAPERF_MOST_NAMES = 64 };

/* What is written, in the order of the names. */
enum nfaperf_output { NFAPERF_FOLDED, NFAPERF_FLAME, NFAPERF_TOP, NFAPERF_MAPS,
		      NFAPERF_EVENTS, NFAPERF_TRACE, NFAPERF_PERFETTO };

/* How the files of tokens are found. */
enum nfaperf_match { NFAPERF_MATCH_MAPPINGS, NFAPERF_MATCH_CHAIN, NFAPERF_MATCH_CACHE };

struct nfaperf_options {
	const char *elfs[NFAPERF_MOST_ELFS];
	size_t nelfs;
	const char *switches[NFAPERF_MOST_NAMES]; /* functions in which a kernel switches tasks */
	size_t nswitches;
	enum token_form form;
	enum nfaperf_match match;
	uint32_t depth;         /* of chains */
	uint64_t every;         /* seconds between two outputs; 0: only one at the end */
	const char *tokens;     /* file of tokens; NULL: standard input */
	enum nfaperf_output to;
	const char *out;        /* file of the output; NULL: standard output */
	enum print_unit unit;
	const char *program;    /* only this program; NULL: all */
	const char *functions;  /* of events: names, separated by commas; NULL: none */
	const char *protocol;   /* of events: file of the description; NULL: none */
	uint32_t hart;          /* of events and slices */
	uint32_t rows;          /* of NFAPERF_TOP */
	uint32_t width;         /* of NFAPERF_FLAME, in pixels */
	const char *title;      /* of NFAPERF_FLAME */
	bool quiet;
};

extern const struct option_table nfaperf_options;

/* Reads the arguments into *o. Returns OPTION_GO_ON, or an exit code after all messages were
 * printed. */
int nfaperf_options_parse(struct nfaperf_options *o, int argc, char **argv);

#endif
