/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/tool/progress.h"

#include <inttypes.h>
#include <stdio.h>

#include "support/clock.h"
#include "support/terminal.h"

void progress_begin(struct progress *p, bool wanted)
{
	*p = (struct progress){ .wanted = wanted && terminal_line_possible() };
	p->begin_seconds = p->last_seconds = clock_seconds();
}

void progress_show(struct progress *p, uint64_t accesses)
{
	char text[128];
	double now, since;

	if (!p->wanted)
		return;
	now = clock_seconds();
	since = now - p->last_seconds;
	if (now - p->begin_seconds < 1 || since < 0.5)
		return;
	snprintf(text, sizeof text, "nfamem: %" PRIu64 " accesses, %.1f million/s, %d s", accesses,
		 (double)(accesses - p->accesses) / since / 1e6, (int)(now - p->begin_seconds));
	terminal_line_put(text);
	p->last_seconds = now;
	p->accesses = accesses;
	p->shown = true;
}

void progress_end(struct progress *p)
{
	if (p->shown)
		terminal_line_erase();
	p->shown = false;
}
