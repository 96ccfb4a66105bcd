/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "support/buf.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/bits.h"
#include "support/vec.h"

void buf_free(struct buf *b)
{
	free(b->at);
	memset(b, 0, sizeof *b);
}

static bool room(struct buf *b, size_t n)
{
	if (!b->failed && !vec_reserve_((void **)&b->at, &b->n, &b->cap, n + 1, 1))
		b->failed = true;
	return !b->failed;
}

void buf_add(struct buf *b, const void *p, size_t n)
{
	if (!room(b, n))
		return;
	if (n != 0)
		memcpy(b->at + b->n, p, n);
	b->n += n;
	b->at[b->n] = 0;
}

void buf_addf(struct buf *b, const char *format, ...)
{
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(NULL, 0, format, ap);
	va_end(ap);
	if (n < 0)
		b->failed = true;
	if (n < 0 || !room(b, (size_t)n))
		return;
	va_start(ap, format);
	vsnprintf(b->at + b->n, (size_t)n + 1, format, ap);
	va_end(ap);
	b->n += (size_t)n;
}

void buf_le32(struct buf *b, uint32_t x)
{
	unsigned char t[4];

	put_le32(t, x);
	buf_add(b, t, sizeof t);
}

void buf_le64(struct buf *b, uint64_t x)
{
	unsigned char t[8];

	put_le64(t, x);
	buf_add(b, t, sizeof t);
}

int buf_read_file(struct buf *b, const char *path, size_t most)
{
	FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
	int error = 0;
	size_t n;

	if (f == NULL)
		return errno;
	do {
		if (!room(b, 1 << 16)) {
			error = ENOMEM;
			break;
		}
		n = fread(b->at + b->n, 1, 1 << 16, f);
		b->n += n;
		b->at[b->n] = 0;
		if (b->n > most) {
			error = EFBIG;
			break;
		}
	} while (n != 0);
	if (error == 0 && ferror(f))
		error = errno != 0 ? errno : EIO;
	if (f != stdin)
		fclose(f);
	return error;
}
