/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * How long answers took: for each rule for pairs a histogram, its median and its 99th percentile.
 * Where latencies differ little, bins are equally wide; else each power of two has four bins.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "tools/nfaplot/plot.h"

enum { BINS = 60, SPREAD = 100 };

/* How latencies are put into bins. */
struct bins {
	uint64_t width; /* the width of each bin, in cycles; 0: bins of powers of two */
};

static bool prepare(struct plot *x)
{
	x->latency = latency_new(x->p, LATENCY_BY_PAIR, 0);
	return x->latency != NULL;
}

static bool take(struct plot *x, const struct nfart_pair *pair)
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

/* Appends the bins of a group that are not empty: begin, end, number of pairs. On a logarithmic
 * axis a bin that begins at 0 begins at one half. */
static void add_bins(struct plot *x, const struct latency_group *g, struct bins bins)
{
	size_t n, i = 0;
	const struct latency_count *c = latency_counts(x->latency, g, &n);

	while (i < n) {
		uint64_t begin = bin_begin(bins, c[i].latency), end = bin_end(bins, c[i].latency),
			 sum = 0;
		for (; i < n && c[i].latency < end; i++)
			sum += c[i].n;
		buf_addf(&x->script, "%.12g %" PRIu64 " %" PRIu64 "\n",
			 begin == 0 && bins.width == 0 ? 0.5 : (double)begin, end, sum);
	}
}

/* Appends a line at a percentile of a group. `dash` is its kind, as gnuplot knows it. */
static void mark(struct plot *x, const struct latency_group *g, unsigned percent, const char *dash)
{
	uint64_t at = latency_percentile(x->latency, g, percent);

	buf_addf(&x->script, "set arrow from %.12g, graph 0 to %.12g, graph 1 nohead front lw 1.5 "
			     "dt %s lc rgb '%s'\n",
		 at == 0 ? 0.5 : (double)at, at == 0 ? 0.5 : (double)at, dash,
		 script_colour(g->rule));
}

/* Appends the title of a group: its name and its numbers. */
static void title(struct plot *x, const struct latency_group *g)
{
	struct buf t = { 0 };

	buf_addf(&t, "%s: %" PRIu64 ", median %" PRIu64 ", p99 %" PRIu64,
		 x->p->pairs[g->rule].name, g->n, latency_percentile(x->latency, g, 50),
		 latency_percentile(x->latency, g, 99));
	script_quote(&x->script, t.at != NULL ? t.at : "");
	x->script.failed |= t.failed;
	buf_free(&t);
}

static const char *draw(struct plot *x)
{
	struct buf *b = &x->script;
	const struct latency_group *g;
	uint64_t least = UINT64_MAX, most = 0;
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
		add_bins(x, &g[i], bins);
		buf_addf(b, "END\n");
		mark(x, &g[i], 50, "solid");
		mark(x, &g[i], 99, "(8,6)");
	}
	script_margins(x, 80, 20, 46, 70);
	buf_addf(b, "set xlabel 'latency (cycles); lines: median, 99th percentile (dashed)' "
		    "offset 0,0.4\n"
		    "set ylabel 'answered requests'\n%s%s\n",
		 bins.width == 0 ? "set logscale x\n" : "",
		 x->o->log ? "set logscale y\nset yrange [0.5:*]" : "set yrange [0:*]");
	for (size_t i = 0; i < n; i++) {
		buf_addf(b, "%s$pair%zu using 1:3:1:2:(%s):3 with boxxyerror fc rgb '%s' "
			    "fs solid 0.3 border lc rgb '%s' title ",
			 i == 0 ? "plot " : ", \\\n", i, x->o->log ? "0.5" : "0",
			 script_colour(g[i].rule), script_colour(g[i].rule));
		title(x, &g[i]);
	}
	buf_addf(b, "\n");
	return NULL;
}

const struct plot_form_of plot_histogram = {
	.title = "Latency of answers",
	.width = 900, .height = 440,
	.pairs = true,
	.prepare = prepare, .pair = take, .draw = draw,
};
