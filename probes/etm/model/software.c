/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/etm/model/software.h"

static bool is_line(uint32_t events)
{
	return events != 0;
}

void memguard_step(struct memguard *g)
{
	bool runs = !g->throttled && g->busy == 0;
	bool line = is_line(memory_step(&g->memory, runs));

	if (g->busy > 0)
		g->busy--;
	/* The counter does not count while the core is in the kernel. */
	if (runs && line && ++g->lines == g->budget)
		g->irq = g->latency;
	else if (g->irq > 0 && --g->irq == 0)
		g->throttled = true;
	if (++g->time == g->period) {
		g->time = g->lines = g->irq = 0;
		g->throttled = false;
		g->busy = g->timer;
	}
}

void mempol_step(struct mempol *p)
{
	p->lines += is_line(memory_step(&p->memory, !p->halted));
	if (++p->time < p->poll)
		return;
	p->sum += p->lines - p->past[p->next];
	p->past[p->next] = p->lines;
	p->next = (p->next + 1) % p->window;
	p->time = p->lines = 0;
	p->halted = p->sum >= p->budget;
}
