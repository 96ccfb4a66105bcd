/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfarun/table.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/trace/format/text.h"

enum { HELD_BACK = 1 << 16 };

/* Appends what a cell says, without quotes. */
static void bare(struct buf *b, const struct cell *c)
{
	switch (c->kind) {
	case CELL_NONE:
		break;
	case CELL_TEXT:
		text_string(b, c->text);
		break;
	case CELL_NUMBER:
		text_decimal(b, c->number);
		break;
	case CELL_HEX:
		text_hex(b, c->number, 1);
		break;
	case CELL_REAL:
		buf_addf(b, "%.3f", c->real);
		break;
	}
}

static void add_blanks(struct buf *b, size_t n)
{
	static const char blanks[] = "                                        ";

	for (; n >= sizeof blanks; n -= sizeof blanks - 1)
		text_string(b, blanks);
	buf_add(b, blanks, n);
}

/* Appends n bytes from `from` on, in a column of text. The last column is not filled up. */
static void in_column(struct table *t, size_t i, const char *s, size_t n)
{
	size_t width = (size_t)abs(t->columns[i].width), blanks = width > n ? width - n : 0;

	if (n == 0 && i + 1 == t->ncolumns)
		return;
	if (i != 0)
		text_string(&t->out, "  ");
	if (t->columns[i].width > 0)
		add_blanks(&t->out, blanks);
	buf_add(&t->out, s, n);
	if (t->columns[i].width < 0 && i + 1 < t->ncolumns)
		add_blanks(&t->out, blanks);
}

/* Appends the name of the trace in its column of text, or the name of that column. */
static void trace_column(struct table *t, const char *s)
{
	size_t n = strlen(s);

	text_string(&t->out, s);
	add_blanks(&t->out, t->trace_width > n ? t->trace_width - n : 0);
	text_string(&t->out, "  ");
}

static void text_row(struct table *t, const struct cell *cells)
{
	struct buf *b = &t->cell;

	if (t->trace != NULL)
		trace_column(t, t->trace);
	for (size_t i = 0; i < t->ncolumns; i++) {
		b->n = 0;
		bare(b, &cells[i]);
		if (cells[i].kind == CELL_NONE)
			text_string(b, "-");
		in_column(t, i, b->at, b->n);
		t->out.failed |= b->failed;
	}
}

static void csv_row(struct table *t, const struct cell *cells)
{
	if (t->trace != NULL) {
		text_csv(&t->out, t->trace);
		text_string(&t->out, ",");
	}
	for (size_t i = 0; i < t->ncolumns; i++) {
		if (i != 0)
			text_string(&t->out, ",");
		if (cells[i].kind == CELL_TEXT)
			text_csv(&t->out, cells[i].text);
		else
			bare(&t->out, &cells[i]);
	}
}

static void json_row(struct table *t, const struct cell *cells)
{
	text_string(&t->out, "{");
	if (t->trace != NULL) {
		text_string(&t->out, "\"trace\":");
		text_json(&t->out, t->trace);
		text_string(&t->out, ",");
	}
	for (size_t i = 0; i < t->ncolumns; i++) {
		text_string(&t->out, i == 0 ? "" : ",");
		text_json(&t->out, t->columns[i].name);
		text_string(&t->out, ":");
		if (cells[i].kind == CELL_TEXT)
			text_json(&t->out, cells[i].text);
		if (cells[i].kind == CELL_HEX)
			text_string(&t->out, "\"");
		if (cells[i].kind == CELL_NONE)
			text_string(&t->out, "null");
		else if (cells[i].kind != CELL_TEXT)
			bare(&t->out, &cells[i]);
		if (cells[i].kind == CELL_HEX)
			text_string(&t->out, "\"");
	}
	text_string(&t->out, "}");
}

void table_begin(struct table *t, const struct column *columns, size_t ncolumns)
{
	bool on = t->trace != NULL && t->ncolumns != 0 && t->form == NFART_FORMAT_CSV;

	if (t->ncolumns != 0 && t->form != NFART_FORMAT_JSON && !on)
		text_string(&t->out, "\n");
	t->columns = columns;
	t->ncolumns = ncolumns;
	if (t->form == NFART_FORMAT_JSON || on)
		return;
	if (t->trace != NULL && t->form == NFART_FORMAT_TEXT)
		trace_column(t, "trace");
	else if (t->trace != NULL)
		text_string(&t->out, "trace,");
	for (size_t i = 0; i < ncolumns; i++) {
		if (t->form == NFART_FORMAT_TEXT)
			in_column(t, i, columns[i].name, strlen(columns[i].name));
		else
			buf_addf(&t->out, "%s%s", i != 0 ? "," : "", columns[i].name);
	}
	text_string(&t->out, "\n");
}

void table_row(struct table *t, const struct cell *cells)
{
	if (t->form == NFART_FORMAT_TEXT)
		text_row(t, cells);
	else if (t->form == NFART_FORMAT_CSV)
		csv_row(t, cells);
	else
		json_row(t, cells);
	text_string(&t->out, "\n");
	if (t->out.n >= HELD_BACK)
		table_flush(t);
}

bool table_flush(struct table *t)
{
	if (!t->out.failed && t->out.n != 0)
		fwrite(t->out.at, 1, t->out.n, t->f);
	t->out.n = 0;
	return !t->out.failed;
}

void table_free(struct table *t)
{
	buf_free(&t->out);
	buf_free(&t->cell);
}
