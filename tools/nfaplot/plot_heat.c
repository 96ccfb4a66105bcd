/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * A heat map: messages for each line over time (T figure 29).
 */
#include <inttypes.h>
#include <stdlib.h>

#include "tools/nfaplot/plot.h"

enum { COLUMNS = 180, RIGHT = 110 /* the room for the key of colours, in units */ };

static bool plot_heat_prepare(struct plot *x)
{
	x->heat = heat_new(x->p, x->o->most.rows,
			   x->o->most.columns != 0 ? x->o->most.columns : COLUMNS);
	return x->heat != NULL;
}

static void plot_heat_put(struct plot *x, const struct nfart_batch *b)
{
	heat_put(x->heat, b);
}

static void plot_heat_join(struct plot *x, struct plot *part)
{
	heat_join(x->heat, part->heat);
}

/* Appends the cells that have messages: the corners of each, and how many messages it has. Returns
 * the most messages of a cell. */
static uint64_t data(struct plot *x)
{
	const struct timeline *t = heat_timeline(x->heat);
	uint64_t most = 1;

	buf_addf(&x->script, "$cells << END\n");
	for (size_t row = 0; row < heat_rows(x->heat); row++)
		for (size_t i = 0; i < timeline_columns(t); i++) {
			uint64_t n = timeline_sum(t, heat_row(x->heat, row), i),
				 end = timeline_time(t, i + 1);
			if (n == 0)
				continue;
			most = n > most ? n : most;
			buf_addf(&x->script, "%.12g %.12g %zu %" PRIu64 "\n",
				 script_time(x, timeline_time(t, i)),
				 script_time(x, end > x->last ? x->last + 1 : end), row, n);
		}
	buf_addf(&x->script, "END\n");
	return most;
}

/* Appends the addresses of the rows on an axis that is `length` units long. False: out of
 * memory. */
static bool rows(struct plot *x, double length)
{
	size_t n = heat_rows(x->heat);
	uint64_t *address = calloc(n + 1, sizeof *address);

	if (address == NULL)
		return false;
	for (size_t i = 0; i < n; i++)
		address[i] = heat_address(x->heat, i);
	script_addresses(x, address, n, length);
	free(address);
	return true;
}

/* Appends ticks at 1, 2, 5, 10, 20, and so on; at powers of ten alone if there are many. */
static void log_ticks(struct buf *b, uint64_t most)
{
	buf_addf(b, "set logscale cb\nset cbtics (1");
	for (uint64_t ten = 1; ten <= most; ten *= 10) {
		static const uint64_t steps[] = { 2, 5, 10 };
		for (size_t k = most < 1000 ? 0 : 2; k < 3 && steps[k] <= most / ten; k++)
			buf_addf(b, ", %" PRIu64, ten * steps[k]);
		if (ten > most / 10)
			break;
	}
	buf_addf(b, ")\n");
}

/* Appends the key of the colours, which show up to `most` messages. It is to the right of the plot,
 * which is `length` units high. */
static void colours(struct plot *x, uint64_t most, double length)
{
	struct buf *b = &x->script, label = { 0 };
	uint64_t width = timeline_width(heat_timeline(x->heat));

	buf_addf(&label, "messages in %" PRIu64 " cycle%s", width, width == 1 ? "" : "s");
	script_upright(x, 5, label.at != NULL ? label.at : "", script_width(x) - 18, length);
	b->failed |= label.failed;
	buf_free(&label);
	if (x->o->picture.log)
		log_ticks(b, most);
	else
		script_ticks(x, "cb", (double)most, length, true);
	buf_addf(b, "set cbrange [%s:%" PRIu64 "]\n"
		    "set palette defined (0 '#fde725', 1 '#7ad151', 2 '#22a884', 3 '#2a788e', "
		    "4 '#414487', 5 '#440154')\n"
		    "set colorbox user origin screen %.4f, screen %.4f size screen %.4f, screen "
		    "%.4f\n",
		 x->o->picture.log ? "1" : "0", most == 1 ? 2 : most,
		 1 - (RIGHT - 14) / script_width(x), x->layout.bottom / script_height(x),
		 14 / script_width(x), length / script_height(x));
}

static const char *plot_heat_draw(struct plot *x)
{
	struct buf *b = &x->script, label = { 0 };
	const struct script_key no_key = { 0 };
	uint64_t most, lines = heat_lines(x->heat);
	size_t n = heat_rows(x->heat);
	double left, high;

	if (n == 0)
		return "no message has an address";
	most = data(x);
	script_head(x, &no_key, NULL);
	left = script_addresses_room(heat_address(x->heat, n - 1));
	high = script_height(x) - x->layout.top - x->layout.bottom;
	script_margins(x, left, RIGHT, x->layout.top, x->layout.bottom);
	script_time_axis(x, script_width(x) - left - RIGHT);
	if (!rows(x, high))
		b->failed = true;
	buf_addf(&label, lines > 1 ? "blocks of %" PRIu64 " lines" : "line", lines);
	script_ylabel(x, label.at != NULL ? label.at : "", high);
	b->failed |= label.failed;
	buf_free(&label);
	colours(x, most, high);
	buf_addf(b, "unset grid\nset style fill solid 1 noborder\n");
	buf_addf(b, "plot $cells using 1:3:1:2:($3-0.5):($3+0.5):4 with boxxyerror lw 0.5 "
		    "lc palette fs solid 1 border\n");
	return NULL;
}

const struct plot_form_of plot_heat = {
	.title = "Messages for each line over time", .height = 540,
	.prepare = plot_heat_prepare, .put = plot_heat_put, .join = plot_heat_join,
	.draw = plot_heat_draw,
};
