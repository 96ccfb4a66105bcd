/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Prints diagnostics: place and message, the source line, and a line with a caret. A control
 * character in the input never reaches the terminal as such.
 */
#include "support/diag.h"

#include <string.h>

#include "support/buf.h"

enum { WINDOW = 200 }; /* the most bytes of a line that are shown */

static const char BOLD[] = "\033[1m", RED[] = "\033[1;31m", MAGENTA[] = "\033[1;35m",
		  CYAN[] = "\033[1;36m", PLAIN[] = "\033[0m";

struct printer {
	const struct diags *diags;
	FILE *f;
	bool colour;
};

void diag_locate(const struct diag_source *s, size_t offset, size_t *line, size_t *column)
{
	const char *bol = s->text, *end, *p;

	if (offset > s->n)
		offset = s->n;
	end = s->text + offset;
	*line = 1;
	while ((p = memchr(bol, '\n', (size_t)(end - bol))) != NULL) {
		bol = p + 1;
		++*line;
	}
	*column = (size_t)(end - bol) + 1;
}

/* Prints n bytes of text, with '?' for each byte that can't be shown. */
static void put_text(const struct printer *p, const char *s, size_t n)
{
	for (size_t i = 0; i < n;) {
		size_t len = buf_shown(s + i, n - i);

		if (len != 0)
			fwrite(s + i, 1, len, p->f);
		else
			fputc('?', p->f);
		i += len != 0 ? len : 1;
	}
}

/* Prints one `fill` for each character of the n bytes at s. If `tabs` is set, a tab is printed for
 * a tab. */
static void put_marks(const struct printer *p, const char *s, size_t n, char fill, bool tabs)
{
	for (size_t i = 0; i < n;) {
		size_t len = buf_shown(s + i, n - i);

		fputc(tabs && s[i] == '\t' ? '\t' : fill, p->f);
		i += len != 0 ? len : 1;
	}
}

static void put_sgr(const struct printer *p, const char *sgr)
{
	if (p->colour)
		fputs(sgr, p->f);
}

/* Prints `file:line:column: word: message`, where the escape sequence sgr colours the word. */
static void put_head(const struct printer *p, struct diag_range r, const char *sgr,
		     const char *word, const char *message)
{
	put_sgr(p, BOLD);
	if (r.source < p->diags->sources.n) {
		const struct diag_source *s = &p->diags->sources.at[r.source];
		size_t line, column;

		diag_locate(s, r.begin, &line, &column);
		put_text(p, s->name, strlen(s->name));
		fprintf(p->f, ":%zu:%zu: ", line, column);
	}
	put_sgr(p, sgr);
	fprintf(p->f, "%s: ", word);
	put_sgr(p, PLAIN);
	put_text(p, message, strlen(message));
}

/* Prints the source line of r, with a caret and the replacement (may be NULL) below it. Of a long
 * line it prints WINDOW bytes around the caret. */
static void put_snippet(const struct printer *p, struct diag_range r, const char *sgr,
			const char *replacement)
{
	const struct diag_source *s;
	size_t begin, bol, eol, end;

	if (r.source >= p->diags->sources.n)
		return;
	s = &p->diags->sources.at[r.source];
	begin = bol = eol = r.begin < s->n ? r.begin : s->n;
	while (bol > 0 && s->text[bol - 1] != '\n')
		bol--;
	while (eol < s->n && s->text[eol] != '\n')
		eol++;
	if (eol - bol > WINDOW) {
		if (begin - bol > WINDOW / 2)
			bol = begin - WINDOW / 2;
		while (bol < begin && (s->text[bol] & 0xc0) == 0x80)
			bol++;
		if (eol - bol > WINDOW)
			eol = bol + WINDOW;
	}
	end = r.end > eol ? eol : r.end;
	put_text(p, s->text + bol, eol - bol - (eol > bol && s->text[eol - 1] == '\r'));
	fputc('\n', p->f);
	put_marks(p, s->text + bol, begin - bol, ' ', true);
	put_sgr(p, sgr);
	fputc('^', p->f);
	if (end > begin) {
		size_t first = buf_shown(s->text + begin, end - begin);

		first = first != 0 ? first : 1;
		put_marks(p, s->text + begin + first, end - begin - first, '~', false);
	}
	put_sgr(p, PLAIN);
	fputc('\n', p->f);
	if (replacement != NULL) {
		put_marks(p, s->text + bol, begin - bol, ' ', true);
		put_text(p, replacement, strlen(replacement));
		fputc('\n', p->f);
	}
}

static void put_record(const struct printer *p, const struct diag *r)
{
	bool warning = r->severity == DIAG_WARNING, error = diag_is_error(p->diags, r);
	const char *sgr = error ? RED : MAGENTA;

	put_head(p, r->range, sgr, error ? "error" : "warning", r->message);
	if (warning)
		fprintf(p->f, " [-W%s%s]", error ? "error=" : "", r->code);
	fputc('\n', p->f);
	put_snippet(p, r->range, sgr, NULL);
	for (size_t i = 0; i < r->notes.n; i++) {
		const struct diag_note *n = &r->notes.at[i];

		put_head(p, n->range, CYAN, "note", n->message);
		fputc('\n', p->f);
		if (n->replacement != NULL || n->range.source != r->range.source ||
		    n->range.begin != r->range.begin)
			put_snippet(p, n->range, CYAN, n->replacement);
	}
}

static void put_left_out(const struct printer *p, size_t n, size_t kept, const char *what)
{
	if (n > kept)
		fprintf(p->f, "%zu more %s%s left out\n", n - kept, what,
			n - kept == 1 ? " was" : "s were");
}

void diag_print(struct diags *d, FILE *f, bool colour)
{
	struct printer p = { d, f, colour };
	size_t errors = 0;

	diag_sort(d);
	for (size_t i = 0; i < d->records.n; i++) {
		errors += diag_is_error(d, &d->records.at[i]);
		put_record(&p, &d->records.at[i]);
	}
	put_left_out(&p, d->errors, errors, "error");
	put_left_out(&p, d->warnings, d->records.n - errors, "warning");
}
