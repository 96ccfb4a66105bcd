/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * diag.h: what is wrong with the user's input, as records.
 *
 * A diagnostic has a code (its name for -Wno-NAME), a severity, a byte range in a source, a message
 * that says what was found and what was expected, and where they help notes at other places and
 * fix-its. Records are collected, sorted by place and printed once, by main. struct diags owns
 * sources and records. Nothing here prints by itself or exits.
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
	uint32_t source; /* id, or DIAG_NO_SOURCE */
	uint32_t begin, end;
};

enum diag_severity { DIAG_WARNING, DIAG_ERROR };

struct diag_note {
	struct diag_range range;
	const char *message;
	const char *replacement; /* a fix-it: the text to put at range; NULL for a plain note */
};

struct diag {
	enum diag_severity severity;
	const char *code; /* static string, e.g. "unknown-name" */
	struct diag_range range;
	const char *message;
	VEC(struct diag_note) notes;
};

struct diag_source {
	const char *name;
	const char *text; /* n bytes and a 0 */
	size_t n;
};

struct diags {
	struct arena arena;
	VEC(struct diag_source) sources;
	VEC(struct diag) records;
	VEC(const char *) disabled; /* codes of warnings turned off */
	bool werror;                /* warnings count as errors */
	size_t errors, warnings;    /* records so far */
	size_t promoted;            /* of the errors: warnings under werror */
	bool failed;                /* a record was lost: out of memory */
};

/* A zeroed struct diags is empty. */
void diag_free(struct diags *d);

/* Copies name and text. The id of the source, or DIAG_NO_SOURCE (out of memory, or n >= 2^31). */
uint32_t diag_add_source(struct diags *d, const char *name, const char *text, size_t n);

/* Adds a record and returns its index for notes; SIZE_MAX where it was dropped (a disabled warning,
 * no memory, or more than 100 errors). `code` must be a static string. */
size_t diag_report(struct diags *d, enum diag_severity severity, const char *code,
		   struct diag_range range, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* Adds a note, or a fix-it, to record `at` (SIZE_MAX: ignored). */
void diag_note(struct diags *d, size_t at, struct diag_range range, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void diag_fixit(struct diags *d, size_t at, struct diag_range range, const char *replacement,
		const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Line and column (from 1, columns in bytes) of byte `offset`. */
void diag_locate(const struct diag_source *s, size_t offset, size_t *line, size_t *column);

/* Prints all records by source and place: `file:line:column: error: …`, line and caret, notes. */
void diag_print(struct diags *d, FILE *f, bool colour);

/* The candidate nearest to `name` (n bytes) by edit distance, at most a third of its length (at
 * least 1); NULL where none is near. Another case of a letter is a small fraction of an edit. `next` gives
 * candidates in turn, NULL at the end. */
const char *diag_nearest(const char *name, size_t n, const char *(*next)(void *ctx), void *ctx);

#endif
