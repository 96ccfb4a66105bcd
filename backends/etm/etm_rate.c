/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/etm/etm_rate.h"

#include <inttypes.h>

#define PICOSECONDS UINT64_C(1000000000000) /* of a second */

static uint64_t divide_up(unsigned __int128 a, uint64_t b)
{
	return (uint64_t)((a + b - 1) / b);
}

uint64_t etm_rate_of(const struct etm_rate *r, uint64_t events, uint64_t cycles)
{
	return divide_up((unsigned __int128)events * r->bytes * r->clock, cycles);
}

/* Appends a number of thousandths as a decimal number with up to three places. */
static void print_thousandths(uint64_t n, const char *unit, struct buf *b)
{
	static const unsigned power[] = { 1000, 100, 10, 1 };
	int places = 3;

	while (places > 0 && n % power[places - 1] == 0)
		places--;
	buf_addf(b, "%" PRIu64, n / 1000);
	if (places > 0)
		buf_addf(b, ".%0*" PRIu64, places, n % 1000 / power[places]);
	buf_addf(b, " %s", unit);
}

void etm_rate_print(uint64_t bytes_a_second, struct buf *b)
{
	print_thousandths(divide_up(bytes_a_second, 1000), "MB/s", b);
}

void etm_rate_print_clock(uint64_t hertz, struct buf *b)
{
	print_thousandths(divide_up(hertz, 1000), "MHz", b);
}

void etm_rate_print_time(const struct etm_rate *r, uint64_t cycles, struct buf *b)
{
	print_thousandths(divide_up((unsigned __int128)cycles * 1000000000, r->clock), "us", b);
}

/* Writes the longest period in cycles to *cycles. False: counters of the core are too short for the
 * period that is asked for, or that is no cycle. */
static bool longest(const struct etm_rate *r, const struct etm_core *core, uint64_t *cycles,
		    struct buf *why)
{
	uint64_t most = (UINT64_C(1) << core->has.bits) - core->reading.zero;

	*cycles = most;
	if (r->longest == 0)
		return true;
	*cycles = (uint64_t)((unsigned __int128)r->longest * r->clock / PICOSECONDS);
	if (*cycles > most) {
		buf_addf(why, "a period of %" PRIu64 " cycles: a counter of core %s has %" PRIu32
			      " bits, so a period is at most ",
			 *cycles, core->name, core->has.bits);
		print_thousandths((uint64_t)((unsigned __int128)most * 1000000000 / r->clock), "us",
				  why);
		return false;
	}
	if (*cycles == 0)
		buf_addf(why, "the period is shorter than a cycle");
	return *cycles > 0;
}

bool etm_rate_numbers(const struct etm_rate *r, const struct etm_core *core,
		      struct etm_rate_numbers *n, struct buf *why)
{
	uint64_t a_cycle = r->clock * r->bytes, cycles; /* a_cycle: the rate of an event a cycle */

	if (!longest(r, core, &cycles, why))
		return false;
	if (r->rate >= a_cycle) {
		buf_addf(why, "an event of %" PRIu32 " bytes in every cycle is ", r->bytes);
		etm_rate_print(a_cycle, why);
		buf_addf(why, ", so a rate of ");
		etm_rate_print(r->rate, why);
		buf_addf(why, " regulates nothing");
		return false;
	}
	n->budget = (uint64_t)((unsigned __int128)r->rate * cycles / a_cycle);
	if (n->budget == 0) {
		buf_addf(why, "less than an event of %" PRIu32 " bytes in a period of %" PRIu64
			      " cycles: in such a period the rate is at least ", r->bytes, cycles);
		etm_rate_print(divide_up(a_cycle, cycles), why);
		return false;
	}
	n->period = divide_up((unsigned __int128)n->budget * a_cycle, r->rate);
	return true;
}
