/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Messages over time, of all groups and of each.
 */
#include <inttypes.h>

#include "tools/nfaplot/plot.h"

/* Unless the user says how many columns there are, a column has MEAN messages in the mean, if there
 * are more than FEW columns. */
enum { COLUMNS = 400, MEAN = 12, FEW = 60 };

static bool prepare(struct plot *x)
{
	x->timeline = timeline_new(x->p->ngroups, x->o->columns != 0 ? x->o->columns : COLUMNS);
	return x->timeline != NULL;
}

static void put(struct plot *x, const struct nfart_batch *b)
{
	uint64_t slots = b->mask & (UINT64_MAX >> (64 - x->p->nslots));

	/* A loss record has no messages, but it belongs to the time of the stream. */
	timeline_add(x->timeline, 0, b->time, 0);
	for (; slots != 0; slots &= slots - 1)
		timeline_add(x->timeline, x->p->slots[__builtin_ctzll(slots)].group, b->time, 1);
}

/* Appends a row for each column: its time, the messages of all groups and those of each group, each
 * in 1,000 cycles. A last row repeats the last column at its end. */
static void data(struct plot *x)
{
	const struct timeline *t = x->timeline;
	size_t n = timeline_columns(t);

	buf_addf(&x->script, "$rate << END\n");
	for (size_t i = 0; i <= n; i++) {
		size_t column = i < n ? i : n - 1;
		uint64_t begin = timeline_time(t, column), end = begin + timeline_width(t);
		double cycles = (double)((end > x->last ? x->last + 1 : end) - begin), sum = 0;
		for (size_t k = 0; k < x->p->ngroups; k++)
			sum += (double)timeline_sum(t, k, column);
		buf_addf(&x->script, "%.12g %.6g",
			 script_time(x, i < n ? begin : x->last + 1), sum * 1000 / cycles);
		for (size_t k = 0; k < x->p->ngroups; k++)
			buf_addf(&x->script, " %.6g",
				 (double)timeline_sum(t, k, column) * 1000 / cycles);
		buf_addf(&x->script, "\n");
	}
	buf_addf(&x->script, "END\n");
}

static uint64_t messages(const struct plot *x)
{
	uint64_t sum = 0;

	for (size_t k = 0; k < x->p->ngroups; k++)
		for (size_t i = 0; i < timeline_columns(x->timeline); i++)
			sum += timeline_sum(x->timeline, k, i);
	return sum;
}

static const char *draw(struct plot *x)
{
	struct buf *b = &x->script;

	if (timeline_columns(x->timeline) == 0)
		return "the trace is empty";
	while (x->o->columns == 0 && timeline_columns(x->timeline) > FEW &&
	       messages(x) < MEAN * timeline_columns(x->timeline))
		timeline_widen(x->timeline);
	data(x);
	script_margins(x, 70, 20, 46, 70);
	script_time_axis(x);
	buf_addf(b, "set ylabel 'messages in 1,000 cycles'\n%s\n",
		 x->o->log ? "set logscale y" : "set yrange [0:*]");
	buf_addf(b, "plot $rate using 1:2 with fillsteps lc rgb '#999999' title 'all', \\\n"
		    "$rate using 1:2 with steps lw 1 lc rgb '#777777' notitle");
	for (size_t k = 0; k < x->p->ngroups && x->p->ngroups > 1; k++) {
		buf_addf(b, ", \\\n$rate using 1:%zu with steps lw 1.5 lc rgb '%s' title ", k + 3,
			 script_colour(k));
		script_quote(b, x->p->groups[k]);
	}
	buf_addf(b, "\n");
	return NULL;
}

const struct plot_form_of plot_rate = {
	.title = "Messages over time",
	.width = 900, .height = 400,
	.prepare = prepare, .put = put, .draw = draw,
};
