/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * How long answers took: for each rule for pairs a histogram, its median and its 99th percentile.
 * Where latencies differ little, bins are equally wide; else each power of two has four bins. The
 * bars of the rules stand side by side in a bin, so that none hides another.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "tools/nfaplot/plot.h"

enum { BINS = 60, SPREAD = 100 };

/* How latencies are put into bins. */
struct bins {
	uint64_t width; /* the width of each bin, in cycles; 0: bins of powers of two */
};

static bool plot_histogram_prepare(struct plot *x)
{
	x->latency = latency_new(x->p, LATENCY_BY_PAIR, 0);
	return x->latency != NULL;
}

static bool plot_histogram_take(struct plot *x, const struct nfart_pair *pair)
{
	return pair->outcome != NFART_PAIR_ANSWERED || latency_add(x->latency, pair);
}

/* Chooses bins for latencies from `least` to `most`. A width is 1, 2 or 5, or ten times one of
 * these, and so on. */
static struct bins choose_bins(uint64_t least, uint64_t most)
{
	struct bins bins = { 1 };

	if (most / SPREAD > least)
		return (struct bins){ 0 };
	for (uint64_t ten = 1, k = 0; (most - least) / bins.width >= BINS; k++) {
		static const uint64_t steps[] = { 2, 5, 10 };
		bins.width = ten * steps[k % 3];
		if (k % 3 == 2)
			ten = bins.width;
	}
	return bins;
}

static uint64_t bin_begin(struct bins bins, uint64_t latency)
{
	return bins.width == 0 ? latency_bin_begin(latency) : latency - latency % bins.width;
}

static uint64_t bin_end(struct bins bins, uint64_t latency)
{
	return bins.width == 0 ? latency_bin_end(latency) : bin_begin(bins, latency) + bins.width;
}

/* Returns where the i-th of n equal parts of a bin begins. On a logarithmic axis a bin that begins
 * at 0 begins at one half. Parts don't look quite equal there, but a bin is narrow. */
static double part(struct bins bins, uint64_t begin, uint64_t end, size_t i, size_t n)
{
	double from = begin == 0 && bins.width == 0 ? 0.5 : (double)begin;

	return from + ((double)end - from) * (double)i / (double)n;
}

/* Appends the bars of group `number` of `groups`, for bins that are not empty: begin, end, number
 * of pairs. Returns the highest number. */
static uint64_t add_bars(struct plot *x, size_t number, size_t groups, struct bins bins)
{
	size_t n, i = 0, ngroups;
	const struct latency_group *g = latency_groups(x->latency, &ngroups) + number;
	const struct latency_count *c = latency_counts(x->latency, g, &n);
	uint64_t most = 0;

	while (i < n) {
		uint64_t begin = bin_begin(bins, c[i].latency), end = bin_end(bins, c[i].latency),
			 sum = 0;
		for (; i < n && c[i].latency < end; i++)
			sum += c[i].n;
		buf_addf(&x->script, "%.12g %.12g %" PRIu64 "\n",
			 part(bins, begin, end, number, groups),
			 part(bins, begin, end, number + 1, groups), sum);
		most = sum > most ? sum : most;
	}
	return most;
}

/* Appends a line at a percentile of a group. `dash` is its kind, as gnuplot knows it. */
static void plot_histogram_mark(struct plot *x, const struct latency_group *g, unsigned percent,
				const char *dash)
{
	uint64_t at = latency_percentile(x->latency, g, percent);

	buf_addf(&x->script, "set arrow from %.12g, graph 0 to %.12g, graph 1 nohead front lw 1.5 "
			     "dt %s lc rgb '%s'\n",
		 at == 0 ? 0.5 : (double)at, at == 0 ? 0.5 : (double)at, dash,
		 script_colour(g->rule));
}

/* Appends the title of a group: its name and its numbers. */
static void title(struct plot *x, const struct latency_group *g, struct buf *t)
{
	buf_addf(t, "%s: %" PRIu64 ", median %" PRIu64 ", p99 %" PRIu64,
		 x->p->names.pairs[g->rule].name, g->n, latency_percentile(x->latency, g, 50),
		 latency_percentile(x->latency, g, 99));
	x->script.failed |= t->failed;
}

/* Appends title, key and axes; the highest bar is of `most` pairs. Latencies are from `first` to
 * `last`. */
static void frame(struct plot *x, struct bins bins, uint64_t first, uint64_t last, uint64_t most)
{
	struct buf *b = &x->script;
	struct script_key key = { 0 };
	double high, wide = script_width(x) - 100;
	size_t n;
	const struct latency_group *g = latency_groups(x->latency, &n);

	for (size_t i = 0; i < n; i++) {
		struct buf t = { 0 };
		title(x, &g[i], &t);
		script_key_add(&key, t.at != NULL ? t.at : "");
		buf_free(&t);
	}
	script_head(x, &key, NULL);
	script_margins(x, 80, 20, x->layout.top, x->layout.bottom);
	high = script_height(x) - x->layout.top - x->layout.bottom;
	script_xlabel(x, "latency (cycles); lines: median, 99th percentile (dashed)", wide);
	script_ylabel(x, "answered requests", high);
	if (bins.width == 0)
		buf_addf(b, "set logscale x\nset format x '%%g'\n");
	else
		script_ticks(x, "x", (double)(last - first + bins.width), wide, true);
	if (x->o->picture.log)
		buf_addf(b, "set logscale y\nset yrange [0.5:*]\n");
	else
		script_ticks(x, "y", (double)most, high, true);
	buf_addf(b, "%s", x->o->picture.log ? "" : "set yrange [0:*]\n");
}

static const char *plot_histogram_draw(struct plot *x)
{
	struct buf *b = &x->script;
	const struct latency_group *g;
	uint64_t least = UINT64_MAX, most = 0, highest = 0;
	struct bins bins;
	size_t n;

	if (!latency_finish(x->latency)) {
		b->failed = true;
		return NULL;
	}
	g = latency_groups(x->latency, &n);
	if (n == 0)
		return "no request has an answer";
	for (size_t i = 0; i < n; i++) {
		least = g[i].least < least ? g[i].least : least;
		most = g[i].most > most ? g[i].most : most;
	}
	bins = choose_bins(least, most);
	for (size_t i = 0; i < n; i++) {
		buf_addf(b, "$pair%zu << END\n", i);
		uint64_t high = add_bars(x, i, n, bins);
		highest = high > highest ? high : highest;
		buf_addf(b, "END\n");
		plot_histogram_mark(x, &g[i], 50, "solid");
		plot_histogram_mark(x, &g[i], 99, "(8,6)");
	}
	frame(x, bins, least, most, highest);
	for (size_t i = 0; i < n; i++) {
		struct buf t = { 0 };
		title(x, &g[i], &t);
		buf_addf(b, "%s$pair%zu using 1:3:1:2:(%s):3 with boxxyerror fc rgb '%s' "
			    "fs solid 0.3 border lc rgb '%s' title ",
			 i == 0 ? "plot " : ", \\\n", i, x->o->picture.log ? "0.5" : "0",
			 script_colour(g[i].rule), script_colour(g[i].rule));
		script_quote(b, t.at != NULL ? t.at : "");
		buf_free(&t);
	}
	buf_addf(b, "\n");
	return NULL;
}

const struct plot_form_of plot_histogram = {
	.title = "Latency of answers", .height = 440,
	.prepare = plot_histogram_prepare, .pair = plot_histogram_take, .draw = plot_histogram_draw,
};
