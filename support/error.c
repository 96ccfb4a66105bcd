/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Fills in and prints errors with their place. The text of a trace or an image is hostile, so its
 * control characters never reach the terminal.
 */
#include <stdarg.h>
#include <string.h>

#include "include/nfart_status.h"
#include "support/buf.h"

enum nfart_status nfart_fail(struct nfart_error *e, enum nfart_status status, const char *format,
			     ...)
{
	va_list ap;

	if (e == NULL)
		return status;
	e->status = status;
	e->line = e->column = 0;
	e->file[0] = e->source[0] = 0;
	va_start(ap, format);
	vsnprintf(e->what, sizeof e->what, format, ap);
	va_end(ap);
	for (size_t n = strlen(e->what), i = 0, len; i < n; i += len != 0 ? len : 1) {
		len = e->what[i] == '\t' ? 0 : buf_shown(e->what + i, n - i);
		if (len == 0)
			e->what[i] = '?';
	}
	return status;
}

/* Prints n bytes, with a `?` for each that can't be shown. */
static void print_shown(FILE *f, const char *s, size_t n)
{
	for (size_t i = 0, len; i < n; i += len != 0 ? len : 1) {
		len = buf_shown(s + i, n - i);
		fwrite(len != 0 ? s + i : "?", 1, len != 0 ? len : 1, f);
	}
}

static void print_source(FILE *f, const struct nfart_error *e)
{
	size_t n = strlen(e->source);

	while (n > 0 && e->source[n - 1] == '\r')
		n--;
	print_shown(f, e->source, n);
	putc('\n', f);
	if (e->column == 0 || e->column > n + 1)
		return;
	for (size_t i = 0; i + 1 < e->column; i++)
		putc(e->source[i] == '\t' ? '\t' : ' ', f);
	fputs("^\n", f);
}

void nfart_error_print(FILE *f, const struct nfart_error *e)
{
	if (e->file[0] != 0) {
		print_shown(f, e->file, strlen(e->file));
		putc(':', f);
	}
	if (e->line != 0)
		fprintf(f, "%llu:", (unsigned long long)e->line);
	if (e->line != 0 && e->column != 0)
		fprintf(f, "%llu:", (unsigned long long)e->column);
	fprintf(f, "%serror: %s\n", e->file[0] != 0 || e->line != 0 ? " " : "", e->what);
	if (e->source[0] != 0)
		print_source(f, e);
}
