/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * escape.h: writes text that comes from outside, such as names of files, into outputs that give
 * some characters a meaning. All text is appended to a buffer.
 *
 * JSON, XML and Protocol Buffers are UTF-8 by definition, but the name of a file can have any
 * bytes. So each byte that is not part of a valid UTF-8 character becomes U+FFFD, the replacement
 * character of Unicode. An encoded surrogate is not valid, so it becomes three of them. All else
 * stays as it is, or becomes an escape that readers turn back into the same character.
 */
#ifndef NFACC_SUPPORT_ESCAPE_H
#define NFACC_SUPPORT_ESCAPE_H

#include "support/buf.h"

/* Appends n bytes as UTF-8 without escapes. */
void escape_utf8(struct buf *b, const char *s, size_t n);

/* Appends n bytes as a JSON string, in quotes. Control characters and DEL become `\u00XX`. */
void escape_json(struct buf *b, const char *s, size_t n);

/* Appends n bytes as XML 1.0 text, which may also stand between double quotes. XML has no control
 * characters but tab, newline and carriage return, and neither U+FFFE nor U+FFFF. These become
 * U+FFFD. */
void escape_xml(struct buf *b, const char *s, size_t n);

/* Appends a string as one word of a shell's command line. It is in single quotes if it needs them.
 * All its bytes stay as they are, because a shell takes any. */
void escape_shell(struct buf *b, const char *s);

/* Appends n bytes with a backslash before each quote and backslash, as the strings of C and of
 * Graphviz have them. The quotes around it are the caller's. */
void escape_quoted(struct buf *b, const char *s, size_t n);

#endif
