/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * json.h: pieces of JSON, and what is alike in all documents of SARIF (OASIS, Static Analysis
 * Results Interchange Format, version 2.1.0). All text is appended to a buffer. Strings may have
 * any bytes (escape.h).
 */
#ifndef NFACC_SUPPORT_JSON_H
#define NFACC_SUPPORT_JSON_H

#include "support/buf.h"

/* Appends a string, or a comma and the member `name` with a string as its value. */
void json_put_string(struct buf *b, const char *s);
void json_member(struct buf *b, const char *name, const char *value);

/* A kind of results: its id, and a sentence about it. */
struct sarif_rule {
	const char *id, *text;
};

/* Appends the beginning of a document with one run, up to the list of its results. */
void sarif_begin(struct buf *b, const char *tool, const char *version,
		 const struct sarif_rule *rules, size_t nrules);

/* Appends the end of a document. The results must be complete, with commas between them. */
void sarif_end(struct buf *b);

/* Appends the member artifactLocation: a file as a URI, with percent and its number for each byte
 * that a path in a URI can't have. `folder`: where a path that is not absolute begins; NULL: it
 * stays as it is. */
void sarif_artifact(struct buf *b, const char *folder, const char *file);

#endif
