/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/tool/progress.h"

#include <inttypes.h>
#include <stdio.h>

#include "support/terminal.h"

static double seconds(const struct timespec *a, const struct timespec *b)
{
	return (double)(b->tv_sec - a->tv_sec) + 1e-9 * (double)(b->tv_nsec - a->tv_nsec);
}

void progress_begin(struct progress *p, bool wanted)
{
	*p = (struct progress){ .wanted = wanted && terminal_line_possible() };
	clock_gettime(CLOCK_MONOTONIC, &p->begin);
	p->last = p->begin;
}

void progress_show(struct progress *p, uint64_t accesses)
{
	struct timespec now;
	char text[128];
	double since;

	if (!p->wanted)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	since = seconds(&p->last, &now);
	if (seconds(&p->begin, &now) < 1 || since < 0.5)
		return;
	snprintf(text, sizeof text, "nfamem: %" PRIu64 " accesses, %.1f million/s, %d s", accesses,
		 (double)(accesses - p->accesses) / since / 1e6, (int)seconds(&p->begin, &now));
	terminal_line_put(text);
	p->last = now;
	p->accesses = accesses;
	p->shown = true;
}

void progress_end(struct progress *p)
{
	if (p->shown)
		terminal_line_erase();
	p->shown = false;
}
