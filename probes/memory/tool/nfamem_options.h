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

enum { NFAMEM_WATCHED = 64 }; /* most objects of --watch */

/* The format of the output: the values of --format. */
enum nfamem_format { FORMAT_MADT, FORMAT_MADT_RAW, FORMAT_MADT_BOTH, FORMAT_COMPACT, FORMAT_COMPACT_WORD };

/* What is watched, and how. */
struct nfamem_watching {
	bool from_start, follow;
	int engine;            /* enum mem_engine */
	uint64_t detach_after; /* number of accesses; 0: never */
	const char *watch[NFAMEM_WATCHED];
	unsigned nwatch;
};

struct nfamem_options {
	int format;
	bool format_given, summary, quiet, once;
	struct nfamem_watching watching;
	enum terminal_colour colour;
	const char *out, *filter;
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
