/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "tools/nfaplot/plot.h"

enum {
	LABEL_ROOM = 17, /* the least distance of labels on an upright axis, in units */
	TICK_ROOM = 30,  /* that of ticks on an upright axis */
	TIME_ROOM = 70,  /* that of ticks on a horizontal axis */
	EDGE = 12,       /* how far texts are from the edges of the picture */
	LABEL_LEFT = 20, /* how far the label of the upright axis is from the left edge */
	LINE = 15,       /* of text in the key, and of the note below it */
	SMALL_LINE = 12, /* of text at the bottom */
	FIRST_LINE = 46, /* the room for title and key in one line */
	TITLE_LINE = 32, /* the room for the title alone */
	AXIS_ROOM = 46,  /* the room for ticks and label of the horizontal axis, and some air */
	MOST_LINES = 8,  /* of text at the bottom */
	MARGINS = 110,   /* left and right of the plot, together */
	SAMPLE = 54      /* the room for a sample in the key, and for the gap behind the text */
};

/* The sizes of fonts. */
enum { TITLE_FONT = 14, LABEL_FONT = 11, KEY_FONT = 10, SMALL_FONT = 9, LEAST_FONT = 5 };

const char *script_colour(size_t i)
{
	/* The palette of Okabe and Ito. */
	static const char *const colours[] = { "#0072b2", "#e69f00", "#009e73", "#cc79a7",
					       "#56b4e9", "#d55e00", "#7a6a00", "#555555" };

	return colours[i % (sizeof colours / sizeof colours[0])];
}

static uint32_t pixels_wide(const struct plot *x)
{
	return x->o->picture.width != 0 ? x->o->picture.width : PLOT_WIDTH;
}

static uint32_t pixels_high(const struct plot *x)
{
	return x->o->picture.height != 0 ? x->o->picture.height : plot_forms[x->o->kind]->height;
}

static double choose_scale(const struct plot *x)
{
	double wide = pixels_wide(x) / 900.0, high = pixels_high(x) / 400.0,
	       least = wide < high ? wide : high;

	/* The usual sizes of all plots have a scale of 1. */
	return least < 0.75 ? 0.75 : least;
}

double script_width(const struct plot *x)
{
	return pixels_wide(x) / x->layout.scale;
}

double script_height(const struct plot *x)
{
	return pixels_high(x) / x->layout.scale;
}

/* ---- text ---- */

/* Returns how wide a text is, in ems: a bit more than in fonts without serifs that are wide. */
static double text_width(const char *s)
{
	double width = 0;

	for (; *s != 0; s++) {
		if (((unsigned char)*s & 0xc0) == 0x80)
			continue; /* not the first byte of a character */
		if (strchr(" .,:;'|!()[]ijlIftr", *s) != NULL)
			width += 0.4;
		else if (strchr("mwMW%@", *s) != NULL)
			width += 1;
		else if (*s >= 'A' && *s <= 'Z')
			width += 0.76;
		else
			width += 0.65;
	}
	return width;
}

