/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * files.h: what the commands of nfacc share. They read files, run the pipeline over them, print
 * the diagnostics and write the output. A function that returns an int returns an exit code, after
 * it has printed the error if there is one.
 */
#ifndef NFACC_COMPILER_FILES_H
#define NFACC_COMPILER_FILES_H

#include "compiler/options.h"

enum { FILES_MOST = 1 << 28 }; /* most bytes of an input file */

/* Prints `nfacc: error: WHAT: WHY` to standard error; `why` may be NULL. Returns NFART_SYSTEM. */
int files_fail(const char *what, const char *why);

/* Prints the diagnostics to standard error, in colour if the options say so. */
void files_print_diags(const struct options *o, struct diags *d);

/* The n input files: their contents, which are owned, and their descriptions for the pipeline. */
struct inputs {
	struct buf *text;
	struct pipeline_file *file; /* borrows from `text` and from the options */
	size_t n;
};

/* Reads the files that the command line names, and refuses those that are no filters, but traces or
 * images. *in must be zeroed. Free it with inputs_free() in
 * any case. */
int inputs_read(const struct options *o, struct inputs *in);
void inputs_free(struct inputs *in);

/* Reads the overlay that --overlay names, a shipped one or a file, into o->pipeline.overlay. */
int files_read_overlay(struct options *o);

/* Finds the protocol of this name, or reads it from the file of this name, which has a '.' or a
 * '/'. The caller frees *out with proto_free(). */
int files_find_protocol(const struct options *o, const char *name, struct nfart_proto **out);

/* Finds the protocol that the overlay taps: the one that its description names, or else that of
 * --protocol, or else `otherwise`. The caller frees *out with proto_free(). */
int files_find_tap(const struct options *o, const char *otherwise, struct nfart_proto **out);

/* Runs the pipeline over n files as one unit, with a progress line, and prints its diagnostics.
 * Refuses an output that is one of the files that were read. The caller frees *p with
 * pipeline_free(). */
int files_compile(struct options *o, struct pipeline *p, const struct pipeline_file *files,
		  size_t n);

/* Refuses an output file that is the same file as this input. */
int files_check_output(const struct options *o, const char *input);

/* Writes b to the file of -o, or to standard output if there is no -o. */
int files_write(const struct options *o, const struct buf *b);

/* Writes a rule for make: the file of -o depends on the files that the pipeline has read. The
 * rule's file is that of -o with the ending .d. */
int files_write_depends(const struct options *o, const struct pipeline *p);

#endif
