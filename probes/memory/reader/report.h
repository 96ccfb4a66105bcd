/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * report.h: says in words what was found. Leaves out what code with certain names does.
 *
 *   use-after-free: load of 4 bytes, <freed:0001@push+21 (list.c:17)>+8, by walk+73 (list.c:40),
 *   thread 0
 */
#ifndef NFACC_PROBES_MEMORY_READER_REPORT_H
#define NFACC_PROBES_MEMORY_READER_REPORT_H

#include "probes/memory/reader/finding.h"
#include "support/buf.h"

/* The word for what happened: "load". */
const char *report_kind(const struct message *m);

/* Appends a finding without its check, in a line without a newline. */
void report_line(struct buf *b, struct memory *memory, const struct finding *f);

/*
 * Appends a finding: a line, and below it the call stacks that were recorded, a line for each
 * frame: of what happened, of the access before, of the call that freed the block, and of the one
 * that allocated it. Nothing is written below main().
 */
void report_text(struct buf *b, struct memory *memory, const struct finding *f);

enum { REPORT_IGNORED = 160 };

/* Patterns of names, as of fnmatch(3). A zeroed one is empty. */
struct report_ignored {
	const char *pattern[REPORT_IGNORED];
	unsigned n;
};

/* Adds a pattern, which must outlive *g. What is beyond REPORT_IGNORED patterns is dropped. */
void report_ignore(struct report_ignored *g, const char *pattern);

/*
 * Whether a message is by code whose function, also one that was inlined, or module has a name that
 * fits a pattern. The name of a module is that of its file, without folders. Cost: linear in the
 * patterns.
 */
bool report_is_ignored(struct memory *memory, const struct report_ignored *g,
		       const struct message *m);

#endif
