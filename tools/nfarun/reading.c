/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfarun/reading.h"

#include <inttypes.h>
#include <stdio.h>

#include "support/terminal.h"

static double seconds(const struct timespec *a, const struct timespec *b)
{
	return (double)(b->tv_sec - a->tv_sec) + 1e-9 * (double)(b->tv_nsec - a->tv_nsec);
}

void reading_begin(struct reading *p, const char *tool, bool quiet)
{
	*p = (struct reading){ .tool = tool, .wanted = !quiet && terminal_line_possible() };
	clock_gettime(CLOCK_MONOTONIC, &p->begin);
	p->last = p->begin;
}

void reading_show(struct reading *p, const struct nfart_reader_stats *s)
{
	struct timespec now;
	char text[160];
	double t;
	int n;

	if (!p->wanted)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	t = seconds(&p->begin, &now);
	if (t < 1 || seconds(&p->last, &now) < 0.5)
		return;
	p->last = now;
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
	clock_gettime(CLOCK_MONOTONIC, &p->begin);
	p->last = p->begin;
}
