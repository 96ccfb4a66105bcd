/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * report.h: says in words what a message is about. Leaves out what code with certain names does.
 *
 *   load of 4 bytes, <freed:0001@push+21>+8, by walk+73 (list.c:40), thread 0
 */
#ifndef NFACC_PROBES_MEMORY_READER_REPORT_H
#define NFACC_PROBES_MEMORY_READER_REPORT_H

#include <stdio.h>

#include "probes/memory/reader/messages.h"

/* Writes what a message is about, without a newline. */
void report_message(FILE *f, struct memory *memory, const struct message *m);

/*
 * Writes the call stacks that are known of a message, a line for each frame, below its line: of what
 * happened, of the call that freed the block, and of the one that allocated it. Nothing is written
 * below main().
 */
void report_stacks(FILE *f, struct memory *memory, const struct message *m);

/* The same for a race: of the access, of the one before it, and of what allocated the block. */
void report_race_stacks(FILE *f, struct memory *memory, const struct message *m,
			const struct message *before);

/* Writes the name of a block and who allocated it; and the call stack of that, if it is known. */
void report_block(FILE *f, struct memory *memory, const struct place *p);
void report_block_stack(FILE *f, struct memory *memory, const struct place *p);

enum { REPORT_IGNORED = 160 };

/* Patterns of names, as of fnmatch(3). A zeroed one is empty. */
struct report_ignored {
	const char *pattern[REPORT_IGNORED];
	unsigned n;
};

/* Adds a pattern, which must outlive *g. What is beyond REPORT_IGNORED patterns is dropped. */
void report_ignore(struct report_ignored *g, const char *pattern);

/*
 * Whether a message is by code whose function or module has a name that fits a pattern. The name of
 * a module is that of its file, without folders. Cost: linear in the patterns.
 */
bool report_is_ignored(struct memory *memory, const struct report_ignored *g,
		       const struct message *m);

#endif
