/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * table.h: writes a table row by row, as text for people, as CSV, or as a JSON object for each row.
 */
#ifndef NFART_NFARUN_TABLE_H
#define NFART_NFARUN_TABLE_H

#include <stdio.h>

#include "include/nfart.h"
#include "support/buf.h"

enum cell_kind {
	CELL_NONE,   /* `-` in text, empty in CSV, null in JSON */
	CELL_TEXT,
	CELL_NUMBER,
	CELL_HEX,    /* a string such as "0x80" in JSON */
	CELL_REAL    /* with three digits after the point */
};

struct cell {
	enum cell_kind kind;
	const char *text;
	uint64_t number;
	double real;
};

struct column {
	const char *name; /* a member of the object in JSON */
	int width;        /* in text at least; negative: cells stand at its left edge */
};

struct table {
	FILE *f;
	enum nfart_format form; /* text, CSV or JSON */
	/* If not NULL, the name of the trace that a row is of is its first cell, in a column that
	 * is trace_width wide in text. */
	const char *trace;
	size_t trace_width;
	const struct column *columns;
	size_t ncolumns;
	struct buf out;         /* what is not written yet */
	struct buf cell;        /* the cell that is written */
};

/* Begins a table: writes the names of the columns, in text and CSV. `f` and `form` must be set. A
 * table that follows another one in the same file is separated by an empty line; but in CSV a table
 * of a further trace goes on with that of the trace before. */
void table_begin(struct table *t, const struct column *columns, size_t ncolumns);

/* Appends a row: a cell for each column. */
void table_row(struct table *t, const struct cell *cells);

/* Writes what is held back. False: out of memory. An error of the file is left to its closing. */
bool table_flush(struct table *t);

/* Frees what the table has. What is held back is lost. */
void table_free(struct table *t);

static inline struct cell cell_none(void)
{
	return (struct cell){ .kind = CELL_NONE };
}

static inline struct cell cell_text(const char *s)
{
	return (struct cell){ .kind = CELL_TEXT, .text = s };
}

static inline struct cell cell_number(uint64_t n)
{
	return (struct cell){ .kind = CELL_NUMBER, .number = n };
}

static inline struct cell cell_hex(uint64_t n)
{
	return (struct cell){ .kind = CELL_HEX, .number = n };
}

static inline struct cell cell_real(double x)
{
	return (struct cell){ .kind = CELL_REAL, .real = x };
}

#endif
