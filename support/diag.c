/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Collects diagnostics. diag_print.c sorts and prints them.
 */
#include "support/diag.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "support/order.h"

enum {
	MOST = 100,            /* the most records of each severity that are kept */
	NEAREST_LENGTH = 64,   /* no nearest name is looked for if a name is longer */
	/* The cost of one edit. Changing a letter to the other case costs only 1. */
	EDIT = 8,
	NEAREST_CANDIDATES = 4096
};

void diag_free(struct diags *d)
{
	for (size_t i = 0; i < d->records.n; i++)
		vec_free(&d->records.at[i].notes);
	vec_free(&d->records);
	vec_free(&d->sources);
	vec_free(&d->disabled);
	vec_free(&d->fatal);
	arena_free(&d->arena);
}

uint32_t diag_add_source(struct diags *d, const char *name, const char *text, size_t n)
{
	struct diag_source s = { .n = n };

	if (n >= (size_t)1 << 31 || d->sources.n >= DIAG_NO_SOURCE)
		return DIAG_NO_SOURCE;
	s.name = arena_strndup(&d->arena, name, strlen(name));
	s.text = arena_strndup(&d->arena, text, n);
	if (s.name == NULL || s.text == NULL || !vec_push(&d->sources, s))
		return DIAG_NO_SOURCE;
	return (uint32_t)(d->sources.n - 1);
}

void diag_derive(struct diags *d, uint32_t source, struct diag_range origin)
{
	d->sources.at[source].derived = true;
	d->sources.at[source].origin = origin;
}

bool diag_is_derived(const struct diags *d, struct diag_range range)
{
	return range.source < d->sources.n && d->sources.at[range.source].derived;
}

/* Returns where a record of this severity points, instead of at `range`. */
static struct diag_range diag_place(const struct diags *d, enum diag_severity severity,
				    struct diag_range range)
{
	return severity == DIAG_WARNING && diag_is_derived(d, range)
		       ? d->sources.at[range.source].origin : range;
}

/* Returns the formatted message, in the arena. NULL: out of memory. */
static const char *format_message(struct diags *d, const char *format, va_list ap)
{
	va_list again;
	char *p;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (n < 0)
		return NULL;
	p = arena_alloc(&d->arena, (size_t)n + 1);
	if (p != NULL)
		vsnprintf(p, (size_t)n + 1, format, ap);
	return p;
}

static bool is_one_of(const char *const *codes, size_t n, const char *code)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(codes[i], code) == 0)
			return true;
	return false;
}

bool diag_is_error(const struct diags *d, const struct diag *r)
{
	return r->severity == DIAG_ERROR || d->werror ||
	       is_one_of(d->fatal.at, d->fatal.n, r->code);
}

/* Orders records by place, and at the same place by number. */
static int by_place(const void *x, const void *y)
{
	const struct diag *a = x, *b = y;

	return order_3(a->range.source, b->range.source, a->range.begin, b->range.begin,
		       a->number, b->number);
}

void diag_sort(struct diags *d)
{
	if (d->records.n > 1)
		qsort(d->records.at, d->records.n, sizeof *d->records.at, by_place);
}

size_t diag_report(struct diags *d, enum diag_severity severity, const char *code,
		   struct diag_range range, const char *format, ...)
{
	struct diag r = { .severity = severity,
			  .number = d->records.n,
			  .code = code,
			  .range = diag_place(d, severity, range) };
	va_list ap;

	if (severity == DIAG_WARNING && is_one_of(d->disabled.at, d->disabled.n, code))
		return SIZE_MAX;
	if (diag_is_error(d, &r)) {
		d->promoted += severity == DIAG_WARNING;
		if (++d->errors > MOST)
			return SIZE_MAX;
	} else if (++d->warnings > MOST) {
		return SIZE_MAX;
	}
	va_start(ap, format);
	r.message = format_message(d, format, ap);
	va_end(ap);
	if (r.message == NULL || !vec_push(&d->records, r)) {
		d->failed = true;
		return SIZE_MAX;
	}
	return d->records.n - 1;
}

