/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * plot.h: what is known of a trace while a plot is made of it, and the functions that write a plot
 * as commands and data for gnuplot.
 */
#ifndef NFART_NFAPLOT_PLOT_H
#define NFART_NFAPLOT_PLOT_H

#include "contract/proto/proto.h"
#include "runtime/stats/heat.h"
#include "runtime/stats/latency.h"
#include "runtime/stats/sample.h"
#include "support/buf.h"
#include "tools/nfaplot/nfaplot_options.h"

struct plot {
	const struct nfaplot_options *o;
	const struct nfart_proto *p;
	bool begun;                /* there was a record */
	uint64_t first, last;      /* then the times of the first and the last one */
	struct timeline *losses;   /* one row: where messages were lost */
	uint64_t outcomes[NFART_PAIR_UNASKED + 1]; /* how many requests ended in each way */
	/* Each plot uses some of the following. What it does not use is NULL. */
	struct nfart_pairs *pairs;
	struct latency *latency;
	struct {
		struct sample *answered, *unanswered;
	} samples;
	/* rate: a row for each group; in-flight: a row for each rule, and one for all of them */
	struct timeline *timeline;
	struct heat *heat;
	/* For in-flight. */
	struct {
		uint64_t *count;   /* [rules + 1]: how many requests are open */
		bool known;        /* some were: `count` holds */
		uint64_t since;    /* from this time on */
	} open;

	struct buf script;         /* what gnuplot is told */
	/* The axis of time: `unit` cycles are 1, and 0 is the time `origin`. */
	struct {
		double unit;
		uint64_t origin;
	} axis;
	struct {
		double scale;       /* pixels in a unit of length; see Note [units of length] */
		double top, bottom; /* how much of the picture is above and below the plot */
	} layout;
};

/* What stands in the key: how many entries there are, and how wide the widest of them is, in
 * ems. */
struct script_key {
	size_t n;
	double widest;
};

enum { PLOT_WIDTH = 900 }; /* the usual width of all plots, in pixels */

/* A plot: its usual title and height, and its functions. */
struct plot_form_of {
	const char *title;
	uint32_t height; /* in pixels */
	/* Takes in what became of a request. False: out of memory. With `asked` it also gets
	 * requests when they come (runtime/pairs/pairs.h). If it is not NULL the plot is of
	 * requests, so the protocol needs rules for pairs. */
	bool (*pair)(struct plot *x, const struct nfart_pair *pair);
	bool asked;
	/* Makes what the plot needs. False: out of memory. */
	bool (*prepare)(struct plot *x);
	/* Of a plot that is not of requests. put() takes in a batch or loss record. join() adds
	 * what `part` has, in which other batches of the trace were put, but for those from the
	 * first time on that were empty; that is of no use afterwards. */
	void (*put)(struct plot *x, const struct nfart_batch *b);
	void (*join)(struct plot *x, struct plot *part);
	/* Appends the commands and the data to x->script, after those that all plots begin with.
	 * Returns what the trace lacks, such as "no request has an answer", or NULL. */
	const char *(*draw)(struct plot *x);
};

extern const struct plot_form_of plot_scatter, plot_heat, plot_rate, plot_histogram,
	plot_in_flight;

/* The plots, by enum plot_kind. */
extern const struct plot_form_of *const plot_forms[];

/* ---- parts of a script (script.c) ----
 *
 * Note [units of length]
 * Everything in a picture grows with the picture: text, lines, points and margins. So lengths are
 * not in pixels but in units. In a picture of 900 x 400 pixels or a bit more, a unit is a pixel; in
 * one of 3000 x 2000, it is 3.33 pixels. In small pictures it is less than a pixel, but not below
 * three quarters, so that text stays legible. A text of font size 10 is 10 units high. */

/* Colours, as gnuplot knows them: those of rules or groups, which can be told apart by people who
 * see few colours; and that of what went wrong. */
const char *script_colour(size_t i);
#define SCRIPT_BAD "#d62728"

/* Appends what every plot begins with: terminal and style, and at the bottom from what the plot was
 * made. `stats` are those of the reader. */
void script_begin(struct plot *x, const struct nfart_reader_stats *stats);

/* Counts an entry of the key. */
void script_key_add(struct script_key *k, const char *text);

/* Appends what is above a plot: the title, the place of the key, and if `note` is not NULL a line
 * of small text. The key stands beside the title if both fit there, else below it. Call this before
 * script_margins(). */
void script_head(struct plot *x, const struct script_key *k, const char *note);

/* Appends text in single quotes, in which gnuplot leaves everything as it is. Bytes that are no
 * UTF-8, and control characters, become "?". */
void script_quote(struct buf *b, const char *s);

/* Appends the range, the ticks and the label of the axis of time, and a line for each loss. The
 * plot is `length` units wide. */
void script_time_axis(struct plot *x, double length);

/* Appends the label of the horizontal axis of a plot that is `length` units wide. */
void script_xlabel(struct plot *x, const char *text, double length);

/* Appends the label of the upright axis of a plot that is `length` units high. Unlike gnuplot's own
 * label, it does not leave the picture when the texts of ticks are long. */
void script_ylabel(struct plot *x, const char *text, double length);

/* Appends the same kind of text, number `id`, at a distance of `left` units from the left edge of
 * the picture. */
void script_upright(struct plot *x, unsigned id, const char *text, double left, double length);

/* Appends the ticks of an axis ("x", "y", "cb") that is `length` units long and shows numbers from
 * 0 to `most`, or any range of this length. `whole`: the numbers are counts, so no tick is at a
 * fraction. A logarithmic axis has ticks at powers of ten. */
void script_ticks(struct plot *x, const char *axis, double most, double length, bool whole);

/* Chooses a unit for numbers of cycles up to `most`. Returns its size; *name is "thousand cycles"
 * or the like. */
double script_unit(double most, const char **name);

/* Returns a time as it is on the axis of time. */
double script_time(const struct plot *x, uint64_t time);

/* Appends the labels of an axis whose places 0, 1, … are the n addresses at `address`, by rising
 * value: as many as are legible on `length` units. */
void script_addresses(struct plot *x, const uint64_t *address, size_t n, double length);

/* Returns how much room is to the left of an axis on which addresses up to `most` stand. */
double script_addresses_room(uint64_t most);

/* Appends `set lmargin` and its siblings, which say where in the picture the plot is. Each argument
 * is the distance in units from one edge of the picture. */
void script_margins(struct plot *x, double left, double right, double top, double bottom);

/* Return the size of the picture in units. */
double script_width(const struct plot *x);
double script_height(const struct plot *x);

#endif
