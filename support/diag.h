/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * diag.h: what is wrong with the user's input, as records.
 *
 * A diagnostic has a code (its name for -Wno-NAME), a severity, a byte range in a source, and a
 * message that says what was found and what was expected. It also has notes at other places, and
 * fix-its, where these help. Records are collected; main prints them once, sorted by place. struct
 * diags owns sources and records. Nothing here prints by itself or exits.
 */
#ifndef NFACC_SUPPORT_DIAG_H
#define NFACC_SUPPORT_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "support/arena.h"
#include "support/vec.h"

enum { DIAG_NO_SOURCE = UINT32_MAX };

/* Bytes [begin, end) of a source. */
struct diag_range {
	uint32_t source; /* the id that diag_add_source() gave, or DIAG_NO_SOURCE */
	uint32_t begin, end;
};

enum diag_severity { DIAG_WARNING, DIAG_ERROR };

struct diag_note {
	struct diag_range range;
	const char *message;
	const char *replacement; /* in a fix-it: the text to put at `range`; in a note: NULL */
};

struct diag {
	enum diag_severity severity;
	size_t number;    /* how many records were there before it */
	const char *code; /* a static string, such as "unknown-name" */
	struct diag_range range;
	const char *message;
	VEC(struct diag_note) notes;
};

struct diag_source {
	const char *name;
	const char *text; /* n bytes, followed by a 0 */
	size_t n;
	bool derived;     /* nobody wrote the text: it was made from another source */
	struct diag_range origin; /* if it is derived: where warnings that are in it point */
};

struct diags {
	struct arena arena;
	VEC(struct diag_source) sources;
	VEC(struct diag) records;
	VEC(const char *) disabled; /* codes of the warnings that are turned off */
	VEC(const char *) fatal;    /* codes of the warnings that count as errors */
	bool werror;                /* all warnings count as errors */
	/* Errors and warnings so far, with those that were dropped because there are too many. */
	size_t errors, warnings;
	/* how many of the errors are warnings that `fatal` or `werror` made errors */
	size_t promoted;
	bool failed;                /* a record was lost, since memory ran out */
};

/* Frees what d owns. A zeroed struct diags is empty. */
void diag_free(struct diags *d);

/* Adds a source, by copying name and text. Returns the id of the source, or DIAG_NO_SOURCE if
 * memory is short or n >= 2^31. */
uint32_t diag_add_source(struct diags *d, const char *name, const char *text, size_t n);

/* Says that a source was made from another one, and where warnings of it point from now on. */
void diag_derive(struct diags *d, uint32_t source, struct diag_range origin);

/* Is a place in a source that was made from another one? */
bool diag_is_derived(const struct diags *d, struct diag_range range);

/* Adds a record and returns its index, to add notes to it. `code` must be a static string. Returns
 * SIZE_MAX if the record was dropped: it is a disabled warning, memory is short, or there are 100
 * of its severity. */
size_t diag_report(struct diags *d, enum diag_severity severity, const char *code,
		   struct diag_range range, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* Takes an error back: record number `at`. Those after it move up. Does nothing if there is none. */
void diag_take_back(struct diags *d, size_t at);

/* Adds a note, or a fix-it, to record number `at`. Does nothing if `at` is SIZE_MAX. */
void diag_note(struct diags *d, size_t at, struct diag_range range, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void diag_fixit(struct diags *d, size_t at, struct diag_range range, const char *replacement,
		const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Is a record an error, by itself or because of `fatal` or `werror`? */
bool diag_is_error(const struct diags *d, const struct diag *r);

/* Orders the records by source and place. Indices of records are no longer valid. */
void diag_sort(struct diags *d);

/* Finds the line and column of byte `offset`, both from 1, columns in bytes. Linear in offset. */
void diag_locate(const struct diag_source *s, size_t offset, size_t *line, size_t *column);

/* Prints all records, ordered by source and place: `file:line:column: error: …`, then the line with
 * a caret, then the notes. */
void diag_print(struct diags *d, FILE *f, bool colour);

/* Print all records for programs. diag_print_json() prints a JSON object a line for each record.
 * diag_print_sarif() prints one SARIF 2.1.0 document, also if there is no record. */
void diag_print_json(struct diags *d, FILE *f);
void diag_print_sarif(struct diags *d, FILE *f, const char *tool, const char *version);

/* Returns the candidate that is nearest to `name` (n bytes) by edit distance, or NULL if none is
 * near. Near means at most n / 3 edits, but at least 1 is allowed. Another case of a letter is a
 * small fraction of an edit. `next` returns one candidate after the other, NULL at the end. */
const char *diag_nearest(const char *name, size_t n, const char *(*next)(void *ctx), void *ctx);

#endif
