/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/trace/trace_clock.h"

bool trace_clock_step(struct trace_clock *c, uint64_t time, bool loss)
{
	if (c->any && (loss || c->after_loss ? time < c->last : time <= c->last))
		return false;
	if (!loss && c->any_batch && time <= c->last_batch)
		return false;
	if (!c->any) {
		c->first = time;
		c->first_loss = loss;
	}
	c->any = true;
	c->after_loss = loss;
	c->last = time;
	if (!loss) {
		if (!c->any_batch)
			c->first_batch = time;
		c->any_batch = true;
		c->last_batch = time;
	}
	return true;
}

bool trace_clock_empty(struct trace_clock *c, uint64_t time, bool end)
{
	if (end && c->any && c->last == UINT64_MAX && time == UINT64_MAX)
		return true;
	return trace_clock_step(c, time, false);
}
