/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <inttypes.h>

#include "ir/count/count.h"

static void print_place(const struct diags *d, struct diag_range at, struct buf *b)
{
	size_t line = 0, column = 0;

	if (at.source < d->sources.n)
		diag_locate(&d->sources.at[at.source], at.begin, &line, &column);
	buf_addf(b, "line %zu, column %zu", line, column);
}

static void bounds(const struct count_record *r, struct buf *b)
{
	buf_addf(b, "{%" PRIu32, r->lo);
	if (r->hi == RX_INF)
		buf_addf(b, ",");
	else if (r->hi != r->lo)
		buf_addf(b, ",%" PRIu32, r->hi);
	buf_addf(b, "}");
}

static void print_counter(const struct spec *s, uint32_t i, struct buf *b)
{
	const struct spec_counter *c = &s->counters.at[i];

	buf_addf(b, "by '%s' at %" PRIu32 " %s", c->name, c->k, counter_modes[c->mode]);
}

static void print_counted(const struct spec *s, const struct count_record *r, struct buf *b)
{
	buf_addf(b, "is counted ");
	print_counter(s, r->counter[0], b);
	if (r->how == COUNT_STAR)
		buf_addf(b, ", any more copies after it");
	if (r->how == COUNT_TAIL)
		buf_addf(b, ", up to %" PRIu32 " more copies after it", r->hi - r->lo);
	if (r->how == COUNT_RANGE) {
		buf_addf(b, " and ");
		print_counter(s, r->counter[1], b);
	}
}

static const char *print_why(enum count_how how)
{
	switch (how) {
	case COUNT_INSIDE:
		return "it stands under a repetition";
	case COUNT_IN_COUNTER:
		return "it stands in the expression of a counter";
	case COUNT_BODY:
		return "what it repeats is no sequence of predicates";
	case COUNT_LONG:
		return "what it repeats has too many predicates";
	case COUNT_OVERLAP:
		return "one batch may satisfy two of its predicates, of ";
	case COUNT_AMBIGUOUS:
		return "count-ambiguous, it may begin anew where a copy ends, by ";
	case COUNT_EMPTY:
		return "it may be empty";
	case COUNT_NO_COUNTERS:
		return "the overlay has no counters";
	case COUNT_TOO_HIGH:
		return "the overlay's counters don't count as far";
	case COUNT_GAVE_UP:
		return "the filters are too large to look for reasons to count";
	default:
		return "a counter would save next to nothing";
	}
}

void count_print(const struct spec *s, const struct count_record *r, const struct diags *d,
		 struct buf *b)
{
	buf_addf(b, "repetition ");
	bounds(r, b);
	buf_addf(b, " of ");
	print_place(d, r->range, b);
	if (r->how < COUNT_LOWER) {
		buf_addf(b, ": ");
		print_counted(s, r, b);
	} else if (r->how == COUNT_LOWER) {
		buf_addf(b, ": more than %" PRIu32 " make no difference", r->lo);
	} else {
		buf_addf(b, " stays unrolled: %s", print_why(r->how));
		if (r->how == COUNT_OVERLAP || r->how == COUNT_AMBIGUOUS)
			print_place(d, r->other[0], b);
		if (r->how == COUNT_OVERLAP) {
			buf_addf(b, " and ");
			print_place(d, r->other[1], b);
		}
	}
	buf_addf(b, "\n");
}
