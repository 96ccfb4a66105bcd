/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * timeline.h: what happened when, in columns of equal width, so that it fits into a picture. A
 * timeline has rows, for example one for each line, and each row has a value in each column. How
 * long the stream is need not be known: a column is one cycle wide at first, and when there are too
 * many columns, each two of them become one. So memory does not grow with the stream.
 */
#ifndef NFART_STATS_TIMELINE_H
#define NFART_STATS_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct timeline;

/* Makes an empty timeline with `rows` rows, at least 1, and at most `columns` columns, at least 2.
 * NULL: out of memory. Free with timeline_free(). */
struct timeline *timeline_new(size_t rows, size_t columns);
void timeline_free(struct timeline *t);

/* Adds n to the value of a row at a time. Times may not be earlier than the first time that the
 * timeline was given. */
void timeline_add(struct timeline *t, size_t row, uint64_t time, uint64_t n);

/* Takes note that a row had the level `level` in every cycle from `from` to `to` - 1. For each of
 * these cycles the level is added to the value of the cycle's column; and each column keeps its
 * highest level. */
void timeline_hold(struct timeline *t, size_t row, uint64_t from, uint64_t to, uint64_t level);

/* Adds all values of row `from` to those of row `to`, and makes row `from` empty. */
void timeline_merge(struct timeline *t, size_t to, size_t from);

/* Adds the values of row `from_row` of another timeline to those of a row. Both timelines have the
 * same most columns and were given the same first time. Either may become wider. */
void timeline_add_row(struct timeline *t, size_t row, struct timeline *from, size_t from_row);

/* Makes columns twice as wide. */
void timeline_widen(struct timeline *t);

/* Returns the time at which column i begins; i may be the number of columns. */
uint64_t timeline_time(const struct timeline *t, size_t i);

/* timeline_width() returns how many cycles a column has, and timeline_columns() how many columns
 * there are up to the last one that was given a value. */
uint64_t timeline_width(const struct timeline *t);
size_t timeline_columns(const struct timeline *t);

/* timeline_sum() returns the value of a row in column i, and timeline_most() the highest level that
 * timeline_hold() was given for it. */
uint64_t timeline_sum(const struct timeline *t, size_t row, size_t i);
uint64_t timeline_most(const struct timeline *t, size_t row, size_t i);

#endif
