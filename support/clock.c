/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "support/clock.h"

#include <limits.h>

enum { SECOND = 1000000000, MILLISECOND = 1000000 }; /* in nanoseconds */

/* The two clocks exist on every system on which nfacc builds, so that reading them cannot fail. */
static uint64_t clock_read(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

uint64_t clock_nanoseconds(void)
{
	return clock_read(CLOCK_MONOTONIC);
}

uint64_t clock_cpu_nanoseconds(void)
{
	return clock_read(CLOCK_PROCESS_CPUTIME_ID);
}

double clock_seconds(void)
{
	return (double)clock_nanoseconds() / SECOND;
}

double clock_cpu_seconds(void)
{
	return (double)clock_cpu_nanoseconds() / SECOND;
}

struct timespec clock_timespec(uint64_t nanoseconds)
{
	return (struct timespec){ .tv_sec = (time_t)(nanoseconds / SECOND),
				  .tv_nsec = (long)(nanoseconds % SECOND) };
}

struct clock_limit clock_limit_in_ms(uint64_t ms)
{
	uint64_t now = clock_cpu_nanoseconds();
	bool fits = ms <= (UINT64_MAX - now) / MILLISECOND;

	return (struct clock_limit){ true, fits ? now + ms * MILLISECOND : UINT64_MAX };
}

int clock_limit_left_ms(const struct clock_limit *l)
{
	uint64_t now, ms;

	if (!l->there)
		return INT_MAX;
	now = clock_cpu_nanoseconds();
	if (now >= l->end_nanoseconds)
		return 0;
	/* Rounded up: it is 0 only when the limit is reached. */
	ms = (l->end_nanoseconds - now - 1) / MILLISECOND + 1;
	return ms < INT_MAX ? (int)ms : INT_MAX - 1;
}