/* Returns the size of font, at most `most`, in which a text is no longer than `length` units. */
static double script_fit(const char *text, double most, double length)
{
	double width = text_width(text);

	if (width * most <= length)
		return most;
	return length / width < LEAST_FONT ? LEAST_FONT : length / width;
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

double script_unit(double most, const char **name)
{
	static const char *const names[] = { "cycles", "thousand cycles", "million cycles",
					     "billion cycles", "trillion cycles",
					     "quadrillion cycles" };
	double unit = 1;
	size_t i = 0;

	/* 100,000 can still be read. */
	for (; i + 1 < sizeof names / sizeof names[0] && most / unit >= 100000; i++)
		unit *= 1000;
	*name = names[i];
	return unit;
}

/* Chooses unit and origin of the axis. A trace whose first time is large beside its length begins
 * at 0. */
static void choose_axis(struct plot *x)
{
	uint64_t span = x->last - x->first;
	const char *name;

	x->axis.origin = x->first / 4 > span ? x->first : 0;
	x->axis.unit = script_unit((double)(x->last - x->axis.origin), &name);
}

double script_time(const struct plot *x, uint64_t time)
{
	return (double)(time - x->axis.origin) / x->axis.unit;
}

void script_time_axis(struct plot *x, double length)
{
	struct buf *b = &x->script, t = { 0 };
	const char *unit;
	double first = script_time(x, x->first), last = script_time(x, x->last) + 1 / x->axis.unit;

	script_unit((double)(x->last - x->axis.origin), &unit);
	if (x->axis.origin == 0)
		buf_addf(&t, "time (%s)", unit);
	else
		buf_addf(&t, "time since cycle %" PRIu64 " (%s)", x->axis.origin, unit);
	script_xlabel(x, t.at != NULL ? t.at : "", length);
	b->failed |= t.failed;
	buf_free(&t);
	buf_addf(b, "set xrange [%.12g:%.12g]\n", first, last);
	script_ticks(x, "x", last - first, length, x->axis.unit == 1);
	for (size_t i = 0; i < timeline_columns(x->losses); i++)
		if (timeline_sum(x->losses, 0, i) != 0) {
			double at = script_time(x, timeline_time(x->losses, i));
			buf_addf(b,
				 "set arrow from %.12g, graph 0 to %.12g, graph 1 nohead front "
				 "lw 1 dt 3 lc rgb '" SCRIPT_BAD "'\n",
				 at, at);
		}
}

/* ---- labels and ticks ---- */

void script_xlabel(struct plot *x, const char *text, double length)
{
	buf_addf(&x->script, "set xlabel ");
	script_quote(&x->script, text);
	/* A label may be somewhat longer than the axis. */
	buf_addf(&x->script, " offset 0,0.4 font ',%.4g'\n",
		 script_fit(text, LABEL_FONT, length + 40) * x->layout.scale);
}

void script_upright(struct plot *x, unsigned id, const char *text, double left, double length)
{
	buf_addf(&x->script, "set label %u ", id);
	script_quote(&x->script, text);
	buf_addf(&x->script, " at screen %.4f, graph 0.5 center rotate by 90 font ',%.4g'\n",
		 left / script_width(x),
		 script_fit(text, LABEL_FONT, length + 8) * x->layout.scale);
}

void script_ylabel(struct plot *x, const char *text, double length)
{
	script_upright(x, 4, text, LABEL_LEFT, length);
}

void script_ticks(struct plot *x, const char *axis, double most, double length, bool whole)
{
	static const double steps[] = { 2, 2.5, 2 }; /* 1, 2, 5, 10, and so on */
	double room = strcmp(axis, "x") == 0 ? TIME_ROOM : TICK_ROOM, step = whole ? 1 : 1e-9;
	double fit = length / room < 2 ? 2 : length / room;

	for (size_t i = 0; most / step > fit; i++)
		step *= steps[i % 3];
	buf_addf(&x->script, "set %stics %.6g\nset format %s '%%g'\n", axis, step, axis);
}

double script_addresses_room(uint64_t most)
{
	char text[32];

	snprintf(text, sizeof text, "0x%" PRIx64, most);
	return LABEL_LEFT + 26 + text_width(text) * LABEL_FONT;
}

void script_addresses(struct plot *x, const uint64_t *address, size_t n, double length)
{
	struct buf *b = &x->script;
	size_t fit = length < LABEL_ROOM ? 1 : (size_t)(length / LABEL_ROOM), step = 1;

	/* A step is a power of two, so that labels are at round addresses where lines are in a
	 * row. */
	while (n / step > fit)
		step *= 2;
	buf_addf(b, "set ytics (");
	for (size_t i = 0; i < n; i += step)
		buf_addf(b, "%s'0x%" PRIx64 "' %zu", i != 0 ? ", " : "", address[i], i);
	buf_addf(b, ")\nset yrange [%.12g:%.12g]\n", n > 40 ? -0.5 : -0.7,
		 (double)n - (n > 40 ? 0.5 : 0.3));
}

/* ---- what every plot begins with ---- */

void script_margins(struct plot *x, double left, double right, double top, double bottom)
{
	double width = script_width(x), height = script_height(x);

	buf_addf(&x->script,
		 "set lmargin at screen %.4f\nset rmargin at screen %.4f\n"
		 "set tmargin at screen %.4f\nset bmargin at screen %.4f\n",
		 left / width, 1 - right / width, 1 - top / height, bottom / height);
}

/* Appends a line of small text, number `id`, whose lower edge is `above` units above that of the
 * picture. */
static void small_text(struct plot *x, unsigned id, const char *s, double left, double above)
{
	buf_addf(&x->script, "set label %u ", id);
	script_quote(&x->script, s);
	buf_addf(&x->script, " at screen %.4f, %.4f left font ',%.4g' tc rgb '#777777'\n",
		 left / script_width(x), above / script_height(x), SMALL_FONT * x->layout.scale);
}

/* Cuts a text into lines that fit into the picture, by putting 0 bytes behind each. A line ends
 * behind a comma or a semicolon. A part without them that is too long for a line ends where the
 * line does. Returns how many lines there are, at most `most`; line[] says where they begin. */
static size_t script_cut(const struct plot *x, struct buf *t, size_t *line, size_t most)
{
	double room = script_width(x) - 2 * EDGE;
	struct buf out = { 0 };
	size_t n = 0, begin = 0, end = t->n;

	while (begin < end && n < most) {
		size_t length = 0, whole = 0;
		char *s = t->at + begin;
		while (begin + length < end) {
			size_t next = length + 1;
			char kept;
			while (begin + next < end && (s[next] & 0xc0) == 0x80)
				next++;
			kept = s[next];
			s[next] = 0;
			bool fits = text_width(s) * SMALL_FONT <= room;
			s[next] = kept;
			if (!fits && length != 0)
				break;
			length = next;
			if (begin + length == end || ((s[length - 1] == ',' || s[length - 1] == ';') &&
						      s[length] == ' '))
				whole = length;
		}
		length = whole != 0 ? whole : length;
		line[n++] = out.n;
		buf_add(&out, s, length);
		buf_add(&out, "", 1);
		for (begin += length; begin < end && t->at[begin] == ' '; begin++)
			;
	}
	out.failed |= t->failed;
	buf_free(t);
	*t = out;
	return n;
}

/* Appends from what the plot was made: trace, protocol, and how much there is of what. */
static void provenance(struct plot *x, const struct nfart_reader_stats *s)
{
	const char *name = x->o->trace != NULL ? x->o->trace : "-", *slash = strrchr(name, '/');
	const uint64_t *n = x->outcomes;
	struct buf t = { 0 };
	size_t line[MOST_LINES], n_lines;

	if (slash != NULL && slash[1] != 0)
		name = slash + 1;
	buf_addf(&t, "%s, protocol %s: %" PRIu64 " batches, %" PRIu64 " messages",
		 strcmp(name, "-") == 0 ? "standard input" : name, x->p->name, s->batches,
		 s->messages);
	if (plot_forms[x->o->kind]->pair != NULL)
		buf_addf(&t, ", %" PRIu64 " requests answered, %" PRIu64 " not",
			 n[NFART_PAIR_ANSWERED],
			 n[NFART_PAIR_OPEN] + n[NFART_PAIR_REPLACED] + n[NFART_PAIR_LOST]);
	if (s->losses != 0)
		buf_addf(&t, ", %" PRIu64 " gap%s (red)", s->losses, s->losses == 1 ? "" : "s");
	buf_addf(&t, "; nfacc " PACKAGE_VERSION);
	n_lines = script_cut(x, &t, line, MOST_LINES);
	x->layout.bottom = AXIS_ROOM + SMALL_LINE * (double)(n_lines + 1);
	for (size_t i = 0; i < n_lines && !t.failed; i++)
		small_text(x, i == 0 ? 2 : (unsigned)(20 + i), t.at + line[i], EDGE,
			   SMALL_LINE * (double)(n_lines - i));
	x->script.failed |= t.failed;
	buf_free(&t);
}

void script_begin(struct plot *x, const struct nfart_reader_stats *stats)
{
	struct buf *b = &x->script;
	double scale = x->layout.scale = choose_scale(x);

	choose_axis(x);
	buf_addf(b, "# made by nfaplot (nfacc) " PACKAGE_VERSION "\nset encoding utf8\n");
	/* A point is a pixel in SVG, and 4/3 pixels in PNG. */
	buf_addf(b, "set terminal %s size %" PRIu32 ",%" PRIu32
		    " background rgb '#ffffff' font 'sans-serif,%.4g' noenhanced linewidth %.4g "
		    "dashlength %.4g\n",
		 x->o->picture.form == PLOT_PNG ? "pngcairo fontscale 0.8" : "svg", pixels_wide(x),
		 pixels_high(x), LABEL_FONT * scale, scale, scale);
	buf_addf(b, "set datafile missing '?'\nset border 3 lc rgb '#888888'\n"
		    "set tics nomirror out scale 0.5\nset grid lt 1 lw 0.5 lc rgb '#dddddd'\n"
		    "set style fill solid 0.25 noborder\n");
	provenance(x, stats);
}

void script_key_add(struct script_key *k, const char *text)
{
	double width = text_width(text);

	k->n++;
	k->widest = width > k->widest ? width : k->widest;
}

void script_head(struct plot *x, const struct script_key *k, const char *note)
{
	struct buf *b = &x->script;
	const char *title =
		x->o->picture.title != NULL ? x->o->picture.title : plot_forms[x->o->kind]->title;
	double width = script_width(x), height = script_height(x), room = width - 2 * EDGE,
	       font = script_fit(title, TITLE_FONT, room), entry = k->widest * KEY_FONT + SAMPLE,
	       key = room - MARGINS; /* gnuplot makes a key no wider than the plot */
	size_t columns = entry * 2 > key ? 1 : (size_t)(key / entry);
	bool beside = text_width(title) * font + entry * (double)k->n <= room && columns >= k->n;
	double top = FIRST_LINE;

	if (columns > k->n)
		columns = k->n;
	if (!beside)
		top = TITLE_LINE + LINE * (double)((k->n + columns - 1) / columns) + 4;
	buf_addf(b, "set label 1 ");
	script_quote(b, title);
	buf_addf(b, " at screen %.4f, %.4f left font ',%.4g'\n", EDGE / width, 1 - 20 / height,
		 font * x->layout.scale);
	if (k->n != 0)
		buf_addf(b, "set key at screen %.4f, %.4f top right horizontal maxcols %zu Left "
			    "reverse samplen 1.5 font ',%.4g'\n",
			 1 - EDGE / width, 1 - (beside ? 14 : TITLE_LINE) / height, columns,
			 KEY_FONT * x->layout.scale);
	else
		buf_addf(b, "unset key\n");
	if (note != NULL) {
		small_text(x, 3, note, EDGE, height - top + (beside ? 7 : -2));
		top += beside ? 6 : LINE;
	}
	x->layout.top = top;
}
