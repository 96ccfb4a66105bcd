/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/stats/timeline.h"

#include <stdlib.h>

/* The value of a row in a column. */
struct value {
	uint64_t sum, most;
};

struct timeline {
	size_t rows, most_columns;
	bool begun;
	uint64_t begin;        /* the time at which column 0 begins */
	int shift;             /* a column has 1 << shift cycles */
	size_t columns;        /* how many columns there are */
	struct value values[]; /* [rows * most_columns]: the columns of row 0, those of row 1, … */
};

struct timeline *timeline_new(size_t rows, size_t columns)
{
	struct timeline *t = calloc(1, sizeof *t + rows * columns * sizeof t->values[0]);

	if (t == NULL)
		return NULL;
	t->rows = rows;
	t->most_columns = columns;
	return t;
}

void timeline_free(struct timeline *t)
{
	free(t);
}

static void add_value(struct value *to, const struct value *from)
{
	to->sum += from->sum;
	if (from->most > to->most)
		to->most = from->most;
}

void timeline_widen(struct timeline *t)
{
	for (size_t row = 0; row < t->rows; row++) {
		struct value *v = t->values + row * t->most_columns;
		for (size_t i = 0; i < t->columns; i++) {
			struct value x = v[i];
			v[i] = (struct value){ 0, 0 };
			add_value(&v[i / 2], &x);
		}
	}
	t->columns = (t->columns + 1) / 2;
	t->shift++;
}

/* Returns the column of a time, and makes columns wider until there is one. */
static size_t column_of(struct timeline *t, uint64_t time)
{
	if (!t->begun)
		t->begin = time;
	t->begun = true;
	while ((time - t->begin) >> t->shift >= t->most_columns)
		timeline_widen(t);
	size_t i = (size_t)((time - t->begin) >> t->shift);
	if (i >= t->columns)
		t->columns = i + 1;
	return i;
}

void timeline_add(struct timeline *t, size_t row, uint64_t time, uint64_t n)
{
	size_t i = column_of(t, time);

	t->values[row * t->most_columns + i].sum += n;
}

void timeline_hold(struct timeline *t, size_t row, uint64_t from, uint64_t to, uint64_t level)
{
	size_t last;

	if (from >= to)
		return;
	/* Finding the columns may make all of them wider, so the last one is found first. */
	column_of(t, from);
	last = column_of(t, to - 1);
	for (size_t i = column_of(t, from); i <= last; i++) {
		uint64_t begin = timeline_time(t, i), end = begin + timeline_width(t);
		uint64_t cycles = (to < end ? to : end) - (from > begin ? from : begin);
		struct value x = { cycles * level, level };
		add_value(&t->values[row * t->most_columns + i], &x);
	}
}

void timeline_merge(struct timeline *t, size_t to, size_t from)
{
	for (size_t i = 0; i < t->columns; i++) {
		struct value *v = &t->values[from * t->most_columns + i];
		add_value(&t->values[to * t->most_columns + i], v);
		*v = (struct value){ 0, 0 };
	}
}

void timeline_add_row(struct timeline *t, size_t row, struct timeline *from, size_t from_row)
{
	if (!from->begun)
		return;
	if (!t->begun)
		t->begin = from->begin;
	t->begun = true;
	while (t->shift < from->shift)
		timeline_widen(t);
	while (from->shift < t->shift)
		timeline_widen(from);
	t->columns = from->columns > t->columns ? from->columns : t->columns;
	for (size_t i = 0; i < from->columns; i++)
		add_value(&t->values[row * t->most_columns + i],
			  &from->values[from_row * from->most_columns + i]);
}

uint64_t timeline_time(const struct timeline *t, size_t i)
{
	return t->begin + ((uint64_t)i << t->shift);
}

uint64_t timeline_width(const struct timeline *t)
{
	return (uint64_t)1 << t->shift;
}

size_t timeline_columns(const struct timeline *t)
{
	return t->columns;
}

uint64_t timeline_sum(const struct timeline *t, size_t row, size_t i)
{
	return t->values[row * t->most_columns + i].sum;
}

uint64_t timeline_most(const struct timeline *t, size_t row, size_t i)
{
	return t->values[row * t->most_columns + i].most;
}
