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

static bool buf_room(struct buf *b, size_t n)
{
	if (!b->failed && !vec_reserve_((void **)&b->at, &b->n, &b->cap, n + 1, 1))
		b->failed = true;
	return !b->failed;
}

void buf_add(struct buf *b, const void *p, size_t n)
{
	if (!buf_room(b, n))
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
	if (n < 0 || !buf_room(b, (size_t)n))
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
		if (!buf_room(b, 1 << 16)) {
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

size_t buf_utf8(const char *s, size_t n)
{
	const unsigned char *u = (const unsigned char *)s;
	size_t len = u[0] < 0x80 ? 1 : u[0] < 0xc2 ? 0 : u[0] < 0xe0 ? 2 : u[0] < 0xf0 ? 3 : 4;

	if (len > n || u[0] > 0xf4)
		return 0;
	for (size_t i = 1; i < len; i++)
		if ((u[i] & 0xc0) != 0x80)
			return 0;
	/* No character has a longer form than it needs, is a surrogate, or is above U+10FFFF. */
	if ((u[0] == 0xe0 && u[1] < 0xa0) || (u[0] == 0xed && u[1] >= 0xa0) ||
	    (u[0] == 0xf0 && u[1] < 0x90) || (u[0] == 0xf4 && u[1] >= 0x90))
		return 0;
	return len;
}

size_t buf_shown(const char *s, size_t n)
{
	const unsigned char *u = (const unsigned char *)s;
	size_t len = buf_utf8(s, n);

	if (len == 1)
		return u[0] == '\t' || (u[0] >= 0x20 && u[0] != 0x7f);
	return len == 2 && u[0] == 0xc2 && u[1] < 0xa0 ? 0 : len;
}

void buf_add_shown(struct buf *b, const char *s, size_t n)
{
	for (size_t i = 0, len; i < n; i += len != 0 ? len : 1) {
		len = buf_shown(s + i, n - i);
		buf_add(b, len != 0 ? s + i : "?", len != 0 ? len : 1);
	}
}

bool buf_is_name(const char *s, size_t n)
{
	for (size_t i = 0, len; i < n; i += len) {
		/* Nearly all characters are such. */
		len = s[i] > ' ' && s[i] < 0x7f ? 1 : buf_shown(s + i, n - i);
		if (len == 0 || s[i] == '\t')
			return false;
	}
	return true;
}
