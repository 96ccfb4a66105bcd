/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfamem_options.h: the command line of nfamem.
 */
#ifndef NFACC_NFAMEM_OPTIONS_H
#define NFACC_NFAMEM_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "support/option.h"
#include "support/terminal.h"

enum {
	NFAMEM_WATCHED = 64, /* most objects of --watch */
	NFAMEM_IGNORED = 64  /* most patterns of --ignore */
};

/* The words of --check, in the order of their bits in nfamem_options.checks. */
enum nfamem_check {
	CHECK_USE_AFTER_FREE,
	CHECK_DOUBLE_FREE,
	CHECK_BEYOND,
	CHECK_UNINITIALISED,
	CHECK_RACE,
	CHECK_ORDER,
	CHECK_LEAK,
	CHECK_STACK, /* by --stack; no word of --check */
	NFAMEM_CHECKS
};

/* The format of the output: the values of --format. */
enum nfamem_format { FORMAT_MADT, FORMAT_MADT_RAW, FORMAT_MADT_BOTH, FORMAT_COMPACT, FORMAT_COMPACT_WORD };

extern const char *const nfamem_check_words[NFAMEM_CHECKS];

/* What is watched, and how. */
struct nfamem_watching {
	bool from_start, follow;
	uint64_t pid; /* the process to attach to; 0: a program is started */
	int engine;            /* enum mem_engine */
	int when_lost;         /* enum mem_when_lost */
	uint64_t detach_after; /* number of accesses; 0: never */
	uint64_t duration;     /* seconds after which watching ends; 0: never */
	const char *watch[NFAMEM_WATCHED];
	unsigned nwatch;
};

/* Which matches are written. */
struct nfamem_checking {
	unsigned checks; /* bit i: enum nfamem_check i */
	bool bare;       /* --check was given without a list */
	const char *ignore[NFAMEM_IGNORED];
	unsigned nignore;
	bool reachable;           /* blocks that a pointer leads to are written, too */
	const char *suppressions; /* a file of patterns as those of --ignore */
	uint64_t stacks;          /* most frames of a call stack; 0: no stacks are written */
	bool keeps_symbols;       /* names of C++ are written as the linker has them */
	int form;                 /* enum findings_form */
	uint64_t error_exitcode;  /* if there are matches; 0: the exit code of the program */
};

struct nfamem_options {
	int format;
	bool format_given, summary, quiet, once;
	struct nfamem_watching watching;
	enum terminal_colour colour;
	const char *out, *filter;
	struct nfamem_checking checking;
	const char *page_map; /* file for the picture of pages, or NULL */
	char **command;       /* the program, its arguments and a NULL */
};

extern const struct option_table nfamem_options;

/*
 * Reads the command line into o. Returns OPTION_GO_ON, or an exit code after it has printed a
 * message.
 */
int nfamem_options_parse(struct nfamem_options *o, int argc, char **argv);

#endif
