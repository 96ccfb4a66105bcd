/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * A heat map: messages for each line over time (T figure 29).
 */
#include <inttypes.h>
#include <stdlib.h>

#include "tools/nfaplot/plot.h"

enum { COLUMNS = 180 };

static bool prepare(struct plot *x)
{
	x->heat = heat_new(x->p, x->o->rows, x->o->columns != 0 ? x->o->columns : COLUMNS);
	return x->heat != NULL;
}

static void put(struct plot *x, const struct nfart_batch *b)
{
	heat_put(x->heat, b);
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

/* Appends the addresses of the rows. False: out of memory. */
static bool rows(struct plot *x)
{
	size_t n = heat_rows(x->heat);
	uint64_t *address = calloc(n + 1, sizeof *address);

	if (address == NULL)
		return false;
	for (size_t i = 0; i < n; i++)
		address[i] = heat_address(x->heat, i);
	script_addresses(x, address, n, script_height(x) - 116);
	free(address);
	return true;
}

static const char *draw(struct plot *x)
{
	struct buf *b = &x->script;
	uint64_t most, lines = heat_lines(x->heat),
		       width = timeline_width(heat_timeline(x->heat));

	if (heat_rows(x->heat) == 0)
		return "no message has an address";
	most = data(x);
	script_margins(x, 112, 110, 46, 70);
	script_time_axis(x);
	if (!rows(x))
		b->failed = true;
	if (lines > 1)
		buf_addf(b, "set ylabel 'blocks of %" PRIu64 " lines'\n", lines);
	buf_addf(b, "set cblabel 'messages in %" PRIu64 " cycle%s'\nset cbrange [%s:%" PRIu64 "]\n"
		    "set palette defined (0 '#fde725', 1 '#7ad151', 2 '#22a884', 3 '#2a788e', "
		    "4 '#414487', 5 '#440154')\n%s"
		    "set colorbox user origin graph 1.02, graph 0 size graph 0.02, graph 1\n"
		    "unset grid\nunset key\nset style fill solid 1 noborder\n",
		 width, width == 1 ? "" : "s", x->o->log ? "1" : "0", most == 1 ? 2 : most,
		 x->o->log ? "set logscale cb\n" : "");
	buf_addf(b, "plot $cells using 1:3:1:2:($3-0.5):($3+0.5):4 with boxxyerror lw 0.5 "
		    "lc palette fs solid 1 border\n");
	return NULL;
}

const struct plot_form_of plot_heat = {
	.title = "Messages for each line over time",
	.width = 900, .height = 540,
	.prepare = prepare, .put = put, .draw = draw,
};
