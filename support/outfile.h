/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * outfile.h: a tool's output file, which is there completely or not at all.
 *
 * Where the target is a regular file or new, a temporary file beside it is written and renamed on
 * commit. Anything else (a device, a fifo, standard output) is written directly.
 */
#ifndef NFART_OUTFILE_H
#define NFART_OUTFILE_H

#include <stdio.h>

#include "include/nfart_status.h"

struct outfile {
	FILE *f;      /* write here */
	FILE *under;  /* what f writes to, where f is a stream on top; else NULL */
	char *path;   /* the target, links resolved */
	char *temp;   /* the temporary file's path; NULL: written directly */
};

/* NFART_USAGE, and *e, where an output at `path` would overwrite the file `input`: both are one regular
 * file, by device and inode, so that links and other spellings count. "-" is the standard output or input,
 * as is a NULL path. Devices and pipes are never refused. Call it for every input before the output is
 * opened. */
enum nfart_status outfile_check(const char *path, const char *input, struct nfart_error *e);

/* Opens the output for `path` (NULL or "-": standard output). On failure nothing is left open.
 * Permissions are as umask says. */
enum nfart_status outfile_open(struct outfile *o, const char *path, struct nfart_error *e);

/* Puts the stream `f` on top: it becomes o->f. It must transform what is written to it, and write the
 * result to the stream that was o->f before. o owns f from now on, and closes it before the file. */
void outfile_on_top(struct outfile *o, FILE *f);

/* Closes (standard output: flushes) and renames into place. On failure the temporary file is gone.
 * Ends the life of o in every case. */
enum nfart_status outfile_commit(struct outfile *o, struct nfart_error *e);

/* Closes, and removes the temporary file. A zeroed, committed or aborted o is fine. */
void outfile_abort(struct outfile *o);

#endif
