/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * files.h: what the commands of nfacc share: files in, the pipeline over them, diagnostics and the output.
 * Every function that returns an int returns an exit code and has said what is wrong.
 */
#ifndef NFACC_COMPILER_FILES_H
#define NFACC_COMPILER_FILES_H

#include "compiler/options.h"

enum { FILES_MOST = 1 << 28 }; /* bytes of an input */

/* `nfacc: error: WHAT: WHY` (why may be NULL) on standard error. NFART_SYSTEM. */
int files_fail(const char *what, const char *why);

void files_print_diags(const struct options *o, struct diags *d);

struct inputs {
	struct buf *text;           /* owned, as is the next one */
	struct pipeline_file *file;
	size_t n;
};

/* Reads the files of the command line. *in is zeroed; free it whatever the answer. */
int inputs_read(const struct options *o, struct inputs *in);
void inputs_free(struct inputs *in);

/* The overlay that --overlay names, shipped or a file, into o->pipeline. */
int files_read_overlay(struct options *o);

/* The protocol of that name, for the caller to free. */
int files_find_protocol(const struct options *o, const char *name, struct nfart_proto **out);

/* The pipeline with a progress line, its diagnostics, and the check of its sources. *p is as after
 * pipeline_run(). */
int files_compile(struct options *o, struct pipeline *p, const struct pipeline_file *files, size_t n);

/* An output that is this input is wrong use. */
int files_check_output(const struct options *o, const char *input);

/* Writes b to the output file, or standard output where none was named. */
int files_write(const struct options *o, const struct buf *b);

#endif
