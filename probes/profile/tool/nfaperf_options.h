/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfaperf_options.h: reads and checks the command line of nfaperf.
 */
#ifndef NFART_NFAPERF_OPTIONS_H
#define NFART_NFAPERF_OPTIONS_H

#include "include/nfart.h"
#include "probes/profile/stacks/token_reader.h"
#include "probes/profile/tool/print.h"
#include "support/option.h"

enum { NFAPERF_MOST_ELFS = 4096, NFAPERF_MOST_NAMES = 64 };

/* The kind of output, in the order of the names in --to. */
enum nfaperf_output { NFAPERF_FOLDED, NFAPERF_FLAME, NFAPERF_SPEEDSCOPE, NFAPERF_PPROF,
		      NFAPERF_TOP, NFAPERF_MAPS, NFAPERF_EVENTS, NFAPERF_TRACE,
		      NFAPERF_PERFETTO };

/* How the file of a token is found. */
enum nfaperf_match { NFAPERF_MATCH_MAPPINGS, NFAPERF_MATCH_CHAIN, NFAPERF_MATCH_CACHE };

/* For events, traces and slices. */
struct nfaperf_events {
	const char *functions; /* names, separated by commas; NULL: none */
	const char *protocol;  /* file for the description; NULL: none */
	uint32_t hart;
};

/* How results look. */
struct nfaperf_layout {
	uint32_t rows;     /* for NFAPERF_TOP */
	uint32_t width;    /* for NFAPERF_FLAME, in pixels */
	const char *title; /* for NFAPERF_FLAME and NFAPERF_SPEEDSCOPE */
};

/* What is added up. */
struct nfaperf_count {
	enum print_unit unit;
	const char *program; /* only this program; NULL: all */
};

struct nfaperf_options {
	const char *elfs[NFAPERF_MOST_ELFS];
	size_t nelfs;
	const char *switches[NFAPERF_MOST_NAMES]; /* functions in which a kernel switches tasks */
	size_t nswitches;
	const char *modules;    /* a file that says where modules of the kernel are; NULL: none */
	const char *folders[NFAPERF_MOST_NAMES + 1]; /* of debug files, in the order of the search */
	size_t nfolders;
	bool keeps_symbols; /* names of C++ and Rust stay as they are in the files */
	struct token_source source; /* the tokens */
	const char *encoder; /* parameters that were given; NULL: none */
	enum nfaperf_match match;
	uint32_t depth;     /* number of tokens in a chain */
	uint64_t every;     /* seconds between two outputs; 0: only one output at the end */
	enum nfaperf_output to;
	const char *out; /* output file; NULL: standard output */
	struct nfaperf_count count;
	struct nfaperf_events events;
	struct nfaperf_layout layout;
	bool quiet;
};

extern const struct option_table nfaperf_options;

/*
 * Reads the arguments into *o. Returns OPTION_GO_ON, or an exit code after it has printed all
 * messages.
 */
int nfaperf_options_parse(struct nfaperf_options *o, int argc, char **argv);

#endif
