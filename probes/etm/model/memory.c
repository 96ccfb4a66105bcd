/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/etm/model/memory.h"

const char *const access_names[ACCESS_KINDS] = { "prefetch", "read", "write", "modify" };

void memory_init(struct memory *m, const struct load *load, uint32_t gap, uint32_t depth)
{
	*m = (struct memory){ .load = *load, .gap = gap, .depth = depth,
			      .left = load->burst, .wait = load->compute };
}

/* The program runs for a cycle. It computes, or issues a line if the queue has room. */
static void go_on(struct memory *m)
{
	if (m->wait > 0) {
		m->wait--;
		return;
	}
	if (m->queued == m->depth)
		return;
	m->queued++;
	m->issued++;
	if (--m->left == 0) {
		m->left = m->load.burst;
		m->wait = m->load.compute;
	}
}

static uint32_t events_of(const struct memory *m)
{
	switch (m->load.kind) {
	case ACCESS_WRITE: return EVENT_WRITEBACK;
	case ACCESS_MODIFY: return m->transfers % 2 != 0 ? EVENT_REFILL : EVENT_WRITEBACK;
	default: return EVENT_REFILL;
	}
}

uint32_t memory_step(struct memory *m, bool runs)
{
	if (runs)
		go_on(m);
	if (m->busy == 0) {
		if (m->queued == 0)
			return 0;
		m->busy = m->gap;
	}
	if (--m->busy != 0)
		return 0;
	m->queued--;
	m->transfers++;
	return events_of(m);
}
