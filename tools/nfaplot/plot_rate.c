/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Messages over time, of all groups and of each.
 *
 * The last column of the timeline ends with the trace, so it may be one cycle wide where others are
 * a thousand. A single message would look like a burst there, and none like a silence. So this
 * column is drawn as one with the column before it.
 */
#include <inttypes.h>

#include "tools/nfaplot/plot.h"

/* Unless the user says how many columns there are, a column has MEAN messages in the mean, if there
 * are more than FEW columns. */
enum { COLUMNS = 400, MEAN = 12, FEW = 60 };

static bool plot_rate_prepare(struct plot *x)
{
	x->timeline = timeline_new(x->p->names.ngroups,
				   x->o->most.columns != 0 ? x->o->most.columns : COLUMNS);
	return x->timeline != NULL;
}

static void plot_rate_put(struct plot *x, const struct nfart_batch *b)
{
	uint64_t slots = b->mask & (UINT64_MAX >> (64 - x->p->nslots));

	/* A loss record has no messages, but it belongs to the time of the stream. */
	timeline_add(x->timeline, 0, b->time, 0);
	for (; slots != 0; slots &= slots - 1)
		timeline_add(x->timeline, x->p->slots[__builtin_ctzll(slots)].group, b->time, 1);
}

static void plot_rate_join(struct plot *x, struct plot *part)
{
	for (size_t i = 0; i < x->p->names.ngroups; i++)
		timeline_add_row(x->timeline, i, part->timeline, i);
}

/* Returns how many columns are drawn. The last of them may be two columns of the timeline. */
static size_t drawn_columns(const struct plot *x)
{
	size_t n = timeline_columns(x->timeline);

	return n > 1 && timeline_time(x->timeline, n) - 1 > x->last ? n - 1 : n;
}

/* Returns how many cycles column i has that is drawn. */
static double cycles(const struct plot *x, size_t i)
{
	const struct timeline *t = x->timeline;

	if (i + 1 == drawn_columns(x))
		return (double)(x->last - timeline_time(t, i)) + 1;
	return (double)timeline_width(t);
}

/* Returns the messages of group k in column i that is drawn. */
static double messages(const struct plot *x, size_t k, size_t i)
{
	uint64_t sum = timeline_sum(x->timeline, k, i);

	if (i + 1 == drawn_columns(x) && i + 1 < timeline_columns(x->timeline))
		sum += timeline_sum(x->timeline, k, i + 1);
	return (double)sum;
}

static double messages_of_all(const struct plot *x, size_t i)
{
	double sum = 0;

	for (size_t k = 0; k < x->p->names.ngroups; k++)
		sum += messages(x, k, i);
	return sum;
}

static double all_messages(const struct plot *x)
{
	double sum = 0;

	for (size_t i = 0; i < drawn_columns(x); i++)
		sum += messages_of_all(x, i);
	return sum;
}

/* Appends a row for each column: its time, the messages of all groups and those of each group, each
 * in `in` cycles. A last row repeats the last column at its end. */
static void data(struct plot *x, double in)
{
	size_t n = drawn_columns(x);

	buf_addf(&x->script, "$rate << END\n");
	for (size_t i = 0; i <= n; i++) {
		size_t column = i < n ? i : n - 1;
		uint64_t time = i < n ? timeline_time(x->timeline, i) : x->last + 1;
		double part = in / cycles(x, column);
		buf_addf(&x->script, "%.12g %.6g", script_time(x, time),
			 messages_of_all(x, column) * part);
		for (size_t k = 0; k < x->p->names.ngroups; k++)
			buf_addf(&x->script, " %.6g", messages(x, k, column) * part);
		buf_addf(&x->script, "\n");
	}
	buf_addf(&x->script, "END\n");
}

/* Appends the upright axis. Returns in how many cycles messages are counted: 1,000, or so many more
 * that the highest number is 1 or more. */
static double rate_axis(struct plot *x, double length)
{
	static const char *const texts[] = { "messages in 1,000 cycles",
					     "messages in a million cycles",
					     "messages in a billion cycles",
					     "messages in a trillion cycles" };
	double most = 0, in = 1000;
	size_t i = 0;

	for (size_t k = 0; k < drawn_columns(x); k++) {
		double rate = messages_of_all(x, k) / cycles(x, k);
		most = rate > most ? rate : most;
	}
	for (; i + 1 < sizeof texts / sizeof texts[0] && most * in < 1; i++)
		in *= 1000;
	script_ylabel(x, texts[i], length);
	if (x->o->picture.log) {
		buf_addf(&x->script, "set logscale y\n");
	} else {
		script_ticks(x, "y", most * in, length, false);
		buf_addf(&x->script, "set yrange [0:*]\n");
	}
	return in;
}

static const char *plot_rate_draw(struct plot *x)
{
	struct buf *b = &x->script;
	struct script_key key = { 0 };
	double high;

	if (timeline_columns(x->timeline) == 0)
		return "the trace is empty";
	while (x->o->most.columns == 0 && timeline_columns(x->timeline) > FEW &&
	       all_messages(x) < (double)(MEAN * timeline_columns(x->timeline)))
		timeline_widen(x->timeline);
	script_key_add(&key, "all");
	for (size_t k = 0; k < x->p->names.ngroups && x->p->names.ngroups > 1; k++)
		script_key_add(&key, x->p->names.groups[k]);
	script_head(x, &key, NULL);
	script_margins(x, 80, 20, x->layout.top, x->layout.bottom);
	script_time_axis(x, script_width(x) - 100);
	high = script_height(x) - x->layout.top - x->layout.bottom;
	data(x, rate_axis(x, high));
	buf_addf(b, "plot $rate using 1:2 with fillsteps lc rgb '#999999' title 'all', \\\n"
		    "$rate using 1:2 with steps lw 1 lc rgb '#777777' notitle");
	for (size_t k = 0; k < x->p->names.ngroups && x->p->names.ngroups > 1; k++) {
		buf_addf(b, ", \\\n$rate using 1:%zu with steps lw 1.5 lc rgb '%s' title ", k + 3,
			 script_colour(k));
		script_quote(b, x->p->names.groups[k]);
	}
	buf_addf(b, "\n");
	return NULL;
}

const struct plot_form_of plot_rate = {
	.title = "Messages over time", .height = 400,
	.prepare = plot_rate_prepare, .put = plot_rate_put, .join = plot_rate_join,
	.draw = plot_rate_draw,
};