void diag_take_back(struct diags *d, size_t at)
{
	if (at >= d->records.n)
		return;
	vec_free(&d->records.at[at].notes);
	d->records.n--;
	d->errors--;
	for (; at < d->records.n; at++) {
		d->records.at[at] = d->records.at[at + 1];
		d->records.at[at].number = at;
	}
}

static void add_note(struct diags *d, size_t at, struct diag_note note)
{
	if (note.message == NULL || !vec_push(&d->records.at[at].notes, note))
		d->failed = true;
}

void diag_note(struct diags *d, size_t at, struct diag_range range, const char *format, ...)
{
	struct diag_note note = { .message = NULL };
	va_list ap;

	if (at == SIZE_MAX)
		return;
	note.range = diag_place(d, d->records.at[at].severity, range);
	va_start(ap, format);
	note.message = format_message(d, format, ap);
	va_end(ap);
	add_note(d, at, note);
}

void diag_fixit(struct diags *d, size_t at, struct diag_range range, const char *replacement,
		const char *format, ...)
{
	struct diag_note note = { .range = range };
	va_list ap;

	if (at == SIZE_MAX)
		return;
	va_start(ap, format);
	note.message = format_message(d, format, ap);
	va_end(ap);
	note.replacement = arena_strndup(&d->arena, replacement, strlen(replacement));
	if (note.replacement == NULL)
		note.message = NULL;
	add_note(d, at, note);
}

static size_t min3(size_t a, size_t b, size_t c)
{
	size_t m = a < b ? a : b;

	return m < c ? m : c;
}

static unsigned char lower(char c)
{
	return (unsigned char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static size_t letter_distance(char a, char b)
{
	return a == b ? 0 : lower(a) == lower(b) ? 1 : EDIT;
}

/* Returns the edit distance of a and b, where an edit counts EDIT, and two swapped neighbours are
 * one edit. If the distance is more than `most`, returns some number above `most`. Both strings
 * have at most NEAREST_LENGTH bytes. */
static size_t distance(const char *a, size_t na, const char *b, size_t nb, size_t most)
{
	size_t rows[3][NEAREST_LENGTH + 1];
	size_t *before = rows[0], *last = rows[1], *row = rows[2];

	for (size_t j = 0; j <= nb; j++)
		last[j] = j * EDIT;
	for (size_t i = 1; i <= na; i++) {
		size_t least = row[0] = i * EDIT, *spare = before;

		for (size_t j = 1; j <= nb; j++) {
			row[j] = min3(last[j] + EDIT, row[j - 1] + EDIT,
				      last[j - 1] + letter_distance(a[i - 1], b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = min3(row[j], row[j], before[j - 2] + EDIT);
			if (row[j] < least)
				least = row[j];
		}
		if (least > most)
			return most + 1;
		before = last;
		last = row;
		row = spare;
	}
	return last[nb];
}

const char *diag_nearest(const char *name, size_t n, const char *(*next)(void *ctx), void *ctx)
{
	size_t edits = n / 3 > 1 ? n / 3 : 1, most = edits * EDIT;
	const char *best = NULL, *c;

	/* A name of one letter would be near to every other one. */
	if (n < 2 || n > NEAREST_LENGTH)
		return NULL;
	for (int i = 0; i < NEAREST_CANDIDATES && (c = next(ctx)) != NULL; i++) {
		size_t nc = strnlen(c, NEAREST_LENGTH + 1), x;

		if (nc > NEAREST_LENGTH || nc > n + edits || n > nc + edits)
			continue;
		x = distance(name, n, c, nc, most);
		/* Only a nearer candidate replaces the best one. So the first of equally near
		 * candidates stays. */
		if (x < most || (x == most && best == NULL)) {
			best = c;
			most = x;
		}
	}
	return best;
}
