/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * trace_clock.h: the order of times in a trace. Times rise from record to record; only a loss record's may
 * equal that of the record before or after it.
 */
#ifndef NFART_TRACE_CLOCK_H
#define NFART_TRACE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* The times seen so far: the last ones, to check the next record; the first ones, to check later that the
 * records may follow those of another piece (border.h). */
struct trace_clock {
	bool any, after_loss;
	bool any_batch;
	bool first_loss;             /* the first record is a loss */
	uint64_t last, last_batch;
	uint64_t first, first_batch; /* times of the first record, of the first batch */
};

/* Does a record at `time` keep the order? If so it is now the last one. */
bool trace_clock_step(struct trace_clock *c, uint64_t time, bool loss);

/* The same, inlined for the common case of a batch after a batch. */
static inline bool trace_clock_next(struct trace_clock *c, uint64_t time, bool loss)
{
	if (loss || !c->any_batch || c->after_loss || time <= c->last)
		return trace_clock_step(c, time, loss);
	c->last = c->last_batch = time;
	return true;
}

#endif
