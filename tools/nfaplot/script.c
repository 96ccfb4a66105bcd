/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <inttypes.h>
#include <string.h>

#include "config.h"
#include "tools/nfaplot/plot.h"

enum { LABEL_PIXELS = 17 }; /* the least distance of labels on an upright axis */

const char *script_colour(size_t i)
{
	/* The palette of Okabe and Ito. */
	static const char *const colours[] = { "#0072b2", "#e69f00", "#009e73", "#cc79a7",
					       "#56b4e9", "#d55e00", "#7a6a00", "#555555" };

	return colours[i % (sizeof colours / sizeof colours[0])];
}

uint32_t script_width(const struct plot *x)
{
	return x->o->width != 0 ? x->o->width : plot_forms[x->o->kind]->width;
}

uint32_t script_height(const struct plot *x)
{
	return x->o->height != 0 ? x->o->height : plot_forms[x->o->kind]->height;
}

void script_quote(struct buf *b, const char *s)
{
	size_t left = strlen(s), n;

	buf_add(b, "'", 1);
	for (; left != 0; s += n, left -= n) {
		n = buf_utf8(s, left);
		if (n == 0 || (unsigned char)*s < 0x20 || *s == 0x7f)
			buf_add(b, "?", n = 1);
		else if (*s == '\'')
			buf_add(b, "''", 2);
		else
			buf_add(b, s, n);
	}
	buf_add(b, "'", 1);
}

/* ---- the axis of time ---- */

/* Chooses unit and origin of the axis. A trace whose first time is large beside its length begins
 * at 0. */
static void choose_axis(struct plot *x)
{
	uint64_t span = x->last - x->first, end;

	x->origin = x->first / 4 > span ? x->first : 0;
	end = x->last - x->origin;
	x->unit = end < 100000 ? 1 : end < 100000000 ? 1e3 : end < 100000000000 ? 1e6 : 1e9;
}

double script_time(const struct plot *x, uint64_t time)
{
	return (double)(time - x->origin) / x->unit;
}

void script_time_axis(struct plot *x)
{
	struct buf *b = &x->script;
	const char *unit = x->unit < 1e3   ? "cycles"
			   : x->unit < 1e6 ? "thousand cycles"
			   : x->unit < 1e9 ? "million cycles"
					   : "billion cycles";

	if (x->origin == 0)
		buf_addf(b, "set xlabel 'time (%s)' offset 0,0.4\n", unit);
	else
		buf_addf(b, "set xlabel 'time since cycle %" PRIu64 " (%s)' offset 0,0.4\n",
			 x->origin, unit);
	buf_addf(b, "set xrange [%.12g:%.12g]\n", script_time(x, x->first),
		 script_time(x, x->last) + 1 / x->unit);
	for (size_t i = 0; i < timeline_columns(x->losses); i++)
		if (timeline_sum(x->losses, 0, i) != 0) {
			double at = script_time(x, timeline_time(x->losses, i));
			buf_addf(b,
				 "set arrow from %.12g, graph 0 to %.12g, graph 1 nohead front "
				 "lw 1 dt 3 lc rgb '" SCRIPT_BAD "'\n",
				 at, at);
		}
}

void script_addresses(struct plot *x, const uint64_t *address, size_t n, uint32_t pixels)
{
	struct buf *b = &x->script;
	size_t fit = pixels / LABEL_PIXELS, step = 1;

	/* A step is a power of two, so that labels are at round addresses where lines are in a
	 * row. */
	while (fit != 0 && n / step > fit)
		step *= 2;
	buf_addf(b, "set ytics (");
	for (size_t i = 0; i < n; i += step)
		buf_addf(b, "%s'0x%" PRIx64 "' %zu", i != 0 ? ", " : "", address[i], i);
	buf_addf(b, ")\nset yrange [%.12g:%.12g]\nset ylabel 'line'\n", n > 40 ? -0.5 : -0.7,
		 (double)n - (n > 40 ? 0.5 : 0.3));
}

/* ---- what every plot begins with ---- */

void script_margins(struct plot *x, uint32_t left, uint32_t right, uint32_t top, uint32_t bottom)
{
	double width = script_width(x), height = script_height(x);

	buf_addf(&x->script,
		 "set lmargin at screen %.4f\nset rmargin at screen %.4f\n"
		 "set tmargin at screen %.4f\nset bmargin at screen %.4f\n",
		 left / width, 1 - right / width, 1 - top / height, bottom / height);
}

/* Appends from what the plot was made: trace, protocol, and how much there is of what. */
static void provenance(struct plot *x, const struct nfart_reader_stats *s)
{
	const char *name = x->o->trace != NULL ? x->o->trace : "-", *slash = strrchr(name, '/');
	const uint64_t *n = x->outcomes;
	struct buf t = { 0 };

	if (slash != NULL && slash[1] != 0)
		name = slash + 1;
	buf_addf(&t, "%s, protocol %s: %" PRIu64 " batches, %" PRIu64 " messages",
		 strcmp(name, "-") == 0 ? "standard input" : name, x->p->name, s->batches,
		 s->messages);
	if (plot_forms[x->o->kind]->pairs)
		buf_addf(&t, ", %" PRIu64 " requests answered, %" PRIu64 " not",
			 n[NFART_PAIR_ANSWERED],
			 n[NFART_PAIR_OPEN] + n[NFART_PAIR_REPLACED] + n[NFART_PAIR_LOST]);
	if (s->losses != 0)
		buf_addf(&t, ", %" PRIu64 " gap%s (red)", s->losses, s->losses == 1 ? "" : "s");
	buf_addf(&t, "; nfacc " PACKAGE_VERSION);
	buf_addf(&x->script, "set label 2 ");
	script_quote(&x->script, t.at != NULL ? t.at : "");
	buf_addf(&x->script, " at screen %.4f, %.4f left font ',9' tc rgb '#777777'\n",
		 12.0 / script_width(x), 12.0 / script_height(x));
	x->script.failed |= t.failed;
	buf_free(&t);
}

void script_begin(struct plot *x, const struct nfart_reader_stats *stats)
{
	struct buf *b = &x->script;

	choose_axis(x);
	buf_addf(b, "# made by nfaplot (nfacc) " PACKAGE_VERSION "\nset encoding utf8\n");
	/* A point is a pixel in SVG, and 4/3 pixels in PNG. */
	buf_addf(b, "set terminal %s size %" PRIu32 ",%" PRIu32
		    " background rgb '#ffffff' font 'sans-serif,11' noenhanced\n",
		 x->o->form == PLOT_PNG ? "pngcairo fontscale 0.8" : "svg", script_width(x),
		 script_height(x));
	buf_addf(b, "set datafile missing '?'\nset border 3 lc rgb '#888888'\n"
		    "set tics nomirror out scale 0.5\nset grid lt 1 lw 0.5 lc rgb '#dddddd'\n"
		    "set key at screen %.4f, %.4f top right horizontal Left reverse samplen 1.5 "
		    "font ',10'\nset style fill solid 0.25 noborder\n",
		 1 - 12.0 / script_width(x), 1 - 14.0 / script_height(x));
	buf_addf(b, "set label 1 ");
	script_quote(b, x->o->title != NULL ? x->o->title : plot_forms[x->o->kind]->title);
	buf_addf(b, " at screen %.4f, %.4f left font ',14'\n", 12.0 / script_width(x),
		 1 - 20.0 / script_height(x));
	provenance(x, stats);
}
