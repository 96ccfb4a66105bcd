/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfarun/reading.h"

#include <inttypes.h>
#include <stdio.h>

#include "support/clock.h"
#include "support/terminal.h"

void reading_begin(struct reading *p, const char *tool, bool quiet)
{
	*p = (struct reading){ .tool = tool, .wanted = !quiet && terminal_line_possible() };
	p->begin_seconds = p->last_seconds = clock_seconds();
}

void reading_show(struct reading *p, const struct nfart_reader_stats *s)
{
	char text[160];
	double now, t;
	int n;

	if (!p->wanted)
		return;
	now = clock_seconds();
	t = now - p->begin_seconds;
	if (t < 1 || now - p->last_seconds < 0.5)
		return;
	p->last_seconds = now;
	p->shown = true;
	n = snprintf(text, sizeof text, "%s: ", p->tool);
	if (s->size > s->bytes && s->bytes != 0)
		n += snprintf(text + n, sizeof text - (size_t)n, "%.0f %%, %.0f s left, ",
			      100.0 * (double)s->bytes / (double)s->size,
			      t * (double)(s->size - s->bytes) / (double)s->bytes);
	snprintf(text + n, sizeof text - (size_t)n, "%" PRIu64 " batches, %.1f MB/s", s->batches,
		 (double)s->bytes / t / 1e6);
	terminal_line_put(text);
}

void reading_end(struct reading *p)
{
	if (p->shown)
		terminal_line_erase();
	p->shown = false;
	p->begin_seconds = p->last_seconds = clock_seconds();
}
