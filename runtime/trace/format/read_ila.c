/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads the CSV that Vivado's logic analyser exports (nfacc-trace(5)). A row of signal names and a
 * row of radixes come first, then a ring of rows. Rows with dump_1 = 1 and a time above 0 are
 * samples.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/trace/format/ring.h"

enum column { DATA, VC, SOURCE, TIME, VALID, LOST, COLUMNS };

/* The words in which the names of signals must end. What stands before them differs from design to
 * design. */
static const char *const parts[COLUMNS] = {
	[DATA] = "event_data", [VC] = "event_vc",  [SOURCE] = "src",
	[TIME] = "ts",         [VALID] = "dump_1", [LOST] = "sampleLost",
};

enum { HEADER_ROWS = 2 };

struct cell {
	const char *at, *end;
};

struct ila {
	struct ring ring;
	struct source_map map;
	size_t column[COLUMNS]; /* [column]: which cell of a row it is, counted from 0 */
	unsigned radix[COLUMNS];
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Takes the cell at *p, without the blanks around it. *p moves past the comma after it, or becomes
 * NULL after the last cell. */
static struct cell take_cell(const char **p, const char *end)
{
	const char *comma = memchr(*p, ',', (size_t)(end - *p));
	struct cell c = { *p, comma != NULL ? comma : end };

	*p = comma != NULL ? comma + 1 : NULL;
	while (c.at < c.end && is_blank(*c.at))
		c.at++;
	while (c.at < c.end && is_blank(c.end[-1]))
		c.end--;
	return c;
}

/* ---- the header rows ---- */

/* Does the name in c end in the word `part`? A `[bits]` after the name does not count. */
static bool names_signal(struct cell c, const char *part)
{
	const char *bracket = memchr(c.at, '[', (size_t)(c.end - c.at));
	size_t n = strlen(part), have;
	char before;

	if (bracket != NULL)
		c.end = bracket;
	have = (size_t)(c.end - c.at);
	if (have < n || memcmp(c.end - n, part, n) != 0)
		return false;
	before = have == n ? '/' : c.end[-(ptrdiff_t)n - 1];
	return before == '/' || before == '_' || before == '.';
}

static int find_columns(struct ila *ila, struct reader_line *l)
{
	const char *p = l->at, *end = l->at + l->n;
	bool found[COLUMNS] = { false };

	for (size_t i = 0; p != NULL; i++) {
		struct cell c = take_cell(&p, end);
		for (int k = 0; k < COLUMNS; k++) {
			if (!names_signal(c, parts[k]))
				continue;
			if (found[k])
				return reader_line_fail(l, c.at, "a second column '%s'", parts[k]);
			found[k] = true;
			ila->column[k] = i;
		}
	}
	for (int k = 0; k < COLUMNS; k++)
		if (!found[k])
			return reader_line_fail(l, l->at, "no column's name ends in '%s'",
						parts[k]);
	return 0;
}

static bool is_word(struct cell c, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(c.end - c.at) == n && memcmp(c.at, word, n) == 0;
}

static int find_radixes(struct ila *ila, struct reader_line *l)
{
	const char *p = l->at, *end = l->at + l->n;

	for (size_t i = 0; p != NULL; i++) {
		struct cell c = take_cell(&p, end);
		for (int k = 0; k < COLUMNS; k++) {
			if (ila->column[k] != i)
				continue;
			ila->radix[k] = is_word(c, "HEX") ? 16 : is_word(c, "UNSIGNED") ? 10 : 0;
			if (ila->radix[k] == 0)
				return reader_line_fail(l, c.at, "expected radix HEX or UNSIGNED");
		}
	}
	for (int k = 0; k < COLUMNS; k++)
		if (ila->radix[k] == 0)
			return reader_line_fail(l, end, "no radix for column '%s'", parts[k]);
	return 0;
}

/* ---- samples ---- */

static unsigned digit_value(char c)
{
	return c >= '0' && c <= '9' ? (unsigned)(c - '0') :
	       c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 :
	       c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10 :
				      16;
}

static bool cell_value(struct cell c, unsigned radix, uint64_t *x)
{
	*x = 0;
	for (const char *p = c.at; p < c.end; p++) {
		unsigned d = digit_value(*p);
		if (d >= radix || *x > (UINT64_MAX - d) / radix)
			return false;
		*x = *x * radix + d;
	}
	return c.at < c.end;
}

static int parse_row(const struct ila *ila, struct reader_line *l, uint64_t value[COLUMNS])
{
	const char *p = l->at, *end = l->at + l->n;
	unsigned found = 0;

	for (size_t i = 0; p != NULL; i++) {
		struct cell c = take_cell(&p, end);
		for (int k = 0; k < COLUMNS; k++) {
			if (ila->column[k] != i)
				continue;
			found++;
			if (!cell_value(c, ila->radix[k], &value[k]))
				return reader_line_fail(l, c.at, "no 64-bit number in '%s'",
							parts[k]);
		}
	}
	if (found != COLUMNS)
		return reader_line_fail(l, end, "this row has fewer cells than the first");
	return 0;
}

static int ila_take(struct nfart_reader *r, struct ring_row *row, struct nfart_error *e)
{
	static const struct source unknown = { .known = false };
	struct ila *ila = r->state;
	struct reader_line l = { .r = r, .e = e, .number = ila->ring.file.next + 1 + HEADER_ROWS };
	uint64_t value[COLUMNS];
	const struct source *s;
	char what[256];
	int channel, got = reader_line_take(&l);

	if (got != 1)
		return got;
	ila->ring.file.next++;
	*row = (struct ring_row){ .sample = false };
	if (l.n == 0 || (l.n == 1 && *l.at == '\r'))
		return 1;
	if (parse_row(ila, &l, value) < 0)
		return -1;
	row->gap = value[LOST] != 0;
	row->lost = NFART_LOST_UNKNOWN;
	row->sample = value[VALID] == 1 && value[TIME] != 0;
	if (!row->sample)
		return 1;
	row->time = value[TIME];
	row->header = value[DATA];
	s = value[SOURCE] < SOURCE_COUNT ? &ila->map.sources[value[SOURCE]] : &unknown;
	channel = value[VC] <= INT16_MAX ? (int)value[VC] : INT_MAX;
	if (!source_resolve(r->proto, s, channel, row, what, sizeof what))
		return reader_line_fail(&l, l.at, "%s", what);
	return 1;
}

bool detect_ila(const unsigned char *p, size_t n)
{
	static const char first[] = "Sample in Buffer,";

	return n >= sizeof first - 1 && memcmp(p, first, sizeof first - 1) == 0;
}

bool read_ila_open(struct nfart_reader *r, struct nfart_error *e)
{
	struct ila *ila = r->state = calloc(1, sizeof *ila);
	struct reader_line l = { .r = r, .e = e };

	if (ila == NULL) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return false;
	}
	if (!source_map_read(&ila->map, r->proto, &r->o, e))
		return false;
	ila->ring.take = ila_take;
	for (l.number = 1; l.number <= HEADER_ROWS; l.number++) {
		int got = reader_line_take(&l);
		if (got == 0) {
			l.at = "";
			l.n = 0;
			reader_line_fail(&l, l.at, "expected two header rows, then samples");
		}
		if (got != 1 ||
		    (l.number == 1 ? find_columns(ila, &l) : find_radixes(ila, &l)) < 0)
			return false;
	}
	return ring_open(r, &ila->ring, e);
}
