/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Fills in and prints errors with their place. The text of a trace or an image is hostile, so its
 * control characters never reach the terminal.
 */
#include <stdarg.h>
#include <string.h>

#include "include/nfart_status.h"

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
	for (char *s = e->what; *s != 0; s++)
		if ((unsigned char)*s < ' ' || *s == 127)
			*s = '?';
	return status;
}

static void print_source(FILE *f, const struct nfart_error *e)
{
	size_t n = strlen(e->source);

	while (n > 0 && e->source[n - 1] == '\r')
		n--;
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)e->source[i];
		putc((c < ' ' && c != '\t') || c == 127 ? '?' : c, f);
	}
	putc('\n', f);
	if (e->column == 0 || e->column > n + 1)
		return;
	for (size_t i = 0; i + 1 < e->column; i++)
		putc(e->source[i] == '\t' ? '\t' : ' ', f);
	fputs("^\n", f);
}

void nfart_error_print(FILE *f, const struct nfart_error *e)
{
	if (e->file[0] != 0)
		fprintf(f, "%s:", e->file);
	if (e->line != 0)
		fprintf(f, "%llu:", (unsigned long long)e->line);
	if (e->line != 0 && e->column != 0)
		fprintf(f, "%llu:", (unsigned long long)e->column);
	fprintf(f, "%serror: %s\n", e->file[0] != 0 || e->line != 0 ? " " : "", e->what);
	if (e->source[0] != 0)
		print_source(f, e);
}
