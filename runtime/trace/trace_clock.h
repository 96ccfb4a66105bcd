/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * trace_clock.h: checks the order of times in a trace. Times rise from record to record. Only a
 * loss record may have the same time as the record before or after it.
 */
#ifndef NFART_TRACE_CLOCK_H
#define NFART_TRACE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* The times of the records seen so far. The last ones are for checking the next record. The first
 * ones are for checking later whether these records may follow those of another piece
 * (border.h). */
struct trace_clock {
	bool any, after_loss;
	bool any_batch;
	bool first_loss;             /* the first record is a loss record */
	uint64_t last,               /* the time of the last record */
		 last_batch;         /* the time of the last batch */
	uint64_t first,              /* the time of the first record */
		 first_batch;        /* the time of the first batch */
};

/* Does a record at `time` keep the order? If so, it becomes the last record. */
bool trace_clock_step(struct trace_clock *c, uint64_t time, bool loss);

/* Does what trace_clock_step() does for a batch without messages, which is the end if `end` is
 * true. */
bool trace_clock_empty(struct trace_clock *c, uint64_t time, bool end);

/* Does what trace_clock_step() does. The common case, a batch after a batch, is inlined. */
static inline bool trace_clock_next(struct trace_clock *c, uint64_t time, bool loss)
{
	if (loss || !c->any_batch || c->after_loss || time <= c->last)
		return trace_clock_step(c, time, loss);
	c->last = c->last_batch = time;
	return true;
}

#endif
