/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/etm/bound/bound_bytes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Returns the most bytes in a millisecond, wherever it begins: so many periods cover it. */
static uint64_t in_a_millisecond(const struct etm_bound *b, const struct etm_rate *rate)
{
	uint64_t cycles = (rate->clock + 999) / 1000, n = (cycles + b->period - 1) / b->period;
	int64_t lines = (int64_t)(n * b->most.rate_lines) + b->most.over;

	return (uint64_t)lines / b->most.rate_ticks * rate->bytes;
}

static uint64_t for_ever(const struct etm_bound *b, const struct etm_rate *rate)
{
	return etm_rate_of(rate, b->most.rate_lines, b->most.rate_ticks * b->period);
}

void bound_bytes_heading(const struct etm_bound *first, const struct etm_rate *rate,
			 struct buf *out)
{
	buf_addf(out, "\nat ");
	etm_rate_print_clock(rate->clock, out);
	buf_addf(out, ", %" PRIu32 " bytes a line: budget %" PRIu64 " bytes, period ", rate->bytes,
		 (uint64_t)first->k * rate->bytes);
	etm_rate_print_time(rate, first->period, out);
	buf_addf(out, ", ");
	etm_rate_print(etm_rate_of(rate, first->k, first->period), out);
	buf_addf(out, "; at most, in bytes:\n%-20s %11s  %-24s %11s  %s\n", "reading",
		 "one period", "n periods", "in 1 ms", "for ever");
}

void bound_bytes_row(const struct etm_bound *b, const char *name, const struct etm_rate *rate,
		     struct buf *out)
{
	const struct bound_most *m = &b->most;
	char over[64];
	uint64_t more = (uint64_t)(m->over < 0 ? -m->over : m->over) * rate->bytes;

	if (!m->finite) {
		buf_addf(out, "%-20s %11s  %-24s %11s  endless\n", name, "endless", "endless",
			 "endless");
		return;
	}
	snprintf(over, sizeof over, "%s%" PRIu64 " n %c %" PRIu64 "%s",
		 m->rate_ticks != 1 ? "(" : "", m->rate_lines * rate->bytes, m->over < 0 ? '-' : '+', more,
		 m->rate_ticks != 1 ? ")" : "");
	if (m->rate_ticks != 1)
		snprintf(over + strlen(over), sizeof over - strlen(over), " / %" PRIu64,
			 m->rate_ticks);
	buf_addf(out, "%-20s %11" PRIu64 "  %-24s %11" PRIu64 "  ", name, m->window * rate->bytes,
		 over, in_a_millisecond(b, rate));
	etm_rate_print(for_ever(b, rate), out);
	buf_addf(out, "\n");
}

void bound_bytes_json(const struct etm_bound *b, const struct etm_rate *rate, struct buf *out)
{
	const struct bound_most *m = &b->most;

	if (!m->finite)
		return;
	buf_addf(out, ",\"bytes\":{\"one_period\":%" PRIu64 ",\"rate\":[%" PRIu64 ",%" PRIu64
		      "],\"over\":%" PRId64 ",\"in_a_millisecond\":%" PRIu64
		      ",\"a_second_for_ever\":%" PRIu64 "}",
		 m->window * rate->bytes, m->rate_lines * rate->bytes, m->rate_ticks,
		 m->over * (int64_t)rate->bytes, in_a_millisecond(b, rate), for_ever(b, rate));
}
