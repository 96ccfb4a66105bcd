/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Requests that are open over time: their mean in each column, of each rule for pairs, and the most
 * that were open at once.
 */
#include <stdlib.h>

#include "runtime/pairs/pairs.h"
#include "tools/nfaplot/plot.h"

enum { COLUMNS = 250 };

static bool plot_in_flight_prepare(struct plot *x)
{
	x->timeline = timeline_new(x->p->names.npairs + 1,
				   x->o->most.columns != 0 ? x->o->most.columns : COLUMNS);
	x->open.count = calloc((size_t)x->p->names.npairs + 1, sizeof *x->open.count);
	return x->timeline != NULL && x->open.count != NULL;
}

/* Counts the cycles up to `time`, in which as many requests were open as are now. Nothing is open
 * before the first record. */
static void plot_in_flight_count(struct plot *x, uint64_t time)
{
	uint64_t since = x->open.known ? x->open.since : x->first;

	for (uint32_t i = 0; i <= x->p->names.npairs; i++)
		timeline_hold(x->timeline, i, since, time, x->open.count[i]);
	x->open.known = true;
	x->open.since = time;
}

static bool plot_in_flight_take(struct plot *x, const struct nfart_pair *pair)
{
	bool asked = pair->outcome == PAIRS_ASKED;
	uint64_t time = asked ? pair->time : pair->answer_time;
	uint32_t all = x->p->names.npairs;

	/* What is open at the end stays open. */
	if (pair->outcome == NFART_PAIR_UNASKED || pair->outcome == NFART_PAIR_OPEN)
		return true;
	if (!x->open.known || time > x->open.since)
		plot_in_flight_count(x, time);
	x->open.count[pair->rule] += asked ? 1 : UINT64_MAX;
	x->open.count[all] += asked ? 1 : UINT64_MAX;
	return true;
}

/* Appends a row for each column: its time, the most open requests, and the mean of those of each
 * rule and of all. A last row repeats the last column at its end. */
static void data(struct plot *x)
{
	const struct timeline *t = x->timeline;
	uint32_t all = x->p->names.npairs;
	size_t n = timeline_columns(t);

	buf_addf(&x->script, "$open << END\n");
	for (size_t i = 0; i <= n; i++) {
		size_t column = i < n ? i : n - 1;
		uint64_t begin = timeline_time(t, column), end = begin + timeline_width(t);
		if (end > x->last + 1)
			end = x->last + 1;
		buf_addf(&x->script, "%.12g %.6g", script_time(x, i < n ? begin : end),
			 (double)timeline_most(t, all, column));
		for (uint32_t k = 0; k <= all; k++)
			buf_addf(&x->script, " %.6g",
				 (double)timeline_sum(t, k, column) / (double)(end - begin));
		buf_addf(&x->script, "\n");
	}
	buf_addf(&x->script, "END\n");
}

static const char *plot_in_flight_draw(struct plot *x)
{
	struct buf *b = &x->script;
	struct script_key key = { 0 };
	uint32_t rules = x->p->names.npairs;
	uint64_t most = 0;
	double high;

	if (x->begun)
		plot_in_flight_count(x, x->last + 1);
	if (timeline_columns(x->timeline) == 0)
		return "the trace is empty";
	data(x);
	script_key_add(&key, "most at once");
	if (rules > 1)
		script_key_add(&key, "all, mean");
	for (uint32_t k = 0; k < rules; k++)
		script_key_add(&key, x->p->names.pairs[k].name);
	script_head(x, &key, NULL);
	script_margins(x, 80, 20, x->layout.top, x->layout.bottom);
	script_time_axis(x, script_width(x) - 100);
	high = script_height(x) - x->layout.top - x->layout.bottom;
	script_ylabel(x, "open requests", high);
	for (size_t i = 0; i < timeline_columns(x->timeline); i++)
		if (timeline_most(x->timeline, rules, i) > most)
			most = timeline_most(x->timeline, rules, i);
	if (!x->o->picture.log)
		script_ticks(x, "y", (double)most, high, true);
	buf_addf(b, "%s\n", x->o->picture.log ? "set logscale y" : "set yrange [0:*]");
	buf_addf(b, "plot $open using 1:2 with fillsteps lc rgb '#999999' title 'most at once'");
	if (rules > 1)
		buf_addf(b, ", \\\n$open using 1:%u with steps lw 1 lc rgb '#555555' "
			    "title 'all, mean'", rules + 3);
	for (uint32_t k = 0; k < rules; k++) {
		buf_addf(b, ", \\\n$open using 1:%u with steps lw 1.5 lc rgb '%s' title ", k + 3,
			 script_colour(k));
		script_quote(b, x->p->names.pairs[k].name);
	}
	buf_addf(b, "\n");
	return NULL;
}

const struct plot_form_of plot_in_flight = {
	.title = "Requests in flight", .height = 400,
	.prepare = plot_in_flight_prepare, .pair = plot_in_flight_take, .asked = true,
	.draw = plot_in_flight_draw,
};
