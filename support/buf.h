/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * buf.h: a growing byte buffer for text and files that are built before they are written.
 *
 * A zeroed struct buf is empty. An allocation that fails is remembered in `failed`, and everything
 * after it is dropped: writers append without checks and the owner looks once, at the end.
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

/* Reads the whole of a file ("-": standard input) into b. 0, or an errno value. A file above
 * `most` bytes is EFBIG. */
int buf_read_file(struct buf *b, const char *path, size_t most);

#endif
