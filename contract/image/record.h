/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * record.h: what the records of an engine and those of a trace have in common: the word of a record
 * without messages (nfacc-trace(5), record). Also the bytes with which a binary trace begins, so
 * that the compiler knows one.
 */
#ifndef NFART_RECORD_H
#define NFART_RECORD_H

#include <stdint.h>

#define TRACE_MAGIC "\211nftrace"

/* The word that stands in place of a number of lost messages in the record of a batch that has a
 * tick, or is the end, or both, and has no messages. `when` is nfart_batch.when. Loss records have
 * no number above TRACE_MOST_LOST but UINT64_MAX, which means that the number is not known. */
#define TRACE_MARK(when) (UINT64_MAX - 1 - (uint64_t)(when))
#define TRACE_MOST_LOST (UINT64_MAX - 5)

/* Returns nfart_batch.when of the record with mask 0 that has this word after its labels. 0: it is
 * a loss record. */
static inline unsigned trace_mark(uint64_t lost)
{
	return lost > TRACE_MOST_LOST && lost < UINT64_MAX ?
		       (unsigned)(UINT64_MAX - 1 - lost) : 0;
}

/* Returns a number of lost messages as it can be stored: no mark, and at most TRACE_MOST_LOST if it
 * is known. */
static inline uint64_t trace_lost(uint64_t lost)
{
	return trace_mark(lost) != 0 ? TRACE_MOST_LOST : lost;
}

#endif
