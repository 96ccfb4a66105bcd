/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * options.h: the command line of nfacc.
 */
#ifndef NFACC_COMPILER_OPTIONS_H
#define NFACC_COMPILER_OPTIONS_H

#include "backends/overlay/fit/fit_search.h"
#include "compiler/pipeline.h"
#include "compiler/question.h"

enum emit {
	EMIT_IMAGE, EMIT_AST, EMIT_NFA, EMIT_DOT, EMIT_MAP, EMIT_MEM, EMIT_HEADER,
	EMIT_OVERLAY, EMIT_VERILOG, EMIT_REGS /* from here on: of an overlay, no filter */
};

/* How a file is read: by its ending, or as -x said. */
enum language { LANGUAGE_BY_NAME, LANGUAGE_RE, LANGUAGE_YAML };

struct options {
	struct pipeline_options pipeline;
	enum emit emit;
	enum language language;
	const char *out;           /* -o, or NULL */
	const char *inspect;       /* --inspect, or NULL */
	const char *map_graph;     /* --map-graph, or NULL */
	const char *overlay_file;  /* to be read by main; NULL: pipeline.overlay is set */
	bool check, stats;
	bool list;                 /* --list: of the protocol in files, if there is one */
	enum question question;    /* --equal and the like: of one file or two */
	bool fit;                  /* --fit: each file by itself */
	struct fit_options search; /* of it */
	int colour;                /* 0 never, 1 always, 2 on a terminal */
	bool werror;
	VEC(const char *) disabled; /* -Wno-NAME */
	VEC(const char *) dirs;     /* -I */
	VEC(const char *) files;
};

/* Fills *o from the command line; strings are argv's. -1: go on; else an exit code, everything said.
 * Free with options_free(). */
int options_parse(struct options *o, int argc, char **argv);
void options_free(struct options *o);

#endif
