/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * against_side.h: reads one of the two traces that nfarun ask --against compares, and sums it up.
 * The two know nothing of each other, so two threads can read them.
 *
 * What is compared has a row each: a rule for pairs, with the types or groups of its messages; a
 * type or group of messages; or what a rate counts. A row is a quotient of two sums. Series 0 of
 * the blocks is the divisor of all rows of a question: all messages, or all cycles. Row r has the
 * two series from 1 + 2 * r on: its dividend, and a divisor of its own where it needs one.
 */
#ifndef NFART_NFARUN_AGAINST_SIDE_H
#define NFART_NFARUN_AGAINST_SIDE_H

#include <signal.h>

#include "runtime/stats/compare.h"
#include "support/buf.h"
#include "support/vec.h"
#include "tools/nfarun/nfarun_options.h"
#include "tools/nfarun/reading.h"

/* What a row is about. Of pairs: the rule, and types or groups, plus 1, or 0. Of counts: `request`
 * is the type or group, as tally.h numbers them. Of rates: `rule` is 0 for batches, 1 for messages
 * and 2 for gaps. */
struct against_row {
	uint32_t rule, request, answer;
};

struct against_side {
	const struct nfarun_options *o;
	const volatile sig_atomic_t *stop;
	const struct nfart_proto *p;
	const char *trace;        /* its file; NULL: standard input */
	VEC(struct against_row) rows;
	size_t last;              /* the row that was found last */
	struct blocks *blocks;
	struct nfart_reader_stats stats;
	struct nfart_reader *reader;
	struct reading reading;   /* the caller begins it */
	uint64_t before;          /* time of the record before */
	bool begun;               /* there was one */
	struct nfart_pairs *pairs;
	bool failed;              /* memory was short */
	struct buf said;          /* what was told of a waveform, for standard error */
	int code;                 /* how reading ended: an exit code, and what to report */
	struct nfart_error error;
};

/* Makes a side empty. The arguments must outlive it. False: out of memory. against_close() is
 * called in either case. */
bool against_open(struct against_side *a, const struct nfarun_options *o,
		  const volatile sig_atomic_t *stop, const struct nfart_proto *p,
		  const char *trace);
void against_close(struct against_side *a);

/* Reads the trace. a->code says how that ended; unless it is NFART_OK or NFART_PARTIAL, a->error is
 * to be reported. */
void against_read(struct against_side *a);

/* Returns the number of a row, which is made if it is not there. Cost: linear in the rows, which
 * are not more than rules times types. If memory is short, a->failed is set. */
size_t against_row(struct against_side *a, const struct against_row *r);

static inline long against_dividend(size_t row)
{
	return 1 + 2 * (long)row;
}

#endif
