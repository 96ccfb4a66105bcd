/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * etm_rate.h: budgets and periods of regulators in the units of people: bytes a second, hertz and
 * seconds. A regulator counts events and cycles.
 *
 * Note [rates]. A period of P cycles with a budget of B events of E bytes, at a clock of C hertz,
 * is the rate B * E * C / P. Of a rate R and a longest period L, B is the largest budget whose rate
 * in L cycles is at most R, and P is then the shortest period whose rate is at most R. So the rate
 * of the numbers is never above R, and it is below R by less than R / P.
 */
#ifndef NFACC_BACKENDS_ETM_ETM_RATE_H
#define NFACC_BACKENDS_ETM_ETM_RATE_H

#include "contract/etm/etm_core.h"
#include "support/buf.h"

enum { ETM_EVENT_BYTES = 64, ETM_MOST_EVENT_BYTES = 4096 };
#define ETM_LEAST_CLOCK UINT64_C(1000000)        /* hertz */
#define ETM_MOST_CLOCK UINT64_C(100000000000)
#define ETM_MOST_RATE UINT64_C(1000000000000)    /* bytes a second */
#define ETM_MOST_PERIOD UINT64_C(1000000000000)  /* picoseconds: a second */

/* What the user says. */
struct etm_rate {
	uint64_t clock;   /* hertz; 0: not said, and then nothing is known of times and rates */
	uint32_t bytes;   /* bytes that an event stands for */
	uint64_t rate;    /* bytes a second; 0: the source, or -D, has budget and period */
	uint64_t longest; /* the longest period, in picoseconds; 0: that of the core's counters */
};

/* What a regulator counts. */
struct etm_rate_numbers {
	uint64_t budget; /* events */
	uint64_t period; /* cycles */
};

/* Computes the numbers of a rate (Note [rates]); r->clock, r->rate and r->bytes are not 0, and all
 * of *r is within the limits above. False: there are none, and then a sentence that says why is
 * appended to `why`. */
bool etm_rate_numbers(const struct etm_rate *r, const struct etm_core *core,
		      struct etm_rate_numbers *n, struct buf *why);

/* Returns the bytes a second of `events` events in each `cycles` cycles, rounded up. Neither clock
 * nor cycles is 0. */
uint64_t etm_rate_of(const struct etm_rate *r, uint64_t events, uint64_t cycles);

/* Append a rate in MB/s, a frequency in MHz, a time of so many cycles in microseconds; none of them
 * is less than what is meant. */
void etm_rate_print(uint64_t bytes_a_second, struct buf *b);
void etm_rate_print_clock(uint64_t hertz, struct buf *b);
void etm_rate_print_time(const struct etm_rate *r, uint64_t cycles, struct buf *b);

#endif
