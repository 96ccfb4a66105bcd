/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * outfile.h: a tool's output file, which is there completely or not at all.
 *
 * If the target is a regular file, or does not exist, a temporary file beside it is written, and
 * renamed on commit. Anything else (a device, a fifo, standard output) is written directly. The
 * temporary file does not stay if a signal ends the process (interrupt.h).
 */
#ifndef NFART_OUTFILE_H
#define NFART_OUTFILE_H

#include <stdio.h>

#include "include/nfart_status.h"

struct outfile {
	FILE *f;      /* the stream to write to */
	/* If f is a stream on top (outfile_on_top()): the stream to which f writes; else NULL. */
	FILE *under;
	char *path;   /* the target's path, links resolved */
	/* The temporary file's path; NULL: the target is written directly. */
	char *temp;
};

/* Would an output at `path` overwrite the file `input`? Returns NFART_USAGE if so, and *e says it;
 * else NFART_OK. The output would overwrite the input if both are one regular file, by device and
 * inode, so links and other spellings count. "-" and NULL stand for standard output and input.
 * Devices and pipes are never refused. Call this for every input before the output is opened. */
enum nfart_status outfile_check(const char *path, const char *input, struct nfart_error *e);

/* Can an output at `path` be opened? A tool that writes at its end asks this before its work. A
 * temporary file is made, and removed; a device or a pipe is not opened. On failure *e says why. */
enum nfart_status outfile_probe(const char *path, struct nfart_error *e);

/* Opens the output for `path` (NULL or "-": standard output). A new file has the permissions of the
 * file that it replaces, else those that umask leaves. On failure nothing is left open, and *e says
 * why. */
enum nfart_status outfile_open(struct outfile *o, const char *path, struct nfart_error *e);

/* Puts the stream `f` on top, so that o->f becomes f. f must transform what is written to it, and
 * write the result to the stream that was o->f before. From now on o owns f, and closes it before
 * the file. */
void outfile_on_top(struct outfile *o, FILE *f);

/* Gives the output its name before it is complete, so that others can read what is there. From now
 * on it is written in place, and stays whatever comes. Call this before anything is written: a file
 * that had the name is replaced by the empty one. On failure *e says why, and nothing was
 * changed. */
enum nfart_status outfile_publish(struct outfile *o, struct nfart_error *e);

/* Closes the stream of an output that is written whole, and keeps its temporary file: it has no
 * descriptor any more. outfile_commit() or outfile_abort() must follow. On failure *e says why. */
enum nfart_status outfile_close(struct outfile *o, struct nfart_error *e);

/* Closes the output (standard output is only flushed), and renames the temporary file to the
 * target. On failure removes the temporary file; *e says why. Frees what *o has in either case. */
enum nfart_status outfile_commit(struct outfile *o, struct nfart_error *e);

/* Closes the output, removes the temporary file, and frees what *o has. Does nothing if *o is
 * zeroed, committed or aborted. */
void outfile_abort(struct outfile *o);

#endif
