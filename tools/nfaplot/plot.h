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
	uint64_t first, last;      /* the times of the first and the last record */
	struct timeline *losses;   /* one row: where messages were lost */
	uint64_t outcomes[NFART_PAIR_UNASKED + 1]; /* how many requests ended in each way */
	/* Each plot uses some of the following. What it does not use is NULL. */
	struct nfart_pairs *pairs;
	struct latency *latency;
	struct sample *answered, *unanswered;
	/* rate: a row for each group; in-flight: a row for each rule, and one for all of them */
	struct timeline *timeline;
	struct heat *heat;
	uint64_t *open;            /* in-flight, [rules + 1]: how many requests are open */
	bool open_known;           /* in-flight: has there been a record? Then `open` holds */
	uint64_t open_since;       /* from this time on */

	struct buf script;         /* what gnuplot is told */
	/* The axis of time: `unit` cycles are 1, and 0 is the time `origin`. */
	double unit;
	uint64_t origin;
};

/* A plot: its usual title and size, and its functions. */
struct plot_form_of {
	const char *title;
	uint32_t width, height;
	bool pairs; /* it is of requests, so the protocol needs rules for pairs */
	/* Makes what the plot needs. False: out of memory. */
	bool (*prepare)(struct plot *x);
	/* Takes in a batch or loss record, after the pairs have. May be NULL. */
	void (*put)(struct plot *x, const struct nfart_batch *b);
	/* Takes in what became of a request. False: out of memory. May be NULL. */
	bool (*pair)(struct plot *x, const struct nfart_pair *pair);
	/* Appends the commands and the data to x->script, after those that all plots begin with.
	 * Returns what the trace lacks, such as "no request has an answer", or NULL. */
	const char *(*draw)(struct plot *x);
};

extern const struct plot_form_of plot_scatter, plot_heat, plot_rate, plot_histogram,
	plot_in_flight;

/* The plots, by enum plot_kind. */
extern const struct plot_form_of *const plot_forms[];

/* ---- parts of a script (script.c) ---- */

/* Colours, as gnuplot knows them: those of rules or groups, which can be told apart by people who
 * see few colours; and that of what went wrong. */
const char *script_colour(size_t i);
#define SCRIPT_BAD "#d62728"

/* Appends what every plot begins with: terminal, style and title. `stats` are those of the
 * reader. */
void script_begin(struct plot *x, const struct nfart_reader_stats *stats);

/* Appends text in single quotes, in which gnuplot leaves everything as it is. Bytes that are no
 * UTF-8, and control characters, become "?". */
void script_quote(struct buf *b, const char *s);

/* Appends the range and the label of the axis of time, and a line for each loss. */
void script_time_axis(struct plot *x);

/* Returns a time as it is on the axis of time. */
double script_time(const struct plot *x, uint64_t time);

/* Appends the labels of an axis whose places 0, 1, … are the n addresses at `address`: as many as
 * are legible on `pixels` pixels. */
void script_addresses(struct plot *x, const uint64_t *address, size_t n, uint32_t pixels);

/* Appends `set lmargin` and its siblings, which say where in the picture the plot is. Each argument
 * is the distance in pixels from one edge of the picture. */
void script_margins(struct plot *x, uint32_t left, uint32_t right, uint32_t top, uint32_t bottom);

/* Return the size of the picture in pixels. */
uint32_t script_width(const struct plot *x);
uint32_t script_height(const struct plot *x);

#endif
