/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * buf.h: a growing byte buffer for text and files that are built before they are written.
 *
 * A zeroed struct buf is empty. If an allocation fails, `failed` is set, and everything that is
 * appended later is dropped. So writers append without checks, and the owner looks at `failed`
 * once, at the end.
 */
#ifndef NFACC_SUPPORT_BUF_H
#define NFACC_SUPPORT_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf {
	char *at; /* n bytes, always followed by a 0 once something was appended */
	size_t n, cap;
	bool failed;
};

void buf_free(struct buf *b);
void buf_add(struct buf *b, const void *p, size_t n);
void buf_addf(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_le32(struct buf *b, uint32_t x);
void buf_le64(struct buf *b, uint64_t x);

/* Returns how many bytes the UTF-8 character at s has, or 0 if there is none; n > 0 bytes are
 * there. */
size_t buf_utf8(const char *s, size_t n);

/* The same for a character that a terminal can be shown as it is: printable, or a tab. Escape
 * sequences begin with control characters, also with those of Unicode (U+0080 to U+009F). */
size_t buf_shown(const char *s, size_t n);

/* Appends n bytes of text, with a `?` for each byte that can't be shown. */
void buf_add_shown(struct buf *b, const char *s, size_t n);

/* Can the n bytes be shown, without a tab among them? Names from hostile files must be so. */
bool buf_is_name(const char *s, size_t n);

/* Appends a whole file ("-": standard input) to b. Returns 0, or an errno value: EFBIG for a file
 * of more than `most` bytes. */
int buf_read_file(struct buf *b, const char *path, size_t most);

#endif
